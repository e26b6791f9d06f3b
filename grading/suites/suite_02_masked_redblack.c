/* Lab 02: runs a masked_redblack program (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "error_checks.h"
#include "far.h"
#include "heap.h"
#include "judge.h"
#include "judged_grids.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "problem.h"
#include "stencil_fit.h"
#include "sweep_suite.h"
#include "traffic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct sweep_run run_of_data(const char *variant, int nx, int ny, int sweeps, enum data data) {
  const struct grid g = grid_make(nx, ny);
  return (struct sweep_run){
      variant, NULL, g, sweeps, data_words(data), sweep_field(g, 11, data), sweep_field(g, 12, data)};
}

static struct sweep_run run_make(const char *variant, int nx, int ny, int sweeps) {
  return run_of_data(variant, nx, ny, sweeps, DATA_RANDOM);
}

static void run_free(struct sweep_run *run) {
  free((void *)(uintptr_t)run->u);
  free((void *)(uintptr_t)run->f);
}

/* --- 02/inplace --- */

/* The step of a point from old neighbours. */
static double old_step(const struct sweep_run *run, size_t k) {
  const size_t nx = (size_t)run->g.nx;
  const float *u = run->u;
  return ((double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + run->g.h * run->g.h * run->f[k]) / 4;
}

/* The step of a single point, 3 x 3, for u or f that is 1 at one place: its factor there. NAN: the run fails. */
static double factor_at(int place, bool of_f) {
  const struct grid g = grid_make(3, 3);
  float u[9] = {0}, f[9] = {0};
  *(of_f ? &f[place] : &u[place]) = of_f ? (float)(1 / (g.h * g.h)) : 1;
  const struct sweep_run run = {"naive", NULL, g, 1, "zero, but for one value", u, f, SWEEP_TRIED};
  float *got = sweep_run_program(&run);
  const double factor = got ? got[4] : NAN;
  free(got);
  return factor;
}

/* Names the wrong factors of the step, or says that there are none. */
static const char *explain_step(void) {
  static const char begin[] = "the step is a sum of its terms, but ";
  static char text[512];
  static const double f;
  const struct stencil_fit right = {.f = &f, .side = 0.25, .source = 0.25, .f_name = "h2f"};
  double factors[STENCIL_FIT_FACTORS] = {0};
  for (int place = 0; place < 9; place++)
    factors[(place / 3 + 1) * STENCIL_FIT_SIDE + place % 3 + 1] = factor_at(place, false);
  factors[STENCIL_FIT_POINTS] = factor_at(4, true);
  snprintf(text, sizeof text, "%s", begin);
  return stencil_fit_name_factors(&right, factors, text + strlen(begin), sizeof text - strlen(begin))
             ? text
             : "no combination of old and new neighbours gives this value";
}

/* k: of the first wrong value. */
static void fail_mixture(const struct sweep_run *run, size_t k, float got) {
  const size_t nx = (size_t)run->g.nx, i = k / nx, j = k % nx;
  if (!grid_is_interior(run->g, (int)i, (int)j))
    ck_abort_msg("naive, nx %d, ny %d: wrong value at (i, j) = (%zu, %zu): expected %.9g, got %.9g\n"
                 "this point is on the boundary, which must not change",
                 run->g.nx, run->g.ny, i, j, run->u[k], got);
  const bool is_old = !(got < run->u[k] || got > run->u[k]);
  ck_abort_msg(
      "naive, nx %d, ny %d: wrong value at (i, j) = (%zu, %zu): got %.9g, from old neighbours alone expected "
      "%.9g\n%s",
      run->g.nx, run->g.ny, i, j, got, old_step(run, k),
      is_old ? "this point has its old value: are there enough blocks?" : explain_step());
}

static void check_mixture(int nx, int ny, enum data data) {
  struct sweep_run run = run_of_data("naive", nx, ny, 1, data);
  float *got = sweep_run_program(&run);
  size_t k = 0;
  if (!sweep_is_mixture(&run, got, &k))
    fail_mixture(&run, k, got[k]);
  free(got);
  run_free(&run);
}

START_TEST(inplace_mixes_old_and_new) {
  lab_checks_allow_races();
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_mixture(sweep_sizes[s][0], sweep_sizes[s][1], data_of(s));
  lab_checks_stop();
  check_mixture(lab_suite_wide_grid(63).nx, 5, DATA_RANDOM);
  check_mixture(5, lab_suite_tall_grid(64).ny, DATA_RANDOM);
}
END_TEST

START_TEST(race_is_shown) {
  lab_checks_allow_races();
  const struct program_result result =
      lab_suite_expect_success((const char *[]){"race", "--nx", "40", "--runs", "2", NULL});
  ck_assert_msg(strstr(result.output, "1444 interior points") != NULL, "race: unexpected output:\n%s",
                result.output);
}
END_TEST

START_TEST(inplace_is_a_race) {
  const char *race = counters_race((const char *[]){"--variant", "naive", "--nx", "65", NULL});
  if (race && !*race)
    ck_abort_msg("gs_inplace_naive, nx 65: no race was found: expected one launch that updates all points");
  if (race)
    lab_suite_show("%s", race);
}
END_TEST

static const char contract[] = "masked_redblack.h";

START_TEST(inplace_keeps_the_rules) {
  lab_checks_allow_races();
  for (int even = 0; even < 2; even++) {
    struct sweep_run run = run_make("naive", 67 + even, 41 + even, 3);
    run.counting = SWEEP_COUNTED;
    free(sweep_run_program(&run)); /* other tests judge the values */
    sweep_expect_rules(&run, &(struct rules){"gs_inplace_naive", contract, .calls = 3, .launches = 1});
    sweep_expect_stores(&run, "gs_inplace_naive");
    run_free(&run);
  }
  rules_check_launch_error("gs_inplace_naive", 1, (const char *[]){"--variant", "naive", "--nx", "9", NULL});
}
END_TEST

START_TEST(inplace_has_many_blocks) {
  const struct grid g = lab_suite_middle_grid(65, true);
  lab_checks_stop();
  struct sweep_run run = run_make("naive", g.nx, g.ny, 1);
  run.counting = SWEEP_COUNTED;
  free(sweep_run_program(&run));
  sweep_expect_rules(&run, &(struct rules){"gs_inplace_naive", contract, .calls = 1, .launches = 1,
                                           .points = (double)grid_points(g), .is_step = true});
  run_free(&run);
}
END_TEST

/* --- 02/masked --- */

START_TEST(masked_by_hand) {
  sweep_check_by_hand("masked", "red");
  sweep_check_by_hand("masked", "black");
}
END_TEST

START_TEST(masked_sizes) { sweep_check_half_sweeps("masked"); }
END_TEST
START_TEST(masked_large) {
  sweep_check_large_half_sweeps("masked",
                                &(struct rules){"gs_masked_half_sweep", contract, .calls = 1, .launches = 1});
  sweep_check_far("masked", "gs_masked_half_sweep");
}
END_TEST

static void check_no_race(const char *variant) {
  const char *race = counters_race((const char *[]){"--variant", variant, "--nx", "67", "--ny", "41", NULL});
  if (race && *race)
    ck_abort_msg("%s, nx 67, ny 41: %s", variant, race);
}

/* --- 02/sweep --- */

START_TEST(sweep_by_hand) { sweep_check_by_hand("masked", NULL); }
END_TEST
START_TEST(sweep_all_sizes) { sweep_check_sizes("masked"); }
END_TEST
START_TEST(sweep_ten_times) {
  struct sweep_run odd = run_make("masked", 67, 41, 10), even = run_make("masked", 130, 34, 10);
  sweep_check(&odd);
  sweep_check(&even);
  run_free(&odd);
  run_free(&even);
}
END_TEST

START_TEST(sweep_large) { sweep_check_large("masked"); }
END_TEST

/* The rules of a half-sweep belong to this item, so that a wait there does not cost the points of 02/masked. */
START_TEST(sweep_keeps_the_rules) {
  sweep_check_rules("masked", "red",
                    &(struct rules){"gs_masked_half_sweep", contract, .calls = 3, .launches = 1});
  sweep_check_rules("masked", NULL, &(struct rules){"gs_sweep", contract, .calls = 3, .launches = 2});
  if (lab_suite_is_simulated() && counters_total("launches") < 3 * 2)
    ck_abort_msg("gs_sweep: %g launches in 3 calls: expected 6, one for each colour of a sweep",
                 counters_total("launches"));
}
END_TEST

START_TEST(sweep_without_race) { check_no_race("masked"); }
END_TEST
START_TEST(sweep_in_any_order) { sweep_check_orders("masked"); }
END_TEST

/* --- 02/residual --- */

/* Output of the residual command. */
struct residual {
  char text[128];
  double norm, relative;
};

/* The output of several calls, after a single one has succeeded. */
static struct program_result run_calls(const struct sweep_run *run, const char *const *arguments) {
  char ending[512];
  const struct program_result result = lab_suite_run(arguments);
  program_describe(&result, ending, sizeof ending);
  if (strstr(result.message, HEAP_WORDS))
    ck_abort_msg("residual_norm, nx %d, ny %d: %s", run->g.nx, run->g.ny,
                 rules_after(ending, "residual_norm: "));
  if (strcmp(program_verdict(&result), "CRASH") == 0) {
    lab_suite_verdict("CRASH");
    ck_abort_msg(
        "residual_norm, nx %d, ny %d: a single call is right, but not a call that follows ones with other "
        "grids: has memory that is kept the size of an earlier call? The program ends: %s",
        run->g.nx, run->g.ny, ending);
  }
  return result.status == 0 ? result : lab_suite_expect_success(arguments);
}

/* calls: "1", or "19", the first two of which have other grids; the others show what each leaves of
 * the host's memory. */
static struct residual run_residual(const struct sweep_run *run, const char *calls) {
  struct residual residual = {0};
  lab_files_write_field("u.npy", run->g, run->u);
  lab_files_write_field("f.npy", run->g, run->f);
  const bool is_single = strcmp(calls, "1") == 0;
  const char *const arguments[] = {
      "residual", "--u", "u.npy", "--f", "f.npy", "--calls", calls, is_single ? NULL : "--heap", NULL};
  const struct program_result result =
      is_single ? lab_suite_expect_success(arguments) : run_calls(run, arguments);
  const char *line = lab_suite_line(result.output, "residual ");
  if (sscanf(line, "residual %lf relative residual %lf", &residual.norm, &residual.relative) != 2)
    ck_abort_msg("residual: expected two numbers, got: %s", result.output);
  const struct npy u = {NPY_FLOAT32, 2, {(size_t)run->g.ny, (size_t)run->g.nx}, (void *)(uintptr_t)run->u};
  struct npy f = u;
  f.data = (void *)(uintptr_t)run->f;
  struct npy less = f;
  less.shape[0] = (size_t)judged_fewer_rows(run->g).ny;
  traffic_check_inputs(
      is_single ? 3 : 5,
      (struct npy[]){u, f, f, f, less}); /* main.c sends f again for its norm, and for other grids */
  snprintf(residual.text, sizeof residual.text, "%.100s", line);
  return residual;
}

static double *widen(struct grid g, const float *u) {
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = u[k];
  return wide;
}

/* Each r is within γ of the sum of its terms' magnitudes. The sum of squares has at most one rounding per point. */
static double residual_bound(struct grid g, const double *f, const double *u, double norm, double epsilon) {
  const double inv_h2 = (double)(g.nx - 1) * (g.nx - 1);
  double sum = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
      const double neighbours = fabs(u[k - 1]) + fabs(u[k + 1]) + fabs(u[k - nx]) + fabs(u[k + nx]);
      const double error = judge_gamma(8, epsilon) * (fabs(f[k]) + (4 * fabs(u[k]) + neighbours) * inv_h2);
      sum += error * error;
    }
  return 2 * (sqrt(sum) + judge_gamma((int)grid_points(g), DBL_EPSILON) * norm);
}

