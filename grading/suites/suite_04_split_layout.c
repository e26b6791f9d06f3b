/* Lab 04: runs a split_layout program (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "far.h"
#include "judge.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "random.h"
#include "rules.h"
#include "solve_suite.h"
#include "sweep_suite.h"
#include "traffic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colours[] = {[GRID_RED] = "red", [GRID_BLACK] = "black"};

/* nx, ny: a float4, a warp of them, a padded row, a strip of the fused kernel, each also one column more or less. */
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

static struct grid size_of(const int *size) { return grid_make(size[0], size[1]); }

/* --- what a function may ask of the device: a launch of a kernel in each call --- */

/* points: as of struct rules. */
static void check_rules(const char *function, int calls, double points, struct rules_frame frame) {
  rules_check(&(struct rules){.function = function,
                              .contract = "split_layout.h",
                              .calls = calls,
                              .launches = 1,
                              .points = points},
              &frame);
}

/* --calls of the functions that pack, unpack and multiply: several of them show what each call leaves. The last one
 * counts, and earlier ones have other sizes. */
enum { CALLS = 3 };
static int calls = 1;

static const char *advice_on_calls(void) {
  return calls > 1
             ? "\nearlier calls had fewer columns, then fewer rows: does a static variable hold something of them?"
             : "";
}

/* --- 04/pack --- */

/* Whether each file has the other colour. */
static bool is_packed_as_other(struct grid g, float *const *expected) {
  bool equal = true;
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    struct npy got = lab_files_read(colour == GRID_RED ? "red.npy" : "black.npy", NPY_FLOAT32, (size_t)g.ny,
                                    (size_t)grid_pitch(g.nx));
    equal = equal && memcmp(got.data, expected[!colour], grid_split_points(g) * sizeof(float)) == 0;
    npy_free(&got);
  }
  return equal;
}

/* Whether some rows are those of the other colour, and the others are right. */
static bool is_swapped_in_rows(struct grid g, float *const *expected, int colour, const float *got) {
  const size_t pitch = (size_t)grid_pitch(g.nx), bytes = pitch * sizeof *got;
  size_t swapped = 0, right = 0;
  for (size_t k = 0; k < grid_split_points(g); k += pitch)
    if (memcmp(got + k, expected[colour] + k, bytes) == 0)
      right++;
    else
      swapped += memcmp(got + k, expected[!colour] + k, bytes) == 0;
  return right > 0 && swapped > 0 && right + swapped == (size_t)g.ny;
}

/* Places that are NaN: points, or padding. */
static size_t count_unset(struct grid g, int colour, const float *got, bool is_padding) {
  const int pitch = grid_pitch(g.nx);
  size_t found = 0;
  for (int i = 0; i < g.ny; i++)
    for (int jh = 0; jh < pitch; jh++)
      found += (jh >= grid_colour_columns(g, i, colour)) == is_padding && isnan(got[i * pitch + jh]);
  return found;
}

/* expected: by colour. got: of this colour. */
static const char *explain_packed(struct grid g, float *const *expected, int colour, const float *got) {
  const size_t padding = count_unset(g, colour, got, true),
               unset = padding + count_unset(g, colour, got, false);
  if (is_packed_as_other(g, expected))
    return "\nthe colours are swapped: a point is red if i + j is even";
  if (is_swapped_in_rows(g, expected, colour, got))
    return "\nsome rows have the other colour: is i in the parity?";
  if (unset > 0 && unset == padding)
    return "\nonly padding was never written: packing writes 0 there, up to the pitch";
  if (unset > grid_split_points(g) / 2 && isnan(got[grid_split_points(g) - 1]))
    return "\nmost places were never written: does the launch have a thread for every place, with the grid first and "
           "the block second in <<<grid, block>>>?";
  return "";
}

static void check_packed(struct grid g, const float *u) {
  const size_t points = grid_split_points(g);
  const struct text asked = number(calls);
  float *expected[2], *all = allocate_zeroed(2 * points, sizeof *all);
  expected[GRID_RED] = all;
  expected[GRID_BLACK] = all + points;
  grid_split_pack(g, sizeof *u, u, expected[GRID_RED], expected[GRID_BLACK]);
  lab_suite_expect_success((const char *[]){"pack", "--u", "u.npy", "--red", "red.npy", "--black",
                                            "black.npy", "--calls", asked.digits, NULL});
  traffic_check_inputs(1, &(struct npy){NPY_FLOAT32, 2, {(size_t)g.ny, (size_t)g.nx}, (void *)(uintptr_t)u});
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
          "%s: expected %.9g, got %.9g%s%s",
          g.nx, g.ny, different, points, colours[colour], i, jh,
          jh < grid_colour_columns(g, i, colour) ? "a point" : "padding", expected[colour][k],
          isnan(((float *)got.data)[k]) ? (double)NAN : ((float *)got.data)[k],
          explain_packed(g, expected, colour, got.data), advice_on_calls());
    npy_free(&got);
  }
  free(all);
}

/* different: the number of values that are wrong; k: the first of them. */
static const char *explain_unpacked(struct grid g, const float *u, const float *got, size_t different,
                                    size_t k) {
  const size_t nx = (size_t)g.nx;
  bool is_pairwise = true; /* a wrong value is that of the other point of its pair */
  for (size_t n = 0; n < grid_points(g); n++) {
    const size_t j = n % nx, other = n - j + (j ^ 1);
    is_pairwise = is_pairwise && ((j ^ 1) >= nx || got[n] == u[n] || got[n] == u[other]);
  }
  if (is_pairwise && different > (size_t)g.ny)
    return "\nthe colours are swapped, in all rows or in some: a point is red if i + j is even";
  return different <= (size_t)g.ny && nx % 2 && k % nx == nx - 1
             ? "\nthe last column of an odd width: is nx/2 rounded down?"
             : "";
}

/* A run of 0 sweeps packs and unpacks u. */
static void check_unpacked(struct grid g, const float *u) {
  size_t k = 0;
  const size_t nx = (size_t)g.nx;
  const struct text asked = number(calls);
  unlink("out.npy");
  lab_suite_expect_success((const char *[]){"--variant", "split", "--sweeps", "0", "--u", "u.npy", "--out",
                                            "out.npy", "--calls", asked.digits, NULL});
  float *got = lab_files_read_field("out.npy", g);
  const size_t different = judge_count_different(grid_points(g), got, u, &k);
  if (different)
    ck_abort_msg(
        "split_unpack, nx %d, ny %d: %zu of %zu values differ from the packed ones\nfirst at (i, j) = (%zu, "
        "%zu): expected %.9g, got %.9g%s%s",
        g.nx, g.ny, different, grid_points(g), k / nx, k % nx, u[k], got[k], advice_on_calls(),
        explain_unpacked(g, u, got, different, k));
  free(got);
}

/* Also the contents of u.npy. */
static float *random_field_to_pack(struct grid g) {
  float *u = sweep_random_field(g, 5);
  u[0] = -0.0f; /* arithmetic would change these */
  u[grid_points(g) - 1] = 1e-40f;
  lab_files_write_field("u.npy", g, u);
  return u;
}

static void check_both_ways(struct grid g) {
  float *u = random_field_to_pack(g);
  check_packed(g, u);
  check_unpacked(g, u);
  free(u);
}

/* The program copies u to the device, and each array back, for which it waits. */
static void count_packing_of(struct grid g, const float *u) {
  const double points = (double)grid_points(g), places = (double)grid_split_points(g);
  counters_begin();
  check_packed(g, u);
  const struct rules_frame program = {.waits = 2,
                                      .bytes_to_host = 8 * places,
                                      .bytes_to_device = 4 * points,
                                      .bytes_on_device = 8 * places,
                                      .memory_calls = 6};
  if (counters_end())
    check_rules("split_pack", calls, points, program);
}

/* A run of no sweeps packs u and h2f, and unpacks u. */
static void count_unpacking_of(struct grid g, const float *u) {
  counters_begin();
  check_unpacked(g, u);
  struct rules_frame program = {
      .waits = 2, .bytes_to_device = 8 * (double)grid_points(g), .launches = 2 * calls, .memory_calls = 14};
  program.bytes_to_host = program.bytes_on_device = 4 * (double)grid_points(g);
  if (counters_end())
    check_rules("split_unpack", calls, (double)grid_points(g), program);
}

START_TEST(pack_and_unpack) {
  check_both_ways(size_of(sweep_sizes[0])); /* a single call: several hide what it does not write */
  const struct grid g = grid_make(129, 100);
  float *u = random_field_to_pack(g);
  calls = CALLS;
  count_packing_of(g, u);
  count_unpacking_of(g, u);
  calls = 1;
  free(u);
  for (int s = 3; s < SWEEP_SIZES; s += 3)
    check_both_ways(size_of(sweep_sizes[s]));
  for (int s = 0; s < WIDE_SIZES; s += 3)
    check_both_ways(size_of(wide_sizes[s]));
}
END_TEST

