/* Lab 04: runs a split_layout program (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "judge.h"
#include "lab_files.h"
#include "plural.h"
#include "random.h"
#include "sweep_suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colours[] = {[GRID_RED] = "red", [GRID_BLACK] = "black"};

/* nx, ny: a float4, a warp of them, a padded row, a strip of the fused kernel, each also one column more
 * or less. */
static const int wide_sizes[][2] = {{7, 5},   {8, 6},   {9, 4},   {63, 9},   {64, 5},  {66, 5},
                                    {127, 4}, {128, 6}, {241, 9}, {255, 12}, {256, 5}, {257, 10},
                                    {258, 7}, {259, 6}, {513, 8}, {515, 41}};
enum { WIDE_SIZES = sizeof wide_sizes / sizeof *wide_sizes };

struct text {
  char digits[16];
};

static struct text number(int value) {
  struct text text;
  snprintf(text.digits, sizeof text.digits, "%d", value);
  return text;
}

/* --- 04/pack --- */

static void check_packed(struct grid g, const float *u) {
  const size_t points = grid_split_points(g);
  float *expected[2], *all = allocate_zeroed(2 * points, sizeof *all);
  expected[GRID_RED] = all;
  expected[GRID_BLACK] = all + points;
  grid_split_pack(g, sizeof *u, u, expected[GRID_RED], expected[GRID_BLACK]);
  lab_suite_expect_success(
      (const char *[]){"pack", "--u", "u.npy", "--red", "red.npy", "--black", "black.npy", NULL});
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    const int pitch = grid_pitch(g.nx);
    struct npy got = lab_files_read(colour == GRID_RED ? "red.npy" : "black.npy", NPY_FLOAT32, (size_t)g.ny,
                                    (size_t)pitch);
    size_t k = 0;
    const size_t different = judge_count_different(points, got.data, expected[colour], &k);
    const int i = (int)k / pitch, jh = (int)k % pitch;
    if (different)
      ck_abort_msg(
          "split_pack, nx %d, ny %d: %zu of %zu elements of the %s array are wrong\nfirst at row %d, jh %d, "
          "%s: expected %.9g, got %.9g",
          g.nx, g.ny, different, points, colours[colour], i, jh,
          jh < grid_colour_columns(g, i, colour) ? "a point" : "padding", expected[colour][k],
          isnan(((float *)got.data)[k]) ? (double)NAN : ((float *)got.data)[k]);
    npy_free(&got);
  }
  free(all);
}

/* A run of 0 sweeps packs and unpacks u. */
static void check_unpacked(struct grid g, const float *u) {
  size_t k = 0;
  const size_t nx = (size_t)g.nx;
  unlink("out.npy");
  lab_suite_expect_success(
      (const char *[]){"--variant", "split", "--sweeps", "0", "--u", "u.npy", "--out", "out.npy", NULL});
  float *got = lab_files_read_field("out.npy", g);
  const size_t different = judge_count_different(grid_points(g), got, u, &k);
  if (different)
    ck_abort_msg(
        "split_unpack, nx %d, ny %d: %zu of %zu values differ from the packed ones\nfirst at (i, j) = (%zu, "
        "%zu): expected %.9g, got %.9g%s",
        g.nx, g.ny, different, grid_points(g), k / nx, k % nx, u[k], got[k],
        nx % 2 && k % nx == nx - 1 ? "\nthe last column of an odd width: is nx/2 rounded down?" : "");
  free(got);
}

static void check_both_ways(const int *size) {
  const struct grid g = grid_make(size[0], size[1]);
  float *u = sweep_random_field(g, 5);
  u[0] = -0.0f; /* arithmetic would change these */
  u[grid_points(g) - 1] = 1e-40f;
  lab_files_write_field("u.npy", g, u);
  check_packed(g, u);
  check_unpacked(g, u);
  free(u);
}

START_TEST(pack_and_unpack) {
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_both_ways(sweep_sizes[s]);
  for (int s = 0; s < WIDE_SIZES; s += 2)
    check_both_ways(wide_sizes[s]);
}
END_TEST

/* --- 04/left --- */