/* Norm over the columns that a block of `threads` threads reaches in one step. */
static double norm_of_first_columns(struct grid g, const double *r, int threads) {
  double sum = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1 && j <= threads; j++)
      sum += r[grid_index(g, i, j)] * r[grid_index(g, i, j)];
  return sqrt(sum);
}

/* The number of rows, from one end of the grid, whose norm is this one, or 0. */
static int rows_of_norm(struct grid g, const double *r, double norm, bool is_end) {
  double sum = 0;
  for (int n = 1; n < g.ny - 2; n++) {
    const int i = is_end ? g.ny - 1 - n : n;
    for (int j = 1; j < g.nx - 1; j++)
      sum += r[grid_index(g, i, j)] * r[grid_index(g, i, j)];
    if (fabs(sqrt(sum) - norm) <= 1e-10 * norm)
      return n;
  }
  return 0;
}

/* The sum of the norms of all rows. */
static double sum_of_row_norms(struct grid g, const double *r) {
  double all = 0;
  for (int i = 1; i < g.ny - 1; i++) {
    double sum = 0;
    for (int j = 1; j < g.nx - 1; j++)
      sum += r[grid_index(g, i, j)] * r[grid_index(g, i, j)];
    all += sqrt(sum);
  }
  return all;
}

/* ‖of_f f − of_u A u‖₂ over interior points; work: an array. */
static double norm_of_parts(struct grid g, double of_f, const double *f, double of_u, const double *u,
                            double *work) {
  double *scaled = allocate_zeroed(grid_points(g), sizeof *scaled),
         *v = allocate_zeroed(grid_points(g), sizeof *v);
  for (size_t k = 0; k < grid_points(g); k++)
    scaled[k] = of_f * f[k], v[k] = of_u * u[k];
  reference_residual(g, 0, scaled, v, work);
  free(scaled);
  free(v);
  return reference_norm2(g, work);
}