/* Rows of a longer pitch than the columns need. */
static void check_packed_wide(struct grid g, const float *u) {
  enum { WIDER = 32 };
  const size_t points = grid_split_points(g);
  const int pitch = grid_pitch(g.nx);
  float *expected[2], *all = allocate_zeroed(2 * points, sizeof *all);
  expected[GRID_RED] = all;
  expected[GRID_BLACK] = all + points;
  grid_split_pack(g, sizeof *u, u, expected[GRID_RED], expected[GRID_BLACK]);
  lab_suite_expect_success((const char *[]){"pack", "--u", "u.npy", "--red", "red.npy", "--black",
                                            "black.npy", "--wider", "32", NULL});
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    struct npy got = lab_files_read(colour == GRID_RED ? "red.npy" : "black.npy", NPY_FLOAT32, (size_t)g.ny,
                                    (size_t)pitch + WIDER);
    const float *row = got.data;
    for (int i = 0; i < g.ny; i++, row += pitch + WIDER)
      for (int jh = 0; jh < pitch + WIDER; jh++)
        if (!(row[jh] == (jh < pitch ? expected[colour][i * pitch + jh] : 0)))
          ck_abort_msg(
              "split_pack, nx %d, ny %d, pitch %d, which is longer than it need be: wrong %s value at row %d, jh %d: "
              "is the pitch that of the call?",
              g.nx, g.ny, pitch + WIDER, colours[colour], i, jh);
    npy_free(&got);
  }
  free(all);
}

static void check_unpacked_wide(struct grid g, const float *u) {
  size_t k = 0;
  lab_suite_expect_success((const char *[]){"--variant", "split", "--sweeps", "0", "--u", "u.npy", "--out",
                                            "out.npy", "--wider", "32", NULL});
  float *got = lab_files_read_field("out.npy", g);
  if (judge_count_different(grid_points(g), got, u, &k))
    ck_abort_msg(
        "split_unpack, nx %d, ny %d, pitch %d, which is longer than it need be: wrong value at (i, j) = (%zu, %zu): is "
        "the pitch that of the call?",
        g.nx, g.ny, grid_pitch(g.nx) + 32, k / (size_t)g.nx, k % (size_t)g.nx);
  free(got);
}

START_TEST(pack_and_unpack_wide) {
  const struct grid g = grid_make(131, 21);
  float *u = random_field_to_pack(g);
  check_packed_wide(g, u);
  check_unpacked_wide(g, u);
  rules_check_heap((const char *[]){"pack", "--nx", "9", "--calls", "19", "--heap", NULL});
  rules_check_heap((const char *[]){"--sweeps", "0", "--nx", "9", "--calls", "19", "--heap", NULL});
  rules_check_launch_error("split_pack", 1, (const char *[]){"pack", "--nx", "9", NULL});
  rules_check_launch_error("split_unpack", 3, (const char *[]){"--sweeps", "0", "--nx", "9", NULL});
  free(u);
}
END_TEST

/* The long sides of both directions: each function has its own launch. */
START_TEST(pack_and_unpack_long) {
  lab_checks_stop();
  check_both_ways(lab_suite_tall_grid(13));
  check_both_ways(lab_suite_wide_grid(14));
}
END_TEST

START_TEST(pack_large) {
  const struct grid g = lab_suite_middle_grid(11, true);
  float *u = random_field_to_pack(g);
  lab_checks_stop();
  count_packing_of(g, u);
  free(u);
}
END_TEST

START_TEST(pack_far) {
  far_expect_inside("split_pack and split_unpack, nx 32768, ny 32768",
                    (const char *[]){"pack", "--nx", "32768", "--ny", "32768", "--far", "10", NULL});
}
END_TEST

START_TEST(unpack_large) {
  const struct grid g = lab_suite_middle_grid(11, true);
  float *u = random_field_to_pack(g);
  lab_checks_stop();
  count_unpacking_of(g, u);
  free(u);
}
END_TEST

/* --- 04/left --- */

/* Element k of the first count elements of each row. */
static int left_at(const struct npy *left, int k, int count) {
  return ((int *)left->data)[(size_t)(k / count) * left->shape[1] + (size_t)(k % count)];
}

static bool is_left_of(struct grid g, int colour, int count, const struct npy *left) {
  const int pitch = grid_pitch(g.nx);
  bool equal = true;
  for (int k = 0; k < g.ny * count; k++)
    equal = equal && left_at(left, k, count) == (int)grid_left(k / count, k % count, colour, pitch);
  return equal;
}

/* expected: the first count elements of each row. */
static void check_left(struct grid g, int colour, int count, const int *expected) {
  const struct text nx = number(g.nx), ny = number(g.ny);
  const int pitch = grid_pitch(g.nx);
  unlink("left.npy");
  lab_suite_expect_success((const char *[]){"left", "--nx", nx.digits, "--ny", ny.digits, "--colour",
                                            colours[colour], "--out", "left.npy", NULL});
  struct npy left = lab_files_read_of_host("left.npy", NPY_INT32, (size_t)g.ny, (size_t)pitch);
  int wrong = 0, too_far = 0, first = 0;
  bool is_alike = true;
  for (int k = g.ny * count - 1; k >= 0; k--) {
    const int off = left_at(&left, k, count) - expected[k];
    is_alike = is_alike && left_at(&left, k, count) - left_at(&left, k % count, count) == k / count * pitch;
    wrong += off != 0;
    too_far += off == 1;
    first = off ? k : first;
  }
  if (wrong)
    ck_abort_msg("split_left, nx %d, ny %d, pitch %d, %s: row %d, jh %d: expected %d, got %d%s", g.nx, g.ny,
                 pitch, colours[colour], first / count, first % count, expected[first],
                 left_at(&left, first, count),
                 too_far == g.ny * count ? "\nall places are one place too far east: is −1 missing?"
                 : is_left_of(g, !colour, count, &left)
                     ? "\nthey are those of the other colour: is the colour in the parity?"
                 : is_alike ? "\nall rows have the same shift: the parity of i + colour decides"
                            : "");
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

/* --- mistakes of this layout --- */

/* One half-sweep by a kernel whose rows are stride apart. u, h2f: by colour, in the split layout. */
static void half_sweep_by_stride(struct grid g, int stride, int colour, float *const *h2f, float *const *u) {
  const float *other = u[!colour];
  for (int i = 1; i < g.ny - 1; i++)
    for (int jh = 0; jh < (g.nx + 1) / 2; jh++) {
      const ptrdiff_t k = (ptrdiff_t)i * stride + jh, left = grid_left(i, jh, colour, stride);
      if (grid_is_interior(g, i, grid_column(i, jh, colour)))
        u[colour][k] =
            (other[left] + other[left + 1] + other[k - stride] + other[k + stride] + h2f[colour][k]) * 0.25f;
    }
}

/* The whole run with such rows; the caller frees the result. */
static float *run_by_stride(const struct sweep_run *run, int stride) {
  const struct grid g = run->g;
  const size_t points = grid_split_points(g);
  float *all = allocate_zeroed(4 * points, sizeof *all), *u[2] = {all, all + points},
        *h2f[2] = {all + 2 * points, all + 3 * points};
  float *result = allocate_zeroed(grid_points(g), sizeof *result);
  reference_h2f_float(g, run->f, result);
  grid_split_pack(g, sizeof *result, result, h2f[GRID_RED], h2f[GRID_BLACK]);
  grid_split_pack(g, sizeof *result, run->u, u[GRID_RED], u[GRID_BLACK]);
  for (int n = 0; n < run->sweeps; n++)
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      if (!run->colour || strcmp(run->colour, colours[colour]) == 0)
        half_sweep_by_stride(g, stride, colour, h2f, u);
  grid_split_unpack(g, sizeof *result, u[GRID_RED], u[GRID_BLACK], result);
  free(all);
  return result;
}

static const char *explain_stride(const struct sweep_run *run, const float *got) {
  const size_t bytes = grid_points(run->g) * sizeof *got;
  const bool unchanged = memcmp(got, run->u, bytes) == 0;
  bool equal = false;
  for (int width = run->g.nx / 2; width <= (run->g.nx + 1) / 2 && !equal; width++) {
    float *wrong = run_by_stride(run, width);
    equal = memcmp(got, wrong, bytes) == 0;
    free(wrong);
  }
  if (equal && unchanged)
    return "it equals the initial u: nothing was written, or it was written elsewhere: is 0 < j < nx − 1 asked of the "
           "column j, not of jh, and is the row stride the pitch?";
  return equal ? "it equals a sweep whose rows begin nx/2 places apart: is the row stride the pitch?" : NULL;
}

/* True if a kernel writes the places just before this one, and none from there on. */
static bool ends_at_place(const struct sweep_run *run, const float *got, int end) {
  const int pitch = grid_pitch(run->g.nx);
  size_t before = 0, beyond = 0, changed = 0;
  for (int i = 1; i < run->g.ny - 1; i++)
    for (int j = 1; j < run->g.nx - 1; j++) {
      const size_t k = grid_index(run->g, i, j);
      const int place = i * pitch + j / 2;
      beyond += place >= end;
      changed += place >= end && got[k] != run->u[k];
      before += end - pitch <= place && place < end && got[k] != run->u[k];
    }
  return beyond > 0 && changed == 0 && before > 0;
}

/* Appends "near rows 128, 256, …" if the marked rows form narrow groups inside the grid. */
static bool name_groups(const bool *marked, int count, const char *name, char *text, size_t size) {
  enum { GAP = 2 * 8, NAMED = 3 }; /* a halo of 8 sweeps loses so many rows at each side */
  int groups = 0, width = 0;
  size_t used = (size_t)snprintf(text, size, "near %s", name);
  for (int n = 0, last; n < count; n = last + 1) {
    last = n;
    if (!marked[n])
      continue;
    for (int next = n; next < count && next - last <= GAP; next++)
      last = marked[next] ? next : last;
    width += last + 1 - n;
    if (n < 2 || last >= count - 2)
      return false;
    if (groups++ < NAMED)
      used += (size_t)snprintf(text + used, size - used, "%s%d", groups > 1 ? ", " : " ", (n + last + 1) / 2);
  }
  if (groups > NAMED)
    snprintf(text + used, size - used, ", …");
  return groups > 0 && width < count / 2;
}

/* Wrong values where two strips of a fused kernel meet. */
static const char *explain_halo(const struct sweep_run *run, const float *got) {
  static char text[320];
  char near[128];
  const struct grid g = run->g;
  bool *rows = allocate_zeroed((size_t)g.ny, sizeof *rows),
       *columns = allocate_zeroed((size_t)g.nx, sizeof *columns);
  float *expected = sweep_run_reference(run);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!(got[grid_index(g, i, j)] == expected[grid_index(g, i, j)]))
        rows[i] = columns[j] = true;
  const bool found = name_groups(rows, g.ny, "rows", near, sizeof near) ||
                     name_groups(columns, g.nx, "columns", near, sizeof near);
  snprintf(text, sizeof text,
           "the wrong values are %s: is the halo of a strip too narrow? T sweeps need 2T more rows above and "
           "below, and T more places left and right",
           near);
  free(expected);
  free(rows);
  free(columns);
  return found ? text : NULL;
}

