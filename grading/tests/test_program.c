/* test_program HOSTILE HOSTILE_DEVICE DEVICE: programs that misbehave are stopped and described,
 * within small limits. */
#include "error.h"
#include "jail_room.h"
#include "memory_group.h"
#include "program.h"
#include "suite.h"
#include "timing.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char hostile[PATH_MAX], on_device[PATH_MAX], device[PATH_MAX];

static const struct supervisor_limits small = {
    .cpu_seconds = 0.3,
    .idle_seconds = 0.3,
    .waiting_seconds = 0.3,
    .seconds = 60,
    .memory = 64 << 20,
    .file = 1 << 20,
    .processes = 8,
    .device_memory = 4 << 20,
    .launch = 100000,
    .foreign = true,
};

static const struct {
  const char *deed, *verdict, *says; /* says: the description, or its beginning */
} deeds[] = {
    {"sleep", "TIMEOUT", "stopped after 0.3 s idle: does the program sleep, or wait for something?"},
    {"ignore", "TIMEOUT", "stopped after 0.3 s idle"},
    {"wake", "TIMEOUT", "stopped after 0.3 s"},
    {"vfork", "TIMEOUT", "stopped after 0.3 s idle"},
    {"pretend", "CRASH", "exit status 1: simgpu: the device process ended"},
    {"garbage", "VIOLATION", "stopped: it sent the simulated GPU a request that no CUDA function sends"},
    {"spin", "TIMEOUT", "stopped after 0.3 s of CPU time: does a loop never end?"},
    {"spin elsewhere", "TIMEOUT", "stopped after 0.3 s of CPU time"},
    {"fork", "VIOLATION", "stopped: it started more than 8 processes: a lab program needs none"},
    {"print", "OUTPUT", "stopped: it wrote more than 1 MiB to one file or to its output"},
    {"file", "OUTPUT", "stopped: it wrote more than 1 MiB to one file or to its output"},
    {"allocate", "MEMORY", "stopped: it used more than 64 MiB of memory"},
    {"allocate in children", "MEMORY", "stopped: it used more than 64 MiB of memory"},
    {"end the first thread", "MEMORY", "stopped: it used more than 64 MiB of memory"},
    {"abort", "CRASH", "it crashed: Aborted"},
    {"overwrite the heap", "CRASH",
     "it crashed: Aborted: munmap_chunk(): invalid pointer: the program wrote beyond an array of the host"},
    {"segfault", "CRASH", "it crashed: Segmentation fault"},
    {"divide", "CRASH", "it crashed: an integer is divided by zero"},
    {"end after a line", "CRASH", "exit status 1, after the line \"no convergence\""},
    {"kill", "CRASH", "it crashed: Killed"},
    {"forbidden", "VIOLATION", "stopped: it called a system function that no lab program needs"},
    {"1", "CRASH", "exit status 1, without a message"},
    {"2", "WRONG", "exit status 2, without a message"},
    {"3", "UNWRITTEN", "exit status 3, without a message"},
    {"42", "CRASH", "exit status 42, without a message"},
    {"139", "CRASH", "exit status 139, without a message"},
    {"0", "PASS", "exit status 0, without a message"},
};

static void expect(const struct program_result *result, const char *verdict, const char *beginning) {
  char text[512];
  program_describe(result, text, sizeof text);
  ck_assert_str_eq(program_verdict(result), verdict);
  ck_assert_msg(strncmp(text, beginning, strlen(beginning)) == 0, "expected '%s', got '%s'", beginning, text);
}

static struct program_result run_with_device(const char *program, const char *deed) {
  return program_run_order(&(struct program_order){
      .arguments = (const char *[]){program, deed, NULL}, .limits = &small, .device = device});
}

START_TEST(a_deed_has_its_verdict) {
  const struct program_result result = run_with_device(hostile, deeds[_i].deed);
  expect(&result, deeds[_i].verdict, deeds[_i].says);
}
END_TEST

START_TEST(a_small_program_that_the_kernel_kills_is_no_fault_of_its_own) {
  struct program_result result = {.signal = SIGKILL, .status = -1, .limits = {.memory = 64 << 20}};
  ck_assert_str_eq(program_verdict(&result), "CRASH");
  result.report.out_of_memory = true;
  result.report.peak_memory = 20 << 20;
  ck_assert_str_eq(program_verdict(&result), "INFRA");
  result.report.peak_memory = 60 << 20;
  ck_assert_str_eq(program_verdict(&result), "MEMORY");
  result.report.is_grouped = true;
  ck_assert_str_eq(program_verdict(&result), "INFRA");
}
END_TEST