/* A wrong norm that a mistake gives. */
struct mistake {
  double norm;
  const char *explanation;
};
enum { VALUES = 19, COLUMNS = 9, MISTAKES = VALUES + COLUMNS };

/* The largest |r|, or their sum. */
static double other_norm(struct grid g, const double *r, bool is_sum) {
  double norm = 0;
  for (size_t k = 0; k < grid_points(g); k++)
    norm = is_sum ? norm + fabs(r[k]) : fmax(norm, fabs(r[k]));
  return norm;
}

/* Which columns a wrong sum has. With 128 threads: those of half of them alone, or by steps of half their number. */
enum columns {
  WITHOUT_FIRST,
  WITHOUT_LAST,
  LEFT,
  RIGHT,
  LEFT_AND_RIGHT,
  HALF_OF_THREADS,
  SECOND_THREADS,
  LAST_OF_THREADS,
  HALF_STEPS
};

/* How often column j counts. */
static int weight_of(enum columns columns, int nx, int j) {
  enum { HALF = 64 };
  const int first = columns == WITHOUT_FIRST                       ? 2
                    : columns == LEFT || columns == LEFT_AND_RIGHT ? 0
                                                                   : 1,
            last = columns == WITHOUT_LAST                         ? nx - 3
                   : columns == RIGHT || columns == LEFT_AND_RIGHT ? nx - 1
                                                                   : nx - 2;
  if ((columns == HALF_OF_THREADS && (j - 1) / HALF % 2 == 1) ||
      (columns == SECOND_THREADS && (j - 1) % 2 == 1) ||
      (columns == LAST_OF_THREADS && j + 2 * HALF <= nx - 2))
    return 0;
  return j < first || j > last ? 0 : 1 + (columns == HALF_STEPS && j > HALF);
}

/* The neighbours of a boundary point are those in the array. */
static double norm_of_columns(enum columns columns, struct grid g, const double *f, const double *u) {
  const size_t nx = (size_t)g.nx;
  double sum = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      const double r = f[k] - (4 * u[k] - u[k - 1] - u[k + 1] - u[k - nx] - u[k + nx]) / (g.h * g.h);
      sum += weight_of(columns, g.nx, j) * r * r;
    }
  return sqrt(sum);
}

static void fill_columns(struct grid g, const double *f, const double *u, struct mistake *bank) {
  static const char *const explanations[COLUMNS] = {
      [WITHOUT_FIRST] = "it is the norm without column 1, the first interior one",
      [WITHOUT_LAST] = "it is the norm without column nx − 2, the last interior one",
      [LEFT] = "it is the norm with column 0, which is boundary: interior columns are 1 to nx − 2",
      [RIGHT] = "it is the norm with column nx − 1, which is boundary: interior columns are 1 to nx − 2",
      [LEFT_AND_RIGHT] = "it is the norm with columns 0 and nx − 1, which are boundary",
      [HALF_OF_THREADS] =
          "it is the norm over the columns of threads 0 to 63: are the sums of the other threads added?",
      [SECOND_THREADS] =
          "it is the norm over the columns of threads 0, 2, 4, …: does the addition in pairs go on to a width of 1?",
      [LAST_OF_THREADS] =
          "it is the norm over the last column of each thread: does a thread add its squares, or keep the last one?",
      [HALF_STEPS] =
          "columns from 65 on count twice: does one of 128 threads continue in steps of 64 columns?"};
  for (int c = 0; c < COLUMNS; c++)
    bank[c] = (struct mistake){norm_of_columns((enum columns)c, g, f, u), explanations[c]};
}

