/* SIMGPU_TOTALS: waits of known programs, and sums of random ones. SIMGPU_TRAFFIC, SIMGPU_WORK: known programs.
 * SIMGPU_RECORD: the same totals again.
 * argv: device_totals, device_managed and the device. */
#include "suite.h"

#include "../include/digest.h"
#include "../protocol.h"
#include "device_program.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char *program, *managed, *device;
static char path[64];

static void set_up(void) {
  snprintf(path, sizeof path, "device_totals.%d.csv", (int)getpid());
  setenv("SIMGPU_TOTALS", path, 1);
}

static void tear_down(void) { remove(path); }

/* The totals of a run, without the header; to be freed. */
static char *totals_of(const char *const *arguments, struct program_result *result) {
  static const char header[] = "name,value\n";
  *result = program_run(arguments, 60);
  ck_assert_msg(result->status == 0, "%s%s", result->output, result->message);
  ck_assert_str_eq(result->message, "");
  char *text = program_read_file(path);
  ck_assert_int_eq(strncmp(text, header, sizeof header - 1), 0);
  memmove(text, text + sizeof header - 1, strlen(text) + 1 - (sizeof header - 1));
  return text;
}

static const struct {
  const char *name, *rows; /* some of them */
} cases[] = {
    {"each kind", "launches,6\nhost_waits,6\nidle_waits,6\nunawaited_copies,0\ncopies_to_host,1\n"},
    {"none",
     "launches,3\nhost_waits,0\nidle_waits,0\nunawaited_copies,0\ncopies_to_host,0\nbytes_to_host,0\n"
     "bytes_to_device,4\nbytes_on_device,8\nbytes_filled,4\nwords_to_host_not_by_a_kernel,0\nallocated_bytes,8\n"
     "freed_bytes,4\nleaked_allocations,1\n"},
    {"ahead", "launches,20\nhost_waits,10\nidle_waits,0\nunawaited_copies,0\ncopies_to_host,10\n"},
    {"two streams", "launches,20\nhost_waits,10\nidle_waits,0\nunawaited_copies,0\ncopies_to_host,10\n"},
    {"ahead of little", "starved_waits,5\nlaunch_waits,7\n"}, /* three waits for the rest, and two of four */
    {"stale", "launches,2\nhost_waits,2\nidle_waits,2\n"},
    {"legacy", "launches,7\nhost_waits,4\nidle_waits,2\n"},
    {"polled", "host_waits,0\nidle_waits,0\nunawaited_copies,10\ncopies_to_host,20\n"},
    {"one wait for all", "host_waits,1\nidle_waits,1\nunawaited_copies,9\ncopies_to_host,20\n"},
    {"two copies", "host_waits,2\nidle_waits,0\nunawaited_copies,1\ncopies_to_host,3\n"},
    {"followed", "host_waits,1\nidle_waits,1\n"},
    {"two arrays",
     "bytes_to_host,144\nbytes_to_device,0\nbytes_on_device,0\nbytes_filled,0\nwords_to_host_not_by_a_kernel,18\n"},
    {"host functions", "launches,6\nhost_waits,0\nidle_waits,0\n"},
    {"host functions", "early_accesses,0\n"},
    {"host functions", "host_functions,6\n"},
    {"graph", "launches,10\nhost_waits,1\nidle_waits,1\nunawaited_copies,4\ncopies_to_host,5\n"},
    {"graph", "host_functions,0\ngraphs_made,1\n"},
    {"leaks", "allocated_bytes,7004\nfreed_bytes,2000\nleaked_allocations,3\n"},
    {"reset", "allocated_bytes,7004\nfreed_bytes,2000\nleaked_allocations,3\nmanaged_bytes,0\n"},
    {"managed",
     "launches,3\nhost_waits,2\nidle_waits,2\nunawaited_copies,0\ncopies_to_host,0\nbytes_to_host,0\n"
     "bytes_to_device,16\nbytes_on_device,0\nbytes_filled,0\nwords_to_host_not_by_a_kernel,0\nallocated_bytes,4404\n"
     "freed_bytes,4400\nleaked_allocations,1\nmanaged_bytes,4400\n"},
    {"concurrent", "managed_bytes,0\nconcurrent_launches,2\nunawaited_launches,2\n"},
    {"apart", "concurrent_launches,1\nunawaited_launches,0\n"},
    {"parts", "concurrent_launches,2\nunawaited_launches,0\n"},
    {"branches, ordered", "concurrent_launches,0\n"},
    {"branches, unordered", "concurrent_launches,2\n"},
    {"branches of a child, ordered", "concurrent_launches,0\n"},
    {"branches of a child, unordered", "concurrent_launches,2\n"},
    {"copies apart", "concurrent_copies,4\n"},
    {"copies apart", "concurrent_launches,1\nunawaited_launches,0\n"},
    {"copies of parts", "concurrent_copies,0\n"},
    {"copies of parts", "concurrent_launches,0\n"},
    {"parts in turn", "concurrent_copies,0\n"},
    {"parts in turn", "concurrent_launches,0\nunawaited_launches,0\n"},
    {"copies in order", "concurrent_copies,0\n"},
    {"copies in order", "concurrent_launches,0\n"},
    {"copies, blocking", "concurrent_copies,1\n"},
    {"two streams", "concurrent_copies,10\n"},
    {"followed", "concurrent_copies,0\n"},
    {"polled, mapped", "launches,6\nhost_waits,4\nidle_waits,4\n"},
    {"polled, mapped", "early_accesses,0\n"},
    {"polled, mapped", "launch_waits,4\nmapped_writes,4\n"},
    {"ordered", "managed_bytes,0\nconcurrent_launches,0\nunawaited_launches,0\n"},
    {"none", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,0\n"}, /* those of main() */
    {"graph", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,0\n"},
    {"left", "leaked_pinned,3\nleaked_objects,6\nearly_accesses,0\n"},
    {"left, reset", "leaked_pinned,3\nleaked_objects,6\nearly_accesses,0\n"},
    {"early", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,4\n"},
    {"awaited", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,0\n"},
    {"ahead in a page", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,0\n"},
    {"refilled", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,2\n"},
    {"refilled, awaited", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,0\n"},
    {"memory calls", "memory_calls,10\nordered_memory_calls,3\n"}, /* two of main() */
    {"each kind", "launch_waits,6\n"},
    {"none", "launch_waits,0\n"},
    {"early, managed", "leaked_pinned,1\nleaked_objects,3\nearly_accesses,1\n"},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(waits_and_allocations_are_counted) {
  struct program_result result;
  char *text = totals_of((const char *[]){program, cases[_i].name, NULL}, &result);
  ck_assert_msg(strstr(text, cases[_i].rows), "%s:\n%s", cases[_i].name, text);
  free(text);
}
END_TEST

/* Each program has a managed variable of 400 bytes. */
static const struct {
  const char *name, *rows;
} managed_cases[] = {
    {"variable",
     "bytes_to_host,0\nbytes_to_device,8\nbytes_on_device,0\nbytes_filled,0\nwords_to_host_not_by_a_kernel,0\n"
     "allocated_bytes,0\nfreed_bytes,0\nleaked_allocations,0\nmanaged_bytes,400\n"},
    {"uncounted", "leaked_allocations,1\nmanaged_bytes,800\n"},
    {"zeros",
     "bytes_to_host,400\nbytes_to_device,0\nbytes_on_device,0\nbytes_filled,0\nwords_to_host_not_by_a_kernel,100\n"},
};
enum { MANAGED_CASES = sizeof managed_cases / sizeof *managed_cases };

START_TEST(managed_memory_is_counted) {
  struct program_result result;
  char *text = totals_of((const char *[]){managed, managed_cases[_i].name, NULL}, &result);
  ck_assert_msg(strstr(text, managed_cases[_i].rows), "%s:\n%s", managed_cases[_i].name, text);
  free(text);
}
END_TEST

static bool is_disordered(const char *text) {
  return !strstr(text, "\nconcurrent_launches,0\n") || !strstr(text, "\nconcurrent_copies,0\n") ||
         !strstr(text, "\nearly_accesses,0\n");
}

/* The checks find what the totals of a plain run count, and nothing else; the totals stay the same. */
START_TEST(checks_report_disorder) {
  const char *const arguments[] = {program, cases[_i].name, NULL};
  struct program_result result;
  char *text = totals_of(arguments, &result);
  setenv("SIMGPU_CHECKS", "streams", 1);
  result = program_run(arguments, 60);
  char *again = program_read_file(path);
  unsetenv("SIMGPU_TOTALS");
  const struct program_result alone = program_run(arguments, 60);
  unsetenv("SIMGPU_CHECKS");
  const bool is_whole = result.status == 0; /* "ahead in a page" needs memory that is 0, which checks fill */
  ck_assert_str_eq(is_whole ? strchr(again, '\n') + 1 : text, text);
  ck_assert_str_eq(alone.message, result.message);
  ck_assert_msg(!is_whole || is_disordered(text) == (strstr(result.message, "simgpu: checks: ") != NULL),
                "%s: %s", cases[_i].name, result.message);
  free(text);
  free(again);
}
END_TEST

/* Blocks on one host thread and on several. */
START_TEST(sums_of_random_work) {
  char seed[16];
  struct program_result result;
  snprintf(seed, sizeof seed, "%d", _i);
  setenv("SIMGPU_THREADS", _i % 2 ? "4" : "1", 1);
  char *text = totals_of((const char *[]){program, "random", seed, NULL}, &result);
  ck_assert_str_eq(text, result.output);
  free(text);
}
END_TEST

START_TEST(a_recording_repeats_the_run) {
  char recording[sizeof path + 8];
  struct program_result result;
  snprintf(recording, sizeof recording, "%s.record", path);
  setenv("SIMGPU_RECORD", recording, 1);
  char *text = totals_of((const char *[]){program, cases[_i].name, NULL}, &result);
  unsetenv("SIMGPU_RECORD");
  char *again = totals_of((const char *[]){device, "--replay", recording, NULL}, &result);
  ck_assert_str_eq(again, text);
  remove(recording);
  free(again);
  free(text);
}
END_TEST

static uint64_t traffic_key;

static void print_row(char **text, const char *what, int others, int count, const int *words,
                      const char *cargo) {
  struct digest digest = {0, 0};
  digest_add(&digest, traffic_key, words, (size_t)count * sizeof *words);
  *text +=
      sprintf(*text, "%s,%" PRIu64 ",%016" PRIx64 ",%d,%s\n", what, digest.words, digest.sum, others, cargo);
}

/* The order of words does not count; zeros, and words that a kernel wrote, do not count as the host's. */
START_TEST(copies_are_reported) {
  /* A launch, its grid, block, number of parameter bytes and pointer; the same again; another grid; fills, a copy. */
  enum { PLACE = 2, COMMANDS = (1 + 3 + 3 + 1 + 2) + 1 + (1 + 1) + 2 * PLACE + 2 * PLACE };
  char expected[1024],
      *end = expected + sprintf(expected, "copy,words,digest,not_by_a_kernel,place,carries\n"), traffic[80];
  struct program_result result;
  snprintf(traffic, sizeof traffic, "%s.traffic", path);
  setenv("SIMGPU_TRAFFIC", traffic, 1);
  if (_i > 0)
    setenv("SIMGPU_TRAFFIC_KEY", "12345678901234567890", 1);
  traffic_key = _i > 0 ? UINT64_C(12345678901234567890) : 0;
  free(totals_of((const char *[]){program, "traffic", NULL}, &result));
  unsetenv("SIMGPU_TRAFFIC");
  unsetenv("SIMGPU_TRAFFIC_KEY");
  print_row(&end, "to_device", 0, 3, (const int[]){9, 7, 5}, "2,4");
  print_row(&end, "to_host", 2, 4, (const int[]){6, 0, 7, 9}, "0,0");
  print_row(&end, "to_host", 1, 2, (const int[]){7, 6}, "0,0");
  sprintf(end,
          "to_device,1,0000000000000000,0,0,1\nlaunches,3,0000000000000000,0,0,0\n"
          "commands,%d,0000000000000000,0,0,0\n",
          COMMANDS);
  char *text = program_read_file(traffic);
  remove(traffic);
  ck_assert_str_eq(text, expected);
  free(text);
}
END_TEST

/* A row for each use: its stream and number, what it follows, what nothing orders with it, and its bytes. */
START_TEST(uses_are_logged) {
  static const char *const rows[] = {
      "work,kind,kernel,stream,number,after,unordered,access,allocation,size,first,end,bytes\n",
      "\n3,launch,\"store\",6,2,0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0,,w,1099511632384,256,8,12,4\n",
      "\n33,launch,\"store\",5,17,0 0 0 0 0 16 0 0 0 0 0 0 0 0 0 0,6,w,1099511632384,256,24,28,4\n",
      "\n1,launch,\"increment\",5,1,0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0,,rw,1099511627776,4,0,4,4\n",
      "\n2,read,\"\",6,1,0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0,5,r,1099511627776,4,0,4,4\n",
      "\n6,fill,\"\",6,3,0 0 0 0 0 2 2 0 0 0 0 0 0 0 0 0,5,w,1099511627776,4,0,4,4\n",
      "\n7,write,\"\",6,4,0 0 0 0 0 3 3 0 0 0 0 0 0 0 0 0,,w,1099511627776,4,0,4,4\n"};
  enum { ROWS = sizeof rows / sizeof *rows, OF_PARTS = 3 };
  char log[sizeof path + 8];
  struct program_result result;
  snprintf(log, sizeof log, "%s.work", path);
  setenv("SIMGPU_WORK", log, 1);
  for (int part = 0; part < 2; part++) {
    free(totals_of((const char *[]){program, part ? "parts" : "copies apart", NULL}, &result));
    char *text = program_read_file(log);
    for (int n = part ? 0 : OF_PARTS; n < (part ? OF_PARTS : ROWS); n++)
      ck_assert_msg(strstr(text, rows[n]), "expected %s, got\n%s", rows[n], text);
    free(text);
  }
  unsetenv("SIMGPU_WORK");
  remove(log);
}
END_TEST

/* An array of 4 bytes that six kernels have incremented, and that is never freed. */
START_TEST(contents_are_kept) {
  char contents[sizeof path + 16];
  struct program_result result;
  uint64_t size = 0;
  int value[2] = {0};
  snprintf(contents, sizeof contents, "%s.contents", path);
  setenv("SIMGPU_CONTENTS", contents, 1);
  free(totals_of((const char *[]){program, "each kind", NULL}, &result));
  unsetenv("SIMGPU_CONTENTS");
  FILE *file = fopen(contents, "rb");
  ck_assert(file && fread(&size, sizeof size, 1, file) == 1);
  ck_assert_uint_eq(fread(value, sizeof *value, 2, file), 1);
  fclose(file);
  remove(contents);
  ck_assert_uint_eq(size, sizeof *value);
  ck_assert_int_eq(value[0], 6);
}
END_TEST

/* The requests of "concurrent": an allocation, three launches and the copy. The program learns of it at once. Where the
 * program may not have asked for a copy, the name says so. */
START_TEST(a_chosen_request_fails) {
  static const struct {
    const char *mode, *number, *request, *name;
  } chosen[] = {{"concurrent", "2", "2", "launch"},      {"concurrent", "4", "4", "launch"},
                {"concurrent", "5", "5", "copy"},        {"concurrent", "launch 3", "4", "launch"},
                {"managed", "3", "3", "managed memory"}, {"variable", "2", "2", "variable"}};
  char expected[128];
  for (size_t n = 0; n < sizeof chosen / sizeof *chosen; n++) {
    setenv("SIMGPU_FAIL", chosen[n].number, 1);
    const struct program_result result = program_run((const char *[]){program, chosen[n].mode, NULL}, 60);
    snprintf(expected, sizeof expected, "simgpu: request %s fails on request: %s\n", chosen[n].request,
             chosen[n].name);
    ck_assert_str_eq(result.message, expected);
    ck_assert_int_eq(result.status, 1);
  }
  setenv("SIMGPU_FAIL", "99", 1);
  const struct program_result result = program_run((const char *[]){program, "concurrent", NULL}, 60);
  unsetenv("SIMGPU_FAIL");
  ck_assert_str_eq(result.message, "");
  ck_assert_int_eq(result.status, 0);
}
END_TEST

static void add_request(FILE *file, uint32_t type, const void *fixed, size_t size, const void *rest,
                        size_t more) {
  const struct sim_header header = {.type = type, .length = size + more};
  fwrite(&header, sizeof header, 1, file);
  fwrite(fixed, size, 1, file);
  fwrite(rest, more, 1, file);
}

/* Whoever made the recording knows the process and the descriptor of a file: here, one that this test has open. */
START_TEST(a_replay_writes_no_file_of_another_process) {
  char victim[sizeof path + 8], recording[sizeof path + 8], bytes[8192] = "kept", read_back[8] = "";
  struct program_result result;
  snprintf(victim, sizeof victim, "%s.victim", path);
  snprintf(recording, sizeof recording, "%s.record", path);
  FILE *file = fopen(victim, "w+");
  ck_assert(fwrite(bytes, sizeof bytes, 1, file) == 1 && fflush(file) == 0);
  const uint64_t address = SIM_ADDRESS_LAST + (UINT64_C(1) << 32);
  const struct sim_share share = {address, 4096, getpid(), fileno(file)};
  const struct sim_rows rows = {.address = address, .width = 4, .rows = 1, .pitch = 4};
  FILE *requests = fopen(recording, "w");
  add_request(requests, SIM_HELLO, &(struct sim_hello){SIM_PROTOCOL_VERSION, 0}, sizeof(struct sim_hello), "",
              0);
  add_request(requests, SIM_REGISTER, &share, sizeof share, "", 0);
  add_request(requests, SIM_WRITE, &rows, sizeof rows, "lost", 4);
  fclose(requests);
  unsetenv("SIMGPU_TOTALS"); /* with totals, no memory is shared in any case */
  result = program_run((const char *[]){device, "--replay", recording, NULL}, 60);
  ck_assert_msg(result.status == 0, "%s%s", result.output, result.message);
  ck_assert_int_eq(pread(fileno(file), read_back, 4, 0), 4);
  fclose(file);
  remove(victim);
  remove(recording);
  ck_assert_str_eq(read_back, "kept");
}
END_TEST

START_TEST(a_missing_recording_is_refused) {
  const struct program_result result =
      program_run((const char *[]){device, "--replay", "no/such/file", NULL}, 60);
  ck_assert_int_eq(result.status, 2);
  suite_assert_line(result.message, "simgpu-device: no/such/file: No such file or directory");
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM MANAGED DEVICE");
  program = argv[1];
  managed = argv[2];
  device = argv[3];
  Suite *suite = suite_create("device_totals");
  TCase *test_case = tcase_create("totals");
  tcase_add_checked_fixture(test_case, set_up, tear_down);
  tcase_set_timeout(test_case, 90);
  tcase_add_loop_test(test_case, waits_and_allocations_are_counted, 0, CASES);
  tcase_add_loop_test(test_case, managed_memory_is_counted, 0, MANAGED_CASES);
  tcase_add_loop_test(test_case, checks_report_disorder, 0, CASES);
  tcase_add_loop_test(test_case, sums_of_random_work, 1, 41);
  tcase_add_loop_test(test_case, a_recording_repeats_the_run, 0, CASES);
  tcase_add_loop_test(test_case, copies_are_reported, 0, 2); /* without a key, and with one */
  tcase_add_test(test_case, uses_are_logged);
  tcase_add_test(test_case, contents_are_kept);
  tcase_add_test(test_case, a_chosen_request_fails);
  tcase_add_test(test_case, a_replay_writes_no_file_of_another_process);
  tcase_add_test(test_case, a_missing_recording_is_refused);
  suite_add_tcase(suite, test_case);
  return suite_run(suite);
}