enum { FUSED_MOST = 8 }; /* sweeps in a pass */

static bool is_fused(const struct sweep_run *run) { return strcmp(run->variant, "fused") == 0; }

static bool advice_on_pitch; /* in a run whose pitch is longer than it need be */

/* Whether both points of each pair of columns have each other's values. */
static bool is_exchanged(const struct sweep_run *run, const float *got) {
  float *expected = sweep_run_reference(run);
  bool exchanged = true;
  for (int i = 0; i < run->g.ny; i++)
    for (int j = 0; j + 1 < run->g.nx; j += 2) {
      const size_t k = grid_index(run->g, i, j);
      exchanged = exchanged && memcmp(&got[k], &expected[k + 1], sizeof *got) == 0 &&
                  memcmp(&got[k + 1], &expected[k], sizeof *got) == 0;
    }
  free(expected);
  return exchanged;
}

/* A pass of another number of sweeps. */
static const char *explain_count(const struct sweep_run *run, const float *got) {
  static char text[128];
  const size_t bytes = grid_points(run->g) * sizeof *got;
  struct sweep_run other = *run;
  for (other.sweeps = 0; other.sweeps <= run->sweeps + FUSED_MOST; other.sweeps++) {
    float *u = sweep_run_reference(&other);
    const bool equal = other.sweeps != run->sweeps && memcmp(got, u, bytes) == 0;
    free(u);
    if (!equal)
      continue;
    snprintf(text, sizeof text,
             "it is u after %d sweep%s: does a pass make as many sweeps as the call asks for?", other.sweeps,
             PLURAL(other.sweeps));
    return text;
  }
  return NULL;
}

static const char *explain_fused(const struct sweep_run *run, const float *got) {
  const char *count = explain_count(run, got);
  return count ? count : explain_halo(run, got);
}

static const char *explain_split(const struct sweep_run *run, const float *got) {
  if (advice_on_pitch)
    return "rows are right where the pitch is no longer than it need be: is the pitch that of the call?";
  if (is_exchanged(run, got))
    return "the colours are exchanged: the red points belong in the red array, for any number of sweeps";
  if (is_fused(run))
    return explain_fused(run, got);
  if (ends_at_place(run, got, 1 << 16))
    return "no value is written from place 65536 on: does an index have only 16 bits?";
  return explain_stride(run, got);
}

/* --- sweeps where packing is wrong --- */

static bool is_packed(struct grid g, const float *u) {
  const size_t points = grid_split_points(g);
  float *expected = allocate_zeroed(2 * points, sizeof *expected);
  bool equal = true;
  grid_split_pack(g, sizeof *u, u, expected, expected + points);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    struct npy got = lab_files_read(colour == GRID_RED ? "red.npy" : "black.npy", NPY_FLOAT32, (size_t)g.ny,
                                    (size_t)grid_pitch(g.nx));
    equal = equal && memcmp(got.data, expected + (size_t)colour * points, points * sizeof *expected) == 0;
    npy_free(&got);
  }
  free(expected);
  return equal;
}

/* Of a part that is not written, the test's own runs report. */
static bool packs(struct grid g) {
  float *u = random_field_to_pack(g);
  const struct program_result packed = lab_suite_run(
      (const char *[]){"pack", "--u", "u.npy", "--red", "red.npy", "--black", "black.npy", NULL});
  if (packed.status == 0)
    traffic_check_inputs(1,
                         &(struct npy){NPY_FLOAT32, 2, {(size_t)g.ny, (size_t)g.nx}, (void *)(uintptr_t)u});
  bool right = solve_suite_is_unwritten(&packed) || (packed.status == 0 && is_packed(g, u));
  const struct program_result unpacked = lab_suite_run(
      (const char *[]){"--variant", "split", "--sweeps", "0", "--u", "u.npy", "--out", "out.npy", NULL});
  if (unpacked.status == 0) {
    float *got = lab_files_read_field("out.npy", g);
    right = right && memcmp(got, u, grid_points(g) * sizeof *u) == 0;
    free(got);
  }
  free(u);
  return right && (unpacked.status == 0 || solve_suite_is_unwritten(&unpacked));
}

/* A file that a test leaves for the later tests of its item: they pack on the host. */
static const char pack_is_wrong[] = "pack_is_wrong";

static void pack_on_host(void) { sweep_option = "--pack", sweep_option_value = "host"; }

static void use_packing(void) {
  if (access(pack_is_wrong, F_OK) == 0)
    pack_on_host();
}

START_TEST(needs_pack) {
  char finding[512]; /* one of 04/pack */
  bool right = packs(grid_make(67, 12)) && packs(grid_make(130, 9)) && packs(grid_make(33, 7));
  right = !lab_checks_tell(finding, sizeof finding) && right;
  FILE *note = right ? NULL : fopen(pack_is_wrong, "w");
  if (note)
    fclose(note);
}
END_TEST

/* --- 04/split and 04/float4 --- */

static void check_by_hand(const char *variant) {
  use_packing();
  sweep_check_by_hand(variant, "red");
  sweep_check_by_hand(variant, "black");
  sweep_check_by_hand(variant, NULL);
}

/* h²·f is of the size of u. */
static float *random_rhs(struct grid g, uint64_t seed, enum data data) {
  float *f = sweep_field(g, seed, data);
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] *= (float)((g.nx - 1) * (g.nx - 1));
  return f;
}

/* f whose solution is nearly u: each half-sweep changes values by rounding errors. */
static float *rhs_of(struct grid g, const float *u) {
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  const size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      f[k] = (float)((4.0 * u[k] - u[k - 1] - u[k + 1] - u[k - nx] - u[k + nx]) / (g.h * g.h));
  return f;
}

/* A run on random u and f: the reference's bits, which are those of labs 02 and 03. */
static void check_bits(struct sweep_run run) {
  float *u = sweep_field(run.g, 21, run.data), *f = random_rhs(run.g, 22, run.data);
  run.what = data_words(run.data);
  run.u = u;
  run.f = f;
  sweep_check_bits(&run);
  free(u);
  free(f);
}

/* The same where the host packs: every launch is one of the function. */
static void check_bits_and_launches(const struct sweep_run *run) {
  const int halves = run->sweeps * (run->colour ? 1 : 2);
  const int passes = run->fuse ? (run->sweeps + run->fuse - 1) / run->fuse : 0;
  char size[96];
  check_bits(*run);
  snprintf(size, sizeof size, "nx %d, ny %d, %d sweep%s", run->g.nx, run->g.ny, run->sweeps,
           PLURAL(run->sweeps));
  if (is_fused(run))
    traffic_check_calls("gs_fused", size, passes);
  else
    traffic_check_calls(strcmp(run->variant, "split") == 0 ? "gs_split_half_sweep" : "gs_split_float4", size,
                        halves);
}

