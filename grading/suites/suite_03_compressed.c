/* Lab 03: runs a compressed program (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "sweep_suite.h"
#include "traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colours[] = {[GRID_RED] = "red", [GRID_BLACK] = "black"};

/* Options --nx and --ny, as text. */
struct size {
  char nx[16], ny[16];
};

static struct size size_text(struct grid g) {
  struct size size;
  snprintf(size.nx, sizeof size.nx, "%d", g.nx);
  snprintf(size.ny, sizeof size.ny, "%d", g.ny);
  return size;
}

/* --- 03/index --- */

enum { CALLS = 3 }; /* of compressed_columns, the first of them for a smaller grid and the other colour */

/* Why the columns are wrong: rows that have another width in memory, or "". */
static const char *explain_columns(struct grid g, int colour, const int *got) {
  const int width = g.nx / 2;
  bool is_narrow = g.nx % 2 == 1;
  for (int k = 0; k < g.ny * width; k++)
    is_narrow &= got[k] == grid_column(k / width, k % width, colour);
  return is_narrow ? ": the rows are stored with the width nx/2, rounded down: expected it rounded up" : "";
}

static void judge_columns(struct grid g, int colour, const int *expected, bool again) {
  const int width = (g.nx + 1) / 2;
  struct npy columns = lab_files_read("columns.npy", NPY_INT32, (size_t)g.ny, (size_t)width);
  for (int k = 0; k < g.ny * width; k++)
    if (((int *)columns.data)[k] != expected[k])
      ck_abort_msg("compressed_columns, nx %d, ny %d, %s%s: row %d, jh %d: expected column %d, got %d%s",
                   g.nx, g.ny, colours[colour], again ? ", after a call with other arguments" : "", k / width,
                   k % width, expected[k], ((int *)columns.data)[k],
                   again ? ": does a static variable hold something of an earlier call?"
                         : explain_columns(g, colour, columns.data));
  npy_free(&columns);
}

static void check_columns(struct grid g, int colour, const int *expected) {
  const struct size size = size_text(g);
  unlink("columns.npy");
  lab_suite_expect_success((const char *[]){"columns", "--nx", size.nx, "--ny", size.ny, "--colour",
                                            colours[colour], "--out", "columns.npy", NULL});
  traffic_check_inputs(0, NULL);
  judge_columns(g, colour, expected, false);
}

START_TEST(index_by_hand) {
  static const int red_6x4[] = {0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5};
  static const int black_6x4[] = {1, 3, 5, 0, 2, 4, 1, 3, 5, 0, 2, 4};
  static const int red_5x5[] = {0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5, 0, 2, 4};
  static const int black_5x5[] = {1, 3, 5, 0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5};
  check_columns(grid_make(6, 4), GRID_RED, red_6x4);
  check_columns(grid_make(6, 4), GRID_BLACK, black_6x4);
  check_columns(grid_make(5, 5), GRID_RED, red_5x5);
  check_columns(grid_make(5, 5), GRID_BLACK, black_5x5);
}
END_TEST

START_TEST(index_of_a_wide_grid) {
  enum { NX = 131, NY = 3, WIDTH = (NX + 1) / 2 };
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    int expected[NY * WIDTH];
    for (int k = 0; k < NY * WIDTH; k++)
      expected[k] = grid_column(k / WIDTH, k % WIDTH, colour);
    check_columns(grid_make(NX, NY), colour, expected);
  }
}
END_TEST

static int *black_columns(struct grid g) {
  const int width = (g.nx + 1) / 2;
  int *expected = allocate_zeroed((size_t)g.ny * (size_t)width, sizeof *expected);
  for (int k = 0; k < g.ny * width; k++)
    expected[k] = grid_column(k / width, k % width, GRID_BLACK);
  return expected;
}

static void check_black_columns(struct grid g) {
  int *expected = black_columns(g);
  check_columns(g, GRID_BLACK, expected);
  free(expected);
}

START_TEST(index_of_a_large_grid) {
  check_black_columns(lab_suite_large_grid(31, true));
  check_black_columns(lab_suite_tall_grid(32));
  check_black_columns(lab_suite_wide_grid(33));
}
END_TEST