/* Where the kernel counts the memory of a group of processes. */
START_TEST(memory_that_no_process_has_resident_counts) {
  const struct program_result result = run_with_device(hostile, "hide memory");
  expect(&result, "MEMORY", "stopped: it used more than 64 MiB of memory");
}
END_TEST

static bool has_groups(void) {
  struct memory_group group;
  const bool is_open = memory_group_open(&group, 64 << 20);
  memory_group_close(&group);
  return is_open;
}

/* --- in a room: a jail that is kept for several runs --- */

static struct jail jail = {.level = ISOLATION_FULL, .slot = 7, .tmpfs = 1 << 20};
static struct jail_room room;

static bool open_room(void) {
  static const char *readable[] = {hostile, NULL};
  jail.readable = readable;
  jail.room = &room;
  return jail_room_open(&room, &jail);
}

static struct program_result run_in_room(const char *deed) {
  struct supervisor_limits limits = small;
  ck_assert_msg(open_room(), "cannot open a room");
  limits.jail = &jail;
  return program_run_order(&(struct program_order){
      .arguments = (const char *[]){hostile, deed, NULL}, .limits = &limits, .device = device});
}

START_TEST(a_deed_has_its_verdict_in_a_room) {
  const struct program_result result = run_in_room(deeds[_i].deed);
  expect(&result, deeds[_i].verdict, deeds[_i].says);
}
END_TEST

/* Each run finds an empty folder, and no process of the run before. */
START_TEST(nothing_is_left_in_a_room) {
  const pid_t before = (open_room(), room.init);
  struct program_result result = run_in_room("first in its folder");
  expect(&result, "PASS", "exit status 0");
  result = run_in_room("first in its folder");
  expect(&result, "PASS", "exit status 0");
  ck_assert_int_eq(room.init, before);
}
END_TEST

/* The room goes on without the daemon. */
START_TEST(no_process_outlives_a_run_in_a_room) {
  const pid_t before = (open_room(), room.init);
  for (int n = 0; n < 6; n++) {
    struct program_result result = run_in_room(n % 2 ? "daemon" : "chain");
    expect(&result, "PASS", "exit status 0");
    result = run_in_room("alone");
    expect(&result, "PASS", "exit status 0");
  }
  ck_assert_int_eq(room.init, before);
}
END_TEST

/* A program sees no process of the room: it cannot end one. */
START_TEST(a_program_does_not_reach_the_keeper) {
  const pid_t before = (open_room(), room.init);
  for (int n = 0; n < 3; n++) {
    struct program_result result = run_in_room("kill all");
    expect(&result, "PASS", "exit status 0");
    result = run_in_room("first in its folder");
    expect(&result, "PASS", "exit status 0");
  }
  ck_assert_int_eq(room.init, before);
}
END_TEST

/* Waits until the process has a child and returns its id. */
static int child_of(pid_t process) {
  char path[64];
  int child = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
  for (int n = 0; n < 500 && child == 0; n++) {
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%d", &child) != 1)
      usleep(10000);
    if (file)
      fclose(file);
  }
  ck_assert(child > 0);
  return child;
}

/* For example by the machine, between two runs: that costs the room, not the grading. */
START_TEST(a_room_whose_keeper_is_killed_is_replaced) {
  open_room();
  const struct jail_room before = room;
  ck_assert_int_eq(kill(child_of(before.init), SIGKILL), 0);
  ck_assert_msg(poll(&(struct pollfd){.fd = before.handle, .events = POLLIN}, 1, 10000) == 1,
                "the room without a keeper is left");
  const struct program_result result = run_in_room("first in its folder");
  expect(&result, "PASS", "exit status 0");
  ck_assert_int_ne(room.init, before.init);
}
END_TEST

/* Its orphans count as the program does. */
START_TEST(orphans_in_a_room_count) {
  const struct program_result result = run_in_room("orphan that allocates");
  expect(&result, "MEMORY", "stopped: it used more than 64 MiB of memory");
}
END_TEST