/* r: the residual; its contents change. Powers of h come before the constant factors that they equal on some grid. */
static void fill_bank(struct grid g, const double *f, const double *u, double *r, struct mistake *bank) {
  const double norm = reference_norm2(g, r), of_first_columns = norm_of_first_columns(g, r, 128),
               largest = other_norm(g, r, false), sum = other_norm(g, r, true);
  const double of_rows = sum_of_row_norms(g, r), of_rows_again = sqrt(of_rows), h4 = g.h * g.h * g.h * g.h,
               of_minus_f = norm_of_parts(g, -1, f, 1, u, r), of_f = norm_of_parts(g, 1, f, 0, u, r),
               of_u = norm_of_parts(g, 0, f, 1, u, r), by_h2 = norm_of_parts(g, 1, f, h4, u, r),
               undivided = norm_of_parts(g, 1, f, g.h * g.h, u, r);
  const struct mistake mistakes[VALUES] = {
      {of_first_columns,
       "it is the norm over the first 128 columns: each thread must continue in steps of 128 columns"},
      {norm * norm, "it is the sum of squares: the square root is missing"},
      {largest, "it is the largest |r|: the contract's norm is the square root of the sum of squares"},
      {sum, "it is the sum of all |r|: the contract's norm is the square root of the sum of squares"},
      {sqrt(sum), "it is the square root of the sum of all |r|: the terms of the sum are r²"},
      {norm / sqrt((double)grid_interior_points(g)), "it is the square root of the mean, not of the sum"},
      {of_minus_f, "it is the norm of f + A u: the sign of A u is wrong"},
      {of_f, "it is the norm of f alone: A u is missing"},
      {of_u, "it is the norm of A u alone: f is missing"},
      {by_h2, "it is the norm of f − h⁴ A u: A u has the factor 1/h², not h²"},
      {undivided, "it is the norm of f − h² A u: A u lacks the factor 1/h²"},
      {of_rows, "it is the sum of the rows' norms: the square root comes last, after the sum of all squares"},
      {of_rows_again,
       "it is the square root of the sum of the rows' norms: one square root, after the sum of all squares, is enough"},
      {norm * g.h, "it is h times the norm: the sum of squares is not multiplied by h²"},
      {norm * g.h * g.h, "it is h² times the norm: f and A u are not multiplied by h²"},
      {norm / 4, "it is a quarter of the norm: the residual is not divided by the diagonal, 4"},
      {norm / 2, "it is half of the norm: look for a factor of the residual"},
      {norm * 2, "it is twice the norm: look for a factor of the residual"},
      {norm * 4, "it is four times the norm: look for a factor of the residual"}};
  fill_columns(g, f, u, bank);
  memcpy(bank + COLUMNS, mistakes, sizeof mistakes);
}

static bool explains(const struct mistake *m, double got) { return fabs(got - m->norm) <= 1e-10 * m->norm; }

/* The norm that the program gives on another grid, where h and constant factors differ, and the bank for
 * it. NaN: none. */
static double norm_elsewhere(struct mistake *bank) {
  struct sweep_run run = run_make("masked", 41, 37, 0);
  double *f = widen(run.g, run.f), *u = widen(run.g, run.u), *r = widen(run.g, run.u), norm = NAN;
  lab_files_write_field("u.npy", run.g, run.u);
  lab_files_write_field("f.npy", run.g, run.f);
  const struct program_result result =
      lab_suite_run((const char *[]){"residual", "--u", "u.npy", "--f", "f.npy", NULL});
  if (sscanf(lab_suite_line(result.output, "residual "), "residual %lf", &norm) != 1)
    norm = NAN;
  reference_residual(run.g, 0, f, u, r);
  fill_bank(run.g, f, u, r, bank);
  free(f);
  free(u);
  free(r);
  run_free(&run);
  return norm;
}

/* The mistake that gives this norm, and that of another grid, too, or NULL. On a grid of 3 x 3 points, h is 1/2. With
 * one column, the largest |r| may be the norm of some rows. */
static const char *name_mistake(const struct mistake *bank, double got, bool is_of_rows) {
  struct mistake elsewhere[MISTAKES];
  double norm = NAN;
  bool is_known = false;
  for (int n = 0; n < MISTAKES; n++) {
    if (!explains(&bank[n], got))
      continue;
    if (!is_known)
      norm = norm_elsewhere(elsewhere);
    is_known = true;
    if (isnan(norm) ? !is_of_rows : explains(&elsewhere[n], norm))
      return bank[n].explanation;
  }
  return NULL;
}

/* The norm on 3 x 3 points, where 1/h² is 4, for f that is `source` at the point, and u that is 1 at one
 * place or none. */
static double norm_of_a_point(double source, int place) {
  const struct grid g = grid_make(3, 3);
  float u[9] = {0}, f[9] = {0};
  double norm = NAN;
  f[4] = (float)source;
  if (place >= 0)
    u[place] = 1;
  lab_files_write_field("u.npy", g, u);
  lab_files_write_field("f.npy", g, f);
  const struct program_result result =
      lab_suite_run((const char *[]){"residual", "--u", "u.npy", "--f", "f.npy", NULL});
  sscanf(lab_suite_line(result.output, "residual "), "residual %lf", &norm);
  return norm;
}

/* Names the wrong factors of A u in the residual, or returns NULL. */
static const char *name_factors(void) {
  enum { SOURCE = 256, INV_H2 = 4 }; /* SOURCE: far above each factor, so that the norm shows its sign */
  static const char begin[] = "it is a norm of f − A u with other factors, those of A u times h²: ";
  static const double f;
  static char text[512];
  double factors[STENCIL_FIT_FACTORS] = {0};
  const double alone = norm_of_a_point(SOURCE, -1);
  const struct stencil_fit right = {.f = &f, .own = 4, .side = -1, .source = 1, .f_name = "f"};
  for (int place = 0; place < 9; place++)
    factors[(place / 3 + 1) * STENCIL_FIT_SIDE + place % 3 + 1] =
        (alone - norm_of_a_point(SOURCE, place)) / INV_H2;
  factors[STENCIL_FIT_POINTS] = alone / SOURCE;
  snprintf(text, sizeof text, "%s", begin);
  const bool named = alone > 1 && stencil_fit_name_factors(&right, factors, text + strlen(begin),
                                                           sizeof text - strlen(begin));
  return named ? text : NULL;
}

static bool is_root_of_whole(double norm) {
  const double square = norm * norm;
  return square < 1e12 && fabs(square - round(square)) <= 4 * DBL_EPSILON * square;
}

