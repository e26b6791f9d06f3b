/* SIMGPU_ADDRESSES: checks the rows of a program with known addresses, and that the rows of all warps
 * agree with the counters. argv: report_patterns and device_copies, linked with the simulated GPU. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 6, WARPS = 4, THREADS = 128, LANES = 32, ROWS = 2048 }; /* as in report_patterns.cu */

static const char *program, *copies, rows_file[] = "device_addresses.csv",
                                     counters_file[] = "device_addresses.counters.csv";

struct row {
  unsigned launch, warp, request, instruction, line, bytes, lane, parameter, sectors, wavefronts, copying;
  char kernel[32], block[32], operation[16], space[16];
  unsigned long long offset, from_parameter;
};

static unsigned number(const char *text) { return (unsigned)strtoul(text, NULL, 10); }

static struct row parse_row(char *line) {
  char *cell[20];
  for (int i = 0; i < 20; i++)
    cell[i] = strsep(&line, ",");
  ck_assert_ptr_null(line);
  struct row r = {.launch = number(cell[0]),
                  .warp = number(cell[3]),
                  .request = number(cell[4]),
                  .instruction = number(cell[5]),
                  .line = number(cell[7]),
                  .bytes = number(cell[10]),
                  .lane = number(cell[11]),
                  .offset = strtoull(cell[14], NULL, 10),
                  .parameter = number(cell[15]),
                  .from_parameter = strtoull(cell[16], NULL, 10),
                  .sectors = number(cell[17]),
                  .wavefronts = number(cell[18]),
                  .copying = number(cell[19])};
  snprintf(r.kernel, sizeof r.kernel, "%s", cell[1]);
  snprintf(r.block, sizeof r.block, "%s", cell[2]);
  snprintf(r.operation, sizeof r.operation, "%s", cell[8]);
  snprintf(r.space, sizeof r.space, "%s", cell[9]);
  return r;
}

/* The rows of a run of a program with this choice of warp; NULL: the middle one. */
static size_t rows_of(const char *path, const char *at, struct row *rows) {
  setenv("SIMGPU_ADDRESSES", rows_file, 1);
  setenv("SIMGPU_ADDRESSES_AT", at ? at : "", 1);
  const struct program_result result = program_run((const char *[]){path, NULL}, 60);
  ck_assert_msg(result.status == 0, "%s: %s", path, result.message);
  char *text = program_read_file(rows_file), *rest = text;
  size_t count = 0;
  ck_assert_int_eq(strncmp(strsep(&rest, "\n"), "launch,kernel,block,warp,request,", 33), 0);
  for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
    ck_assert_uint_lt(count, ROWS);
    rows[count++] = parse_row(line);
  }
  free(text);
  remove(rows_file);
  return count;
}

static size_t rows_at(const char *at, struct row *rows) { return rows_of(program, at, rows); }

static struct row rows[ROWS];

/* The middle warp of the middle block, in source order; its first thread is number 64 of block 3. */
static const struct expected {
  const char *operation, *space;
  unsigned lanes, parameter, sectors, wavefronts;
  unsigned long long first, step; /* offset of lane 0; from one lane to the next */
} expected[] = {
    {"load", "global", 32, 1, 8, 0, 2 * (3 * THREADS + 64) * 4, 8},
    {"store", "shared", 32, 0, 0, 2, 2 * 64 * 4, 8},
    {"load", "shared", 32, 0, 0, 1, 64 * 4, 0}, /* lanes swap in pairs: see below */
    {"load", "global", 16, 1, 1, 0, BLOCKS *THREADS * 4, 0},
    {"store", "global", 32, 2, 4, 0, (3 * THREADS + 64) * 4, 4},
};
enum { REQUESTS = sizeof expected / sizeof *expected, EXCHANGE = 2 };

static void judge(const struct row *r) {
  ck_assert_str_eq(r->kernel, "\"wasteful\"");
  ck_assert_str_eq(r->block, "3x0x0");
  ck_assert_uint_eq(r->warp, 2);
  ck_assert(r->request >= 1 && r->request <= REQUESTS);
  const struct expected *e = &expected[r->request - 1];
  const unsigned long long offset =
      r->request - 1 == EXCHANGE ? e->first + 4 * (r->lane ^ 1) : e->first + e->step * r->lane;
  ck_assert_str_eq(r->operation, e->operation);
  ck_assert_str_eq(r->space, e->space);
  ck_assert_uint_eq(r->bytes, 4);
  ck_assert_uint_eq(r->parameter, e->parameter);
  ck_assert_uint_eq(r->sectors, e->sectors);
  ck_assert_uint_eq(r->wavefronts, e->wavefronts);
  ck_assert_uint_eq(r->from_parameter, e->parameter ? offset : 0); /* they point to where memory starts */
  ck_assert_msg(r->offset == offset, "request %u, lane %u: offset %llu, expected %llu", r->request, r->lane,
                r->offset, offset);
}

START_TEST(a_warp_is_recorded_lane_by_lane) {
  unsigned lanes[2][REQUESTS] = {0};
  const size_t count = rows_at(NULL, rows);
  for (size_t i = 0; i < count; i++) {
    judge(&rows[i]);
    lanes[rows[i].launch - 1][rows[i].request - 1]++;
  }
  for (int launch = 0; launch < 2; launch++)
    for (int n = 0; n < REQUESTS; n++)
      ck_assert_uint_eq(lanes[launch][n], expected[n].lanes);
}
END_TEST

