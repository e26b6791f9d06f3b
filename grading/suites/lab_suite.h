/* The frame of a lab's suite: command line, selection of tests by name, report.
 *
 *   suite_NN --program PATH [--outcomes FILE] [--skip-without-device] [--strict] [NAME …]
 *
 * The program at PATH is run as a process. Tests with the same name make up one line of the report; without a
 * NAME all of them run. Exit status 0 when all passed, 1 when one failed, 2 for a wrong command line (a name
 * that no test has included), 77 when the program finds no device and --skip-without-device was given. With
 * --strict a remark fails its test: what costs a student nothing shall not happen in a reference solution.
 * With --outcomes the file gets what outcomes.h says. */
#ifndef LAB_SUITE_H
#define LAB_SUITE_H

#include "program.h"
#include <check.h>

struct lab_test {
  const char *name;   /* like "01/naive" */
  const TTest **test; /* the variable that Check's START_TEST defines */
  int index;          /* _i in the test; 0 in rows that leave it out */
};
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Tests that students do not get, in a file of their own, grading/suites/hidden/suite_NN_*.c, where there is
 * one. They have names of their own; NULL at the end. */
extern const struct lab_test lab_suite_hidden[] __attribute__((weak));

/* probe: arguments of a quick run that needs a device, NULL at the end. */
int lab_suite_main(int argc, char **argv, const struct lab_test *public, const char *const *probe);

/* In a test: true when a reference solution is tested, which may take longer than a student would wait. */
bool lab_suite_is_strict(void);

/* In a test: runs the program with the arguments given, NULL at the end. */
struct program_result lab_suite_run(const char *const *arguments);

/* The same, and fails the test unless the exit status is 0; a part that is not written fails it with the
 * program's own words. */
struct program_result lab_suite_expect_success(const char *const *arguments);

/* In a test: fails it unless the program with these arguments exits with 2, one line on standard error in
 * which says stands, and no file named out. */
void lab_suite_expect_refused(const char *const *arguments, const char *says, const char *out);

/* In a test that is about to fail: the verdict that outcomes.h lists, where it is not WRONG. The first
 * counts. */
void lab_suite_verdict(const char *verdict);

/* In a test: a line for the report that costs nothing; of several under one name the first is shown. */
void lab_suite_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* In a test: a line that a passed test shows, such as a race that was expected. Only the first under one
 * name counts. */
void lab_suite_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
