#include "lab_suite.h"
#include "error.h"
#include "lab_checks.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNWRITTEN_STATUS = 3, SKIPPED_STATUS = 77, ARGUMENTS_MAX = 32 };
enum { RUN_SECONDS = 30, TEST_SECONDS = 240 };

static const char usage[] = "--program PATH [--skip-without-device] [--strict] [NAME ...]";
static char program[PATH_MAX];
static bool strict;
/* Tests run in processes of their own and leave their lines for the report in these files. */
static const char remark_path[] = "remark.txt", shown_path[] = "shown.txt";

struct program_result lab_suite_run(const char *const *arguments) {
  const char *all[ARGUMENTS_MAX] = {program};
  for (int n = 1; (all[n] = arguments[n - 1]); n++)
    if (n == ARGUMENTS_MAX - 1)
      error_die("%s: more than %d arguments", program, ARGUMENTS_MAX);
  lab_checks_begin();
  const struct program_result result = program_run(all, RUN_SECONDS);
  lab_checks_end();
  return result;
}

static void join(char *text, size_t size, const char *const *arguments) {
  size_t used = 0;
  for (text[0] = '\0'; *arguments && used < size; arguments++)
    used += (size_t)snprintf(text + used, size - used, " %s", *arguments);
}

struct program_result lab_suite_expect_success(const char *const *arguments) {
  const struct program_result result = lab_suite_run(arguments);
  char ending[512], command[512];
  program_describe(&result, ending, sizeof ending);
  if (result.status == UNWRITTEN_STATUS) {
    const char *colon = strstr(result.message, ": ");
    ck_abort_msg("%.*s", (int)strcspn(colon ? colon + 2 : ending, "\n"), colon ? colon + 2 : ending);
  }
  if (result.status != 0 || result.timed_out) {
    join(command, sizeof command, arguments);
    ck_abort_msg("%s\nthe run was:%s", ending, command);
  }
  return result;
}

static void leave_line(const char *path, const char *format, va_list values) {
  FILE *file = fopen(path, "wx"); /* fails when there is one already */
  if (!file)
    return;
  vfprintf(file, format, values);
  fclose(file);
}

void lab_suite_remark(const char *format, ...) {
  va_list values;
  va_start(values, format);
  leave_line(remark_path, format, values);
  va_end(values);
}

void lab_suite_show(const char *format, ...) {
  va_list values;
  va_start(values, format);
  leave_line(shown_path, format, values);
  va_end(values);
}

void lab_suite_expect_refused(const char *const *arguments, const char *says, const char *out) {
  char command[512], ending[512];
  join(command, sizeof command, arguments);
  unlink(out);
  const struct program_result result = lab_suite_run(arguments);
  const char *newline = strchr(result.message, '\n');
  program_describe(&result, ending, sizeof ending);
  if (result.status != 2)
    ck_abort_msg("%s: expected exit status 2, but: %s", command, ending);
  if (!newline || newline[1])
    ck_abort_msg("%s: expected one line on standard error, got:\n%s", command, result.message);
  if (!strstr(result.message, says))
    ck_abort_msg("%s: expected a message with '%s', got: %s", command, says, ending);
  if (access(out, F_OK) == 0)
    ck_abort_msg("%s: an output file was written", command);
}

/* Prints the line that tests of this name left, if any. */
static bool print_line(const char *path, const char *name, const char *what) {
  char text[1024];
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  const bool found = fgets(text, sizeof text, file) != NULL;
  if (found)
    printf("%-14s %s: %s\n", name, what, text);
  fclose(file);
  unlink(path);
  return found;
}

static bool is_wanted(const char *name, int count, char **names) {
  for (int n = 0; n < count; n++)
    if (strcmp(names[n], name) == 0)
      return true;
  return count == 0;
}

static void check_names(const struct lab_test *tests, int count, char **names) {
  for (int n = 0; n < count; n++) {
    const struct lab_test *test = tests;
    while (test->name && strcmp(test->name, names[n]) != 0)
      test++;
    if (test->name)
      continue;
    char list[256];
    size_t used = 0;
    for (test = tests; test->name && used < sizeof list; test++)
      if (test == tests || strcmp(test->name, test[-1].name) != 0)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", test->name);
    error_die("no test '%s': the tests are%s", names[n], list);
  }
}

/* Prints the message with every further line indented. */
static void print_indented(const char *text) {
  for (; *text; text++)
    if (*text == '\n')
      printf("\n               ");
    else
      putchar(*text);
  putchar('\n');
}

/* Runs one test; prints the message when it fails. */
static bool run_test(const struct lab_test *test) {
  Suite *suite = suite_create(test->name);
  TCase *cases = tcase_create(test->name);
  tcase_set_timeout(cases, TEST_SECONDS);
  tcase_add_test(cases, *test->test);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_SILENT);
  const bool passed = srunner_ntests_run(runner) == 1 && srunner_ntests_failed(runner) == 0;
  if (!passed) {
    TestResult **results = srunner_results(runner);
    printf("%-14s failed: ", test->name);
    print_indented(tr_msg(results[0]));
    free(results);
  }
  srunner_free(runner);
  return passed;
}

/* Runs the tests with the name of the first up to one that fails: that is the one to mend. Findings of the
 * checks count when the results are right. */
static bool run_name(const struct lab_test *tests) {
  const char *name = tests->name;
  bool passed = true;
  lab_checks_forget();
  for (; passed && tests->name && strcmp(tests->name, name) == 0; tests++)
    passed = run_test(tests);
  if (passed)
    passed = !lab_checks_tell(name);
  if (passed)
    printf("%-14s passed\n", name);
  print_line(shown_path, name, "shows");
  if (print_line(remark_path, name, strict ? "remark, which --strict forbids" : "remark, costs nothing") &&
      strict)
    passed = false;
  fflush(stdout);
  return passed;
}

static bool has_device(const char *const *probe) {
  const struct program_result result = lab_suite_run(probe);
  return !strstr(result.message, "cudaErrorNoDevice") &&
         !strstr(result.message, "cudaErrorInsufficientDriver");
}

static void find_program(const char *path) {
  if (!realpath(path, program))
    error_die("--program %s: no such file", path);
}

int lab_suite_main(int argc, char **argv, const struct lab_test *tests, const char *const *probe) {
  bool skip_without_device = false;
  int next = 1;
  for (; next < argc && strncmp(argv[next], "--", 2) == 0; next++) {
    if (strcmp(argv[next], "--skip-without-device") == 0)
      skip_without_device = true;
    else if (strcmp(argv[next], "--strict") == 0)
      strict = true;
    else if (strcmp(argv[next], "--program") == 0 && next + 1 < argc)
      find_program(argv[++next]);
    else
      error_die("unknown option %s: expected %s", argv[next], usage);
  }
  if (!program[0])
    error_die("no program: expected %s", usage);
  check_names(tests, argc - next, argv + next);
  program_enter_directory();
  if (skip_without_device && !has_device(probe)) {
    printf("skipped: no device\n");
    return SKIPPED_STATUS;
  }

  bool passed = true;
  int ran = 0;
  for (const struct lab_test *test = tests; test->name; test++) {
    const bool first = test == tests || strcmp(test->name, test[-1].name) != 0;
    if (first && is_wanted(test->name, argc - next, argv + next)) {
      passed &= run_name(test);
      ran++;
    }
  }
  return passed && ran > 0 ? 0 : 1;
}