/* main.c fills the columns before each call, and fetches them. */
static void check_index_rules(struct grid g, int calls, double points) {
  const struct size size = size_text(g);
  const int width = (g.nx + 1) / 2;
  const double bytes = (double)g.ny * width * sizeof(int);
  char number[16];
  snprintf(number, sizeof number, "%d", calls);
  unlink("columns.npy");
  if (counters_run((const char *[]){"columns", "--nx", size.nx, "--ny", size.ny, "--colour", "black",
                                    "--calls", number, "--out", "columns.npy", NULL}))
    rules_check(&(struct rules){"compressed_columns", "compressed.h", .calls = calls, .launches = 1,
                                .points = points, .is_step = true},
                &(struct rules_frame){
                    .waits = 1, .bytes_to_host = bytes, .bytes_on_device = calls * bytes, .memory_calls = 2});
}

START_TEST(index_keeps_the_rules) {
  const struct grid small = grid_make(67, 41), large = lab_suite_large_grid(31, true);
  int *expected = black_columns(small);
  check_index_rules(small, CALLS, 0);
  judge_columns(small, GRID_BLACK, expected, true);
  free(expected);
  check_index_rules(large, 1, (double)grid_points(large) / 2);
  rules_check_launch_error("compressed_columns", 1, (const char *[]){"columns", "--nx", "9", NULL});
  rules_check_heap((const char *[]){"columns", "--nx", "9", "--calls", "18", "--heap", NULL});
}
END_TEST

/* --- 03/geometry --- */

/* What the program says of launch_geometry. */
static void read_geometry(struct grid g, int block[2], int grid[2]) {
  const struct size size = size_text(g);
  const struct program_result result =
      lab_suite_expect_success((const char *[]){"geometry", "--nx", size.nx, "--ny", size.ny, NULL});
  if (sscanf(lab_suite_line(result.output, "block "), "block %d %d, grid %d %d", &block[0], &block[1],
             &grid[0], &grid[1]) != 4)
    ck_abort_msg("geometry: expected four numbers, got: %s", result.output);
}

static void check_extent(struct grid g, const char *axis, int needed, int block, int blocks) {
  const long covered = (long)block * blocks;
  if (covered < needed)
    ck_abort_msg(
        "launch_geometry, nx %d, ny %d: %d block%s of %d threads along %s, but %d threads are needed", g.nx,
        g.ny, blocks, PLURAL(blocks), block, axis, needed);
  if (covered - block >= needed)
    ck_abort_msg(
        "launch_geometry, nx %d, ny %d: %d block%s of %d threads along %s: some blocks have no point: only %d threads are needed",
        g.nx, g.ny, blocks, PLURAL(blocks), block, axis, needed);
}

static void check_geometry(struct grid g) {
  int block[2], grid[2];
  read_geometry(g, block, grid);
  if (block[0] < 1 || block[1] < 1 || grid[0] < 1 || grid[1] < 1 || (long)block[0] * block[1] > 1024)
    ck_abort_msg(
        "launch_geometry, nx %d, ny %d: blocks of %d x %d threads, %d x %d blocks: expected at least 1 of each, and at most 1024 threads per block",
        g.nx, g.ny, block[0], block[1], grid[0], grid[1]);
  if (block[0] % 32 != 0)
    ck_abort_msg("launch_geometry: a block has %d threads along the row: expected a multiple of 32",
                 block[0]);
  check_extent(g, "x", (g.nx + 1) / 2, block[0], grid[0]);
  check_extent(g, "y", g.ny, block[1], grid[1]);
}

START_TEST(geometry_sizes) {
  static const int more[][2] = {{64, 8},   {65, 8},   {66, 9},        {127, 16},     {128, 17},
                                {129, 15}, {1000, 3}, {32768, 32768}, {32767, 32765}};
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_geometry(grid_make(sweep_sizes[s][0], sweep_sizes[s][1]));
  for (size_t s = 0; s < sizeof more / sizeof *more; s++)
    check_geometry(grid_make(more[s][0], more[s][1]));
}
END_TEST

/* --- 03/sweep --- */

START_TEST(sweep_by_hand) {
  sweep_check_by_hand("compressed", "red");
  sweep_check_by_hand("compressed", "black");
  sweep_check_by_hand("compressed", NULL);
}
END_TEST

START_TEST(sweep_all_sizes) { sweep_check_half_sweeps("compressed"); }
END_TEST
START_TEST(sweep_large) {
  sweep_check_large_half_sweeps(
      "compressed", &(struct rules){"gs_compressed_half_sweep", "compressed.h", .calls = 1, .launches = 1});
  sweep_check_large("compressed");
  sweep_check_far("compressed", "gs_compressed_half_sweep");
}
END_TEST

/* --- 03/identical --- */

