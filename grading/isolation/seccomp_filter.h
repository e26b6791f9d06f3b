/* The filter of system calls for programs in a jail, with libseccomp. */
#pragma once

#include <stdbool.h>

/* Allowed is what the lists in seccomp_filter.c do not name: the kernel refuses those with EPERM, and kills the process
 * for calls that only an attack can need.
 * gpu: allows what the driver of a real GPU needs. All functions return false, with errno, without libseccomp. */

/* Makes the filter, for which children then need not take the time. */
bool seccomp_filter_prepare(bool gpu);

/* For this process and its children, from now on; it sets no_new_privs. */
bool seccomp_filter_limit(bool gpu);

/* Writes the filter to the descriptor as bubblewrap reads it. */
bool seccomp_filter_write(int file, bool gpu);

/* Whether this build has libseccomp. */
bool seccomp_filter_can_limit(void);
