/* The jail of submissions on a real GPU: that of other programs, with the device nodes and settings
 * of NVIDIA's driver. */
#pragma once

#include "installation.h"
#include "jail.h"

/* Tries the jail with our own program on this GPU: the kernel or a driver may not allow it. Returns the level that
 * submissions get: that of the kit's isolation, or none, and then missing says why. */
enum isolation time_jail_try(const struct installation *kit, char *missing, size_t size);

/* The jail of this program for a job; it is valid until the next call. NULL at level none. */
const struct jail *time_jail_of(const struct installation *kit, enum isolation level, int slot,
                                const char *program);