/* A change is stored however small it is. */
static void check_small_changes(const char *variant, struct grid g) {
  float *u = sweep_random_field(g, 23), *f = rhs_of(g, u);
  sweep_check_bits(
      &(struct sweep_run){.variant = variant,
                          .colour = "red",
                          .g = g,
                          .sweeps = 1,
                          .what = "u random, and f for which u is the solution but for roundings",
                          .u = u,
                          .f = f});
  free(u);
  free(f);
}

/* Whole sweeps, where the tests of half-sweeps have not been. */
static void check_identical(const char *variant) {
  use_packing();
  for (int s = 7; s < SWEEP_SIZES; s += 3)
    check_bits((struct sweep_run){
        .variant = variant, .g = size_of(sweep_sizes[s]), .sweeps = 7, .data = data_of(s)});
  for (int s = 1; s < WIDE_SIZES; s++)
    check_bits((struct sweep_run){
        .variant = variant, .g = size_of(wide_sizes[s]), .sweeps = 3, .data = (enum data)(s % 3)});
  check_small_changes(variant, grid_make(61, 8)); /* instead of the first of these sizes: it costs no time */
}

/* The host packs, into rows of a longer pitch than the columns need, with NaN in the padding. */
static void check_wide(const char *variant, int fuse) {
  sweep_option = "--pack", sweep_option_value = "wide";
  advice_on_pitch = true;
  check_bits((struct sweep_run){.variant = variant, .g = grid_make(130, 37), .sweeps = 3, .fuse = fuse});
  check_bits((struct sweep_run){.variant = variant, .g = grid_make(63, 9), .sweeps = 3, .fuse = fuse});
}

/* A half-sweep, after which points without a thread are as before, and both colours. */
static void check_large(const char *variant) {
  struct sweep_run run = {
      .variant = variant, .colour = "red", .g = lab_suite_middle_grid(12, true), .sweeps = 1};
  pack_on_host();
  lab_checks_stop();
  check_bits_and_launches(&run);
  run.colour = NULL;
  check_bits_and_launches(&run);
  run.g = lab_suite_tall_grid(13);
  check_bits_and_launches(&run);
  run.g = lab_suite_wide_grid(14);
  check_bits_and_launches(&run);
  far_check(variant, (const char *[]){"--variant", variant, "--colour", "red", NULL}, NPY_FLOAT32, FAR_RED);
}

/* calls: of the function, in the sweeps of run. Those of another run are its frame; the last run, three times as
 * long, has counters. False: a real GPU has none. */
static bool check_calls(const char *function, int calls, struct sweep_run run) {
  pack_on_host();
  counters_begin();
  check_bits(run);
  if (!counters_end())
    return false;
  const struct rules_frame once = rules_frame_read();
  run.sweeps *= 3;
  counters_begin();
  check_bits(run);
  counters_end();
  check_rules(function, 2 * calls, 0, once);
  rules_check_heap((const char *[]){"--variant", run.variant, "--fuse", "1", "--pack", "host", "--nx", "9",
                                    "--sweeps", "18", "--heap", NULL});
  rules_check_launch_error(function, 1,
                           (const char *[]){"--variant", run.variant, "--pack", "host", "--nx", "9", NULL});
  return true;
}

/* --- counter items --- */

/* As fields.c draws u and f from --seed. */
static float *interior_field(struct random *random, struct grid g) {
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      u[grid_index(g, i, j)] = random_float(random, -1, 1);
  return u;
}

static void compare_drawn(const struct sweep_run *run, int seed) {
  const struct grid g = run->g;
  struct random random = random_seed((uint64_t)seed);
  struct sweep_run drawn = *run;
  float *f = interior_field(&random, g), *u = interior_field(&random, g);
  drawn.u = u;
  drawn.f = f;
  float *expected = sweep_run_reference(&drawn), *got = lab_files_read_field("out.npy", g);
  size_t k = 0;
  const size_t different = judge_count_different(grid_points(g), got, expected, &k), nx = (size_t)g.nx;
  if (different)
    ck_abort_msg("%s, nx %d, ny %d, %d sweep%s: %zu of %zu values are wrong\nfirst at (i, j) = (%zu, %zu): "
                 "expected %.9g, got %.9g",
                 run->variant, g.nx, g.ny, run->sweeps, PLURAL(run->sweeps), different, grid_points(g),
                 k / nx, k % nx, expected[k], got[k]);
  free(f);
  free(u);
  free(expected);
  free(got);
}

/* u and h2f go to the device in copies of both colours; u comes back so, without padding. The program waits for u. */
static struct rules_frame frame_of_sweeps(struct grid g) {
  const double places = 2 * sizeof(float) * (double)grid_split_points(g);
  return (struct rules_frame){
      .waits = 1, .bytes_to_host = places, .bytes_to_device = 2 * places, .bytes_on_device = 6 * places};
}

/* Measures all launches of a run and compares its result: work that no kernel does would cost nothing. called: so
 * often the function is. The host packs: every launch is one of the function. The program draws u and f, since
 * files take time. */
static void measure_sweeps(const char *function, const char *variant, struct grid g, int sweeps, int called) {
  const int seed = (int)(lab_suite_seed(14) % (1 << 30));
  const struct text nx = number(g.nx), ny = number(g.ny), drawn = number(seed), count = number(sweeps);
  pack_on_host();
  lab_checks_stop();
  unlink("out.npy");
  const bool is_counted = counters_measure(
      (const char *[]){"--variant", variant, "--fuse", count.digits, "--sweeps", count.digits, "--nx",
                       nx.digits, "--ny", ny.digits, "--seed", drawn.digits, "--out", "out.npy", sweep_option,
                       sweep_option_value, NULL},
      sweeps * (double)grid_points(g));
  compare_drawn(&(struct sweep_run){.variant = variant, .g = g, .sweeps = sweeps}, seed);
  if (!is_counted)
    return;
  check_rules(function, called, 0, frame_of_sweeps(g));
  counters_check_spills(function);
}

static struct grid counted_grid(void) { return grid_make(1024, 131); }
/* As in the labs before, whose rungs are on the same ladder. */
static struct grid timed_grid(void) { return grid_make(4096, 1027); }

START_TEST(split_by_hand) { check_by_hand("split"); }
END_TEST
START_TEST(split_half_sweeps) {
  use_packing();
  sweep_check_half_sweeps("split");
}
END_TEST
START_TEST(split_identical) { check_identical("split"); }
END_TEST
START_TEST(split_large) { check_large("split"); }
END_TEST
START_TEST(split_wide) { check_wide("split", 0); }
END_TEST
START_TEST(float4_wide) { check_wide("float4", 0); }
END_TEST
START_TEST(fused_wide) { check_wide("fused", 3); }
END_TEST
START_TEST(split_calls) {
  check_calls("gs_split_half_sweep", 2,
              (struct sweep_run){.variant = "split", .g = grid_make(129, 100), .sweeps = 1});
}
END_TEST
START_TEST(split_counted) { measure_sweeps("gs_split_half_sweep", "split", counted_grid(), 1, 2); }
END_TEST
START_TEST(split_modelled) { measure_sweeps("gs_split_half_sweep", "split", timed_grid(), 1, 2); }
END_TEST
START_TEST(float4_by_hand) { check_by_hand("float4"); }
END_TEST
START_TEST(float4_half_sweeps) {
  use_packing();
  sweep_check_half_sweeps("float4");
}
END_TEST
START_TEST(float4_identical) { check_identical("float4"); }
END_TEST
START_TEST(float4_large) { check_large("float4"); }
END_TEST
START_TEST(float4_calls) {
  check_calls("gs_split_float4", 2,
              (struct sweep_run){.variant = "float4", .g = grid_make(129, 100), .sweeps = 1});
}
END_TEST
START_TEST(float4_counted) { measure_sweeps("gs_split_float4", "float4", counted_grid(), 1, 2); }
END_TEST
START_TEST(float4_modelled) { measure_sweeps("gs_split_float4", "float4", timed_grid(), 1, 2); }
END_TEST

/* --- 04/naive, 04/tile and 04/pipelined --- */

static float *random_matrix(int rows, int columns, uint64_t seed, enum data data) {
  struct random random = random_seed(lab_suite_seed(seed));
  const size_t count = (size_t)rows * (size_t)columns;
  float *matrix = allocate_zeroed(count, sizeof *matrix);
  for (size_t e = 0; e < count; e++)
    matrix[e] = random_float(&random, -1, 1);
  data_change(data, seed, count, matrix);
  return matrix;
}

/* A product C = A B of random matrices: m, n, k. */
struct product {
  int m, n, k;
  float *a, *b;
};

/* Products of two tiny or two huge values would be no normal floats: one matrix has them. */
static struct product product_make(const int *mnk, enum data data) {
  const bool is_scaled = data == DATA_TINY || data == DATA_HUGE, is_a = !is_scaled || mnk[0] % 2,
             is_b = !is_scaled || !is_a;
  return (struct product){mnk[0], mnk[1], mnk[2],
                          random_matrix(mnk[0], mnk[2], 31, is_a ? data : DATA_RANDOM),
                          random_matrix(mnk[2], mnk[1], 32, is_b ? data : DATA_RANDOM)};
}

