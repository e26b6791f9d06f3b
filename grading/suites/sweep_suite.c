#include "sweep_suite.h"
#include "allocate.h"
#include "counters.h"
#include "far.h"
#include "judge.h"
#include "judged_grids.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "random.h"
#include "stencil_fit.h"
#include "traffic.h"
#include "wrong_sweeps.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A term goes through five roundings: four sums and the product with ¼. */
enum { ROUNDINGS = 5 };

const int sweep_sizes[][2] = {{3, 3},   {4, 4},    {3, 5},   {5, 3},     {5, 5},
                              {6, 4},   {4, 7},    {17, 33}, {32, 9},    {33, 65},
                              {34, 35}, {100, 37}, {65, 34}, {129, 100}, {128, 64}};
_Static_assert(sizeof sweep_sizes / sizeof *sweep_sizes == SWEEP_SIZES, "one number, written twice");

const char *(*sweep_explain)(const struct sweep_run *, const float *);
const char *sweep_option, *sweep_option_value;

static size_t bytes(struct grid g) { return grid_points(g) * sizeof(float); }

static float *copy(struct grid g, const float *u) {
  return memcpy(allocate_zeroed(grid_points(g), sizeof *u), u, bytes(g));
}

float *sweep_random_field(struct grid g, uint64_t seed) {
  struct random random = random_seed(lab_suite_seed(seed));
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (size_t k = 0; k < grid_points(g); k++)
    do
      u[k] = random_float(&random, -1, 1);
    while (u[k] == 0);
  return u;
}

float *sweep_field(struct grid g, uint64_t seed, enum data data) {
  float *u = sweep_random_field(g, seed);
  data_change(data, seed, grid_points(g), u);
  return u;
}

/* --- runs --- */

static bool has_counters; /* of the last counted run; a real GPU has none */

static float *scaled_rhs(const struct sweep_run *run) {
  float *h2f = allocate_zeroed(grid_points(run->g), sizeof *h2f);
  reference_h2f_float(run->g, run->f, h2f);
  return h2f;
}

static struct npy array_of(struct grid g, const float *values) {
  return (struct npy){NPY_FLOAT32, 2, {(size_t)g.ny, (size_t)g.nx}, (void *)(uintptr_t)values};
}

static void check_inputs(const struct sweep_run *run) {
  float *h2f = scaled_rhs(run);
  const struct npy u = array_of(run->g, run->u), f = array_of(run->g, h2f);
  const struct grid less = judged_fewer_rows(run->g);
  traffic_check_inputs(run->earlier ? 8 : 2,
                       (struct npy[]){u, f, u, f, array_of(less, run->u), array_of(less, h2f), f, u});
  free(h2f);
}

float *sweep_run_program(const struct sweep_run *run) {
  char sweeps[16], number[16];
  snprintf(sweeps, sizeof sweeps, "%d", run->sweeps);
  snprintf(number, sizeof number, "%d", run->fuse ? run->fuse : run->blocks);
  lab_files_write_field("u.npy", run->g, run->u);
  lab_files_write_field("f.npy", run->g, run->f);
  unlink("out.npy");
  const char *const own = run->fuse ? "--fuse" : run->blocks ? "--blocks" : NULL;
  const char *const option = own ? own : sweep_option, *const value = own ? number : sweep_option_value;
  const char *const arguments[] = {"--variant",
                                   run->variant,
                                   "--colour",
                                   run->colour ? run->colour : "both",
                                   "--sweeps",
                                   sweeps,
                                   "--u",
                                   "u.npy",
                                   "--f",
                                   "f.npy",
                                   "--out",
                                   "out.npy",
                                   "--earlier",
                                   run->earlier ? "1" : "0",
                                   option,
                                   value,
                                   own ? sweep_option : NULL,
                                   sweep_option_value,
                                   NULL};
  if (run->counting == SWEEP_MEASURED)
    has_counters = counters_measure(arguments, (double)run->sweeps * (double)grid_points(run->g));
  else if (run->counting == SWEEP_COUNTED)
    has_counters = counters_run(arguments);
  else if (run->counting == SWEEP_PLAIN)
    lab_suite_expect_success(arguments);
  else if (!lab_suite_succeeds(arguments))
    return NULL;
  check_inputs(run);
  return lab_files_read_field("out.npy", run->g);
}