START_TEST(identical_to_lab_02) {
  for (int s = 0; s < SWEEP_SIZES; s++) {
    const struct grid g = grid_make(sweep_sizes[s][0], sweep_sizes[s][1]);
    const enum data data = data_of(s);
    float *u = sweep_field(g, 21, data), *f = sweep_field(g, 22, data);
    sweep_check_bits(&(struct sweep_run){"compressed", NULL, g, 7, data_words(data), u, f});
    free(u);
    free(f);
  }
}
END_TEST

START_TEST(identical_in_any_order) { sweep_check_orders("compressed"); }
END_TEST

/* --- 03/once --- */

static int interior_points(struct grid g, int colour) {
  int count = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      count += grid_colour(i, j) == colour;
  return count;
}

static void check_once(const char *variant, struct grid g, int colour) {
  const struct size size = size_text(g);
  if (!counters_run((const char *[]){"--variant", variant, "--colour", colours[colour], "--nx", size.nx,
                                     "--ny", size.ny, NULL}))
    return;
  const double stores = counters_sum("", "smsp__sass_data_bytes_mem_global_op_st.sum") / sizeof(float);
  if (!(stores == interior_points(g, colour)))
    ck_abort_msg(
        "%s, nx %d, ny %d, %s: %.0f value%s stored: expected %d, one per interior point of the colour%s",
        variant, g.nx, g.ny, colours[colour], stores, stores == 1 ? " is" : "s are",
        interior_points(g, colour), sweep_advice_on_atomics());
}

START_TEST(each_point_is_written_once) {
  for (int s = 1; s < SWEEP_SIZES; s++) /* the first has no interior black point */
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      check_once("compressed", grid_make(sweep_sizes[s][0], sweep_sizes[s][1]), colour);
}
END_TEST

START_TEST(once_keeps_the_rules) {
  sweep_check_rules("compressed", "red",
                    &(struct rules){"gs_compressed_half_sweep", "compressed.h", .calls = 3, .launches = 1});
}
END_TEST

/* The launch may have one dimension: its numbers of blocks and threads count. */
static void check_launch(struct grid g) {
  const struct size size = size_text(g);
  int block[2], grid[2];
  read_geometry(g, block, grid);
  if (!counters_run((const char *[]){"--variant", "compressed", "--colour", "red", "--nx", size.nx, "--ny",
                                     size.ny, NULL}))
    return;
  const double blocks = counters_blocks(), threads = counters_threads() / blocks;
  const int wanted = grid[0] * grid[1], wanted_threads = block[0] * block[1];
  if (!(blocks <= wanted && threads == wanted_threads)) /* fewer blocks may do the work in a loop */
    ck_abort_msg(
        "gs_compressed_half_sweep, nx %d, ny %d: %.0f blocks of %.0f threads: expected %d blocks of %d "
        "threads, as launch_geometry says: launch the kernel with the grid and block that it returns",
        g.nx, g.ny, blocks, threads, wanted, wanted_threads);
}

START_TEST(launch_has_the_geometry) {
  lab_checks_stop();
  check_launch(grid_make(200, 70));
  check_launch(lab_suite_large_grid(47, true));
}
END_TEST

/* --- 03/counters --- */

START_TEST(counters_of_full_warps) {
  if (!counters_run(
          (const char *[]){"--variant", "compressed", "--colour", "red", "--nx", "1024", "--ny", "60", NULL}))
    return;
  const double lanes = counters_active_lanes(""), bytes = counters_bytes_per_sector("");
  if (!(lanes >= 0.95))
    ck_abort_msg(
        "compressed: %.2f of the lanes are active in memory and arithmetic instructions: expected at "
        "least 0.95",
        lanes);
  if (!(bytes > 14 && bytes < 18))
    ck_abort_msg("compressed: %.1f of the 32 bytes of a sector are used: expected about 16", bytes);
}
END_TEST

/* --- 03/walk --- */

/* The walk as it runs without --blocks, which is how a student sees it. */
static const char *explain_walk(const struct sweep_run *run, const float *got) {
  (void)got;
  if (strcmp(run->variant, "walk") != 0 || !run->blocks)
    return NULL;
  struct sweep_run other = *run;
  other.blocks = 0;
  other.counting = SWEEP_PLAIN;
  float *expected = sweep_run_reference(&other), *values = sweep_run_program(&other);
  const bool is_right = memcmp(expected, values, grid_points(run->g) * sizeof *values) == 0;
  free(expected);
  free(values);
  return is_right
             ? "with 132 blocks the result is right: a warp's next row is 2*blocks rows further, for any number of "
               "blocks"
             : NULL;
}

