/* The filter of system calls for programs in a jail, with libseccomp. */
#pragma once

#include <stdbool.h>

/* Which calls the kernel refuses: with EPERM; it kills the process for calls that only an attack can need.
 * gpu: allows what the driver of a real GPU needs. All functions return false, with errno, without libseccomp. */

/* For this process and its children, from now on; it sets no_new_privs. */
bool system_calls_limit(bool gpu);

/* Writes the filter to the descriptor as bubblewrap reads it. */
bool system_calls_write(int file, bool gpu);

/* Whether this build has libseccomp. */
bool system_calls_can_limit(void);