START_TEST(a_program_in_a_room_has_no_rights) {
  const struct program_result result = run_in_room("rights");
  ck_assert_int_eq(result.status, 0);
  expect(&result, "PASS", "exit status 0");
}
END_TEST

START_TEST(deeds_on_the_device) {
  struct program_result result = run_with_device(on_device, "spin");
  expect(&result, "TIMEOUT", "exit status 1: ");
  ck_assert(strstr(result.message,
                   "hostile_device.cu:6: the launch executes more than 100000 warp instructions: "
                   "does a loop never end?"));
  result = run_with_device(on_device, "scatter");
  ck_assert(strstr(result.message, "warp instructions: each of many blocks has fewer threads"));
  result = run_with_device(on_device, "allocate");
  expect(&result, "MEMORY", "exit status 1: hostile: cudaErrorMemoryAllocation");
}
END_TEST

/* The grader says what the device counts, and where: not the program. */
START_TEST(the_device_is_the_graders) {
  setenv("SIMGPU_COUNTERS", "counted.csv", 1);
  struct program_result result = run_with_device(hostile, "pretend");
  ck_assert(access("counted.csv", F_OK) == 0 && access("own.csv", F_OK) != 0);
  ck_assert_uint_eq(result.said_by_device, 0);
  result = run_with_device(on_device, "launch");
  expect(&result, "OUTPUT", "stopped: the records of its launches take more than 1 MiB");
  unsetenv("SIMGPU_COUNTERS");
}
END_TEST

/* Only what the supervisor sees of the device is a fault of the machine. */
START_TEST(a_device_that_fails_is_no_fault_of_the_program) {
  static const char *const failing[][2] = {
      {"#!/bin/sh\nkill -SEGV $$\n", "the simulated GPU ended unexpectedly"},
      {"#!/bin/sh\necho 'cannot write' >&2; exit 2\n", "the simulated GPU ended unexpectedly: cannot write"},
      /* code from a cache would be code of another process */
      {"#!/bin/sh\necho \"native $SIMGPU_NATIVE\" >&2; exit 2\n",
       "the simulated GPU ended unexpectedly: native off"}};
  setenv("SIMGPU_NATIVE", "always", 1);
  for (size_t n = 0; n < sizeof failing / sizeof *failing; n++) {
    FILE *file = fopen("device.sh", "w");
    ck_assert(file && fputs(failing[n][0], file) >= 0 && fclose(file) == 0 && chmod("device.sh", 0700) == 0);
    const struct program_result result = program_run_order(&(struct program_order){
        .arguments = (const char *[]){hostile, "0", NULL}, .limits = &small, .device = "./device.sh"});
    expect(&result, "INFRA", failing[n][1]);
  }
}
END_TEST

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect_text(const char *path, const char *expected) {
  char text[64] = "";
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s is missing", path);
  ck_assert(fgets(text, sizeof text, file) != NULL);
  fclose(file);
  ck_assert_str_eq(text, expected);
}

/* Links that the program makes change nothing. */
START_TEST(files_are_descriptors) {
  struct error error;
  struct run_files files;
  const char *const arguments[] = {hostile, "files", "--u", "in.npy", "--out", "out.npy", NULL};
  write_text("in.npy", "numbers");
  ck_assert_msg(run_files_open(&files, arguments, &error), "%s", error.text);
  ck_assert_int_eq(files.count, 2);
  const struct program_result result = program_run_order(
      &(struct program_order){.arguments = arguments, .limits = &small, .device = device, .files = &files});
  expect(&result, "PASS", "exit status 0, after the line \"read and written\"");
  ck_assert_str_eq(result.output, "read and written\n");
  ck_assert_msg(run_files_keep(&files, &error), "%s", error.text);
  expect_text("in.npy", "numbers");
  expect_text("out.npy", "numbers");
  ck_assert(access("stdout.txt", F_OK) != 0);
}
END_TEST

START_TEST(what_is_not_written_is_not_kept) {
  struct error error;
  struct run_files files;
  const char *const arguments[] = {hostile,       "0",     "--out",       "none.npy", "--u",
                                   "missing.npy", "--csv", "no/such.csv", NULL};
  ck_assert(run_files_open(&files, arguments, &error));
  ck_assert(files.count == 1 && files.is_output[0]);
  ck_assert(run_files_keep(&files, &error) && access("none.npy", F_OK) != 0);
}
END_TEST