static bool sweeps_colour(const struct sweep_run *run, int colour) {
  return !run->colour || (strcmp(run->colour, "red") == 0) == (colour == GRID_RED);
}

float *sweep_run_reference(const struct sweep_run *run) {
  float *u = copy(run->g, run->u), *h2f = scaled_rhs(run);
  for (int n = 0; n < run->sweeps; n++)
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      if (sweeps_colour(run, colour))
        reference_gs_half_sweep_float(run->g, 0, colour, h2f, u);
  free(h2f);
  return u;
}

/* --- known mistakes --- */

/* The step at k from old and new neighbours: bit n of mask says that neighbour n is new. */
static float mixed_step(size_t nx, size_t k, int mask, float h2f, const float *old, const float *new) {
  const size_t at[4] = {k - 1, k + 1, k - nx, k + nx};
  float sum = 0;
  for (int n = 0; n < 4; n++)
    sum += (mask >> n & 1 ? new : old)[at[n]];
  return (sum + h2f) * 0.25f;
}

static double step_bound(size_t nx, size_t k, float h2f, const float *old, const float *new) {
  const size_t at[4] = {k - 1, k + 1, k - nx, k + nx};
  double terms = fabsf(h2f);
  for (int n = 0; n < 4; n++)
    terms += fmaxf(fabsf(old[at[n]]), fabsf(new[at[n]]));
  return 2 * judge_gamma(ROUNDINGS, FLT_EPSILON) * terms / 4;
}

bool sweep_is_mixture(const struct sweep_run *run, const float *got, size_t *first) {
  const size_t nx = (size_t)run->g.nx;
  float *h2f = scaled_rhs(run);
  bool explained = true;
  for (size_t k = 0; k < grid_points(run->g) && explained; k++) {
    *first = k;
    if (!grid_is_interior(run->g, (int)(k / nx), (int)(k % nx))) {
      explained = got[k] == run->u[k];
      continue;
    }
    const double bound = step_bound(nx, k, h2f[k], run->u, got);
    explained = false;
    for (int mask = 0; mask < 16 && !explained; mask++)
      explained = fabs((double)got[k] - mixed_step(nx, k, mask, h2f[k], run->u, got)) <= bound;
  }
  free(h2f);
  return explained;
}

static bool changed_other_colour(const struct sweep_run *run, const float *got) {
  for (int i = 0; i < run->g.ny; i++)
    for (int j = 0; j < run->g.nx; j++) {
      const size_t k = grid_index(run->g, i, j);
      if (!sweeps_colour(run, grid_colour(i, j)) && got[k] != run->u[k])
        return true;
    }
  return false;
}

/* --- judging --- */

/* Both results are within γ Σ|terms|/4 of the exact step from their own inputs, or where values are subnormal, within
 * the smallest of them for each rounding. A step does not enlarge the difference between these inputs, since its
 * weights add up to 1. */
static double half_sweep_bound(struct grid g, const float *h2f, const float *u) {
  double largest = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
      const double terms =
          fabsf(u[k - 1]) + fabsf(u[k + 1]) + fabsf(u[k - nx]) + fabsf(u[k + nx]) + fabsf(h2f[k]);
      largest = fmax(largest, terms);
    }
  return 2 * judge_gamma(ROUNDINGS, FLT_EPSILON) * largest / 4 + (double)FLT_TRUE_MIN;
}

static double run_bound(const struct sweep_run *run) {
  float *u = copy(run->g, run->u), *h2f = scaled_rhs(run);
  double bound = 0;
  for (int n = 0; n < run->sweeps; n++)
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      if (sweeps_colour(run, colour)) {
        bound += half_sweep_bound(run->g, h2f, u);
        reference_gs_half_sweep_float(run->g, 0, colour, h2f, u);
      }
  free(u);
  free(h2f);
  return bound;
}