/* As sums in an int give, which is too small for some grids. */
static bool is_of_int(double norm, double got) {
  struct mistake ignored[MISTAKES];
  if (got > norm || !is_root_of_whole(got))
    return false;
  const double elsewhere = norm_elsewhere(ignored);
  return isnan(elsewhere) || (elsewhere != 0 && is_root_of_whole(elsewhere));
}

/* Explains a wrong norm. float_bound: of an error by rounding in float; r: the residual; its contents change. */
static const char *explain_norm(struct grid g, const double *f, const double *u, double float_bound,
                                double got, double *r) {
  static char text[128];
  struct mistake bank[MISTAKES];
  const double norm = reference_norm2(g, r);
  const int rows = rows_of_norm(g, r, got, false), last = rows_of_norm(g, r, got, true);
  fill_bank(g, f, u, r, bank);
  const char *mistake = name_mistake(bank, got, rows || last);
  if (mistake)
    return mistake;
  if (rows) {
    snprintf(text, sizeof text,
             "it is the norm over the first %d of %d interior rows: are there enough blocks?", rows,
             g.ny - 2);
    return text;
  }
  if (last) {
    snprintf(text, sizeof text,
             "it is the norm over the last %d of %d interior rows: is the first of them left out?", last,
             g.ny - 2);
    return text;
  }
  if (is_of_int(norm, got))
    return "it is the root of a whole number: is a sum or a term an int?";
  if (got == 0) {
    snprintf(text, sizeof text, "it is 0: does the sum leave out %s?",
             g.ny == 3 ? "the only interior row" : "all rows");
    return text;
  }
  if (isnan(got))
    return "it is NaN: the sum contains a value that was never written";
  if (fabs(got - norm) <= 1e-4 * norm)
    return "the error is small, but too large for a rounding error in double: look for a float variable";
  if (fabs(got - norm) <= float_bound)
    return "the error is within the rounding of float terms, which cancel here: look for a sum or a difference of floats";
  const char *factors = name_factors();
  return factors ? factors : "the error is too large for a rounding error: look for a mistake in the logic";
}

static void check_residual(const struct sweep_run *run) {
  double *f = widen(run->g, run->f), *u = widen(run->g, run->u), *r = widen(run->g, run->u);
  reference_residual(run->g, 0, f, u, r);
  const double norm = reference_norm2(run->g, r), bound = residual_bound(run->g, f, u, norm, DBL_EPSILON);
  const struct residual first = run_residual(run, "1");
  setenv("SIMGPU_ORDER", "reverse", 1); /* a real GPU has its own order */
  const struct residual second = run_residual(run, "1");
  unsetenv("SIMGPU_ORDER");
  if (!(fabs(first.norm - norm) <= bound))
    ck_abort_msg("residual_norm, nx %d, ny %d, u and f %s: expected %.15g, got %.15g\n%s", run->g.nx,
                 run->g.ny, run->what, norm, isnan(first.norm) ? (double)NAN : first.norm,
                 explain_norm(run->g, f, u, residual_bound(run->g, f, u, 0, FLT_EPSILON), first.norm, r));
  if (strcmp(first.text, second.text) != 0)
    ck_abort_msg(
        "residual_norm, nx %d, ny %d: two runs on the same input give %.17g and %.17g: sums need a fixed order",
        run->g.nx, run->g.ny, first.norm, second.norm);
  free(f);
  free(u);
  free(r);
}

START_TEST(residual_sizes) {
  for (int s = 0; s < SWEEP_SIZES; s++) {
    struct sweep_run run = run_of_data("masked", sweep_sizes[s][0], sweep_sizes[s][1], 0, data_of(s));
    check_residual(&run);
    run_free(&run);
  }
  struct sweep_run wide = run_make("masked", 700, 5, 0), high = run_make("masked", 4, 300, 0);
  check_residual(&wide);
  check_residual(&high);
  run_free(&wide);
  run_free(&high);
}
END_TEST

/* Columns and rows beyond a cap; 1/h² has more digits than a float holds. */
START_TEST(residual_fine) {
  struct sweep_run wide = run_make("masked", lab_suite_wide_grid(63).nx, 5, 0),
                   high = run_make("masked", 5, lab_suite_tall_grid(64).ny, 0),
                   fine = run_make("masked", 4800, 5, 0);
  lab_checks_stop();
  check_residual(&wide);
  check_residual(&high);
  check_residual(&fine);
  run_free(&wide);
  run_free(&high);
  run_free(&fine);
}
END_TEST

/* Rows whose sum is zero: it must be written, too. */
START_TEST(residual_of_zero_rows) {
  struct sweep_run run = run_make("masked", 37, 23, 0);
  const size_t half = grid_index(run.g, run.g.ny / 2, 0);
  float *u = allocate_zeroed(grid_points(run.g), sizeof *u),
        *f = allocate_zeroed(grid_points(run.g), sizeof *f);
  memcpy(f, run.f, half * sizeof *f);
  check_residual(&(struct sweep_run){"masked", NULL, run.g, 0, "zero, apart from f in the first rows", u, f});
  free(u);
  free(f);
  run_free(&run);
}
END_TEST

enum { SUMS = 1024 }; /* that residual_norm may copy to the host */