/* The program allocates memory and frees it between two checks. */
START_TEST(short_lived_memory_counts) {
  const struct supervisor_limits little = {.seconds = 60, .memory = 16 << 20, .foreign = true};
  const struct program_result result =
      program_run_within((const char *[]){hostile, "allocate and end", NULL}, &little);
  expect(&result, "MEMORY", "stopped: it used more than 16 MiB of memory");
}
END_TEST

START_TEST(nothing_is_left) {
  int process;
  const struct program_result result = program_run_within((const char *[]){hostile, "daemon", NULL}, &small);
  ck_assert_str_eq(program_verdict(&result), "PASS");
  FILE *file = fopen("process.txt", "r");
  ck_assert(file && fscanf(file, "%d", &process) == 1);
  fclose(file);
  ck_assert_msg(kill(process, 0) != 0 && errno == ESRCH, "process %d is left", process);
}
END_TEST

/* Ignored signals do not help the program, and its output is cut off. */
START_TEST(output_is_cut_off) {
  const struct program_result result =
      program_run_within((const char *[]){hostile, "print on", NULL}, &small);
  ck_assert_str_eq(program_verdict(&result), "PASS");
  ck_assert_uint_eq(strlen(result.message), PROGRAM_TEXT_MAX - 1);
}
END_TEST

START_TEST(it_sees_little) {
  ck_assert(setenv("SECRET", "1", 1) == 0 && dup2(STDIN_FILENO, 7) == 7);
  const struct program_result result =
      program_run_within((const char *[]){hostile, "surroundings", NULL}, &small);
  ck_assert(strstr(result.output, "LC_ALL=C\n") && strstr(result.output, "\nPATH="));
  ck_assert(!strstr(result.output, "SECRET") && !strstr(result.output, "HOME="));
  ck_assert_msg(!strstr(result.output, "is open"), "%s", result.output);
  ck_assert_msg(strstr(result.output, "input 0, core 0, session 1, first to go 1000\n") != NULL, "%s",
                result.output);
}
END_TEST

/* A fault of the machine, not of the program. */
START_TEST(a_busy_machine_is_no_timeout) {
  const struct supervisor_limits short_of_time = {.seconds = 0.2};
  struct program_result result = program_run_within((const char *[]){hostile, "sleep", NULL}, &short_of_time);
  expect(&result, "INFRA", "it did not finish in time");
  const struct program program = program_start(
      &(struct program_order){.arguments = (const char *[]){hostile, "ignore", NULL}, .limits = &small});
  const double start = timing_now();
  result = program_finish(&program, 0.05);
  expect(&result, "INFRA", "it did not finish in time");
  ck_assert(timing_now() - start < 5);
}
END_TEST

/* For example, the folder has no room or the disk is noexec. The program's own words are no proof of that. */
START_TEST(what_cannot_be_started_is_no_fault_of_the_program) {
  struct program_result result = program_run_within((const char *[]){"/no/such/program", NULL}, &small);
  expect(&result, "INFRA", "it could not be started: /no/such/program: cannot run: No such file");
  static const char script[] = "echo './program: cannot run: no' >&2; exit 127";
  result = program_run((const char *[]){"/bin/sh", "-c", script, NULL}, 10);
  expect(&result, "CRASH", "exit status 127: ./program: cannot run: no");
}
END_TEST

START_TEST(remarks_come_last) {
  static const char script[] = "exec >&2; echo 'a.cu:3: remark: harmless'; echo '    3 | code'; "
                               "test $0 = remark || echo 'a.cu:4: out of bounds'; exit 1";
  struct program_result result = program_run((const char *[]){"/bin/sh", "-c", script, "wrong", NULL}, 10);
  expect(&result, "CRASH", "exit status 1: a.cu:4: out of bounds");
  result = program_run((const char *[]){"/bin/sh", "-c", script, "remark", NULL}, 10);
  expect(&result, "CRASH", "exit status 1: a.cu:3: remark: harmless");
}
END_TEST

static double cpu_seconds_of(pid_t process) {
  clockid_t clock;
  struct timespec used;
  ck_assert(clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &used) == 0);
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static bool has_ended(pid_t process) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  const bool read = file && fgets(text, sizeof text, file);
  if (file)
    fclose(file);
  return !read || strstr(text, ") Z ");
}