static struct judge_truth truth_make(const struct sweep_run *run, const float *expected) {
  struct judge_truth truth = judge_truth_make(run->g);
  const double bound = run_bound(run);
  for (int i = 0; i < run->g.ny; i++)
    for (int j = 0; j < run->g.nx; j++) {
      const size_t k = grid_index(run->g, i, j);
      truth.expected[k] = expected[k];
      truth.bound[k] = grid_is_interior(run->g, i, j) && sweeps_colour(run, grid_colour(i, j)) ? bound : 0;
    }
  return truth;
}

static double *widen(struct grid g, const float *u) {
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = u[k];
  return wide;
}

static bool is_split(const char *variant) {
  return strcmp(variant, "split") == 0 || strcmp(variant, "float4") == 0 || strcmp(variant, "fused") == 0;
}

static bool name_wrong_sweep(const struct sweep_run *run, const double *wide, char *text, size_t size) {
  double *u = widen(run->g, run->u), *f = widen(run->g, run->f);
  const struct wrong_sweeps_run asked = {
      .g = run->g,
      .omega = 1,
      .colour = run->colour,
      .sweeps = run->sweeps,
      .split = is_split(run->variant),
      .epsilon = FLT_EPSILON,
      .u = u,
      .f = f,
  };
  const bool named = wrong_sweeps_name(&asked, wide, text, size);
  free(u);
  free(f);
  return named;
}

/* The factors of a step at points of a colour, -1: of both, from u, of which the other colour may be new. */
static bool name_factors(const struct sweep_run *run, int colour, const double *u, const double *got,
                         char *text, size_t size) {
  float *h2f = scaled_rhs(run);
  double *f = widen(run->g, h2f);
  const struct stencil_fit fit = {run->g, colour, u, f, got, .own = 0, .side = 0.25, .source = 0.25, "h2f"};
  const size_t used = (size_t)snprintf(text, size, "on %d x %d points, the step is a sum of its terms, but ",
                                       run->g.nx, run->g.ny);
  const bool named = used < size && stencil_fit_name(&fit, text + used, size - used);
  const int other = named ? 0 : snprintf(text, size, "on %d x %d points, ", run->g.nx, run->g.ny);
  const bool misread = !named && stencil_fit_name_misread(&fit, text + other, size - (size_t)other) > 0;
  free(f);
  free(h2f);
  return named || misread;
}

static bool name_factors_of_a_sweep(const struct sweep_run *run, const double *got, char *text, size_t size) {
  double *u = widen(run->g, run->u);
  const bool is_jacobi = strcmp(run->variant, "jacobi") == 0, is_black = !sweeps_colour(run, GRID_RED);
  bool named = name_factors(run, is_jacobi ? -1 : is_black ? GRID_BLACK : GRID_RED, u, got, text, size);
  for (size_t k = 0; k < grid_points(run->g); k++)
    if (grid_colour((int)(k / (size_t)run->g.nx), (int)(k % (size_t)run->g.nx)) == GRID_RED)
      u[k] = got[k];
  if (!named && !is_jacobi && !run->colour)
    named = name_factors(run, GRID_BLACK, u, got, text, size);
  free(u);
  return named;
}

enum elsewhere { FAILED, RIGHT, WRONG };

/* What explains the same run on this grid of random values; "": nothing does. */
static enum elsewhere explain_on(struct grid g, const struct sweep_run *run, char *text, size_t size) {
  float *u = sweep_random_field(g, 71), *f = sweep_random_field(g, 72);
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] *= (float)((g.nx - 1) * (g.nx - 1));
  struct sweep_run other = {run->variant, run->colour, g,          1, "random", u, f,
                            SWEEP_TRIED,  run->fuse,   run->blocks};
  float *expected = sweep_run_reference(&other), *got = sweep_run_program(&other);
  const bool is_right = got && memcmp(expected, got, bytes(g)) == 0;
  double *wide = got ? widen(g, got) : NULL;
  text[0] = '\0';
  const bool is_jacobi = strcmp(run->variant, "jacobi") == 0; /* the bank holds sweeps of Gauss-Seidel */
  if (got && !is_right && (is_jacobi || !name_wrong_sweep(&other, wide, text, size)) &&
      !name_factors_of_a_sweep(&other, wide, text, size))
    text[0] = '\0';
  free(wide);
  free(got);
  free(expected);
  free(u);
  free(f);
  return !got ? FAILED : is_right ? RIGHT : WRONG;
}