/* Operations of kernels in double, per point. */
static double operations_of_residual(double points) {
  return (counters_sum("", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum") +
          counters_sum("", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum") +
          counters_sum("", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum")) /
         points;
}

/* More rows, and more columns, than a fixed number of blocks or threads covers. */
START_TEST(residual_far) {
  far_expect_inside("residual_norm, nx 32768, ny 32768",
                    (const char *[]){"residual", "--nx", "32768", "--ny", "32768", "--far", "10", NULL});
}
END_TEST

START_TEST(residual_large) {
  enum { MOST = 20, BLOCK = 128 }; /* MOST: of about 9 operations, and those of adding in blocks */
  const double SECTORS = 1.9; /* of about 0.95: six loads of a warp of 32 columns, most of them unaligned */
  const struct grid g = lab_suite_middle_grid(61, true);
  const double sums = fmax(SUMS, (double)grid_points(g) / BLOCK);
  const double bytes = (double)grid_points(g) * sizeof(float);
  struct sweep_run run = run_make("masked", g.nx, g.ny, 0);
  check_residual(&run);
  run_free(&run);
  if (!counters_run((const char *[]){"residual", "--u", "u.npy", "--f", "f.npy", NULL}))
    return;
  rules_check(&(struct rules){"residual_norm", contract, .calls = 1, .launches = 8, .waits = 8,
                              .bytes_to_host = sums * sizeof(double), .points = (double)grid_points(g),
                              .sectors = SECTORS, .is_step = true},
              &(struct rules_frame){.bytes_to_device = 3 * bytes});
  const double operations = operations_of_residual((double)grid_interior_points(g));
  if (operations > MOST)
    ck_abort_msg(
        "residual_norm: kernels make %.1f operations in double per point: expected about 9, and at most %d: is the "
        "residual of a point computed more than once?",
        operations, MOST);
}
END_TEST

START_TEST(residual_checks_each_call) {
  error_checks_of_each_call("residual_norm", (const char *[]){"residual", "--nx", "9", NULL});
}
END_TEST

START_TEST(residual_again) {
  struct sweep_run run = run_make("masked", 37, 53, 0);
  const struct residual alone = run_residual(&run, "1");
  const struct residual last = run_residual(&run, "19");
  run_free(&run);
  if (strcmp(alone.text, last.text) != 0)
    ck_abort_msg("residual_norm, nx 37, ny 53: a single call gives %.17g, a call after ones with other grids "
                 "%.17g: does a static variable, or memory that is kept, hold something of an earlier call?",
                 alone.norm, last.norm);
}
END_TEST

/* Four times f and 1/h² give four times the norm, exactly. */
START_TEST(residual_of_another_spacing) {
  enum { FACTOR = 4 };
  struct sweep_run run = run_make("masked", 37, 53, 0);
  const struct grid g = run.g;
  const double inv_h2 = FACTOR * (double)(g.nx - 1) * (g.nx - 1);
  const double expected = FACTOR * run_residual(&run, "1").norm;
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  char text[32];
  double norm = NAN, ignored;
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] = FACTOR * run.f[k];
  lab_files_write_field("f.npy", g, f);
  snprintf(text, sizeof text, "%.17g", inv_h2);
  const struct program_result result = lab_suite_expect_success(
      (const char *[]){"residual", "--u", "u.npy", "--f", "f.npy", "--inv-h2", text, NULL});
  sscanf(lab_suite_line(result.output, "residual "), "residual %lf relative residual %lf", &norm, &ignored);
  if (!(fabs(norm - expected) <= 1e-14 * expected))
    ck_abort_msg(
        "residual_norm, nx %d, ny %d, 1/h² = %g, four times that of the grid: expected %.15g, got %.15g: is 1/h² "
        "the argument inv_h2, or computed from nx?",
        g.nx, g.ny, inv_h2, expected, norm);
  free(f);
  run_free(&run);
}
END_TEST

/* Sums may go to the host, of rows or of any blocks; u alone has 10988 bytes. main.c sends u, and f three times
 * and in part. */
START_TEST(residual_keeps_the_rules) {
  rules_check_launch_error("residual_norm", 1, (const char *[]){"residual", "--nx", "9", NULL});
  enum { LEAST = 4, CALLS = 4 }; /* LEAST: of about 8 operations; the last two calls are equal */
  struct sweep_run run = run_make("masked", 67, 41, 0);
  const double bytes = (double)grid_points(run.g) * sizeof(float);
  lab_files_write_field("u.npy", run.g, run.u);
  lab_files_write_field("f.npy", run.g, run.f);
  const bool is_counted =
      counters_run((const char *[]){"residual", "--u", "u.npy", "--f", "f.npy", "--calls", "4", NULL});
  run_free(&run);
  if (!is_counted)
    return;
  rules_check(&(struct rules){"residual_norm", contract, .calls = CALLS, .launches = 8, .waits = 8,
                              .bytes_to_host = SUMS * sizeof(double)},
              &(struct rules_frame){.bytes_to_device = 4 * bytes});
  const double operations = operations_of_residual(CALLS * (double)grid_interior_points(run.g));
  if (operations < LEAST)
    ck_abort_msg(
        "residual_norm: kernels make %.1f operations in double per point: expected at least %d: is the "
        "residual computed by kernels, and in double?",
        operations, LEAST);
  const double atomics = counters_sum("", "simgpu__fp_atomics.sum");
  if (atomics > 0)
    ck_abort_msg(
        "residual_norm, nx 67, ny 41: %.3g atomic addition%s of floating-point numbers: expected none: "
        "their order changes from run to run, and with it the bits of the sum",
        atomics / CALLS, PLURAL(atomics / CALLS));
}
END_TEST

/* Near the solution the terms cancel: only double keeps the small remainder of float operands. */
START_TEST(residual_near_the_solution) {
  const struct grid g = grid_make(65, 49);
  const struct problem problem = {.kind = PROBLEM_MANUFACTURED};
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  float *f = allocate_zeroed(grid_points(g), sizeof *f), *u = allocate_zeroed(grid_points(g), sizeof *u);
  problem_rhs(&problem, g, wide);
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] = (float)wide[k];
  reference_solve_direct(g, 0, wide, wide);
  for (size_t k = 0; k < grid_points(g); k++)
    u[k] = (float)wide[k];
  check_residual(&(struct sweep_run){"masked", NULL, g, 0, "smooth, nearly solved", u, f});
  free(wide);
  free(f);
  free(u);
}
END_TEST

/* --- 02/jacobi --- */

/* Jacobi in float: each colour of the result is a half-sweep of Gauss-Seidel on the old values. */
static void jacobi_float(struct grid g, const float *h2f, float *u) {
  float *black = memcpy(allocate_zeroed(grid_points(g), sizeof *u), u, grid_points(g) * sizeof *u);
  reference_gs_half_sweep_float(g, 0, GRID_BLACK, h2f, black);
  reference_gs_half_sweep_float(g, 0, GRID_RED, h2f, u);
  for (size_t k = 0; k < grid_points(g); k++)
    if (grid_colour((int)(k / (size_t)g.nx), (int)(k % (size_t)g.nx)) == GRID_BLACK)
      u[k] = black[k];
  free(black);
}

static void check_jacobi(int nx, int ny, int sweeps, enum sweep_counting counting, enum data data) {
  struct sweep_run run = run_of_data("jacobi", nx, ny, sweeps, data);
  run.counting = counting;
  float *expected =
      memcpy(allocate_zeroed(grid_points(run.g), sizeof(float)), run.u, grid_points(run.g) * sizeof(float));
  float *h2f = allocate_zeroed(grid_points(run.g), sizeof *h2f), *got = sweep_run_program(&run);
  reference_h2f_float(run.g, run.f, h2f);
  for (int n = 0; n < sweeps; n++)
    jacobi_float(run.g, h2f, expected);
  sweep_judge(&run, expected, got);
  if (counting == SWEEP_COUNTED) {
    sweep_expect_rules(&run, &(struct rules){"jacobi_sweep", contract, .calls = sweeps, .launches = 1,
                                             .points = (double)grid_points(run.g), .is_step = true});
    sweep_expect_stores(&run, "jacobi_sweep");
  }
  free(h2f);
  free(got);
  free(expected);
  run_free(&run);
}

START_TEST(jacobi_sizes) {
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_jacobi(sweep_sizes[s][0], sweep_sizes[s][1], 1 + s % 3, SWEEP_PLAIN, data_of(s));
}
END_TEST

START_TEST(jacobi_far) {
  far_expect_inside("jacobi, nx 32768, ny 32768", (const char *[]){"--variant", "jacobi", "--nx", "32768",
                                                                   "--ny", "32768", "--far", "10", NULL});
}
END_TEST

START_TEST(jacobi_large) {
  const struct grid g = lab_suite_middle_grid(62, true);
  check_jacobi(g.nx, g.ny, 1, SWEEP_COUNTED, DATA_RANDOM);
  check_jacobi(lab_suite_wide_grid(63).nx, 5, 1, SWEEP_PLAIN, DATA_RANDOM);
  check_jacobi(5, lab_suite_tall_grid(64).ny, 1, SWEEP_PLAIN, DATA_RANDOM);
}
END_TEST
START_TEST(jacobi_keeps_the_rules) {
  check_jacobi(67, 41, 3, SWEEP_COUNTED, DATA_RANDOM);
  check_jacobi(68, 40, 3, SWEEP_COUNTED, DATA_RANDOM);
  rules_check_launch_error("jacobi_sweep", 1, (const char *[]){"--variant", "jacobi", "--nx", "9", NULL});
}
END_TEST

START_TEST(jacobi_without_race) { check_no_race("jacobi"); }
END_TEST

/* --- 02/convergence --- */

enum { ROWS_MAX = 4096 };

/* A method's part of the history that solve writes. */
struct history {
  int rows, iteration[ROWS_MAX];
  double residual[ROWS_MAX];
};

static void read_history(const char *path, const char *method, struct history *history) {
  char line[256], name[32];
  int iteration;
  double residual;
  FILE *file = lab_files_open(path);
  history->rows = 0;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "%31[^,],%d,%lf", name, &iteration, &residual) == 3 && strcmp(name, method) == 0 &&
        history->rows < ROWS_MAX) {
      history->iteration[history->rows] = iteration;
      history->residual[history->rows++] = residual;
    }
  fclose(file);
  ck_assert_msg(history->rows >= 4, "%s: %d rows of method %s: expected at least 4", path, history->rows,
                method);
}

