/* Processes that end with the one that started them, even if it is killed. */
#pragma once

#include <sys/types.h>

/* Returns in a child. The calling process, itself a child of `parent`, becomes its guard: it closes all its
 * descriptors, and ends when the child ends, or with SIGTERM when `parent` ends. Then it ends all that the child
 * has started, too. To be called before bubblewrap, whose first process waits forever if bubblewrap is killed
 * while it starts. */
void guard_go_on(pid_t parent);