/* The same on a larger grid, where nothing matches by chance or, if that is right, on one of several warps. */
static enum elsewhere explain_elsewhere(const struct sweep_run *run, char *text, size_t size) {
  const struct grid larger = grid_make(33, 35); /* a row of ny points ends near one of nx */
  const enum elsewhere found = explain_on(larger, run, text, size);
  return found == RIGHT ? explain_on(grid_make(549, 37), run, text, size) : found;
}

/* Of a few points, several mistakes give the same values: text keeps those that explain a larger grid, too. */
static bool is_confirmed(const struct sweep_run *run, char *text, size_t size) {
  enum { SMALL = 9 };
  char other[WRONG_SWEEPS_TEXT], explanation[WRONG_SWEEPS_TEXT];
  if (grid_interior_points(run->g) > SMALL || explain_elsewhere(run, other, sizeof other) != WRONG)
    return true;
  snprintf(explanation, sizeof explanation, "%.*s", (int)strcspn(other, "("), other);
  const bool is_same = other[0] && strstr(text, explanation);
  if (is_same)
    snprintf(text, size, "%s", other);
  return is_same;
}

/* Explains a wrong result: a sentence in text, or NULL. wide: got in double. */
static const char *explain(const struct sweep_run *run, const double *wide, const float *got, char *text,
                           size_t size) {
  size_t ignored;
  const char *own = sweep_explain ? sweep_explain(run, got) : NULL;
  if (own)
    return own;
  if (run->earlier)
    return "without earlier sweeps of other grids and arrays the result is right: does a static variable, or memory that is "
           "kept, hold something of an earlier call?";
  if (strcmp(run->variant, "jacobi") == 0 && memcmp(run->u, got, bytes(run->g)) == 0)
    return "next holds its old values, those of u: nothing was written there: does a thread reach each point, or are u and next exchanged?";
  if (name_wrong_sweep(run, wide, text, size) &&
      (strcmp(run->variant, "jacobi") == 0 || is_confirmed(run, text, size)))
    return text;
  if (changed_other_colour(run, got))
    return "points of the other colour were changed: the colour of a point is (i + j) mod 2";
  if (run->sweeps == 1 && sweep_is_mixture(run, got, &ignored))
    return "each value is computed from a mixture of old and new neighbours: finish one colour before the other begins";
  explain_elsewhere(run, text, size);
  return text[0] ? text : NULL;
}

static void describe(const struct sweep_run *run, char *text, size_t size) {
  char passes[64] = "";
  if (run->earlier)
    snprintf(passes, sizeof passes, " after one with nx and ny exchanged,");
  else if (run->fuse)
    snprintf(passes, sizeof passes, ", %d per launch,", run->fuse);
  else if (run->blocks)
    snprintf(passes, sizeof passes, ", --blocks %d,", run->blocks);
  snprintf(text, size, "%s, nx %d, ny %d, %d %s%s%s%s of u and f %s", run->variant, run->g.nx, run->g.ny,
           run->sweeps, run->colour ? run->colour : "", run->colour ? " half-sweep" : "sweep",
           PLURAL(run->sweeps), passes, run->what);
}

static void remark_other_rounding(const struct sweep_run *run, const float *expected, const float *got) {
  char text[256];
  size_t first = 0;
  const size_t different = judge_count_different(grid_points(run->g), got, expected, &first);
  if (!different)
    return;
  describe(run, text, sizeof text);
  lab_suite_remark(
      "%s: %zu of %zu values %s rounded differently: use the order of operations that the header states, all in float",
      text, different, grid_points(run->g), PLURAL_IS(different));
}