/* The program gives up where a norm does not change: other items judge the sweeps and a single norm. */
static void expect_progress(const char *const *arguments) {
  const struct program_result result = lab_suite_run(arguments);
  if (result.status == 1 && strstr(result.message, "jacobi: the residual no longer decreases") &&
      !strstr(result.message, "gs: the residual no longer decreases"))
    ck_abort_msg(
        "solve, tolerance 1e-3: the sweeps of Jacobi do not reduce the residual, but those of gs_sweep do: does "
        "jacobi_sweep write the step of u to next, at each point and in each call?");
  if (result.status == 1 && strstr(result.message, "the residual no longer decreases") &&
      strstr(result.output, "relative residual 1.000e+00, contraction per sweep 1.000000"))
    ck_abort_msg(
        "solve, tolerance 1e-3: residual_norm gives the same norm again and again while u changes: does it "
        "return what an earlier call with the same arguments has computed?");
  if (result.status != 0)
    lab_suite_expect_success(arguments);
}

static void solve(int nx, int ny, struct history *jacobi, struct history *gs) {
  char nx_text[16], ny_text[16];
  snprintf(nx_text, sizeof nx_text, "%d", nx);
  snprintf(ny_text, sizeof ny_text, "%d", ny);
  unlink("history.csv");
  const char *const arguments[] = {"solve", "--nx",          nx_text, "--ny",  ny_text,       "--tol",
                                   "1e-3",  "--check-every", "4",     "--csv", "history.csv", NULL};
  expect_progress(arguments);
  read_history("history.csv", "jacobi", jacobi);
  read_history("history.csv", "gs", gs);
  traffic_check_launches(jacobi->iteration[jacobi->rows - 1] + 2 * gs->iteration[gs->rows - 1]);
}

/* −ln of the contraction per sweep, over the last quarter of the history, where only the slowest mode is
 * left. The test compares rates, since every contraction is near 1. */
static double rate(const struct history *h) {
  const int last = h->rows - 1, first = h->rows * 3 / 4;
  return log(h->residual[first] / h->residual[last]) / (h->iteration[last] - h->iteration[first]);
}

