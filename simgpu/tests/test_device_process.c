/* The device as a process: results and counters do not depend on its number of host threads; the device
 * and the program handle each other's death. argv[1], argv[2]: device_sums and device_life. */
#define _GNU_SOURCE
#include "suite.h"

#include "device_program.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

static const char *sums, *life;

START_TEST(results_and_counters_do_not_depend_on_host_threads) {
  static const char *const threads[] = {"1", "2", "3", "8", "1"};
  struct program_result first;
  char *first_counters = NULL;
  char path[64];
  snprintf(path, sizeof path, "device_process.%d.csv", (int)getpid());
  setenv("SIMGPU_COUNTERS", path, 1);
  for (int i = 0; i < 5; i++) {
    setenv("SIMGPU_THREADS", threads[i], 1);
    struct program_result result = program_run((const char *[]){sums, NULL}, 60);
    ck_assert_msg(result.status == 0, "%s%s", result.output, result.message);
    char *counters = program_read_file(path);
    remove(path);
    if (i == 0) {
      first = result;
      first_counters = counters;
      continue;
    }
    ck_assert_str_eq(result.output, first.output);
    ck_assert_str_eq(counters, first_counters);
    free(counters);
  }
  free(first_counters);
}
END_TEST

/* Starts a program whose kernel does not end, and waits until it runs. */
static struct program start_endless(pid_t *device) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* a dead program's device becomes our child */
  struct program p = program_start((const char *[]){life, "endless", NULL});
  char text[16] = "";
  for (int i = 0; i < 2000 && !strstr(text, "running\n"); i++, usleep(5000)) {
    ssize_t got = pread(p.output, text, sizeof text - 1, 0);
    ck_assert_int_ge(got, 0);
    text[got] = '\0';
  }
  ck_assert_str_eq(text, "running\n");
  *device = program_device(p);
  ck_assert_int_gt(*device, 0);
  usleep(50000); /* until the kernel runs */
  return p;
}

START_TEST(a_killed_device_is_an_error_to_the_program) {
  pid_t device;
  struct program p = start_endless(&device);
  ck_assert_int_eq(kill(device, SIGKILL), 0);
  struct program_result result = program_wait(p, 5);
  ck_assert_int_eq(result.status, 7);
  suite_assert_line(result.message, "simgpu: the device process ended (killed by signal 9)");
  ck_assert_ptr_nonnull(strstr(result.output, "running\ncudaError"));
}
END_TEST

START_TEST(a_killed_program_takes_its_device_along) {
  pid_t device;
  struct program p = start_endless(&device);
  ck_assert_int_eq(kill(p.pid, SIGKILL), 0);
  ck_assert_int_eq(program_wait(p, 5).status, -1);
  pid_t ended = 0;
  for (int i = 0; i < 6000 && ended == 0; i++, usleep(10000)) /* a minute, for a busy machine */
    ended = waitpid(device, NULL, WNOHANG);
  if (ended == 0)
    kill(device, SIGKILL);
  ck_assert_int_eq(ended, device);
}
END_TEST

static const unsigned moments[] = {0, 300, 1000, 3000, 10000, 30000}; /* µs after the device has started */
enum { MOMENTS = sizeof moments / sizeof *moments };

/* Starts a program that copies, and waits for the moment. */
static struct program start_copies(int moment, pid_t *device) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  struct program p = program_start((const char *[]){life, "copies", NULL});
  for (int i = 0; i < 20000 && (*device = program_device(p)) == 0; i++)
    usleep(100);
  ck_assert_int_gt(*device, 0);
  usleep(moments[moment]);
  return p;
}

/* At the first moments the client is greeting the device, later it copies or launches. */
START_TEST(a_device_killed_at_any_moment_is_an_error) {
  pid_t device;
  struct program p = start_copies(_i, &device);
  ck_assert_int_eq(kill(device, SIGKILL), 0);
  struct program_result result = program_wait(p, 20);
  ck_assert_int_eq(result.status, 7);
  suite_assert_line(result.message, "simgpu: the device process ended (killed by signal 9)");
  ck_assert(!strcmp(result.output, "cudaErrorInitializationError\n") ||
            !strcmp(result.output, "cudaErrorDevicesUnavailable\n"));
}
END_TEST

START_TEST(a_program_killed_at_any_moment_takes_its_device_along) {
  pid_t device, ended = 0;
  struct program p = start_copies(_i, &device);
  ck_assert_int_eq(kill(p.pid, SIGKILL), 0);
  ck_assert_int_eq(program_wait(p, 20).status, -1);
  for (int i = 0; i < 2000 && ended == 0; i++, usleep(10000))
    ended = waitpid(device, NULL, WNOHANG);
  if (ended == 0)
    kill(device, SIGKILL);
  ck_assert_int_eq(ended, device);
}
END_TEST

START_TEST(many_launches) {
  struct program_result result = program_run((const char *[]){life, "many", NULL}, 30);
  ck_assert_str_eq(result.output, "300 launches: 300\n");
  ck_assert_int_eq(result.status, 0);
  ck_assert_str_eq(result.message, "");
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) /* which keeps freed memory for a while */
START_TEST(launches_make_neither_side_grow) {
  struct program_result result = program_run((const char *[]){life, "launches", "20000", NULL}, 50);
  ck_assert_msg(result.status == 0, "%s%s", result.output, result.message);
  ck_assert_int_eq(strncmp(result.output, "20000 launches, ", 16), 0);
}
END_TEST
#endif

START_TEST(programs_at_once_have_devices_of_their_own) {
  struct program p[3];
  for (int i = 0; i < 3; i++)
    p[i] = program_start((const char *[]){life, "many", NULL});
  for (int i = 0; i < 3; i++) {
    struct program_result result = program_wait(p[i], 30);
    ck_assert_str_eq(result.output, "300 launches: 300\n");
    ck_assert_int_eq(result.status, 0);
  }
}
END_TEST

/* Processes left after a program's end. */
START_TEST(nothing_is_left) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  program_run((const char *[]){life, "many", NULL}, 30);
  ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child, running or ended */
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "SUMS LIFE");
  sums = argv[1];
  life = argv[2];
  TCase *tcase = tcase_create("process");
  tcase_add_test(tcase, results_and_counters_do_not_depend_on_host_threads);
  tcase_add_test(tcase, a_killed_device_is_an_error_to_the_program);
  tcase_add_test(tcase, a_killed_program_takes_its_device_along);
  tcase_add_loop_test(tcase, a_device_killed_at_any_moment_is_an_error, 0, MOMENTS);
  tcase_add_loop_test(tcase, a_program_killed_at_any_moment_takes_its_device_along, 0, MOMENTS);
  tcase_add_test(tcase, many_launches);
#if !defined(__SANITIZE_ADDRESS__)
  tcase_add_test(tcase, launches_make_neither_side_grow);
#endif
  tcase_add_test(tcase, programs_at_once_have_devices_of_their_own);
  tcase_add_test(tcase, nothing_is_left);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_process", tcase);
}