/* expected: the first count elements of each row. */
static void check_left(struct grid g, int colour, int count, const int *expected) {
  const struct text nx = number(g.nx), ny = number(g.ny);
  const int pitch = grid_pitch(g.nx);
  unlink("left.npy");
  lab_suite_expect_success((const char *[]){"left", "--nx", nx.digits, "--ny", ny.digits, "--colour",
                                            colours[colour], "--out", "left.npy", NULL});
  struct npy left = lab_files_read("left.npy", NPY_INT32, (size_t)g.ny, (size_t)pitch);
  for (int i = 0; i < g.ny; i++)
    for (int jh = 0; jh < count; jh++) {
      const int got = ((int *)left.data)[i * pitch + jh];
      if (got != expected[i * count + jh])
        ck_abort_msg("split_left, nx %d, ny %d, pitch %d, %s: row %d, jh %d: expected %d, got %d", g.nx, g.ny,
                     pitch, colours[colour], i, jh, expected[i * count + jh], got);
    }
  npy_free(&left);
}

START_TEST(left_by_hand) {
  static const int red[] = {-1, 0, 1, 32, 33, 34, 63, 64, 65, 96, 97, 98};
  static const int black[] = {0, 1, 2, 31, 32, 33, 64, 65, 66, 95, 96, 97};
  check_left(grid_make(6, 4), GRID_RED, 3, red);
  check_left(grid_make(6, 4), GRID_BLACK, 3, black);
  check_left(grid_make(5, 4), GRID_RED, 3, red);
}
END_TEST

START_TEST(left_of_a_wide_grid) {
  const struct grid g = grid_make(131, 5);
  const int pitch = grid_pitch(g.nx);
  int *expected = allocate_zeroed(grid_split_points(g), sizeof *expected);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    for (int k = 0; k < g.ny * pitch; k++)
      expected[k] = (int)grid_left(k / pitch, k % pitch, colour, pitch);
    check_left(g, colour, pitch, expected);
  }
  free(expected);
}
END_TEST

/* --- 04/split and 04/float4 --- */

static void check_by_hand(const char *variant) {
  sweep_check_by_hand(variant, "red");
  sweep_check_by_hand(variant, "black");
  sweep_check_by_hand(variant, NULL);
}

static void check_bits(const char *variant, const int *size, int sweeps) {
  const struct grid g = grid_make(size[0], size[1]);
  float *u = sweep_random_field(g, 21), *f = sweep_random_field(g, 22);
  sweep_check_bits(&(struct sweep_run){variant, NULL, g, sweeps, "random", u, f});
  free(u);
  free(f);
}

/* The reference works in the interleaved layout, as labs 02 and 03 do. */
static void check_identical(const char *variant) {
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_bits(variant, sweep_sizes[s], 7);
  for (int s = 0; s < WIDE_SIZES; s++)
    check_bits(variant, wide_sizes[s], 3);
}

START_TEST(split_by_hand) { check_by_hand("split"); }
END_TEST
START_TEST(split_half_sweeps) { sweep_check_half_sweeps("split"); }
END_TEST
START_TEST(split_identical) { check_identical("split"); }
END_TEST
START_TEST(float4_by_hand) { check_by_hand("float4"); }
END_TEST
START_TEST(float4_half_sweeps) { sweep_check_half_sweeps("float4"); }
END_TEST
START_TEST(float4_identical) { check_identical("float4"); }
END_TEST

/* --- 04/counters --- */