static void product_free(struct product *p) {
  free(p->a);
  free(p->b);
}

/* The program sends A and B, marks C as unwritten, fetches it, and waits for the product and for C. */
static struct rules_frame frame_of_product(const struct product *p) {
  const double of_c = sizeof(float) * (double)p->m * p->n;
  return (struct rules_frame){.waits = 1,
                              .bytes_to_host = of_c,
                              .bytes_to_device = sizeof(float) * (double)p->k * (p->m + p->n),
                              .bytes_on_device = of_c,
                              .memory_calls = 6};
}

static void check_launches_of(const char *variant, const struct product *p) {
  char function[32], size[64];
  snprintf(function, sizeof function, "sgemm_%s", variant);
  snprintf(size, sizeof size, "m %d, n %d, k %d", p->m, p->n, p->k);
  traffic_check_calls(function, size, calls);
}

static bool has_counters; /* of the last measured product; a real GPU has none */

/* C by the program; the caller frees it. per: the divisor of a counter item's metric; 0 outside of one. */
static float *multiply(const char *variant, const struct product *p, double per) {
  const struct text m = number(p->m), n = number(p->n), k = number(p->k), asked = number(calls);
  const char *const arguments[] = {"sgemm",  "--variant", variant,  "--m",     m.digits,     "--n",
                                   n.digits, "--k",       k.digits, "--a",     "a.npy",      "--b",
                                   "b.npy",  "--out",     "c.npy",  "--calls", asked.digits, NULL};
  lab_files_write("a.npy", NPY_FLOAT32, (size_t)p->m, (size_t)p->k, p->a);
  lab_files_write("b.npy", NPY_FLOAT32, (size_t)p->k, (size_t)p->n, p->b);
  unlink("c.npy");
  if (per > 0)
    has_counters = counters_measure(arguments, per);
  else
    lab_suite_expect_success(arguments);
  traffic_check_inputs(2, (struct npy[]){{NPY_FLOAT32, 2, {(size_t)p->m, (size_t)p->k}, p->a},
                                         {NPY_FLOAT32, 2, {(size_t)p->k, (size_t)p->n}, p->b}});
  return lab_files_read("c.npy", NPY_FLOAT32, (size_t)p->m, (size_t)p->n).data;
}

/* Row i of C in double from the first terms of each sum, and the sums of the magnitudes of these terms. */
static void row_in_double(const struct product *p, int i, int terms, double *row, double *magnitudes) {
  memset(row, 0, (size_t)p->n * sizeof *row);
  memset(magnitudes, 0, (size_t)p->n * sizeof *magnitudes);
  for (int k = 0; k < terms; k++) {
    const double a = p->a[(size_t)i * (size_t)p->k + (size_t)k];
    const float *b = p->b + (size_t)k * (size_t)p->n;
    for (int j = 0; j < p->n; j++) {
      row[j] += a * b[j];
      magnitudes[j] += fabs(a * b[j]);
    }
  }
}

static bool has_terms(const struct product *p, int terms, const float *c) {
  const double gamma = judge_gamma(p->k + 1, FLT_EPSILON);
  const size_t columns = (size_t)p->n;
  double *row = allocate_zeroed(2 * columns, sizeof *row);
  bool equal = true;
  for (size_t e = 0; e < (size_t)p->m * columns && equal; e++) {
    const size_t j = e % columns;
    if (j == 0)
      row_in_double(p, (int)(e / columns), terms, row, row + columns);
    equal = fabs(c[e] - row[j]) <= gamma * row[columns + j];
  }
  free(row);
  return equal;
}

static const int groups[] = {2, 4, 8, 16, 32}; /* terms that a loop may add in a step */
enum { GROUPS = sizeof groups / sizeof *groups };

/* Whether each sum consists of these elements of its row and its column; a negative number is no term. */
static bool is_sum_of(const struct product *p, int count, const int *of_row, const int *of_column,
                      const float *c) {
  struct product other = {p->m, p->n, count, NULL, NULL};
  other.a = allocate_zeroed((size_t)p->m * (size_t)count, sizeof *other.a);
  other.b = allocate_zeroed((size_t)count * (size_t)p->n, sizeof *other.b);
  for (int k = 0; k < count; k++) {
    if (of_row[k] < 0 || of_column[k] < 0)
      continue;
    for (size_t i = 0; i < (size_t)p->m; i++)
      other.a[i * (size_t)count + (size_t)k] = p->a[i * (size_t)p->k + (size_t)of_row[k]];
    memcpy(other.b + (size_t)k * (size_t)p->n, p->b + (size_t)of_column[k] * (size_t)p->n,
           (size_t)p->n * sizeof *p->b);
  }
  const bool equal = has_terms(&other, count, c);
  product_free(&other);
  return equal;
}

/* Whether each sum also has the terms `back` places before, from `first` on up to `end`, beyond the last of its own. */
static bool repeats_terms(const struct product *p, int first, int end, int back, const float *c) {
  int *terms = allocate_zeroed((size_t)end, sizeof *terms);
  for (int k = 0; k < end; k++)
    terms[k] = k < p->k ? k : k < first ? -1 : k - back;
  const bool equal = is_sum_of(p, end, terms, terms, c);
  free(terms);
  return equal;
}

/* Whether each sum has the terms of the first group again and again, instead of those of the other groups. */
static bool has_first_group_only(const struct product *p, int group, const float *c) {
  const int count = (p->k + group - 1) / group * group;
  int *terms = allocate_zeroed((size_t)count, sizeof *terms);
  for (int k = 0; k < count; k++)
    terms[k] = k % group;
  const bool equal = p->k > group && is_sum_of(p, count, terms, terms, c);
  free(terms);
  return equal;
}

/* Whether the tile of a, of b, or of both is that of the step before, from the second step on. */
static bool has_late_tiles(const struct product *p, int group, bool is_a, bool is_b, const float *c) {
  const int count = (p->k + group - 1) / group * group;
  int *terms = allocate_zeroed(2 * (size_t)count, sizeof *terms), *late = terms + count;
  for (int k = 0; k < count; k++) {
    terms[k] = k < p->k ? k : -1;
    late[k] = k < group ? k : k - group;
  }
  const bool equal = p->k > group && is_sum_of(p, count, is_a ? late : terms, is_b ? late : terms, c);
  free(terms);
  return equal;
}

static const char *explain_late_tiles(const struct product *p, const float *c) {
  static const char *const names[] = {"", "the tile of A is that", "the tile of B is that",
                                      "both tiles are those"};
  static char text[160];
  for (int n = 0; n < GROUPS; n++)
    for (int late = 1; late <= 3; late++)
      if (has_late_tiles(p, groups[n], late & 1, late & 2, c)) {
        snprintf(
            text, sizeof text,
            "\n%s of the step before, from the second step of %d terms on: is the next one loaded, at k + "
            "%d?",
            names[late], groups[n], groups[n]);
        return text;
      }
  return "";
}

/* Whether each sum has the last terms of the last whole group twice: the tile of the rest still holds them. Threads
 * that fill `filled` terms each may have written 0 to some. */
static bool has_old_terms(const struct product *p, int group, int filled, const float *c) {
  const int first = (p->k + filled - 1) / filled * filled, end = p->k / group * group + group;
  return p->k >= group && p->k % group != 0 && repeats_terms(p, first, end, group, c);
}

/* Whether each sum has its first terms twice. */
static bool has_first_terms_twice(const struct product *p, int group, const float *c) {
  return repeats_terms(p, p->k, p->k + (p->k < group ? p->k : group), p->k, c);
}

static const char *explain_old_terms(const struct product *p, const float *c) {
  static char text[192];
  for (int n = 0; n < GROUPS; n++)
    if (has_first_terms_twice(p, groups[n], c))
      return "\nthe sums have the terms of the first tile twice";
  for (int n = 0; n < GROUPS; n++)
    if (has_first_group_only(p, groups[n], c)) {
      snprintf(
          text, sizeof text,
          "\nevery step adds the first tile of %d terms again: does the loop go on to the other tile after each step?",
          groups[n]);
      return text;
    }
  for (int n = 0; n < GROUPS; n++)
    if (has_old_terms(p, groups[n], 1, c) || has_old_terms(p, groups[n], 4, c)) {
      snprintf(
          text, sizeof text,
          "\nthe sums have some terms of the last whole tile twice: where the last tile of %d terms extends past "
          "k, it still holds old values: fill it with 0",
          groups[n]);
      return text;
    }
  return explain_late_tiles(p, c);
}

/* Where the terms of an entry may be in a and b: row, column and term times these, in elements. Zeros end a list. */
struct place {
  const char *name;
  int by_entry, by_term; /* 1, or the side whose length it is */
};
enum side { ONE = 1, M, N, K };
static const struct place in_a[] = {{"row*k + l", K, ONE}, {"row*n + l", N, ONE}, {"row*m + l", M, ONE},
                                    {"l*m + row", ONE, M}, {"l*k + row", ONE, K}, {"l*n + row", ONE, N}},
                          in_b[] = {{"l*n + column", ONE, N}, {"l*k + column", ONE, K},
                                    {"l*m + column", ONE, M}, {"column*k + l", K, ONE},
                                    {"column*n + l", N, ONE}, {"column*m + l", M, ONE}};