static void expect_rate(const char *method, struct grid g, double got, double expected) {
  if (!(fabs(got - expected) <= 0.02 * expected))
    ck_abort_msg("%s, nx %d, ny %d: contraction per sweep %.6f: expected %.6f, with a logarithm within 2 %%\n"
                 "another item says what is wrong in a single sweep: ./kit check 02/%s",
                 method, g.nx, g.ny, exp(-got), exp(-expected),
                 strcmp(method, "jacobi") == 0 ? "jacobi" : "sweep");
}

/* The number of sweeps that the reference needs, in double, for the problem of the solve command. */
static int reference_count(struct grid g) {
  const struct problem problem = {.kind = PROBLEM_MANUFACTURED};
  double *f = allocate_zeroed(grid_points(g), sizeof *f), *u = allocate_zeroed(grid_points(g), sizeof *u);
  problem_rhs(&problem, g, f);
  const struct reference_result truth = reference_sor_solve(
      g, 0, 1, REFERENCE_RED_BLACK, f, u, (struct reference_control){.tolerance = 1e-3, .limit = 10000});
  free(f);
  free(u);
  return truth.iterations;
}

static void check_convergence(int nx, int ny) {
  const struct grid g = grid_make(nx, ny);
  const double rho = reference_jacobi_radius(g, 0);
  struct history *jacobi = allocate_zeroed(2, sizeof *jacobi), *gs = jacobi + 1;
  solve(nx, ny, jacobi, gs);
  expect_rate("jacobi", g, rate(jacobi), -log(rho));
  expect_rate("gs", g, rate(gs), -log(rho * rho));
  const int got = gs->iteration[gs->rows - 1], expected = reference_count(g), slack = 4 + expected / 100;
  const double ratio = (double)jacobi->iteration[jacobi->rows - 1] / got;
  if (!(fabs(ratio - 2) <= 0.2))
    ck_abort_msg("nx %d, ny %d: Jacobi takes %.2f times as many sweeps as Gauss-Seidel: expected about 2", nx,
                 ny, ratio);
  if (!(abs(got - expected) <= slack))
    ck_abort_msg("gs, nx %d, ny %d: relative residual 1e-3 after %d sweeps: expected %d ± %d", nx, ny, got,
                 expected, slack);
  free(jacobi);
}

START_TEST(convergence_on_a_square) {
  lab_checks_stop();
  check_convergence(33, 33);
}
END_TEST
START_TEST(convergence_on_a_rectangle) { check_convergence(25, 42); }
END_TEST

/* --- 02/counters --- */

START_TEST(counters_of_the_mask) {
  if (!counters_run(
          (const char *[]){"--variant", "masked", "--colour", "red", "--nx", "1000", "--ny", "60", NULL}))
    return;
  const double lanes = counters_active_lanes(""), bytes = counters_bytes_per_sector("");
  if (!(lanes > 0.4 && lanes <= 0.55))
    ck_abort_msg(
        "masked: %.2f of the lanes are active in memory and arithmetic instructions: expected about 0.50",
        lanes);
  if (!(bytes > 14 && bytes < 18))
    ck_abort_msg("masked: %.1f of the 32 bytes of a sector are used: expected about 16", bytes);
}
END_TEST

/* --- counter items --- */

START_TEST(masked_counted) {
  sweep_measure("masked", &(struct rules){"gs_sweep", contract, .calls = 2, .launches = 2},
                sweep_aligned_grid(63), 2);
}
END_TEST
START_TEST(masked_modelled) {
  sweep_measure_memory("masked", &(struct rules){"gs_sweep", contract, .calls = 1, .launches = 2});
}
END_TEST

/* --- 02/input --- */

START_TEST(input_is_refused) {
  sweep_check_bad_inputs("masked");
  const struct {
    const char *arguments[8], *says;
  } cases[] = {
      {{"--variant", "jacobi", "--colour", "red", "--out", "out.npy"}, "--colour red"},
      {{"solve", "--tol", "0", "--csv", "out.npy"}, "--tol 0"},
      {{"solve", "--method", "sor", "--csv", "out.npy"}, "--method sor"},
      {{"solve", "--csv", "no/such/out.npy"}, "no/such/out.npy"},
      {{"solve", "--out", "no/such/out.npy"}, "no/such/out.npy"},
      {{"race", "--runs", "0"}, "--runs 0"},
      {{"residual", "--u", "nan.npy"}, "nan.npy"},
  };
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    lab_suite_expect_refused(cases[n].arguments, cases[n].says, "out.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"02/inplace", &inplace_mixes_old_and_new},
    {"02/inplace", &inplace_is_a_race},
    {"02/inplace", &race_is_shown},
    {"02/inplace", &inplace_keeps_the_rules},
    {"02/inplace", &inplace_has_many_blocks},
    {"02/masked", &masked_by_hand},
    {"02/masked", &masked_sizes},
    {"02/masked", &masked_large},
    {"02/sweep", &sweep_by_hand},
    {"02/sweep", &sweep_all_sizes},
    {"02/sweep", &sweep_ten_times},
    {"02/sweep", &sweep_large},
    {"02/sweep", &sweep_keeps_the_rules},
    {"02/sweep", &sweep_without_race},
    {"02/sweep", &sweep_in_any_order},
    {"02/residual", &residual_sizes},
    {"02/residual", &residual_keeps_the_rules},
    {"02/residual", &residual_large},
    {"02/residual", &residual_again},
    {"02/residual", &residual_of_another_spacing},
    {"02/residual", &residual_fine},
    {"02/residual", &residual_of_zero_rows},
    {"02/residual", &residual_near_the_solution},
    {"02/residual", &residual_checks_each_call},
    {"02/residual", &residual_far},
    {"02/jacobi", &jacobi_sizes},
    {"02/jacobi", &jacobi_large},
    {"02/jacobi", &jacobi_keeps_the_rules},
    {"02/jacobi", &jacobi_without_race},
    {"02/jacobi", &jacobi_far},
    {"02/convergence", &convergence_on_a_square},
    {"02/convergence", &convergence_on_a_rectangle},
    {"02/counters", &counters_of_the_mask},
    {"02/input", &input_is_refused},
    {"02/sectors", &masked_counted},
    {"02/masked_copy", &masked_modelled},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--variant", "masked", "--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