START_TEST(walk_by_hand) {
  sweep_check_by_hand("walk", "red");
  sweep_check_by_hand("walk", "black");
}
END_TEST

/* More warps than rows, fewer, and one block; rows of less than one step, and of several. */
START_TEST(walk_all_sizes) {
  static const int blocks[] = {1, 3, 16, 200};
  for (int s = 0; s < SWEEP_SIZES + 2; s++) {
    const struct grid g =
        s < SWEEP_SIZES ? grid_make(sweep_sizes[s][0], sweep_sizes[s][1]) : grid_make(511 + s, 23);
    const enum data data = data_of(s);
    float *u = sweep_field(g, 23, data), *f = sweep_field(g, 24, data);
    sweep_check_bits(
        &(struct sweep_run){"walk", NULL, g, 2, data_words(data), u, f, .blocks = blocks[s % 4]});
    free(u);
    free(f);
  }
}
END_TEST

/* Twice as many warps as 12000 blocks have, or more; each takes one row or two. */
START_TEST(walk_with_many_blocks) {
  enum { LEAST = 12000, MOST = 16000 };
  const struct sweep_run run = {
      .variant = "walk",
      .colour = "black",
      .g = lab_suite_tall_grid(45),
      .sweeps = 1,
      .blocks = LEAST + (int)(lab_suite_seed(46) % (MOST - LEAST)),
      .counting = SWEEP_COUNTED,
  };
  sweep_check_random(run);
  sweep_expect_stores(&run, "gs_walk_half_sweep");
}
END_TEST

START_TEST(walk_large) {
  sweep_check_random((struct sweep_run){"walk", NULL, lab_suite_middle_grid(41, true), 2});
  sweep_check_random((struct sweep_run){"walk", "red", lab_suite_wide_grid(44), 1});
}
END_TEST
START_TEST(walk_in_any_order) { sweep_check_orders("walk"); }
END_TEST

START_TEST(walk_writes_once) {
  check_once("walk", grid_make(65, 34), GRID_RED);
  check_once("walk", grid_make(129, 100), GRID_BLACK);
}
END_TEST

START_TEST(walk_keeps_the_rules) {
  sweep_check_rules("walk", "black",
                    &(struct rules){"gs_walk_half_sweep", "compressed.h", .calls = 3, .launches = 1});
}
END_TEST

/* Few blocks, and more than a GPU holds at once. */
START_TEST(walk_has_its_blocks) {
  enum { THREADS = 64 };
  static const char *const expected[] = {"5", "2051"};
  for (int n = 0; n < 2; n++) {
    if (!counters_run((const char *[]){"--variant", "walk", "--colour", "red", "--blocks", expected[n],
                                       "--nx", "200", "--ny", "70", NULL}))
      return;
    const double blocks = counters_blocks(), threads = counters_threads() / blocks;
    if (!(blocks == atoi(expected[n]) && threads == THREADS))
      ck_abort_msg(
          "gs_walk_half_sweep, blocks %s: %.0f blocks of %.0f threads: expected %s blocks of 32 x 2 threads",
          expected[n], blocks, threads, expected[n]);
  }
}
END_TEST

START_TEST(walk_has_its_rows) {
  enum { NX = 40, ROWS = 2 * 4 };
  if (!counters_run_requests((const char *[]){"--variant", "walk", "--colour", "red", "--blocks", "4", "--nx",
                                              "40", "--ny", "70", NULL}))
    return;
  const double rows = counters_row_step(NX * sizeof(float));
  if (rows > 0 && (rows < ROWS || rows > ROWS)) /* 0: this warp does nothing, which costs the speed */
    ck_abort_msg(
        "gs_walk_half_sweep, blocks 4, nx 40, ny 70: the next row of a warp is %.0f row%s further: expected "
        "%d: warp w of them all updates rows 1 + w, 1 + w + 2*blocks, and so on",
        rows, PLURAL(rows), ROWS);
}
END_TEST

/* Lanes side by side use half of the bytes of each sector, those of one colour; lanes two or more points
 * apart use less. */