enum { PLACES_IN_A = sizeof in_a / sizeof *in_a, PLACES_IN_B = sizeof in_b / sizeof *in_b };

static int length_of(const struct product *p, int side) {
  return side == ONE ? 1 : side == M ? p->m : side == N ? p->n : p->k;
}

/* Whether C has these products, as far as their places are in a and b. */
static bool is_by_places(const struct product *p, const struct place *a, const struct place *b,
                         const float *c) {
  int compared = 0;
  for (int row = 0; row < p->m; row++)
    for (int column = 0; column < p->n; column++) {
      double sum = 0, terms = 0;
      for (int l = 0; l < p->k; l++) {
        const int in_first = row * length_of(p, a->by_entry) + l * length_of(p, a->by_term),
                  in_second = column * length_of(p, b->by_entry) + l * length_of(p, b->by_term);
        const bool is_inside = in_first < p->m * p->k && in_second < p->k * p->n;
        const double term = is_inside ? (double)p->a[in_first] * p->b[in_second] : NAN;
        sum += term, terms += fabs(term);
      }
      if (isnan(sum))
        continue;
      compared++;
      if (!(fabs(c[row * p->n + column] - sum) <= 1e-5 * terms))
        return false;
    }
  return 2 * compared >= p->m * p->n;
}

/* "" if no wrong places explain C. */
static const char *explain_places(const struct product *p, const float *c) {
  enum { MOST = 1 << 20 };
  static char text[160];
  if ((double)p->m * p->n * p->k > MOST)
    return "";
  for (int n = 1; n < PLACES_IN_A * PLACES_IN_B; n++) {
    const struct place *a = &in_a[n % PLACES_IN_A], *b = &in_b[n / PLACES_IN_A];
    if (!is_by_places(p, a, b, c))
      continue;
    snprintf(text, sizeof text, "\nit is the sum of a[%s]*b[%s]: expected a[%s]*b[%s], l from 0 to k − 1",
             a->name, b->name, in_a[0].name, in_b[0].name);
    return text;
  }
  return "";
}

/* As it is before the product: the bytes of C are 0xff. A computed NaN has other bits. */
static bool is_unset(float entry) {
  uint32_t bits;
  memcpy(&bits, &entry, sizeof bits);
  return bits == UINT32_MAX;
}

/* Explains a C whose sums lack their last terms, those that fill no whole group, or the last one, or have old ones
 * twice; "" if they do not. */
static const char *explain_sums(const struct product *p, const float *c) {
  static char text[96];
  int terms = p->k - 1;
  if (isnan(c[0]) && !is_unset(c[0]))
    return "\nNaN is computed: is a sum added to an entry of C that was not set to 0, or is an unwritten place read?";
  for (size_t n = 0; n < GROUPS && !has_terms(p, terms, c); n++)
    terms = p->k - p->k % groups[n];
  if (terms == p->k || !has_terms(p, terms, c)) {
    const char *places = explain_places(p, c);
    return places[0] ? places : explain_old_terms(p, c);
  }
  if (terms == 0)
    return "\nevery sum is 0: does the loop leave out terms that fill no whole step?";
  snprintf(text, sizeof text,
           "\nit is the sum of the first %d of %d terms: does the loop leave out the last ones?", terms,
           p->k);
  return text;
}

/* wrong, unset: entries that are wrong, and those of them that are NaN. */
static const char *explain_entries(const struct product *p, const float *c, size_t wrong, size_t unset,
                                   double expected, float got) {
  const bool is_edge = unset == wrong && wrong > 1 && !isnan(c[0]);
  if (is_unset(got) && (unset == (size_t)p->m * (size_t)p->n || is_edge))
    return "\nthese entries were never written: do the blocks cover C, those in x its n columns and those in y its m "
           "rows, and is the grid first in <<<grid, block>>>?";
  if (got == 0 && fabs(expected) < (double)FLT_MIN)
    return "\nvalues below 1.2e-38 have become 0, as in an atomic addition of floats: sum in a register";
  return explain_sums(p, c);
}

/* Each of the k terms goes through one product and at most k sums, so γ_(k+1) bounds every order of summation. */
static void judge_product(const char *variant, const struct product *p, const float *c) {
  const double gamma = judge_gamma(p->k + 1, FLT_EPSILON);
  double *row = allocate_zeroed(2 * (size_t)p->n, sizeof *row), expected = 0;
  size_t wrong = 0, unset = 0, first = 0;
  for (size_t e = 0, j; e < (size_t)p->m * (size_t)p->n; e++) {
    if ((j = e % (size_t)p->n) == 0)
      row_in_double(p, (int)(e / (size_t)p->n), p->k, row, row + p->n);
    if (fabs(c[e] - row[j]) <= gamma * row[(size_t)p->n + j])
      continue;
    if (wrong++ == 0) {
      first = e;
      expected = row[j];
    }
    unset += isnan(c[e]) != 0;
  }
  free(row);
  if (wrong)
    ck_abort_msg(
        "%s, m %d, n %d, k %d: %zu of %zu entries of C are wrong, %zu of these are NaN\nfirst at row "
        "%zu, column %zu: expected %.9g, got %.9g%s%s",
        variant, p->m, p->n, p->k, wrong, (size_t)p->m * (size_t)p->n, unset, first / (size_t)p->n,
        first % (size_t)p->n, expected, isnan(c[first]) ? (double)NAN : c[first],
        explain_entries(p, c, wrong, unset, expected, c[first]), advice_on_calls());
}

/* The number of entries that differ from sums by fmaf for ascending k. first: the first of them. */
static size_t count_other_sums(const struct product *p, const float *c, size_t *first, float *expected) {
  const size_t columns = (size_t)p->n, entries = (size_t)p->m * columns;
  float *sums = allocate_zeroed(entries, sizeof *sums);
  for (size_t i = 0; i < (size_t)p->m; i++)
    for (size_t k = 0; k < (size_t)p->k; k++)
      for (size_t j = 0; j < columns; j++)
        sums[i * columns + j] =
            fmaf(p->a[i * (size_t)p->k + k], p->b[k * columns + j], sums[i * columns + j]);
  const size_t different = judge_count_different(entries, c, sums, first);
  *expected = different ? sums[*first] : 0;
  free(sums);
  return different;
}

enum order { ANY_ORDER, STATED_ORDER };

/* Compares every entry with a sum in double and, for STATED_ORDER, with the bits that split_layout.h states. */
static void check_product_of(const char *variant, const int *mnk, enum order order, enum data data) {
  struct product p = product_make(mnk, data);
  float *c = multiply(variant, &p, 0), expected;
  size_t first = 0;
  const size_t different = count_other_sums(&p, c, &first, &expected);
  if (different) /* bits that match are within the bound */
    judge_product(variant, &p, c);
  if (different && order == STATED_ORDER)
    ck_abort_msg(
        "%s, m %d, n %d, k %d: %zu of %zu entries do not match bit for bit\nfirst at row %zu, column "
        "%zu: expected %.9g, got %.9g\nsum by fmaf for ascending k from 0, as split_layout.h states",
        variant, p.m, p.n, p.k, different, (size_t)p.m * (size_t)p.n, first / (size_t)p.n,
        first % (size_t)p.n, expected, c[first]);
  if (different)
    lab_suite_remark("%s, m %d, n %d, k %d: %zu of %zu entries %s rounded differently: sum by fmaf "
                     "for ascending k from 0, as split_layout.h states",
                     variant, p.m, p.n, p.k, different, (size_t)p.m * (size_t)p.n, PLURAL_IS(different));
  check_launches_of(variant, &p);
  product_free(&p);
  free(c);
}

static void check_product(const char *variant, const int *mnk, enum order order) {
  check_product_of(variant, mnk, order, DATA_RANDOM);
}

/* m, n, k: 1, less than a tile, a tile plus or minus one, several tiles; then m, n and k in turn multiples of
 * four or not, in all eight ways. */
static const int products[][3] = {
    {1, 1, 1},      {7, 7, 7},      {127, 129, 5},  {3, 200, 33},   {260, 132, 20}, {140, 4, 64},
    {129, 261, 11}, {4, 4, 5},      {128, 128, 8},  {132, 132, 35}, {128, 130, 40}, {131, 132, 36},
    {131, 132, 34}, {128, 127, 33}, {131, 132, 33}, {129, 131, 48}, {131, 133, 130}};
enum { PRODUCTS = sizeof products / sizeof *products };

/* Several calls of a product whose rows are all aligned: what each of them asks of the device. In a single call, the
 * program's own wait hides one of the function. */