static double requests(const char *kernel) {
  return counters_sum(kernel, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") +
         counters_sum(kernel, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
}

static bool count_sweep(const char *variant) {
  return counters_run((const char *[]){"--variant", variant, "--nx", "2048", "--ny", "43", NULL});
}

static void check_bytes_per_sector(const char *kernel, double least) {
  const double bytes = counters_bytes_per_sector(kernel);
  if (!(bytes >= least))
    ck_abort_msg("%s: %.1f of the 32 bytes of a sector are used: expected at least %.0f", kernel, bytes,
                 least);
}

static void check_active_lanes(const char *kernel) {
  const double lanes = counters_active_lanes(kernel);
  if (!(lanes >= 0.9 && lanes <= 1))
    ck_abort_msg("%s: %.2f of the lanes are active in memory and arithmetic instructions: expected 0.9 to 1",
                 kernel, lanes);
}

START_TEST(counters_of_both_kernels) {
  if (!count_sweep("split"))
    return;
  check_active_lanes("half_sweep_kernel");
  const double scalar = requests("half_sweep_kernel");
  check_bytes_per_sector("half_sweep_kernel", 26);
  count_sweep("float4");
  const double wide = requests("float4_kernel");
  check_active_lanes("float4_kernel");
  check_bytes_per_sector("float4_kernel", 30);
  if (!(wide <= 0.3 * scalar))
    ck_abort_msg(
        "float4_kernel makes %.0f memory requests, half_sweep_kernel %.0f: expected about a quarter as many",
        wide, scalar);
}
END_TEST

/* --- 04/tile and 04/pipelined --- */

static float *random_matrix(int rows, int columns, uint64_t seed) {
  struct random random = random_seed(lab_suite_seed(seed));
  const size_t count = (size_t)rows * (size_t)columns;
  float *matrix = allocate_zeroed(count, sizeof *matrix);
  for (size_t e = 0; e < count; e++)
    matrix[e] = random_float(&random, -1, 1);
  return matrix;
}

/* C by the program; the caller frees it. */
static float *multiply(const char *variant, const int *mnk, const float *a, const float *b) {
  const struct text m = number(mnk[0]), n = number(mnk[1]), k = number(mnk[2]);
  lab_files_write("a.npy", NPY_FLOAT32, (size_t)mnk[0], (size_t)mnk[2], a);
  lab_files_write("b.npy", NPY_FLOAT32, (size_t)mnk[2], (size_t)mnk[1], b);
  unlink("c.npy");
  lab_suite_expect_success((const char *[]){"sgemm", "--variant", variant, "--m", m.digits, "--n", n.digits,
                                            "--k", k.digits, "--a", "a.npy", "--b", "b.npy", "--out", "c.npy",
                                            NULL});
  return lab_files_read("c.npy", NPY_FLOAT32, (size_t)mnk[0], (size_t)mnk[1]).data;
}

/* Entry (i, j) in double, and the sum of the magnitudes of its terms. */
static double entry(const int *mnk, int i, int j, const float *a, const float *b, double *magnitude) {
  double sum = 0;
  *magnitude = 0;
  for (int k = 0; k < mnk[2]; k++) {
    const double term = (double)a[i * mnk[2] + k] * b[k * mnk[1] + j];
    sum += term;
    *magnitude += fabs(term);
  }
  return sum;
}

/* Each of the k terms goes through one product and at most k sums, so γ_(k+1) bounds every order of summation. */
static void judge_product(const char *variant, const int *mnk, const float *a, const float *b,
                          const float *c) {
  const double gamma = judge_gamma(mnk[2] + 1, FLT_EPSILON);
  int wrong = 0, unset = 0, first = 0;
  double expected = 0, magnitude;
  for (int e = mnk[0] * mnk[1] - 1; e >= 0; e--) {
    const double exact = entry(mnk, e / mnk[1], e % mnk[1], a, b, &magnitude);
    if (fabs(c[e] - exact) <= gamma * magnitude)
      continue;
    wrong++;
    unset += isnan(c[e]) != 0;
    first = e;
    expected = exact;
  }
  if (wrong)
    ck_abort_msg("%s, m %d, n %d, k %d: %d of %d entries of C are wrong, %d of these are NaN\nfirst at row "
                 "%d, column %d: expected %.9g, got %.9g",
                 variant, mnk[0], mnk[1], mnk[2], wrong, mnk[0] * mnk[1], unset, first / mnk[1],
                 first % mnk[1], expected, isnan(c[first]) ? (double)NAN : c[first]);
}

static float *check_product(const char *variant, const int *mnk) {
  float *a = random_matrix(mnk[0], mnk[2], 31), *b = random_matrix(mnk[2], mnk[1], 32);
  float *c = multiply(variant, mnk, a, b);
  judge_product(variant, mnk, a, b, c);
  free(a);
  free(b);
  return c;
}

/* m, n, k: 1, less than a tile, a tile plus or minus one, several tiles; aligned and misaligned rows. */
static const int products[][3] = {{1, 1, 1},      {7, 7, 7},       {4, 8, 12},     {127, 129, 5},
                                  {128, 128, 8},  {128, 127, 129}, {129, 128, 30}, {3, 200, 33},
                                  {260, 132, 20}, {140, 4, 64},    {129, 261, 11}};
enum { PRODUCTS = sizeof products / sizeof *products };

static void check_products(const char *variant) {
  for (int p = 0; p < PRODUCTS; p++)
    free(check_product(variant, products[p]));
}

static void check_product_by_hand(const char *variant) {
  static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, -1, 0, 2, 10, 100};
  static const float expected[] = {31, 303, 64, 606};
  float *c = multiply(variant, (const int[]){2, 2, 3}, a, b);
  for (int e = 0; e < 4; e++)
    if (!(c[e] == expected[e]))
      ck_abort_msg("%s: [1 2 3; 4 5 6] × [1 −1; 0 2; 10 100]: row %d, column %d: expected %g, got %g",
                   variant, e / 2, e % 2, expected[e], c[e]);
  free(c);
}

static void check_no_conflicts(const char *variant, const char *kernel) {
  if (!counters_run(
          (const char *[]){"sgemm", "--variant", variant, "--m", "256", "--n", "256", "--k", "64", NULL}))
    return;
  const double conflicts = counters_sum(kernel, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  if (!(conflicts == 0))
    ck_abort_msg("%s: %.0f bank conflicts in loads from shared memory: expected none", kernel, conflicts);
}

START_TEST(tile_by_hand) { check_product_by_hand("tile"); }
END_TEST
START_TEST(tile_products) { check_products("tile"); }
END_TEST
START_TEST(tile_without_conflicts) { check_no_conflicts("tile", "tile_kernel"); }
END_TEST
START_TEST(pipelined_by_hand) { check_product_by_hand("pipelined"); }
END_TEST
START_TEST(pipelined_products) { check_products("pipelined"); }
END_TEST
START_TEST(pipelined_without_conflicts) { check_no_conflicts("pipelined", "pipelined_kernel"); }
END_TEST

START_TEST(pipelined_identical) {
  static const int several_tiles[][3] = {{3, 200, 33}, {129, 128, 30}, {128, 127, 129}};
  for (size_t p = 0; p < sizeof several_tiles / sizeof *several_tiles; p++) {
    const int *mnk = several_tiles[p];
    float *first = check_product("tile", mnk), *second = check_product("pipelined", mnk);
    size_t e = 0;
    const size_t different = judge_count_different((size_t)mnk[0] * (size_t)mnk[1], first, second, &e);
    if (different)
      ck_abort_msg(
          "tile and pipelined, m %d, n %d, k %d: %zu entries do not match bit for bit\nuse the order of summation in split_layout.h",
          mnk[0], mnk[1], mnk[2], different);
    free(first);
    free(second);
  }
}
END_TEST

/* --- 04/fused --- */

static void check_fused(const int *size, int at_once, int sweeps) {
  const struct grid g = grid_make(size[0], size[1]);
  float *u = sweep_random_field(g, 23), *f = sweep_random_field(g, 24);
  const struct sweep_run run = {"fused", NULL, g, sweeps, "random", u, f};
  const struct text fuse = number(at_once), count = number(sweeps);
  lab_files_write_field("u.npy", g, u);
  lab_files_write_field("f.npy", g, f);
  unlink("out.npy");
  lab_suite_expect_success((const char *[]){"--variant", "fused", "--fuse", fuse.digits, "--sweeps",
                                            count.digits, "--u", "u.npy", "--f", "f.npy", "--out", "out.npy",
                                            NULL});
  float *got = lab_files_read_field("out.npy", g), *expected = sweep_run_reference(&run);
  size_t k = 0;
  sweep_judge(&run, expected, got);
  const size_t different = judge_count_different(grid_points(g), got, expected, &k), nx = (size_t)g.nx;
  if (different)
    ck_abort_msg(
        "fused, nx %d, ny %d, %d sweep%s, %d per launch: %zu of %zu values do not match bit for bit\nfirst "
        "at (i, j) = (%zu, %zu): expected %.9g, got %.9g",
        g.nx, g.ny, sweeps, PLURAL(sweeps), at_once, different, grid_points(g), k / nx, k % nx, expected[k],
        got[k]);
  free(expected);
  free(got);
  free(u);
  free(f);
}

START_TEST(fused_by_hand) { sweep_check_by_hand("fused", NULL); }
END_TEST

START_TEST(fused_identical) {
  for (int at_once = 1; at_once <= 8; at_once++) {
    for (int s = 1 + at_once % 4; s < SWEEP_SIZES; s += 4)
      check_fused(sweep_sizes[s], at_once, at_once);
    check_fused((const int[]){3, 3}, at_once, at_once);
    check_fused((const int[]){515, 83}, at_once, at_once);
  }
  for (int s = 0; s < WIDE_SIZES; s++)
    check_fused(wide_sizes[s], 1 + s % 8, 9);
}
END_TEST

/* u and h2f read once, u written once: 12 bytes a point, whatever the number of sweeps. */
START_TEST(fused_passes_memory_once) {
  enum { NX = 1024, NY = 200 };
  const struct text nx = number(NX), ny = number(NY);
  if (!counters_run((const char *[]){"--variant", "fused", "--fuse", "4", "--sweeps", "4", "--nx", nx.digits,
                                     "--ny", ny.digits, NULL}))
    return;
  const double sectors = counters_sum("fused_kernel", "simgpu__unique_sectors_global_ld.sum") +
                         counters_sum("fused_kernel", "simgpu__unique_sectors_global_st.sum");
  const double bytes = 32 * sectors / (NX * NY);
  if (!(bytes <= 12.5))
    ck_abort_msg(
        "fused: 4 sweeps move %.1f bytes per point: expected at most 12.5, as a single sweep moves 12",
        bytes);
}
END_TEST

/* --- 04/input --- */

START_TEST(input_is_refused) {
  static const float matrix[6];
  sweep_check_bad_inputs("split");
  lab_files_write("a.npy", NPY_FLOAT32, 2, 3, matrix);
  const struct {
    const char *arguments[12], *says;
  } cases[] = {
      {{"--variant", "fused", "--colour", "red", "--out", "out.npy"}, "--colour red"},
      {{"--variant", "fused", "--fuse", "9", "--out", "out.npy"}, "--fuse 9"},
      {{"--variant", "fused", "--fuse", "0", "--out", "out.npy"}, "--fuse 0"},
      {{"left", "--colour", "both", "--out", "out.npy"}, "--colour both"},
      {{"pack", "--nx", "2", "--red", "out.npy"}, "--nx 2"},
      {{"pack", "--red", "no/such/out.npy"}, "no/such/out.npy"},
      {{"sgemm", "--m", "0", "--out", "out.npy"}, "--m 0"},
      {{"sgemm", "--n", "0", "--out", "out.npy"}, "--n 0"},
      {{"sgemm", "--k", "0", "--out", "out.npy"}, "--k 0"},
      {{"sgemm", "--m", "40000", "--out", "out.npy"}, "--m 40000"},
      {{"sgemm", "--variant", "tiled", "--out", "out.npy"}, "did you mean tile"},
      {{"sgemm", "--m", "3", "--n", "5", "--k", "3", "--a", "a.npy", "--out", "out.npy"},
       "a.npy: shape (2, 3)"},
      {{"sgemm", "--b", "text.npy", "--out", "out.npy"}, "text.npy"},
      {{"sgemm", "--m", "4", "--n", "4", "--k", "5", "--b", "nan.npy", "--out", "out.npy"}, "nan.npy"},
      {{"sgemm-table", "--sizes", "64,0", "--csv", "out.npy"}, "--sizes 64,0"},
  };
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    lab_suite_expect_refused(cases[n].arguments, cases[n].says, "out.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"04/pack", &pack_and_unpack},
    {"04/left", &left_by_hand},
    {"04/left", &left_of_a_wide_grid},
    {"04/split", &split_by_hand},
    {"04/split", &split_half_sweeps},
    {"04/split", &split_identical},
    {"04/float4", &float4_by_hand},
    {"04/float4", &float4_half_sweeps},
    {"04/float4", &float4_identical},
    {"04/counters", &counters_of_both_kernels},
    {"04/counters", &tile_without_conflicts},
    {"04/counters", &pipelined_without_conflicts},
    {"04/counters", &fused_passes_memory_once},
    {"04/tile", &tile_by_hand},
    {"04/tile", &tile_products},
    {"04/pipelined", &pipelined_by_hand},
    {"04/pipelined", &pipelined_products},
    {"04/pipelined", &pipelined_identical},
    {"04/fused", &fused_by_hand},
    {"04/fused", &fused_identical},
    {"04/input", &input_is_refused},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--variant", "split", "--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
