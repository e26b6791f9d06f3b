/* What an emulator of processes, such as qemu, does otherwise than a kernel. It is tried, so a test that needs it runs
 * wherever it works. */
#pragma once

#include "suite.h"

#include <signal.h>
#include <spawn.h>

/* The reason to skip a test that expects an error when a program cannot be started, or NULL: an emulator makes the new
 * process by fork(), where only its exit status says so. */
static inline const char *emulator_hides_failed_start(void) {
  char *const missing[] = {"/nowhere", NULL};
  pid_t child;
  if (posix_spawn(&child, missing[0], NULL, NULL, missing, missing + 1) != 0)
    return NULL;
  waitpid(child, NULL, 0);
  return "the emulator hides that a program cannot be started";
}

static inline void emulator_kill_self(void *context) {
  (void)context;
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

/* The reason to skip a test that counts the lines of a program which a signal ends, or NULL. */
static inline const char *emulator_tells_of_signals(void) {
  const struct suite_child child = suite_child_run(STDERR_FILENO, emulator_kill_self, NULL);
  return child.text[0] ? "the emulator writes a line when a signal ends a program" : NULL;
}

/* For a test: false, and the suite counts as skipped, if there is a reason. */
static inline bool emulator_permits(const char *reason) {
  if (reason)
    suite_skip(reason);
  return !reason;
}