static void check_calls_of_product(const char *variant, enum order order) {
  static const int aligned[] = {36, 132, 20};
  char function[32];
  snprintf(function, sizeof function, "sgemm_%s", variant);
  calls = CALLS;
  counters_begin();
  check_product(variant, aligned, order);
  if (counters_end())
    check_rules(function, calls, 0,
                frame_of_product(&(struct product){aligned[0], aligned[1], aligned[2], NULL, NULL}));
  calls = 1;
  rules_check_heap((const char *[]){"sgemm", "--variant", variant, "--m", "9", "--n", "9", "--k", "9",
                                    "--calls", "19", "--heap", NULL});
  for (int n = 0; n < 2; n++) /* rows that are aligned, and not */
    rules_check_launch_error(function, 1,
                             (const char *[]){"sgemm", "--variant", variant, "--m", "8", "--n", n ? "8" : "9",
                                              "--k", n ? "8" : "9", NULL});
}

static void check_products(const char *variant, enum order order) {
  for (int p = 0; p < PRODUCTS; p++)
    check_product_of(variant, products[p], order, data_of(p));
  check_calls_of_product(variant, order);
}

static void check_product_by_hand(const char *variant) {
  static float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, -1, 0, 2, 10, 100};
  static const float expected[] = {31, 303, 64, 606};
  const struct product p = {2, 2, 3, a, b};
  char function[32];
  snprintf(function, sizeof function, "sgemm_%s", variant);
  calls = CALLS;
  counters_begin();
  float *c = multiply(variant, &p, 0);
  const bool is_counted = counters_end();
  for (int e = 0; e < 4; e++)
    if (!(c[e] == expected[e]))
      ck_abort_msg("%s: [1 2 3; 4 5 6] × [1 −1; 0 2; 10 100]: row %d, column %d: expected %g, got %g%s",
                   variant, e / 2, e % 2, expected[e], c[e], explain_sums(&p, c));
  if (is_counted)
    check_rules(function, calls, 0, frame_of_product(&p));
  calls = 1;
  free(c);
}

enum { LARGE_K = 11 };

/* More rows, columns, entries and elements of A and B than a program may have in mind. Returns false on a real
 * GPU; otherwise the run is counted. */
static bool count_large_product(const char *variant, enum order order) {
  const struct grid mn = lab_suite_large_grid(33, true);
  lab_checks_stop();
  check_product(variant, (const int[]){3, 5, 4 * mn.nx}, order);
  check_product(variant, (const int[]){8 * mn.ny, 5, 13}, order);
  check_product(variant, (const int[]){5, 8 * mn.nx + 1, 13}, order);
  counters_begin();
  check_product(variant, (const int[]){mn.ny, mn.nx, LARGE_K}, order);
  return counters_end();
}

static double shared_loads(void) { return counters_sum("", "smsp__sass_inst_executed_op_shared_ld.sum"); }

static double async_bytes(void) { return counters_sum("", "smsp__sass_data_bytes_mem_global_op_ldgsts.sum"); }

