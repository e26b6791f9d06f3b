/* What the ways into a jail share. */
#pragma once

#include "jail.h"

/* One line on standard error, with errno; false. */
bool jail_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The user of the slot, if we are root. */
bool jail_become_user(const struct jail *jail);

/* No program that is started later gets a capability. */
void jail_drop_bounds(void);

/* Becomes the program that is open as a file; returns after a message. */
void jail_run(int program, const char *const *arguments);
