/* SIMGPU_TRACE: the recording of a warp, compared with what kernels see of themselves and with known accesses.
 * argv[1]: device_steps; argv[2]: the folder of its source. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, RECORDS = 1 << 19, PROBES = 24, FIELDS = 8 };

static const char *program, *folder;
static const char source[] = "device_steps.cu", file[] = "device_steps.trace",
                  counters_file[] = "device_steps.counters.csv";

/* The lines of a recording as fields. */
static char *text, *record[RECORDS][FIELDS];
static int records;

static struct program_result run(const char *name) {
  setenv("SIMGPU_TRACE", file, 1);
  const struct program_result result = program_run((const char *[]){program, name, NULL}, 60);
  free(text);
  char *rest = text = program_read_file(file);
  remove(file);
  for (records = 0; rest && *rest; records++) {
    ck_assert_int_lt(records, RECORDS);
    char *line = strsep(&rest, "\n");
    for (int f = 0; f < FIELDS; f++)
      record[records][f] = line ? strsep(&line, "\t") : NULL;
  }
  return result;
}

static bool is(int n, const char *kind) { return strcmp(record[n][0], kind) == 0; }
static int marked(const char *mark) { return program_marked_line(folder, source, mark); }

/* The first record of this kind after `from`. */
static int next(int from, const char *kind) {
  for (int n = from; n < records; n++)
    if (is(n, kind))
      return n;
  ck_abort_msg("no record '%s' after record %d", kind, from);
}

/* The first access at the marked line. */
static int access_at(const char *mark) {
  const int line = marked(mark);
  for (int n = 0, at = 0; n < records; n++) {
    at = is(n, "run") ? atoi(record[n][4]) : at;
    if (is(n, "access") && at == line)
      return n;
  }
  ck_abort_msg("no access at %s", mark);
}

/* "u" or "5": the label of the array of this lane's record, after its kind. */
static const char *array_of(int lane) {
  static char name[64];
  for (int n = 0; n < records; n++)
    if (is(n, "array") && strcmp(record[n][1], record[lane][3]) == 0) {
      snprintf(name, sizeof name, "%s %s", record[n][2], record[n][3]);
      return name;
    }
  ck_abort_msg("unknown array %s", record[lane][3]);
}

/* access: use, space, bytes of an element, elements, cost, ideal */
static void expect_access(int n, const char *expected) {
  char got[128];
  snprintf(got, sizeof got, "%s %s %s %s %s %s", record[n][1], record[n][2], record[n][3], record[n][4],
           record[n][5], record[n][6]);
  ck_assert_str_eq(got, expected);
}

static void expect_lane(int n, int lane, const char *array, int index, const char *value) {
  ck_assert_msg(is(n, "lane"), "record %d is '%s'", n, record[n][0]);
  ck_assert_int_eq(atoi(record[n][1]), lane);
  ck_assert_str_eq(array_of(n), array);
  ck_assert_int_eq(atoi(record[n][4]), index);
  ck_assert_str_eq(record[n][5], value);
}

static const char *written(const char *format, double value) {
  static char result[64];
  snprintf(result, sizeof result, format, value);
  return result;
}

/* Masks */

START_TEST(masks_are_those_that_the_kernel_sees) {
  unsigned truth[PROBES][LANES] = {{0}}, mask = 0;
  int passed = 0, probe, lane, used;
  const struct program_result result = run("truth");
  for (const char *at = result.output; sscanf(at, "%d %d %x\n%n", &probe, &lane, &mask, &used) == 3;
       at += used, passed++)
    truth[probe][lane] = mask;
  ck_assert_int_gt(passed, 250);
  int stores = 0, different = 0;
  unsigned last = 0, seen[LANES] = {0}; /* the compiler may store it after reconvergence */
  for (int n = 0; n < records; n++) {
    if (is(n, "run") && strcmp(record[n][6], "activemask.b32") == 0) {
      mask = (unsigned)strtoul(record[n][2], NULL, 16);
      different += mask != last;
      last = mask;
      for (int l = 0; l < LANES; l++)
        seen[l] = mask >> l & 1 ? mask : seen[l];
    }
    if (!is(n, "lane") || strcmp(array_of(n), "parameter 2") != 0)
      continue;
    const int index = atoi(record[n][4]), from = atoi(record[n][1]);
    ck_assert_int_eq(from, index % LANES);
    ck_assert_uint_eq(strtoul(record[n][5], NULL, 10), truth[index / LANES][from]);
    ck_assert_uint_eq(seen[from], truth[index / LANES][from]);
    stores++;
  }
  ck_assert_int_eq(stores, passed);
  ck_assert_int_gt(different, 12);
}
END_TEST

START_TEST(an_access_has_the_lanes_of_its_instruction) {
  run("truth");
  unsigned mask = 0;
  for (int n = 0; n < records; n++) {
    mask = is(n, "run") ? (unsigned)strtoul(record[n][2], NULL, 16) : mask;
    if (!is(n, "access"))
      continue;
    unsigned lanes = 0;
    while (n + 1 < records && is(n + 1, "lane"))
      lanes |= 1u << atoi(record[++n][1]);
    ck_assert_uint_eq(lanes, mask);
  }
}
END_TEST