START_TEST(walk_has_lanes_side_by_side) {
  enum { LEAST = 11 };
  const double LEAST_LANES = 0.75; /* a row has 16 warps of points: only the boundary leaves lanes idle */
  if (!counters_run(
          (const char *[]){"--variant", "walk", "--colour", "red", "--nx", "1024", "--ny", "70", NULL}))
    return;
  const double bytes = counters_bytes_per_sector(""), lanes = counters_active_lanes("");
  if (lanes < LEAST_LANES)
    ck_abort_msg(
        "gs_walk_half_sweep, nx 1024, ny 70: %.2f of the lanes are active in memory and arithmetic instructions: "
        "expected about 1: a warp updates 32 points of the colour at a time",
        lanes);
  if (bytes < LEAST)
    ck_abort_msg(
        "gs_walk_half_sweep, nx 1024, ny 70: %.1f of the 32 bytes of a sector are used: expected about 16: "
        "in each load, neighbouring lanes have neighbouring points of the colour",
        bytes);
}
END_TEST

/* --- counter items --- */

/* Each call is a half-sweep of red and one of black. Another item judges their number of launches; here each
 * costs its time. */
static struct rules rules_of_sweeps(int sweeps) {
  return (struct rules){"gs_compressed_half_sweep", "compressed.h", .calls = 2 * sweeps,
                        .launches = INFINITY};
}

START_TEST(sweep_counted) {
  const struct rules rules = rules_of_sweeps(2);
  sweep_measure("compressed", &rules, sweep_aligned_grid(33), 2);
}
END_TEST

START_TEST(sweep_modelled) {
  const struct rules rules = rules_of_sweeps(1);
  sweep_measure_memory("compressed", &rules);
}
END_TEST

/* --blocks is the program's own: 2 warps for each multiprocessor of the modelled GPU. Each has 7 or 8 rows. A warp that
 * has the rows of two takes longer, but the model sees little of it. */
START_TEST(walk_modelled) {
  const struct rules rules = {"gs_walk_half_sweep", "compressed.h", .calls = 2, .launches = 1};
  const double most = 1.5;
  if (sweep_measure_memory("walk", &rules) && counters_longest_warp() > most)
    ck_abort_msg(
        "gs_walk_half_sweep: a warp executes %.1f times as many instructions as the average: expected at most "
        "%.1f: both warps of a block walk, and each has its own rows",
        counters_longest_warp(), most);
}
END_TEST

/* --- 03/input --- */

START_TEST(input_is_refused) {
  sweep_check_bad_inputs("compressed");
  lab_suite_expect_refused((const char *[]){"columns", "--colour", "both", "--out", "out.npy", NULL},
                           "--colour both", "out.npy");
  lab_suite_expect_refused((const char *[]){"columns", "--out", "no/such/out.npy", NULL}, "no/such/out.npy",
                           "no/such/out.npy");
  lab_suite_expect_refused((const char *[]){"geometry", "--ny", "1", NULL}, "--ny 1", "out.npy");
  lab_suite_expect_refused((const char *[]){"--variant", "walk", "--blocks", "0", "--out", "out.npy", NULL},
                           "--blocks 0", "out.npy");
  lab_suite_expect_refused((const char *[]){"flight", "--blocks", "1,65536", "--csv", "out.npy", NULL},
                           "--blocks 1,65536", "out.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"03/index", &index_by_hand},
    {"03/index", &index_of_a_wide_grid},
    {"03/index", &index_of_a_large_grid},
    {"03/index", &index_keeps_the_rules},
    {"03/geometry", &geometry_sizes},
    {"03/sweep", &sweep_by_hand},
    {"03/sweep", &sweep_all_sizes},
    {"03/sweep", &sweep_large},
    {"03/identical", &identical_to_lab_02},
    {"03/identical", &identical_in_any_order},
    {"03/once", &each_point_is_written_once},
    {"03/once", &once_keeps_the_rules},
    {"03/once", &launch_has_the_geometry},
    {"03/counters", &counters_of_full_warps},
    {"03/walk", &walk_by_hand},
    {"03/walk", &walk_all_sizes},
    {"03/walk", &walk_writes_once},
    {"03/walk", &walk_large},
    {"03/walk", &walk_with_many_blocks},
    {"03/walk", &walk_in_any_order},
    {"03/walk", &walk_keeps_the_rules},
    {"03/walk", &walk_has_its_blocks},
    {"03/walk", &walk_has_its_rows},
    {"03/walk", &walk_has_lanes_side_by_side},
    {"03/input", &input_is_refused},
    {"03/lanes", &sweep_counted},
    {"03/sectors", &sweep_counted},
    {"03/requests", &sweep_counted},
    {"03/sweep_copy", &sweep_modelled},
    {"03/walk_copy", &walk_modelled},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--variant", "compressed", "--nx", "3", NULL};
  sweep_explain = explain_walk;
  return lab_suite_main(argc, argv, tests, probe);
}
