/* Findings that the checks must report, with both lines and both threads, and correct code that they must
 * accept, with any number of host threads. Orders of blocks. argv[1]: device_checks.cu's program; argv[2]:
 * the folder of its source. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>

static const char *program, *folder;
static const char source[] = "device_checks.cu", report_file[] = "device_checks.csv";

static const struct {
  const char *name;
  const char *here;  /* mark of the finding's line; NULL: no finding is allowed */
  const char *what;  /* its text contains this, */
  const char *there; /* " at line" of this mark unless NULL, */
  const char *more;  /* and this */
  const char *row;   /* start of the report's row */
} cases[] = {
    {"in place", "centre",
     "race: write of 0 (was 0) to element 39 of the array that parameter 3 points to (4096 bytes), not ordered "
     "with the read by block (0,0,0) thread (1,1,0)",
     "east", ", in gs_inplace_naive, block (0,0,0) thread (2,1,0)", "race,1,"},
    {"red-black", NULL, NULL, NULL, NULL, NULL},
    {"no barrier", "box_write",
     "race: write of 32 (was 4294967295) to element 32 of shared memory, not ordered with the read by "
     "block (0,0,0) thread (31,0,0)",
     "box_read", ", in no_barrier, block (0,0,0) thread (32,0,0)", "uninitialised,1,"},
    {"no barrier", "box_read",
     "element 63 of shared memory is not written yet: block (0,0,0) thread (63,0,0) writes it", "box_write",
     ", with no barrier between, in no_barrier, block (0,0,0) thread (0,0,0)", "uninitialised,1,"},
    {"barrier", NULL, NULL, NULL, NULL, NULL},
    {"one barrier short", "short_read",
     "race: read of 64 from element 63 of shared memory, not ordered with the write by block (0,0,0) thread "
     "(63,0,0)",
     "short_write", "block (0,0,0) thread (0,0,0)", "race,1,64,"},
    {"rows of a matrix without warp sync", "rows_read",
     "race: read of 1 from element 8 of shared memory, not ordered with the write by block (0,0,0) thread (1,0,0)",
     "rows_write", "in matrix_rows<false>, block (0,0,0) thread (0,0,0)", "race,1,256,"},
    {"rows of a matrix", NULL, NULL, NULL, NULL, NULL},
    {"no warp sync", "warp_read", "not ordered with the write by block (0,0,0) thread (1,0,0)", "warp_write",
     "in no_warp_sync, block (0,0,0) thread (0,0,0)", "race,1,32,"},
    {"shuffle for warp sync", "shuffle_read", "not ordered with the write by block (0,0,0) thread (1,0,0)",
     "shuffle_write", "in shuffle_for_warp_sync, block (0,0,0) thread (0,0,0)", "race,1,32,"},
    {"load ahead of a condition", NULL, NULL, NULL, NULL, NULL},
    {"load ahead of a condition, two users", "moved_read",
     "not ordered with the write by block (0,0,0) thread (0,0,0)", "moved_write",
     "in moved_load<2>, block (0,0,0) thread (1,0,0)", "race,1,"},
    {"used after a barrier", "after_read",
     "element 0 of shared memory is not written yet: block (0,0,0) thread (0,0,0) writes it", "after_write",
     ", with no barrier between, in use_after_barrier, block (0,0,0) thread (1,0,0); 31 cases",
     "uninitialised,1,31,"},
    {"volatile without warp sync", "volatile_read",
     "not ordered with the write by block (0,0,0) thread (16,0,0)", "volatile_write",
     "in volatile_sum<false>, block (0,0,0) thread (0,0,0)", "race,1,"},
    {"volatile, synced", NULL, NULL, NULL, NULL, NULL},
    {"half warp sync", "half_read", "not ordered with the write by block (0,0,0) thread (16,0,0)",
     "half_write", "in half_warp_sync, block (0,0,0) thread (0,0,0)", "race,1,32,"},
    {"half mask", "half_mask", "mask 0xffff of a warp-wide operation does not name lane 16, which calls it",
     NULL, ", in half_mask, block (0,0,0) thread (16,0,0)", "mask,1,16,"},
    {"mask of each half", NULL, NULL, NULL, NULL, NULL},
    {"chain of masks", NULL, NULL, NULL, NULL, NULL},
    {"one word", "one_word", "race: write of 1 (was 0) to element 0", "one_word",
     "block (0,0,0) thread (1,0,0)", "race,1,1,1,"},
    {"same value", "same_value", "remark: write of 1 (was 1) to element 0 of", "same_value",
     ", which writes the same value, in same_value", "same_value,0,127,"},
    {"other block", "other_read",
     "race: read of 3 from element 0 of the array that parameter 1 points to (4096 bytes), not ordered with the write by "
     "block (0,0,0) thread (0,0,0)",
     "other_write", "in other_block, block (1,0,0) thread (0,0,0)", "race,1,32,"},
    {"plain reset", "add", "race: atomic access to element 0", "reset",
     "in plain_reset, block (0,0,0) thread (1,0,0)", "race,1,63,"},
    {"last block", NULL, NULL, NULL, NULL, NULL},
    {"last block without fence", "sums_read", "race: read of 0 from element 1 of", "sums_write",
     "in last_block<0, false>, block (4,0,0) thread (0,0,0)", "race,1,192,"},
    {"last block with its own fence", "sums_read", "race: read of 0 from element 1 of", "sums_write",
     "in last_block<1, false>, block (4,0,0) thread (0,0,0)", "race,1,192,"},
    {"last block, read-only", "sums_read", "race: read-only (__ldg) read of 0 from element 1 of",
     "sums_write", "in last_block<2, true>, block (4,0,0) thread (0,0,0)", "race,1,192,"},
    {"warps by a flag", NULL, NULL, NULL, NULL, NULL},
    {"chain", NULL, NULL, NULL, NULL, NULL},
    {"chain without fence", "chain", "race: read of 1 from element 0", "chain",
     "in chain<false>, block (1,0,0) thread (0,0,0)", "race,1,8,"},
    {"lock", NULL, NULL, NULL, NULL, NULL},
    {"grid sync", NULL, NULL, NULL, NULL, NULL},
    {"no grid sync", "rounds_a",
     "race: write of 1 (was 0) to element 40 of the array that parameter 2 points to", "rounds_b",
     "in grid_rounds<false>", "race,1,"},
    {"named barrier", NULL, NULL, NULL, NULL, NULL},
    {"wrong named barrier", "named_read",
     "race: read of 31 from element 31 of shared memory, not ordered with the write by block (0,0,0) thread "
     "(31,0,0)",
     "named_write", "block (0,0,0) thread (32,0,0)", "race,1,32,"},
    {"no wait for copies", "async_read",
     "unfinished copy: read of element 1 of shared memory during the cp.async by block (0,0,0) thread (1,0,0) at line ",
     "async_copy", ", in async_copy<(wait_kind)0>, block (0,0,0) thread (32,0,0)", "unfinished,1,64,"},
    {"no wait for own copies", "async_read", "unfinished copy: read of element 32 of shared memory",
     "async_copy", "by block (0,0,0) thread (32,0,0) at line ", "unfinished,1,64,"},
    {"wait for too few copies", "async_read", "unfinished copy: read of element 1 of", "async_copy", "",
     "unfinished,1,64,"},
    {"wait after the barrier", "late_read", "race: read of 0 from element 33 of shared memory", "async_copy",
     "thread (33,0,0)", "unfinished,1,"},
    {"wait for copies", NULL, NULL, NULL, NULL, NULL},
    {"copies of another block", NULL, NULL, NULL, NULL, NULL},
    {"wait for groups", NULL, NULL, NULL, NULL, NULL},
    {"mbarrier of copies", NULL, NULL, NULL, NULL, NULL},
    {"no wait for mbarrier", "barrier_read", "unfinished copy: read of element 33 of", "barrier_copy",
     "by block (0,0,0) thread (33,0,0) at line ", "unfinished,1,64,"},
    {"mbarrier", NULL, NULL, NULL, NULL, NULL},
    {"mbarrier not waited for", "arrive_write",
     "race: write of 0 (was 4294967295) to element 0 of shared memory", "arrive_read", "",
     "uninitialised,1,32,"},
    {"bytes", NULL, NULL, NULL, NULL, NULL},
    {"odd bytes", "odd_bytes", "race: write of 1 (was 0) to element 0", "odd_bytes",
     "block (0,0,0) thread (1,0,0)", "race,1,66,"},
    {"shared unset", "shared_unset",
     "uninitialised read of 4 bytes: element 40 of shared memory has not been written", NULL,
     "in shared_unset, block (0,0,0) thread (40,0,0)", "uninitialised,1,2,"},
    {"uninitialised", "copy",
     "uninitialised read of 4 bytes: element 0 of the array that parameter 2 points to (4000 bytes) has not been written",
     NULL, "in copy, block (0,0,0) thread (0,0,0)", "uninitialised,1,1000,"},
    {"partly", "copy", "element 999 of", NULL, "block (7,0,0) thread (103,0,0)", "uninitialised,1,1,"},
    {"initialised", NULL, NULL, NULL, NULL, NULL},
    {"device-to-device", "copy", "element 999 of", NULL, "block (7,0,0) thread (103,0,0)",
     "uninitialised,1,1,"},
    {"wide", "copy_wide", "uninitialised read of 16 bytes: element 999 of", NULL,
     "block (0,0,0) thread (249,0,0)", "uninitialised,1,1,"},
    {"mapped, set", NULL, NULL, NULL, NULL, NULL},
    {"mapped, partly", "copy",
     "uninitialised read of 4 bytes: element 499 of an allocation of 2097152 bytes has not been written",
     NULL, "block (7,0,0) thread (103,0,0)", "uninitialised,1,1,"},
    {"mapped, copied", "copy", "element 499 of an allocation of 2097152 bytes has not been written", NULL,
     "block (7,0,0) thread (103,0,0)", "uninitialised,1,1,"},
    {"mapped, race", "alias_read", "race: read of 3 from element 523788 of", "alias_write",
     "in one_of_aliases, block (1,0,0) thread (0,0,0)", "race,1,1,"},
    {"atomic on unset", "add_to", "uninitialised read of 4 bytes: element 0", NULL, "in add_to",
     "uninitialised,1,1,"},
};