START_TEST(all_warps_together_are_what_is_counted) {
  unsigned long long sectors = 0, wavefronts = 0;
  setenv("SIMGPU_COUNTERS", counters_file, 1);
  for (int block = 0; block < BLOCKS; block++)
    for (int warp = 0; warp < WARPS; warp++) {
      char at[16];
      snprintf(at, sizeof at, "%d:%d", block, warp);
      const size_t count = rows_at(at, rows);
      for (size_t i = 0; i < count && rows[i].launch == 1; i++) {
        if (i == 0 || rows[i].request != rows[i - 1].request) {
          sectors += rows[i].sectors;
          wavefronts += rows[i].wavefronts;
        }
      }
    }
  ck_assert_uint_gt(sectors, 0);
  ck_assert_uint_eq(sectors,
                    program_counter(counters_file, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") +
                        program_counter(counters_file, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
  ck_assert_uint_eq(
      wavefronts, program_counter(counters_file, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") +
                      program_counter(counters_file, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"));
  remove(counters_file);
}
END_TEST

/* The time model must also give the same result; it samples block 3, but not block 4. */
START_TEST(recording_changes_no_counter) {
  setenv("SIMGPU_COUNTERS", counters_file, 1);
  rows_at(_i ? "4" : NULL, rows);
  char *with = program_read_file(counters_file);
  unsetenv("SIMGPU_ADDRESSES");
  ck_assert_int_eq(program_run((const char *[]){program, NULL}, 60).status, 0);
  char *without = program_read_file(counters_file);
  ck_assert_str_eq(with, without);
  free(with);
  free(without);
  remove(counters_file);
}
END_TEST

START_TEST(a_warp_that_a_launch_lacks_leaves_no_rows) {
  ck_assert_uint_eq(rows_at("6", rows), 0);
  ck_assert_uint_eq(rows_at("0:4", rows), 0);
  ck_assert_uint_eq(rows_at("0:4294967296", rows), 0);
  ck_assert_uint_gt(rows_at("5", rows), 0);
}
END_TEST

START_TEST(the_first_launches_are_enough) {
  setenv("SIMGPU_ADDRESSES_LAUNCHES", "1", 1);
  const size_t count = rows_at(NULL, rows);
  unsetenv("SIMGPU_ADDRESSES_LAUNCHES");
  ck_assert_uint_gt(count, 0);
  for (size_t i = 0; i < count; i++)
    ck_assert_uint_eq(rows[i].launch, 1);
  ck_assert_uint_eq(rows_at(NULL, rows), 2 * count);
}
END_TEST

/* Of each load of shared memory in device_copies.cu. */
START_TEST(copies_count_until_the_warp_waits) {
  static const unsigned expected[] = {0, 2, 1, 2, 1, 0};
  unsigned loads = 0;
  const size_t count = rows_of(copies, NULL, rows);
  for (size_t i = 0; i < count; i++) {
    if (rows[i].lane > 0 || strcmp(rows[i].space, "shared") != 0 || strcmp(rows[i].operation, "load") != 0)
      continue;
    ck_assert_uint_lt(loads, sizeof expected / sizeof *expected);
    ck_assert_uint_eq(rows[i].copying, expected[loads++]);
  }
  ck_assert_uint_eq(loads, sizeof expected / sizeof *expected);
}
END_TEST

static const char *const malformed[] = {
    "x", ":", "1:", ":1", "-1", "1:2:3", "1 ", "2:0x", "18446744073709551615"};

START_TEST(a_malformed_choice_is_told) {
  setenv("SIMGPU_ADDRESSES", "-", 1);
  setenv("SIMGPU_ADDRESSES_AT", malformed[_i], 1);
  const struct program_result result = program_run((const char *[]){program, NULL}, 60);
  char says[128];
  snprintf(says, sizeof says, "SIMGPU_ADDRESSES_AT: expected BLOCK or BLOCK:WARP, from 0, got '%s'\n",
           malformed[_i]);
  ck_assert_int_ne(result.status, 0);
  ck_assert_msg(strstr(result.message, says) != NULL, "expected %s in: %s", says, result.message);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM COPIES");
  program = argv[1];
  copies = argv[2];
  TCase *rows_case = tcase_create("rows");
  tcase_add_test(rows_case, a_warp_is_recorded_lane_by_lane);
  tcase_add_test(rows_case, all_warps_together_are_what_is_counted);
  tcase_add_test(rows_case, the_first_launches_are_enough);
  tcase_add_loop_test(rows_case, recording_changes_no_counter, 0, 2);
  tcase_add_test(rows_case, a_warp_that_a_launch_lacks_leaves_no_rows);
  tcase_add_test(rows_case, copies_count_until_the_warp_waits);
  tcase_add_loop_test(rows_case, a_malformed_choice_is_told, 0, sizeof malformed / sizeof *malformed);
  tcase_set_timeout(rows_case, 60);
  return suite_run_case("device_addresses", rows_case);
}