/* Requests of global memory, loads and cp.async. */
static double requests_for_tiles(void) {
  return counters_sum("", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") +
         counters_sum("", "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum");
}

/* A warp's load gives at most 32 × 4 floats, each for at most 8 products: tiles need fewer entries, not more. With
 * tiles of 16 × 16 entries a thread copies 2 of them for 16 products; for 8 × 8 entries of its own, 16 for 64. */
static void check_tiles(const char *function, int m, int n, int k) {
  const double needed = (double)m * n * k / 1024, most = 0.24;
  const double copied = 32 * requests_for_tiles() / ((double)m * n * k);
  check_rules(function, 1, 0, frame_of_product(&(struct product){m, n, k, NULL, NULL}));
  if (shared_loads() == 0)
    ck_abort_msg("%s, m %d, n %d, k %d: no shared memory is used: expected tiles of A and B there", function,
                 m, n, k);
  if (shared_loads() < needed)
    ck_abort_msg(
        "%s, m %d, n %d, k %d: warps load %.0f times from shared memory: expected at least %.0f, as tiles of A and B "
        "are there",
        function, m, n, k, shared_loads(), needed);
  if (copied > most)
    ck_abort_msg(
        "%s, m %d, n %d, k %d: a thread loads or copies from global memory %.2f times for each product: expected at most "
        "%.2f: is each value in shared memory read by other threads than the one that copied it?",
        function, m, n, k, copied, most);
}

static void check_large_tiles(const char *function) {
  const struct grid mn = lab_suite_large_grid(33, true);
  check_tiles(function, mn.ny, mn.nx, LARGE_K);
}

/* The run of a counter item. per: of an entry or of an operation. */
static void measure_product(const char *variant, const int *mnk, double per) {
  struct product p = product_make(mnk, DATA_RANDOM);
  char function[32];
  snprintf(function, sizeof function, "sgemm_%s", variant);
  lab_checks_stop();
  float *c = multiply(variant, &p, per);
  judge_product(variant, &p, c);
  if (has_counters)
    check_tiles(function, p.m, p.n, p.k);
  product_free(&p);
  free(c);
}

static void measure_entries(const char *variant) {
  measure_product(variant, (const int[]){256, 256, 64}, 256 * 256);
}

/* A warp fills its part of two tiles by two requests, or by more if they are narrow, and waits once or twice for it. */
static void check_barriers(const char *function) {
  const double most = 3;
  const double barriers = counters_sum("", "simgpu__barriers.sum") / requests_for_tiles();
  if (barriers > most)
    ck_abort_msg(
        "%s: warps wait at %.1f barriers for each request of global memory: expected at most %.0f: a tile "
        "needs a barrier before its use, and perhaps one after it",
        function, barriers, most);
}

static void measure_operations(const char *variant) {
  char function[32];
  snprintf(function, sizeof function, "sgemm_%s", variant);
  measure_product(variant, (const int[]){1024, 1024, 64}, 2.0 * 1024 * 1024 * 64);
  if (!has_counters)
    return;
  counters_check_spills(function);
  check_barriers(function);
}

/* C as large as it can be; then A, then B, whose last elements a tile reaches only after too many instructions. */
static const char *const far_products[][3] = {
    {"32768", "32768", "8"}, {"32768", "4", "16400"}, {"4", "32768", "16400"}};

static void check_far_products(const char *variant, size_t count) {
  for (size_t f = 0; f < count; f++) {
    const char *const *const size = far_products[f];
    char what[64];
    snprintf(what, sizeof what, "%s, m %s, n %s, k %s", variant, size[0], size[1], size[2]);
    far_expect_inside(what, (const char *[]){"sgemm", "--variant", variant, "--m", size[0], "--n", size[1],
                                             "--k", size[2], "--far", "10", NULL});
  }
}

START_TEST(naive_far) { check_far_products("naive", sizeof far_products / sizeof *far_products); }
END_TEST
START_TEST(tile_far) { check_far_products("tile", 1); }
END_TEST
START_TEST(pipelined_far) { check_far_products("pipelined", 1); }
END_TEST

START_TEST(naive_by_hand) { check_product_by_hand("naive"); }
END_TEST
START_TEST(naive_products) {
  const struct grid mn = lab_suite_large_grid(34, true);
  check_products("naive", STATED_ORDER);
  lab_checks_stop();
  check_product("naive", (const int[]){3, 5, 4 * mn.nx}, STATED_ORDER);
  check_product("naive", (const int[]){8 * mn.ny, 5, 13}, STATED_ORDER);
  check_product("naive", (const int[]){5, 8 * mn.nx + 1, 13}, STATED_ORDER);
}
END_TEST

/* A warp has 16 columns of two rows: 4 sectors of B and 2 of A in two requests, and more only at the right end of C. */
START_TEST(naive_is_coalesced) {
  enum { M = 260, N = 256, K = 17 };
  counters_begin();
  check_product("naive", (const int[]){M, N, K}, STATED_ORDER);
  if (!counters_end())
    return;
  const double sectors = counters_sum("", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") /
                         counters_sum("", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  if (!(sectors <= 4))
    ck_abort_msg(
        "sgemm_naive: %.1f sectors per load of a warp: expected at most 4: threadIdx.x runs along a row of C",
        sectors);
  const double shared = counters_sum("", "smsp__sass_inst_executed_op_shared_ld.sum") +
                        counters_sum("", "smsp__sass_inst_executed_op_shared_st.sum");
  if (shared > 0)
    ck_abort_msg(
        "sgemm_naive: %.0f accesses of shared memory by warps: expected none: split_layout.h asks for a product "
        "without shared memory",
        shared);
  const double stored =
      counters_sum("", "smsp__sass_data_bytes_mem_global_op_st.sum") / sizeof(float) / ((double)M * N);
  if (stored > 1.5)
    ck_abort_msg(
        "sgemm_naive: threads store %.0f values for each entry of C: expected 1: a thread keeps its sum in a "
        "register and stores it once",
        stored);
  check_rules("sgemm_naive", 1, (double)M * N, frame_of_product(&(struct product){M, N, K, NULL, NULL}));
}
END_TEST

START_TEST(tile_by_hand) { check_product_by_hand("tile"); }
END_TEST
START_TEST(tile_products) { check_products("tile", ANY_ORDER); }
END_TEST
START_TEST(tile_large) {
  if (count_large_product("tile", ANY_ORDER))
    check_large_tiles("sgemm_tile");
}
END_TEST
START_TEST(tile_counted) { measure_entries("tile"); }
END_TEST
START_TEST(tile_modelled) { measure_operations("tile"); }
END_TEST
START_TEST(pipelined_by_hand) { check_product_by_hand("pipelined"); }
END_TEST
START_TEST(pipelined_products) { check_products("pipelined", STATED_ORDER); }
END_TEST
/* The last tile is read beside no copy, and there may be a few waits in other places. */
START_TEST(pipelined_modelled) {
  const double least = 0.25;
  measure_operations("pipelined");
  if (has_counters && counters_loads_beside_copies() < least)
    ck_abort_msg(
        "sgemm_pipelined: a warp waits for all its copies by cp.async before it reads the tile for its sums: the "
        "next tile must be on its way while the threads compute");
  if (has_counters && counters_loads_beside_values() < least)
    ck_abort_msg(
        "sgemm_pipelined: a warp stores what it has loaded for the next tile without any sums between: load the "
        "values before the sums, and store them after the sums");
}
END_TEST

/* Copies to a tile that nobody reads cost little. Rows that are aligned, and not. */
static void check_copies_are_used(void) {
  static const int sizes[][3] = {{36, 132, 20}, {37, 131, 19}};
  for (int s = 0; s < 2; s++) {
    struct product p = product_make(sizes[s], DATA_RANDOM);
    float expected;
    size_t first;
    setenv("SIMGPU_COPIES", "lost", 1);
    float *c = multiply("pipelined", &p, 0);
    unsetenv("SIMGPU_COPIES");
    if (!count_other_sums(&p, c, &first, &expected))
      ck_abort_msg(
          "sgemm_pipelined, m %d, n %d, k %d: C does not depend on what cp.async copies: expected that the "
          "threads compute with it",
          p.m, p.n, p.k);
    product_free(&p);
    free(c);
  }
}

/* GPUs before compute capability 8.0 have no cp.async: a test of such code sets the variable. */
START_TEST(pipelined_large) {
  if (!count_large_product("pipelined", STATED_ORDER))
    return;
  check_large_tiles("sgemm_pipelined");
  const double of_b = 4.0 * LARGE_K * lab_suite_large_grid(33, true).nx;
  if (getenv("SUITE_WITHOUT_CP_ASYNC"))
    return;
  if (!(async_bytes() >= of_b))
    ck_abort_msg("sgemm_pipelined: no cp.async copies B: %.0f bytes are copied so, expected at least %.0f: "
                 "__pipeline_memcpy_async does it",
                 async_bytes(), of_b);
  check_copies_are_used();
}
END_TEST

/* --- 04/fused --- */

static struct sweep_run fused_run(struct grid g, int fuse, int sweeps) {
  return (struct sweep_run){.variant = "fused", .g = g, .sweeps = sweeps, .fuse = fuse};
}

START_TEST(fused_by_hand) {
  use_packing();
  sweep_check_by_hand("fused", NULL);
}
END_TEST

START_TEST(fused_identical) {
  use_packing();
  for (int fuse = 1; fuse <= 8; fuse++) {
    check_bits(fused_run(size_of(sweep_sizes[fuse % SWEEP_SIZES]), fuse, fuse));
    check_bits(fused_run(size_of(wide_sizes[2 * fuse - 1]), fuse, 9));
    check_bits(fused_run(size_of(wide_sizes[2 * fuse - 2]), 9 - fuse, 9 - fuse));
  }
}
END_TEST

static void check_strips(struct grid g, int fuse) {
  const struct sweep_run run = fused_run(g, fuse, fuse);
  check_bits_and_launches(&run);
}

/* More rows than a strip may have, and more columns. */
START_TEST(fused_strips) {
  pack_on_host();
  lab_checks_stop();
  const int drawn = 1 + (int)(lab_suite_seed(48) % 8);
  for (int fuse = 1; fuse <= 8; fuse++) {
    const struct grid g = lab_suite_middle_grid(40 + (uint64_t)fuse, fuse % 2);
    check_strips(grid_make(g.nx / 8, g.ny), fuse);
  }
  const struct grid middle = lab_suite_middle_grid(49, true);
  check_strips(grid_make(middle.nx, middle.ny / 4), drawn);
  check_strips(lab_suite_wide_grid(51), drawn);
}
END_TEST

START_TEST(fused_far) {
  far_expect_inside("gs_fused, nx 32768, ny 32768",
                    (const char *[]){"--variant", "fused", "--fuse", "1", "--nx", "32768", "--ny", "32768",
                                     "--far", "10", NULL});
}
END_TEST

/* Elsewhere, the number of rows of a strip may be even by chance; at these heights a strip like the
 * solution's has 9. */
START_TEST(fused_high_strips) {
  enum { LEAST = 11001, MORE = 800 };
  pack_on_host();
  lab_checks_stop();
  check_strips(grid_make(5, LEAST + (int)(lab_suite_seed(52) % MORE)), 1);
}
END_TEST

/* A pass reads each value once, and the halo. A barrier of the grid between half-sweeps saves launches, but no
 * traffic: a sweep then moves at least 5/8 of a sector for each point. */
START_TEST(fused_calls) {
  static const char *const kinds[] = {"ld", "st", "red", "atom"};
  enum { FUSE = 8 };
  const struct grid g = grid_make(257, 100);
  const double most = 0.6; /* a large halo costs speed, not correctness */
  double sectors = 0;
  if (!check_calls("gs_fused", 1, fused_run(g, FUSE, FUSE)))
    return;
  for (int n = 0; n < 4; n++) {
    char column[64];
    snprintf(column, sizeof column, "l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum", kinds[n]);
    sectors += counters_sum("", column) / (3 * FUSE) / (double)grid_points(g);
  }
  if (sectors > most)
    ck_abort_msg(
        "gs_fused, %d sweeps in a pass, nx %d, ny %d: %.2f sectors of global memory per point and sweep: "
        "expected at most %.1f: the half-sweeps between the first and the last must find their values "
        "in shared memory or registers, and the halo must be small beside what a block keeps",
        FUSE, g.nx, g.ny, sectors, most);
}
END_TEST

START_TEST(fused_counted) { measure_sweeps("gs_fused", "fused", counted_grid(), 4, 1); }
END_TEST
START_TEST(fused_modelled) { measure_sweeps("gs_fused", "fused", timed_grid(), 7, 1); }
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
    {"04/pack", &pack_and_unpack_long},
    {"04/pack", &pack_and_unpack_wide},
    {"04/pack", &pack_large},
    {"04/pack", &unpack_large},
    {"04/pack", &pack_far},
    {"04/left", &left_by_hand},
    {"04/left", &left_of_a_wide_grid},
    {"04/split", &needs_pack},
    {"04/split", &split_by_hand},
    {"04/split", &split_half_sweeps},
    {"04/split", &split_calls},
    {"04/split", &split_large},
    {"04/split", &split_wide},
    {"04/split", &split_identical},
    {"04/float4", &needs_pack},
    {"04/float4", &float4_by_hand},
    {"04/float4", &float4_half_sweeps},
    {"04/float4", &float4_calls},
    {"04/float4", &float4_large},
    {"04/float4", &float4_wide},
    {"04/float4", &float4_identical},
    {"04/naive", &naive_by_hand},
    {"04/naive", &naive_products},
    {"04/naive", &naive_is_coalesced},
    {"04/naive", &naive_far},
    {"04/tile", &tile_by_hand},
    {"04/tile", &tile_products},
    {"04/tile", &tile_large},
    {"04/tile", &tile_far},
    {"04/pipelined", &pipelined_by_hand},
    {"04/pipelined", &pipelined_products},
    {"04/pipelined", &pipelined_large},
    {"04/pipelined", &pipelined_far},
    {"04/fused", &needs_pack},
    {"04/fused", &fused_by_hand},
    {"04/fused", &fused_identical},
    {"04/fused", &fused_calls},
    {"04/fused", &fused_strips},
    {"04/fused", &fused_high_strips},
    {"04/fused", &fused_wide},
    {"04/fused", &fused_far},
    {"04/split_sectors", &split_counted},
    {"04/split_bandwidth", &split_modelled},
    {"04/float4_sectors", &float4_counted},
    {"04/float4_requests", &float4_counted},
    {"04/float4_bandwidth", &float4_modelled},
    {"04/tile_requests", &tile_counted},
    {"04/tile_conflicts", &tile_counted},
    {"04/tile_local", &tile_counted},
    {"04/tile_tflops", &tile_modelled},
    {"04/pipelined_tflops", &pipelined_modelled},
    {"04/fused_bytes", &fused_counted},
    {"04/fused_bandwidth", &fused_modelled},
    {"04/input", &input_is_refused},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--variant", "split", "--nx", "3", NULL};
  sweep_explain = explain_split;
  return lab_suite_main(argc, argv, tests, probe);
}
