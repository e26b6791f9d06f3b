/* Landlock: a process limits its own view of the file system, without root and without namespaces. */
#pragma once

#include <stdbool.h>

/* Limits this process and its children: to reading below the readable paths, NULL at the end, and to the
 * writable folder; NULL: to none. Missing paths are passed over. It needs no_new_privs. False, with errno:
 * the kernel has no Landlock. */
bool landlock_limit(const char *const *readable, const char *writable);

bool landlock_is_there(void);