static void judge_rounded(const struct sweep_run *run, const float *expected, const float *got) {
  char text[256], instead[WRONG_SWEEPS_TEXT];
  struct judge_finding finding;
  struct judge_truth truth = truth_make(run, expected);
  double *wide = widen(run->g, got), *before = widen(run->g, run->u);
  truth.before = before;
  if (!judge_field(&truth, wide, &finding)) {
    const char *explanation = explain(run, wide, got, instead, sizeof instead);
    describe(run, text, sizeof text);
    ck_abort_msg("%s: %s\n%s%s", text, finding.where, explanation ? explanation : finding.kind,
                 finding.picture);
  }
  judge_truth_free(&truth);
  free(wide);
  free(before);
}

void sweep_judge(const struct sweep_run *run, const float *expected, const float *got) {
  judge_rounded(run, expected, got);
  remark_other_rounding(run, expected, got);
}

void sweep_check(const struct sweep_run *run) {
  float *expected = sweep_run_reference(run), *got = sweep_run_program(run);
  if (memcmp(expected, got, bytes(run->g)) != 0)
    sweep_judge(run, expected, got);
  free(expected);
  free(got);
}

/* Whether all wrong values are those from before the run. */
static bool is_kept(const struct sweep_run *run, const float *expected, const float *got) {
  bool kept = true;
  for (size_t k = 0; k < grid_points(run->g); k++)
    kept = kept && (got[k] == expected[k] || got[k] == run->u[k]);
  return kept;
}

/* Explains bits that differ within the rounding. */
static const char *explain_bits(const struct sweep_run *run, const float *expected, const float *got) {
  const char *own = sweep_explain ? sweep_explain(run, got) : NULL;
  if (!own && is_kept(run, expected, got))
    return "these values are those from before the run: is a small change left out? Every interior point gets its new "
           "value";
  return own ? own : "use the order of operations that the header states";
}

/* Whether values differ by no more than roundings of subnormal values do. There, an order of operations that is right
 * for all others may be rounded once more. */
static bool is_right_above_subnormals(const struct sweep_run *run, const float *expected, const float *got) {
  const double most = 2 * run->sweeps * (double)FLT_TRUE_MIN;
  for (size_t k = 0; k < grid_points(run->g); k++)
    if (!(fabs((double)expected[k] - (double)got[k]) <= most) ||
        (expected[k] == 0) != (got[k] == 0 && signbit(got[k]) == signbit(expected[k])))
      return false;
  return true;
}

void sweep_check_bits(const struct sweep_run *run) {
  char text[256];
  size_t k = 0;
  float *expected = sweep_run_reference(run), *got = sweep_run_program(run);
  const size_t different = judge_count_different(grid_points(run->g), got, expected, &k);
  if (different && is_right_above_subnormals(run, expected, got)) {
    describe(run, text, sizeof text);
    lab_suite_remark(
        "%s: %zu of %zu values differ, by less than 1e-43: in the order of operations that the header states, "
        "subnormal values have the same bits, too",
        text, different, grid_points(run->g));
  } else if (different) {
    judge_rounded(run, expected, got);
    describe(run, text, sizeof text);
    ck_abort_msg(
        "%s: %zu of %zu values do not match bit for bit\nfirst at (i, j) = (%zu, %zu): expected %.9g, "
        "got %.9g\n%s",
        text, different, grid_points(run->g), k / (size_t)run->g.nx, k % (size_t)run->g.nx, expected[k],
        got[k], explain_bits(run, expected, got));
  }
  free(expected);
  free(got);
}

void sweep_check_random(struct sweep_run run) {
  float *u = sweep_field(run.g, 7, run.data), *f = sweep_field(run.g, 8, run.data);
  for (size_t k = 0; k < grid_points(run.g); k++)
    f[k] *= (float)((run.g.nx - 1) * (run.g.nx - 1));
  run.what = data_words(run.data), run.u = u, run.f = f;
  sweep_check(&run);
  free(u);
  free(f);
}