/* The system may kill the program before the supervisor checks it. */
START_TEST(who_computed_too_long_timed_out_however_it_ends) {
  const struct program program = program_start(
      &(struct program_order){.arguments = (const char *[]){hostile, "spin", NULL}, .limits = &small});
  const int child = child_of(program.supervisor);
  ck_assert(kill(program.supervisor, SIGSTOP) == 0);
  while (cpu_seconds_of(child) < small.cpu_seconds + 0.1)
    usleep(10000);
  ck_assert(kill(child, SIGKILL) == 0);
  while (!has_ended(child))
    usleep(10000);
  ck_assert(kill(program.supervisor, SIGCONT) == 0);
  const struct program_result result = program_finish(&program, 60);
  expect(&result, "TIMEOUT", "stopped after 0.3 s of CPU time");
}
END_TEST

/* If the process that waits for a program is killed, the program ends, too. */
START_TEST(a_program_goes_with_its_caller) {
  int process = 0;
  unlink("process.txt");
  const pid_t caller = fork();
  if (caller == 0) {
    program_run((const char *[]){"/bin/sh", "-c", "echo $$ > process.txt; sleep 100; :", NULL}, 100);
    _exit(0);
  }
  for (int n = 0; n < 500 && process == 0; n++) {
    FILE *file = fopen("process.txt", "r");
    if (!file || fscanf(file, "%d", &process) != 1)
      usleep(10000);
    if (file)
      fclose(file);
  }
  ck_assert(process > 0 && kill(process, 0) == 0);
  kill(caller, SIGKILL);
  for (int n = 0; n < 500 && kill(process, 0) == 0; n++)
    usleep(10000);
  ck_assert_msg(kill(process, 0) != 0 && errno == ESRCH, "process %d is left", process);
}
END_TEST

int main(int argc, char **argv) {
  if (argc != 4 || !realpath(argv[1], hostile) || !realpath(argv[2], on_device) || !realpath(argv[3], device))
    error_die("expected HOSTILE HOSTILE_DEVICE DEVICE");
  TCase *cases = tcase_create("program");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, a_small_program_that_the_kernel_kills_is_no_fault_of_its_own);
  tcase_add_loop_test(cases, a_deed_has_its_verdict, 0, sizeof deeds / sizeof *deeds);
  if (has_groups())
    tcase_add_test(cases, memory_that_no_process_has_resident_counts);
  else
    puts("no control group for memory can be made: it is not tested");
  if (!open_room())
    puts("bubblewrap, libseccomp or user namespaces are missing: rooms are not tested");
  else {
    tcase_add_loop_test(cases, a_deed_has_its_verdict_in_a_room, 0, sizeof deeds / sizeof *deeds);
    tcase_add_test(cases, nothing_is_left_in_a_room);
    tcase_add_test(cases, no_process_outlives_a_run_in_a_room);
    tcase_add_test(cases, a_program_does_not_reach_the_keeper);
    tcase_add_test(cases, a_room_whose_keeper_is_killed_is_replaced);
    tcase_add_test(cases, orphans_in_a_room_count);
    tcase_add_test(cases, a_program_in_a_room_has_no_rights);
  }
  tcase_add_test(cases, deeds_on_the_device);
  tcase_add_test(cases, the_device_is_the_graders);
  tcase_add_test(cases, a_device_that_fails_is_no_fault_of_the_program);
  tcase_add_test(cases, files_are_descriptors);
  tcase_add_test(cases, what_is_not_written_is_not_kept);
  tcase_add_test(cases, short_lived_memory_counts);
  tcase_add_test(cases, nothing_is_left);
  tcase_add_test(cases, output_is_cut_off);
  tcase_add_test(cases, it_sees_little);
  tcase_add_test(cases, a_busy_machine_is_no_timeout);
  tcase_add_test(cases, what_cannot_be_started_is_no_fault_of_the_program);
  tcase_add_test(cases, remarks_come_last);
  tcase_add_test(cases, who_computed_too_long_timed_out_however_it_ends);
  tcase_add_test(cases, a_program_goes_with_its_caller);
  program_enter_directory();
  return suite_run_case("program", cases);
}
