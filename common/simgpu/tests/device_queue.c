/* Launches that are sent without waiting for each other: their order, what they print, what a fault among
 * them stops, and that none is lost when the program ends. argv[1]: device_queue. */
#define _GNU_SOURCE
#include "../../tests/suite.h"

#include "device_program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

enum { LINE = 4096 }; /* bytes of one launch's text */

static const char *program, *const threads[] = {"1", "2", "4"};
enum { THREADS = sizeof threads / sizeof *threads };
static char counters[64];

static void set_up(void) {
  snprintf(counters, sizeof counters, "device_queue.%d.csv", (int)getpid());
  setenv("SIMGPU_COUNTERS", counters, 1);
}

static void tear_down(void) { remove(counters); }

static struct program_result run(const char *name) {
  return program_run((const char *[]){program, name, NULL}, 30);
}

static int lines_of(const char *text) {
  int lines = 0;
  for (; *text; text++)
    lines += *text == '\n';
  return lines;
}

/* Launches that the file of counters has. */
static int counted(void) {
  char *text = program_read_file(counters);
  int rows = lines_of(text) - 1;
  free(text);
  return rows;
}

/* A fault's report has two lines. */
START_TEST(what_is_queued_behind_a_fault_does_nothing) {
  setenv("SIMGPU_THREADS", threads[_i], 1);
  struct program_result result = run("fault");
  ck_assert_int_eq((int)strspn(result.output, " "), LINE - 2);
  ck_assert_str_eq(result.output + LINE - 2, "1\ncudaSuccess cudaErrorIllegalAddress -1\n");
  ck_assert_int_eq(lines_of(result.message), 2);
  ck_assert_int_eq(counted(), 2);
}
END_TEST

START_TEST(a_copy_tells_of_the_fault_before_it) {
  setenv("SIMGPU_THREADS", threads[_i], 1);
  struct program_result result = run("fault at copy");
  ck_assert_str_eq(result.output, "cudaErrorIllegalAddress -1\n");
  ck_assert_int_eq(lines_of(result.message), 2);
}
END_TEST

START_TEST(a_fault_that_nobody_asks_for_is_reported_once) {
  struct program_result result = run("fault at end");
  ck_assert_int_eq(result.status, 0);
  ck_assert_int_eq(lines_of(result.message), 2);
  ck_assert_int_eq(counted(), 1);
}
END_TEST

START_TEST(work_runs_in_its_order) {
  struct program_result result = run("order");
  ck_assert_str_eq(result.output, "0 2500499\n"); /* the sum of 2001 to 3000, less 1 */
  ck_assert_int_eq(result.status, 0);
  ck_assert_int_eq(counted(), 6000);
}
END_TEST

START_TEST(events_have_the_times_of_work_that_is_waited_for) {
  struct program_result waited = program_run((const char *[]){program, "measure", "1", NULL}, 30);
  struct program_result queued = program_run((const char *[]){program, "measure", "0", NULL}, 30);
  ck_assert_int_eq(waited.status, 0);
  ck_assert_str_eq(queued.output, waited.output);
}
END_TEST

START_TEST(host_threads_share_the_queue) {
  setenv("SIMGPU_THREADS", threads[_i], 1);
  ck_assert_str_eq(run("threads").output, "0 wrong\n");
  ck_assert_int_eq(counted(), 6000);
}
END_TEST

/* Requests and text are both more than the socket holds. */
START_TEST(text_of_many_launches_is_whole_and_in_order) {
  enum { LAUNCHES = 10000 };
  struct program p = program_start((const char *[]){program, "print", "10000", NULL});
  int output = dup(p.output);
  ck_assert_int_eq(program_wait(p, 50).status, 0);
  char line[LINE + 1] = "";
  for (int i = 0; i < LAUNCHES; i++) {
    ck_assert_int_eq(pread(output, line, LINE, (off_t)i * LINE), LINE);
    ck_assert_int_eq(line[LINE - 1], '\n');
    ck_assert_int_eq(atoi(line), i);
  }
  ck_assert_int_eq(pread(output, line, 1, (off_t)LAUNCHES * LINE), 0);
  close(output);
}
END_TEST

/* Even of work that takes longer than a device whose program is gone has. */
START_TEST(a_program_that_ends_loses_no_launch) {
  struct program_result result = program_run((const char *[]){program, "leave", "100", NULL}, 50);
  ck_assert_int_eq(result.status, 0);
  ck_assert_int_eq(counted(), 100);
}
END_TEST

/* It has a moment to do what is queued. */
START_TEST(the_device_of_a_program_that_crashes_finishes_its_files) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* the device becomes our child */
  struct program_result result = program_run((const char *[]){program, "crash", "50", NULL}, 30);
  ck_assert_int_eq(result.status, -1);
  waitpid(-1, NULL, 0);
  ck_assert_int_eq(counted(), 50);
}
END_TEST

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: device_queue_suite PROGRAM\n");
    return 2;
  }
  program = argv[1];
  Suite *suite = suite_create("device_queue");
  TCase *tcase = tcase_create("queue");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_loop_test(tcase, what_is_queued_behind_a_fault_does_nothing, 0, THREADS);
  tcase_add_loop_test(tcase, a_copy_tells_of_the_fault_before_it, 0, THREADS);
  tcase_add_test(tcase, a_fault_that_nobody_asks_for_is_reported_once);
  tcase_add_test(tcase, work_runs_in_its_order);
  tcase_add_test(tcase, events_have_the_times_of_work_that_is_waited_for);
  tcase_add_loop_test(tcase, host_threads_share_the_queue, 0, THREADS);
  tcase_add_test(tcase, text_of_many_launches_is_whole_and_in_order);
  tcase_add_test(tcase, a_program_that_ends_loses_no_launch);
  tcase_add_test(tcase, the_device_of_a_program_that_crashes_finishes_its_files);
  tcase_set_timeout(tcase, 60);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
