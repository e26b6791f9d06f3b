/* The frame of a lab's suite: command line, selection of tests by name, report.
 *
 *   suite_NN --program PATH [--gpu] [--seed N] [--counts DIR] [--outcomes FILE] [--strict] [--hurry]
 *     [--device PATH] [--record FILE] [NAME …]
 *
 * The suite runs the program at PATH as a process. Tests with the same name share one line of the report. Without a
 * NAME all tests run. Exit status: 0 if all passed; 1 if one failed; 2 for a bad command line, such as an unknown name;
 * 77 if there is no GPU for --gpu. The program runs on the simulated GPU, which the suite starts; with --gpu, on a real
 * one. With --strict a remark fails its test, since a reference solution must not get remarks. --outcomes writes the
 * file that outcomes.h describes. --seed: see lab_suite_seed; default 1. --counts: the folder for the files of counted
 * runs (counters.h); default: the suite's own, which it removes.
 * --device: another process than this build's simulated GPU, by its absolute path. --record: it keeps the requests of
 * the last run in this file (SIMGPU_RECORD).
 * --inputs: the folder that gets the input files of a run that fails a test, for a student who repeats it;
 * made if missing.
 * --hurry: half the usual limits of a run, for programs that have timed out before. */
#pragma once

#include "grid.h"
#include "program.h"
#include <check.h>
#include <stdint.h>

struct lab_test {
  const char *name;   /* like "01/naive" */
  const TTest **test; /* the variable that Check's START_TEST defines */
  int index;          /* _i in the test; 0 in rows that leave it out */
};
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Hidden tests, which students do not get, from grading/suites/hidden/suite_NN_*.c if it exists. Their
 * names differ from those of public tests. NULL at the end. */
extern const struct lab_test lab_suite_hidden[] __attribute__((weak));

/* Before lab_suite_main: adds the tests of another file of the suite. */
void lab_suite_add(const struct lab_test *tests);

/* probe: arguments of a quick run that needs a device, NULL at the end. */
int lab_suite_main(int argc, char **argv, const struct lab_test *public, const char *const *probe);

/* In a test: a seed for random numbers, made from the suite's --seed and from purpose, which differs between
 * uses in a suite. Inputs and sizes drawn from it differ between gradings, so a program cannot know them. */
uint64_t lab_suite_seed(uint64_t purpose);

/* In a test: a grid larger than any block, strip, cap or size that a program may assume: nx and ny from 1025 to
 * 1100, not equal, drawn by purpose. odd: both are odd; otherwise both are even, and nx is a multiple of 4. */
struct grid lab_suite_large_grid(uint64_t purpose, bool odd);

/* The same with nx and ny from 513 to 588: beyond 65,536 points and 1024 blocks, at a quarter of the cost. */
struct grid lab_suite_middle_grid(uint64_t purpose, bool odd);

/* In a test: five columns and nearly as many rows as a lab allows, 32768, or the other way round, both odd. */
struct grid lab_suite_tall_grid(uint64_t purpose);
struct grid lab_suite_wide_grid(uint64_t purpose);

/* In a test: the folder for the files of counted runs (counters.h). */
const char *lab_suite_counts(void);

/* In a test: true for a reference solution, whose tests may take longer than a student would wait. */
bool lab_suite_is_strict(void);

/* In a test: whether the program runs on the simulated GPU. The suite knows it: no program is asked. */
bool lab_suite_is_simulated(void);

/* In a test: runs the program with the arguments given, NULL at the end. Its files: see run_files.h. */
struct program_result lab_suite_run(const char *const *arguments);

/* In a test: the limits of the simulated GPU in its later runs, so that calls of the CUDA runtime fail. memory: bytes;
 * launch: instructions of warps, accurate to about 65536 per thread of the host. */
void lab_suite_limit_device(uint64_t memory, uint64_t launch);

/* In a test: in later runs, the program's call of the CUDA runtime with this number fails; 0: none. */
void lab_suite_fail_call(int number);
/* The same for its launches alone. */
void lab_suite_fail_launch(int number);

/* The same as lab_suite_run, and fails the test unless the exit status is 0. An unwritten part fails it with the
 * program's own message. */
struct program_result lab_suite_expect_success(const char *const *arguments);
/* A line with the cause of a program's end, as program_describe() prints it, or "". */
const char *lab_suite_explain_ending(const char *ending);

/* The same, and returns false if the program runs and fails: a part that another item judges. */
bool lab_suite_succeeds(const char *const *arguments);

/* In a test: fails it unless the program exits with 2, prints one line on standard error that contains
 * says, and writes no file named out. */
void lab_suite_expect_refused(const char *const *arguments, const char *says, const char *out);

/* The last line of the output that begins with these words: what a student's functions print comes before it. The whole
 * output if there is none. */
const char *lab_suite_line(const char *output, const char *words);

/* In a test that is about to fail: sets a verdict of outcomes.h other than WRONG. The first call counts. */
void lab_suite_verdict(const char *verdict);

/* In a test: adds a line to the report that costs no points. Only the first one under a name is shown. */
void lab_suite_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* In a test of a counter item: the divisor of its metric, such as points × sweeps, and the arguments of the
 * counted run. The first call under a name counts. */
void lab_suite_counted(double per, const char *const *arguments);

/* In a test: sets a line that a passed test shows, such as an expected race. Only the first one under a name counts. */
void lab_suite_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