static void check_random(const char *variant, const char *colour, struct grid g, int sweeps,
                         enum sweep_counting counting) {
  sweep_check_random((struct sweep_run){variant, colour, g, sweeps, .counting = counting});
}

/* A function may keep nothing that depends on the arguments of an earlier call. */
static void check_after_another_grid(const char *variant, const char *colour) {
  sweep_check_random((struct sweep_run){variant, colour, grid_make(67, 41), 1, .earlier = true});
}

static void check_size(const char *variant, const char *colour, int s) {
  const struct grid g = grid_make(sweep_sizes[s][0], sweep_sizes[s][1]);
  sweep_check_random((struct sweep_run){variant, colour, g, 1, .data = data_of(s)});
}

void sweep_check_sizes(const char *variant) {
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_size(variant, NULL, s);
  check_after_another_grid(variant, NULL);
}

void sweep_check_half_sweeps(const char *variant) {
  for (int s = 0; s < SWEEP_SIZES; s++)
    check_size(variant, s / 2 % 2 ? "black" : "red", s);
  check_after_another_grid(variant, "red");
}

/* nx 1000 is known: it was the size of a former counted run. */
void sweep_check_large(const char *variant) {
  check_random(variant, NULL, lab_suite_middle_grid(41, true), 2, SWEEP_PLAIN);
  check_random(variant, NULL, lab_suite_tall_grid(43), 1, SWEEP_PLAIN);
  check_random(variant, NULL, lab_suite_wide_grid(44), 1, SWEEP_PLAIN);
  check_random(variant, NULL, grid_make(1000, 60), 1, SWEEP_PLAIN);
}

void sweep_check_large_half_sweeps(const char *variant, const struct rules *rules) {
  for (int odd = 0; odd < 2; odd++) {
    const struct grid g = lab_suite_middle_grid(42, odd);
    check_random(variant, odd ? "black" : "red", g, (int)rules->calls, SWEEP_COUNTED);
    if (has_counters) /* other items judge what it does beside */
      rules_check_waits(rules, &(struct rules_frame){.waits = 1});
  }
  check_random(variant, "black", lab_suite_large_grid(41, true), 1, SWEEP_PLAIN);
  check_random(variant, "black", lab_suite_tall_grid(43), 1, SWEEP_PLAIN);
  check_random(variant, "red", lab_suite_wide_grid(44), 1, SWEEP_PLAIN);
  check_random(variant, "red", grid_make(1000, 60), 1, SWEEP_PLAIN);
}

void sweep_check_far(const char *variant, const char *function) {
  far_check(function, (const char *[]){"--variant", variant, "--colour", "red", NULL}, NPY_FLOAT32, FAR_RED);
}

/* sweeps.c sends u and h2f, and waits for the copy of u. It allocates and frees two or
 * three arrays; lab 02 copies u to the third. */
void sweep_expect_rules(const struct sweep_run *run, const struct rules *rules) {
  const double bytes = (double)grid_points(run->g) * sizeof(float);
  if (has_counters)
    rules_check(rules,
                &(struct rules_frame){.waits = 1,
                                      .bytes_to_host = bytes,
                                      .bytes_to_device = 2 * bytes,
                                      .bytes_on_device = strcmp(run->variant, "jacobi") == 0 ? bytes : 0,
                                      .memory_calls = 6});
}

