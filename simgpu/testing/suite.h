/* Shared by the suites: a main that fails if no test has run, tests that this machine cannot run, and child processes
 * whose exit and output are checked. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUITE_SKIPPED = 77 }; /* exit status; ctest knows it */

/* Shared with the tests, which are processes. */
static inline bool *suite_skips(void) {
  static bool *skips;
  if (!skips)
    skips = (bool *)mmap(NULL, sizeof *skips, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return skips;
}

/* Says that this machine cannot run a test, or some of them, and why. If the others pass, the suite
 * counts as skipped. */
static inline int suite_skip(const char *reason) {
  fprintf(stderr, "skipped: %s\n", reason);
  *suite_skips() = true;
  return SUITE_SKIPPED;
}

/* Runs the suite and frees it; the exit status for main. */
static inline int suite_run(Suite *suite) {
  const bool *skips = suite_skips();
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  if (run == 0 || failed > 0)
    return EXIT_FAILURE;
  return *skips ? SUITE_SKIPPED : EXIT_SUCCESS;
}

/* The same for a suite of one case. */
static inline int suite_run_case(const char *name, TCase *tests) {
  Suite *suite = suite_create(name);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}

/* Ends the program unless it has the arguments whose names, with blanks between them, are in `expected`. */
static inline void suite_check_arguments(int argc, char **argv, const char *expected) {
  int count = 1;
  for (const char *c = expected; *c; c++)
    count += *c == ' ';
  if (argc - 1 == count)
    return;
  fprintf(stderr, "usage: %s %s\n", argv[0], expected);
  exit(2);
}

/* How a child process ended: its exit status, -1 for a signal, and what it wrote to one descriptor. */
struct suite_child {
  int status;
  char text[4096];
};

static inline struct suite_child suite_child_run(int descriptor, void (*body)(void *), void *context) {
  struct suite_child child = {0};
  int ends[2], status;
  ck_assert_int_eq(pipe(ends), 0);
  pid_t pid = fork();
  ck_assert_int_ge(pid, 0);
  if (pid == 0) {
    close(ends[0]);
    dup2(ends[1], descriptor);
    body(context);
    exit(0);
  }
  close(ends[1]);
  size_t used = 0;
  for (ssize_t got; used < sizeof child.text - 1; used += (size_t)got)
    if ((got = read(ends[0], child.text + used, sizeof child.text - 1 - used)) <= 0)
      break;
  close(ends[0]);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  child.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return child;
}

/* `text` is one line, ended by its only newline, and contains `part`. */
static inline void suite_assert_line(const char *text, const char *part) {
  const char *newline = strchr(text, '\n');
  ck_assert_msg(newline && newline[1] == '\0', "expected one line, got \"%s\"", text);
  ck_assert_msg(strstr(text, part) != NULL, "expected \"%s\" in \"%s\"", part, text);
}