enum { CASES = sizeof cases / sizeof *cases };

static struct program_result run(const char *name) {
  return program_run((const char *[]){program, name, NULL}, 30);
}

/* The one line of `text` that holds `part`; an error if there is none. */
static void line_with(const char *text, const char *part, char *line, size_t size) {
  const char *at = strstr(text, part), *start = at;
  ck_assert_msg(at != NULL, "expected \"%s\" in \"%s\"", part, text);
  while (start > text && start[-1] != '\n')
    start--;
  snprintf(line, size, "%.*s", (int)(strcspn(at, "\n") + (size_t)(at - start)), start);
}

static void assert_found(int c, const char *text) {
  char line[1024], expected[256];
  line_with(text, cases[c].what, line, sizeof line);
  const int here = program_marked_line(folder, source, cases[c].here);
  snprintf(expected, sizeof expected, "%s:%d: ", source, here);
  ck_assert_msg(strstr(line, expected) && strstr(line, cases[c].more), "expected \"%s…%s\" in \"%s\"",
                expected, cases[c].more, line);
  snprintf(expected, sizeof expected, "\n%6d | ", here);
  ck_assert_msg(strstr(text, expected) != NULL, "expected the source line in \"%s\"", text);
  if (!cases[c].there)
    return;
  const int there = program_marked_line(folder, source, cases[c].there);
  snprintf(expected, sizeof expected, " at line %d,", there);
  ck_assert_msg(strstr(line, expected) != NULL, "expected \"%s\" in \"%s\"", expected, line);
  snprintf(expected, sizeof expected, "\n%6d | ", there);
  ck_assert_msg(strstr(text, expected) != NULL, "expected both source lines in \"%s\"", text);
}