const char *sweep_advice_on_atomics(void) {
  const double requests = counters_sum("", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") +
                          counters_sum("", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
  return requests > 0
             ? "\nkernels use atomic operations, which are not counted as stores: one thread updates each point, "
               "so a plain store is enough"
             : "";
}

void sweep_expect_stores(const struct sweep_run *run, const char *function) {
  long points = 0;
  for (int i = 1; i < run->g.ny - 1; i++)
    for (int j = 1; j < run->g.nx - 1; j++)
      points += sweeps_colour(run, grid_colour(i, j));
  if (!has_counters)
    return;
  const double stores = counters_sum("", "smsp__sass_data_bytes_mem_global_op_st.sum") / sizeof(float);
  const double expected = (double)points * run->sweeps;
  if (stores < expected || stores > expected)
    ck_abort_msg("%s, nx %d, ny %d: %.0f value%s stored in %d call%s: expected %.0f, one per interior point: "
                 "all other values are left untouched%s",
                 function, run->g.nx, run->g.ny, stores, stores == 1 ? " is" : "s are", run->sweeps,
                 PLURAL(run->sweeps), expected, sweep_advice_on_atomics());
}

static void check_launch_error(const char *variant, const char *colour, const char *function) {
  rules_check_launch_error(
      function, 1,
      (const char *[]){"--variant", variant, "--colour", colour ? colour : "both", "--nx", "9", NULL});
}

static void check_rules_on(const char *variant, const char *colour, struct grid g,
                           const struct rules *rules) {
  float *u = sweep_random_field(g, 51), *f = sweep_random_field(g, 52);
  const struct sweep_run run = {variant, colour, g, (int)rules->calls, "random", u, f, SWEEP_COUNTED};
  sweep_check(&run);
  if (has_counters && rules_need_more_calls(rules)) {
    struct rules many = *rules;
    many.calls = RULES_MANY_CALLS;
    check_rules_on(variant, colour, g, &many);
  } else {
    sweep_expect_rules(&run, rules);
    sweep_expect_stores(&run, rules->function);
  }
  free(u);
  free(f);
}

/* Both parities of nx and ny, with one colour each. */
void sweep_check_rules(const char *variant, const char *colour, const struct rules *rules) {
  check_rules_on(variant, colour, grid_make(67, 41), rules);
  check_rules_on(variant,
                 !colour                      ? NULL
                 : strcmp(colour, "red") == 0 ? "black"
                                              : "red",
                 grid_make(68, 40), rules);
  check_launch_error(variant, colour, rules->function);
  rules_check_heap((const char *[]){"--variant", variant, "--nx", "9", "--sweeps", "18", "--heap", NULL});
}

struct grid sweep_aligned_grid(uint64_t purpose) {
  const struct grid g = lab_suite_large_grid(purpose, false);
  return grid_make(g.nx / 8 * 8, g.ny);
}

bool sweep_measure(const char *variant, const struct rules *rules, struct grid g, int sweeps) {
  check_random(variant, NULL, g, sweeps, SWEEP_MEASURED);
  sweep_expect_rules(&(struct sweep_run){.variant = variant, .g = g}, rules);
  return has_counters;
}

bool sweep_measure_memory(const char *variant, const struct rules *rules) {
  const struct grid odd = lab_suite_middle_grid(47, true), g = grid_make(4096, 1027);
  lab_checks_stop();
  check_random(variant, NULL, odd, 1, SWEEP_COUNTED);
  const double per_point = has_counters ? counters_longest_launch() / (double)grid_points(odd) : 0;
  if (!sweep_measure(variant, rules, g, 1))
    return false;
  counters_check_spills(rules->function);
  counters_check_odd(rules->function, odd, per_point, counters_longest_launch() / (double)grid_points(g));
  return true;
}

void sweep_check_orders(const char *variant) {
  static const char *const orders[][2] = {{"SIMGPU_THREADS", "1"},
                                          {"SIMGPU_THREADS", "3"},
                                          {"SIMGPU_ORDER", "reverse"},
                                          {"SIMGPU_ORDER", "random:3"},
                                          {"SIMGPU_ORDER", "random:17"}};
  const struct grid g = grid_make(129, 100);
  float *u = sweep_random_field(g, 31), *f = sweep_random_field(g, 32);
  const struct sweep_run run = {variant, NULL, g, 3, "random", u, f};
  float *first = sweep_run_program(&run);
  for (size_t n = 0; n < sizeof orders / sizeof *orders; n++) {
    size_t k = 0;
    setenv(orders[n][0], orders[n][1], 1);
    float *got = sweep_run_program(&run);
    unsetenv(orders[n][0]);
    const size_t different = judge_count_different(grid_points(g), got, first, &k);
    if (different)
      ck_abort_msg(
          "%s, nx %d, ny %d: with %s=%s, %zu of %zu values change: the result depends on the order of the blocks\n"
          "first at (i, j) = (%zu, %zu): %.9g and %.9g\nwithin a launch, no thread may read an element that another thread writes",
          variant, g.nx, g.ny, orders[n][0], orders[n][1], different, grid_points(g), k / (size_t)g.nx,
          k % (size_t)g.nx, first[k], got[k]);
    free(got);
  }
  free(first);
  free(u);
  free(f);
}

void sweep_check_by_hand(const char *variant, const char *colour) {
  static const float u[16] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0};
  static const float f[16] = {0, 0, 0, 0, 0, 36, 72, 0, 0, 108, 144, 0, 0, 0, 0, 0};
  const struct sweep_run run = {variant, colour, grid_make(4, 4), 1, "1 2 / 3 4, 36 72 / 108 144", u, f};
  float expected[16], *got = sweep_run_program(&run);
  memcpy(expected, u, sizeof u);
  if (sweeps_colour(&run, GRID_RED))
    expected[5] = 2.25f, expected[10] = 5.25f;
  if (sweeps_colour(&run, GRID_BLACK))
    expected[6] = run.colour ? 3.25f : 3.875f, expected[9] = run.colour ? 4.25f : 4.875f;
  sweep_judge(&run, expected, got);
  free(got);
}

/* --- bad input --- */

void sweep_check_bad_inputs(const char *variant) {
  const struct {
    const char *arguments[8], *says;
  } cases[] = {
      {{"--variant", "no-such", "--out", "out.npy"}, "--variant no-such"},
      {{"--swweeps", "3", "--out", "out.npy"}, "did you mean --sweeps"},
      {{"tabel"}, "did you mean table"},
      {{"--variant", variant, "--sweeps", "-1", "--out", "out.npy"}, "--sweeps -1"},
      {{"--variant", variant, "--sweeps", "1e3", "--out", "out.npy"}, "--sweeps 1e3"},
      {{"--variant", variant, "--colour", "green", "--out", "out.npy"}, "--colour green"},
      {{"--variant", variant, "--nx", "2", "--out", "out.npy"}, "--nx 2"},
      {{"--variant", variant, "--ny", "40000", "--out", "out.npy"}, "--ny 40000"},
      {{"--variant", variant, "--u", "missing.npy", "--out", "out.npy"}, "missing.npy"},
      {{"--variant", variant, "--u", "text.npy", "--out", "out.npy"}, "text.npy"},
      {{"--variant", variant, "--f", "whole.npy", "--out", "out.npy"}, "whole.npy"},
      {{"--variant", variant, "--f", "nan.npy", "--out", "out.npy"}, "nan.npy"},
      {{"--variant", variant, "--u", "flat.npy", "--out", "out.npy"}, "ny = 2"},
      {{"--u", "zero.npy", "--f", "other.npy", "--out", "out.npy"}, "other.npy: nx = 5, but zero.npy has 4"},
      {{"--u", "zero.npy", "--nx", "9", "--out", "out.npy"}, "--nx 9"},
      {{"--u", "zero.npy", "--out", "no/such/out.npy"}, "no/such/out.npy"},
      {{"table", "--sizes", "500,2", "--csv", "out.npy"}, "--sizes 500,2"},
      {{"table", "--sizes", "", "--csv", "out.npy"}, "--sizes"},
      {{"table", "--sizes", "5", "--csv", "no/such/out.npy"}, "no/such/out.npy"},
      {{"table", "--repeats", "0", "--csv", "out.npy"}, "--repeats 0"},
  };
  static const float other[20];
  lab_files_write_bad_inputs();
  lab_files_write("other.npy", NPY_FLOAT32, 4, 5, other);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    lab_suite_expect_refused(cases[n].arguments, cases[n].says, "out.npy");
}
