/* Explains why a host program that dereferences a device pointer dies. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* From now on, one line on standard error reports a host access to device memory before it ends the program.
 * Does nothing if the program handles SIGSEGV itself. */
void trespass_watch(void);

/* Asks this function in the signal handler; if it returns true, the access is repeated. */
void trespass_permit(bool (*access_is_possible)(uintptr_t address));