START_TEST(what_is_wrong_is_found_and_nothing_else) {
  static const char *const threads[] = {"1", "4"};
  struct program_result first;
  setenv("SIMGPU_CHECKS", "1", 1);
  setenv("SIMGPU_CHECKS_REPORT", report_file, 1);
  for (int i = 0; i < 2; i++) {
    setenv("SIMGPU_THREADS", threads[i], 1);
    struct program_result result = run(cases[_i].name);
    ck_assert_str_eq(result.output, "cudaSuccess\n");
    ck_assert_int_eq(result.status, 7);
    if (!cases[_i].here)
      ck_assert_str_eq(result.message, "");
    else
      assert_found(_i, result.message);
    if (i == 0)
      first = result;
    ck_assert_str_eq(result.message, first.message);
  }
  char *rows = program_read_file(report_file);
  remove(report_file);
  const char *row = strchr(rows, '\n') + 1;
  ck_assert_msg(strncmp(rows, "kind,fails,cases,launch,kernel,file,line,text\n", (size_t)(row - rows)) == 0,
                "%s", rows);
  ck_assert_msg(cases[_i].row ? strncmp(row, cases[_i].row, strlen(cases[_i].row)) == 0 : *row == '\0',
                "expected \"%s\", got \"%s\"", cases[_i].row ? cases[_i].row : "", row);
  free(rows);
}
END_TEST

