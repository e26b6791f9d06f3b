/* Launches sent without waiting: their order, their output, the effect of a fault. None may be lost when the
 * program ends. argv[1], argv[2]: device_queue and the device. */
#define _GNU_SOURCE
#include "suite.h"

#include "../protocol.h"
#include "device_program.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>

enum { LINE = 4096 }; /* bytes of one launch's text */

static const char *program, *device, *const threads[] = {"1", "2", "4"};
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

/* The number of launches in the file of counters. */
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

static const struct {
  const char *name, *output;
} on_host[] = {
    {"fault before host function", "0\n"},
    {"fault before callback", "cudaErrorLaunchFailure\n"},
    {"fault before copy on host", "-1\n"},
    {"fault before free", "1000\n"},
};

START_TEST(what_the_host_does_for_a_stream_waits_for_its_turn) {
  ck_assert_str_eq(run(on_host[_i].name).output, on_host[_i].output);
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

START_TEST(what_is_wrong_is_refused_at_once) {
#define INVALID "cudaErrorInvalidValue "
  ck_assert_str_eq(run("refused").output,
                   INVALID INVALID INVALID INVALID "cudaSuccess cudaErrorInvalidValue\n");
}
END_TEST

START_TEST(events_have_the_times_of_work_that_is_waited_for) {
  struct program_result waited = program_run((const char *[]){program, "measure", "1", NULL}, 30);
  struct program_result queued = program_run((const char *[]){program, "measure", "0", NULL}, 30);
  ck_assert_int_eq(waited.status, 0);
  ck_assert_str_eq(queued.output, waited.output);
  ck_assert_str_eq(run("managed").output, "equal\n");
}
END_TEST

START_TEST(host_threads_share_the_queue) {
  setenv("SIMGPU_THREADS", threads[_i], 1);
  ck_assert_str_eq(run("threads").output, "0 wrong\n");
  ck_assert_int_eq(counted(), 6000);
}
END_TEST

START_TEST(counters_are_there_when_the_program_has_waited) { ck_assert_str_eq(run("rows").output, "10\n"); }
END_TEST

/* Both requests and text exceed the socket's buffer. */
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

/* Even if the work takes longer than the grace period of a device whose program has ended. */
START_TEST(a_program_that_ends_loses_no_launch) {
  struct program_result result = program_run((const char *[]){program, "leave", "100", NULL}, 50);
  ck_assert_int_eq(result.status, 0);
  ck_assert_int_eq(counted(), 100);
}
END_TEST

/* The device has a moment to finish queued work. */
START_TEST(the_device_of_a_program_that_crashes_finishes_its_files) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* the device becomes our child */
  struct program_result result = program_run((const char *[]){program, "crash", "50", NULL}, 30);
  ck_assert_int_eq(result.status, -1);
  waitpid(-1, NULL, 0);
  ck_assert_int_eq(counted(), 50);
}
END_TEST

/* A client that sends everything and closes its side, with an unknown last request. */
START_TEST(what_was_asked_is_answered_before_the_device_hangs_up) {
  enum { REQUESTS = 5000 };
  static struct sim_header requests[REQUESTS + 1], replies[REQUESTS + 1];
  int ends[2];
  char number[16];
  for (int i = 0; i <= REQUESTS; i++)
    requests[i].type = i < REQUESTS ? SIM_RESET : SIM_REQUESTS;
  ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  snprintf(number, sizeof number, "%d", ends[1]);
  struct program p = program_start((const char *[]){device, number, NULL});
  close(ends[1]);
  ck_assert_int_eq(send(ends[0], requests, sizeof requests, 0), sizeof requests);
  ck_assert_int_eq(shutdown(ends[0], SHUT_WR), 0);
  ck_assert_int_eq(recv(ends[0], replies, sizeof replies, MSG_WAITALL), REQUESTS * sizeof *replies);
  ck_assert_uint_eq(replies[REQUESTS - 1].type, SIM_RESET);
  struct program_result result = program_wait(p, 20);
  ck_assert_int_eq(result.status, 3);
  suite_assert_line(result.message, "simgpu-device: unknown request ");
  close(ends[0]);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM DEVICE");
  program = argv[1];
  device = argv[2];
  TCase *tcase = tcase_create("queue");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_loop_test(tcase, what_is_queued_behind_a_fault_does_nothing, 0, THREADS);
  tcase_add_loop_test(tcase, a_copy_tells_of_the_fault_before_it, 0, THREADS);
  tcase_add_loop_test(tcase, what_the_host_does_for_a_stream_waits_for_its_turn, 0,
                      (int)(sizeof on_host / sizeof *on_host));
  tcase_add_test(tcase, a_fault_that_nobody_asks_for_is_reported_once);
  tcase_add_test(tcase, work_runs_in_its_order);
  tcase_add_test(tcase, what_is_wrong_is_refused_at_once);
  tcase_add_test(tcase, events_have_the_times_of_work_that_is_waited_for);
  tcase_add_loop_test(tcase, host_threads_share_the_queue, 0, THREADS);
  tcase_add_test(tcase, counters_are_there_when_the_program_has_waited);
  tcase_add_test(tcase, text_of_many_launches_is_whole_and_in_order);
  tcase_add_test(tcase, a_program_that_ends_loses_no_launch);
  tcase_add_test(tcase, the_device_of_a_program_that_crashes_finishes_its_files);
  tcase_add_test(tcase, what_was_asked_is_answered_before_the_device_hangs_up);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_queue", tcase);
}