/* Accesses */

START_TEST(values_read_and_written) {
  run("values");
  ck_assert_str_eq(record[next(0, "kernel")][1], "values");
  const int load = access_at("load"), store = access_at("store"), wide = access_at("wide");
  expect_access(load, "read global 4 1 8 0");
  expect_access(store, "write global 4 1 4 0");
  expect_access(wide, "write global 8 1 8 0");
  for (int l = 0; l < LANES; l++) {
    expect_lane(load + 1 + l, l, "parameter 1", 2 * l, written("%g", l));
    expect_lane(store + 1 + l, l, "parameter 3", l, written("%g", l + 1));
    expect_lane(wide + 1 + l, l, "parameter 2", 31 - l, record[wide + 1 + l][5]);
    ck_assert_double_eq(strtod(record[wide + 1 + l][5], NULL), (float)l * 0.1);
  }
}
END_TEST

START_TEST(shared_memory_has_names_and_conflicts) {
  run("shared");
  const int negative = access_at("negative"), conflict = access_at("conflict");
  expect_access(negative, "write shared 4 1 1 1");
  expect_access(conflict, "write shared 4 1 2 1");
  for (int l = 0; l < LANES; l++) {
    char value[16];
    snprintf(value, sizeof value, "%d", -l);
    ck_assert_str_eq(array_of(negative + 1 + l), "shared other");
    ck_assert_int_eq((int)strtol(record[negative + 1 + l][5], NULL, 10), -l);
    expect_lane(conflict + 1 + l, l, "shared tile", 2 * l, written("%g", l));
  }
}
END_TEST

START_TEST(vectors_have_all_their_values) {
  run("vectors");
  const int load = access_at("load4"), store = access_at("store4");
  expect_access(load, "read global 4 4 16 0");
  expect_access(store, "write global 4 4 16 0");
  for (int l = 0; l < LANES; l++) {
    char value[64];
    snprintf(value, sizeof value, "%g %g %g %g", 2 * l + 0., 2 * l + .5, 2 * l + 1., 2 * l + 1.5);
    expect_lane(load + 1 + l, l, "parameter 1", 4 * l, value);
    snprintf(value, sizeof value, "%g %g %g %g", -(2 * l + 0.), 2 * l + .5, 2 * l + 1., 2 * l + 1.5);
    expect_lane(store + 1 + l, l, "parameter 2", 4 * l, value);
  }
}
END_TEST

START_TEST(members_and_variables_have_names) {
  run("members");
  expect_lane(access_at("variable") + 1, 0, "variable table", 0, "7");
  const int store = access_at("member");
  expect_lane(store + 1, 0, "member 1+8", 0, "1"); /* p.first[0], which is element 2 of the allocation */
  expect_lane(next(next(store + 1, "access"), "lane") + 5, 5, "member 1+16", 5, "2");
}
END_TEST

START_TEST(an_atomic_has_its_operand) {
  run("add");
  const int n = access_at("atomic");
  expect_access(n, record[n][1][0] == 'a' ? "atomic global 4 1 28 0" : "");
  expect_lane(n + 1, 4, "parameter 1", 0, "4");
}
END_TEST

/* The choice of launch and warp */

static void choose(const char *kernel, const char *launch, const char *block, const char *warp) {
  setenv("SIMGPU_TRACE_KERNEL", kernel, 1);
  setenv("SIMGPU_TRACE_LAUNCH", launch, 1);
  setenv("SIMGPU_TRACE_BLOCK", block, 1);
  setenv("SIMGPU_TRACE_WARP", warp, 1);
}

START_TEST(block_warp_and_launch_can_be_chosen) {
  choose("values", "2", "2", "1");
  run("values");
  ck_assert_str_eq(record[next(0, "kernel")][2], "2");
  ck_assert_str_eq(record[next(0, "grid")][1], "3,1,1");
  ck_assert_str_eq(record[next(0, "grid")][2], "64,1,1");
  ck_assert_str_eq(record[next(0, "warp")][1], "2,0,0");
  ck_assert_str_eq(record[next(0, "warp")][2], "1");
  expect_lane(access_at("load") + 1, 0, "parameter 1", 64, "34"); /* in + 4, element 64 */
  choose("", "1", "2", "");
  run("values");
  ck_assert_str_eq(record[next(0, "warp")][1], "2,0,0");
}
END_TEST

START_TEST(what_is_not_there_is_named) {
  choose("nothing", "1", "", "");
  run("values");
  ck_assert_int_eq(records, 1);
  ck_assert_str_eq(record[0][0], "launched");
  ck_assert_str_eq(record[0][1], "2");
  ck_assert_str_eq(record[0][2], "values");
  choose("values", "3", "", "");
  run("values");
  ck_assert(is(0, "launched"));
  choose("values", "1", "3", "");
  run("values");
  ck_assert(is(0, "outside"));
  ck_assert_str_eq(record[0][1], "3,1,1");
  choose("values", "1", "", "2");
  run("values");
  ck_assert(is(0, "outside"));
  ck_assert_str_eq(record[0][2], "2");
}
END_TEST