START_TEST(nothing_is_said_without_checks) {
  setenv("SIMGPU_CHECKS", _i ? "0" : "", 1);
  setenv("SIMGPU_CHECKS_REPORT", report_file, 1);
  ck_assert_str_eq(run("in place").message, "");
  ck_assert_str_eq(run("uninitialised").message, "");
  ck_assert_str_eq(run("leak").message, "");
  ck_assert_int_ne(access(report_file, F_OK), 0);
}
END_TEST

START_TEST(only_what_is_asked_for_is_checked) {
  setenv("SIMGPU_CHECKS", "races,leaks", 1);
  ck_assert_ptr_nonnull(
      strstr(run("no barrier").message, "1 race, 1 harmless race (same value) in 1 launch\n"));
  ck_assert_str_eq(run("uninitialised").message, "");
  ck_assert_str_eq(run("double free").message, "");
  setenv("SIMGPU_CHECKS", "uninitialised", 1);
  ck_assert_ptr_nonnull(
      strstr(run("no barrier").message, "simgpu: checks: 1 uninitialised read in 1 launch\n"));
  ck_assert_str_eq(run("leak").message, "");
}
END_TEST

static const struct {
  const char *name, *message;
} frees[] = {
    {"free", ""},
    {"double free",
     "simgpu: double free of allocation 1 (4000 bytes)\nsimgpu: checks: 1 bad free in 0 launches\n"},
    {"free within", "simgpu: free of an address 8 bytes into allocation 1 (4000 bytes)\n"
                    "simgpu: checks: 1 bad free in 0 launches\n"},
    {"leak",
     "simgpu: remark: allocation 1 (4000 bytes) is never freed\nsimgpu: checks: 1 leak in 0 launches\n"},
    {"mapped, leak", "simgpu: remark: allocation 2 (2097152 bytes) is never released (cuMemRelease)\n"
                     "simgpu: remark: allocation 3 (2097152 bytes) is never released (cuMemRelease)\n"
                     "simgpu: checks: 2 leaks in 0 launches\n"},
};

START_TEST(memory_is_freed_once) {
  setenv("SIMGPU_CHECKS", "frees,leaks", 1);
  struct program_result result = run(frees[_i].name);
  ck_assert_str_eq(result.message, frees[_i].message);
  ck_assert_int_eq(result.status, 7);
}
END_TEST

START_TEST(use_after_free_is_called_so) {
  setenv("SIMGPU_CHECKS", _i ? "1" : "0", 1);
  struct program_result result = run("use after free");
  ck_assert_ptr_nonnull(strstr(
      result.message, "use after free: read of 4 bytes at byte 64 of a freed allocation of 4000 bytes, "
                      "in copy, block (0,0,0) thread (0,0,0)\n"));
  ck_assert_str_eq(result.output, "cudaErrorIllegalAddress\n");
}
END_TEST

static void expect_order(const char *name, const char *order, const char *expected) {
  setenv("SIMGPU_ORDER", order, 1);
  struct program_result result = run(name);
  ck_assert_str_eq(result.message, "");
  ck_assert_msg(strncmp(result.output, expected, strlen(expected)) == 0, "%s: expected \"%s\", got \"%s\"",
                order, expected, result.output);
}

/* The numbers 0 to 22 in some order, each once. */
static void assert_permutation(const char *text) {
  unsigned seen = 0;
  for (int k = 0; k < 23; k++) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    ck_assert_msg(end > text && number < 23 && !(seen >> number & 1), "%s", text);
    seen |= 1u << number;
    text = end;
  }
}

START_TEST(blocks_and_warps_run_in_the_order_chosen) {
  const char *name = _i % 2 ? "order of warps" : "order of blocks";
  setenv("SIMGPU_CHECKS", _i / 2 ? "1" : "0", 1);
  expect_order(name, "", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 ");
  expect_order(name, "forward", "0 1 2 3 ");
  expect_order(name, "reverse", "22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 ");
  setenv("SIMGPU_ORDER", "random:1", 1);
  struct program_result one = run(name);
  assert_permutation(one.output);
  expect_order(name, "random", one.output);
  setenv("SIMGPU_ORDER", "random:2", 1);
  struct program_result two = run(name);
  assert_permutation(two.output);
  ck_assert_str_ne(one.output, two.output);
}
END_TEST

/* So that two runs show a sum whose bits depend on the order of arrival. */
START_TEST(sums_by_atomics_have_the_bits_of_the_order) {
  static const char *const order_names[] = {"forward", "reverse"};
  double sum[2], expected[2];
  for (int i = 0; i < 2; i++) {
    setenv("SIMGPU_ORDER", order_names[i], 1);
    struct program_result result = run("order of sums");
    ck_assert_int_eq(sscanf(result.output, "%la %la %la", &sum[i], &expected[0], &expected[1]), 3);
    ck_assert_msg(sum[i] == expected[i], "%s: %s", order_names[i], result.output);
  }
  ck_assert_double_ne(sum[0], sum[1]);
}
END_TEST

static const struct {
  const char *variable, *value, *message;
} malformed[] = {
    {"SIMGPU_ORDER", "backward",
     "SIMGPU_ORDER: expected forward, reverse, random or random:SEED, got 'backward'\n"},
    {"SIMGPU_ORDER", "random:", "got 'random:'\n"},
    {"SIMGPU_ORDER", "random:1x", "got 'random:1x'\n"},
    {"SIMGPU_CHECKS", "yes",
     "SIMGPU_CHECKS: expected 1, 0 or a list of races, uninitialised, frees, leaks, streams, got 'yes'\n"},
    {"SIMGPU_CHECKS", "races,", "got 'races,'\n"},
    {"SIMGPU_CHECKS_REPORT", "/nowhere/report.csv",
     "SIMGPU_CHECKS_REPORT: /nowhere/report.csv: cannot write: "},
};

START_TEST(a_malformed_choice_is_told) {
  setenv("SIMGPU_CHECKS", "1", 1);
  setenv(malformed[_i].variable, malformed[_i].value, 1);
  struct program_result result = run("order of blocks");
  char expected[256];
  snprintf(expected, sizeof expected, "simgpu-device: %s", malformed[_i].message);
  ck_assert_msg(strstr(result.message, malformed[_i].message) &&
                    strncmp(result.message, "simgpu-device: ", 15) == 0,
                "expected \"%s\", got \"%s\"", expected, result.message);
  ck_assert_ptr_nonnull(strstr(result.message, "the device process ended (exit status 2)"));
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM SOURCES");
  program = argv[1];
  folder = argv[2];
  TCase *tcase = tcase_create("checks");
  tcase_add_loop_test(tcase, what_is_wrong_is_found_and_nothing_else, 0, CASES);
  tcase_add_loop_test(tcase, nothing_is_said_without_checks, 0, 2);
  tcase_add_test(tcase, only_what_is_asked_for_is_checked);
  tcase_add_loop_test(tcase, memory_is_freed_once, 0, sizeof frees / sizeof *frees);
  tcase_add_loop_test(tcase, use_after_free_is_called_so, 0, 2);
  tcase_add_test(tcase, sums_by_atomics_have_the_bits_of_the_order);
  tcase_add_loop_test(tcase, blocks_and_warps_run_in_the_order_chosen, 0, 4);
  tcase_add_loop_test(tcase, a_malformed_choice_is_told, 0, sizeof malformed / sizeof *malformed);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_checks", tcase);
}