static const struct {
  const char *variable, *value, *expected;
} malformed[] = {
    {"SIMGPU_TRACE_BLOCK", "x", "expected X, X,Y or X,Y,Z, from 0, got 'x'"},
    {"SIMGPU_TRACE_BLOCK", "1,", "expected X, X,Y or X,Y,Z, from 0, got '1,'"},
    {"SIMGPU_TRACE_BLOCK", "1,2,3,4", "expected X, X,Y or X,Y,Z, from 0, got '1,2,3,4'"},
    {"SIMGPU_TRACE_BLOCK", "4294967295", "expected X, X,Y or X,Y,Z, from 0, got '4294967295'"},
    {"SIMGPU_TRACE_WARP", "32", "expected a number from 0 to 31, got '32'"},
    {"SIMGPU_TRACE_WARP", "1,0", "expected a number from 0 to 31, got '1,0'"},
    {"SIMGPU_TRACE_LAUNCH", "0", "expected a launch's number from 1"},
    {"SIMGPU_TRACE", "/nowhere/file", "/nowhere/file: cannot write"},
};

START_TEST(malformed_values_get_one_line) {
  setenv("SIMGPU_TRACE", "-", 1);
  setenv(malformed[_i].variable, malformed[_i].value, 1);
  const struct program_result result = program_run((const char *[]){program, "values", NULL}, 60);
  char line[128];
  snprintf(line, sizeof line, "simgpu-device: %s: %s", malformed[_i].variable, malformed[_i].expected);
  ck_assert_int_ne(result.status, 0);
  ck_assert_msg(strncmp(result.message, line, strlen(line)) == 0, "expected %s, got %s", line,
                result.message);
}
END_TEST

START_TEST(the_warp_with_the_fault_is_shown) {
  const struct program_result result = run("stray");
  ck_assert_int_eq(result.status, 1);
  ck_assert_str_eq(record[next(0, "warp")][1], "1,0,0");
  ck_assert_str_eq(record[next(0, "warp")][2], "1");
  ck_assert_str_eq(record[next(0, "fault")][1], "1");
  const int end = next(0, "end");
  ck_assert(is(end - 1, "run"));
  ck_assert_int_eq(atoi(record[end - 1][4]), marked("stray"));
}
END_TEST

START_TEST(a_long_loop_is_cut) {
  run("endless");
  int count = 0;
  for (int n = 0; n < records; n++)
    count += is(n, "run");
  ck_assert_int_gt(count, 8000);
  ck_assert_int_le(count, 16384);
  ck_assert_int_gt(atoi(record[next(0, "end")][1]), 5000);
}
END_TEST

static const char *const single[] = {"truth", "shared", "vectors", "add", "endless"}; /* one warp each */

START_TEST(recorded_and_omitted_instructions_are_those_counted) {
  setenv("SIMGPU_COUNTERS", counters_file, 1);
  run(single[_i]);
  long count = atol(record[next(0, "end")][1]);
  for (int n = 0; n < records; n++)
    count += is(n, "run");
  ck_assert_int_eq(count, program_counter(counters_file, "smsp__inst_executed.sum"));
  remove(counters_file);
}
END_TEST

START_TEST(tracing_changes_no_result_and_no_counter) {
  static const char *const names[] = {"truth", "values", "shared", "vectors", "add", "endless"};
  setenv("SIMGPU_COUNTERS", counters_file, 1);
  const struct program_result with = run(names[_i]);
  char *counters = program_read_file(counters_file);
  unsetenv("SIMGPU_TRACE");
  const struct program_result without = program_run((const char *[]){program, names[_i], NULL}, 60);
  char *plain = program_read_file(counters_file);
  ck_assert_str_eq(with.output, without.output);
  ck_assert_str_eq(counters, plain);
  free(counters);
  free(plain);
  remove(counters_file);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM FOLDER");
  program = argv[1];
  folder = argv[2];
  TCase *steps = tcase_create("steps");
  tcase_add_test(steps, masks_are_those_that_the_kernel_sees);
  tcase_add_test(steps, an_access_has_the_lanes_of_its_instruction);
  tcase_add_test(steps, values_read_and_written);
  tcase_add_test(steps, shared_memory_has_names_and_conflicts);
  tcase_add_test(steps, vectors_have_all_their_values);
  tcase_add_test(steps, members_and_variables_have_names);
  tcase_add_test(steps, an_atomic_has_its_operand);
  tcase_add_test(steps, block_warp_and_launch_can_be_chosen);
  tcase_add_test(steps, what_is_not_there_is_named);
  tcase_add_loop_test(steps, malformed_values_get_one_line, 0, sizeof malformed / sizeof *malformed);
  tcase_add_test(steps, the_warp_with_the_fault_is_shown);
  tcase_add_test(steps, a_long_loop_is_cut);
  tcase_add_loop_test(steps, tracing_changes_no_result_and_no_counter, 0, 6);
  tcase_add_loop_test(steps, recorded_and_omitted_instructions_are_those_counted, 0,
                      sizeof single / sizeof *single);
  tcase_set_timeout(steps, 60);
  return suite_run_case("device_steps", steps);
}
