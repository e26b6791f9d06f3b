/* Lab 01: runs a stencil program (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "data.h"
#include "error.h"
#include "error_checks.h"
#include "far.h"
#include "heap.h"
#include "judge.h"
#include "judged_grids.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "plural.h"
#include "problem.h"
#include "random.h"
#include "reference.h"
#include "rules.h"
#include "stencil_fit.h"
#include "traffic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A term of A u goes through seven roundings: inv_h2, the product with it, four sums, the sum with kappa2·u. */
enum { ROUNDINGS = 7 };

/* nx, ny: smallest, hand-worked, odd, rectangular; whole blocks or tiles, one thread more or less; each remainder of
 * ny modulo 8. */
static const int sizes[][2] = {{3, 3},     {3, 5},     {5, 3},    {4, 4},   {17, 33},
                               {33, 65},   {34, 37},   {100, 37}, {35, 11}, {128, 64},
                               {129, 130}, {258, 140}, {64, 48},  {96, 31}, {66, 14}};
enum { SIZES = sizeof sizes / sizeof *sizes };

enum { CALLS = 4, MOST_CALLS = 2 * RULES_MANY_CALLS };

/* Whether the run's counters are kept (counters_run), or measured for a counter item. A tried run may fail. */
enum counting { PLAIN, COUNTED, MEASURED, TRIED };

/* One run of the program on u. */
struct run {
  const char *variant;
  struct grid g;
  double kappa;
  const char *what; /* u, in words */
  const float *u;
  enum counting counting;
  int calls;     /* of the function, at most MOST_CALLS; 0: one */
  bool heap;     /* whether the program looks at memory of the host */
  double inv_h2; /* 1/h² that the function gets; 0: that of the grid */
};

static struct run run_make(const char *variant, const int *size, double kappa, const char *what,
                           const float *u) {
  return (struct run){variant, grid_make(size[0], size[1]), kappa, what, u, PLAIN, 1};
}

static bool has_counters; /* of the last counted run; a real GPU has none */

static bool launch(const struct run *run, const char *const *arguments) {
  if (run->counting == TRIED)
    return lab_suite_succeeds(arguments);
  if (run->counting == MEASURED)
    has_counters = counters_measure(arguments, (double)grid_points(run->g));
  else if (run->counting == COUNTED)
    has_counters = counters_run(arguments);
  else
    lab_suite_expect_success(arguments);
  return true;
}

/* f = A u by the program; the caller frees it with npy_free. float32, or float64 for csr. Without data if a
 * tried run fails. */
static struct npy apply(const struct run *run) {
  char kappa[32], calls[16], inv_h2[32];
  snprintf(inv_h2, sizeof inv_h2, "%.17g", run->inv_h2);
  snprintf(kappa, sizeof kappa, "%.17g", run->kappa);
  snprintf(calls, sizeof calls, "%d", run->calls ? run->calls : 1);
  lab_files_write_field("u.npy", run->g, run->u);
  unlink("f.npy");
  const char *const arguments[] = {"--variant",
                                   run->variant,
                                   "--kappa",
                                   kappa,
                                   "--u",
                                   "u.npy",
                                   "--out",
                                   "f.npy",
                                   "--calls",
                                   calls,
                                   "--inv-h2",
                                   inv_h2,
                                   run->heap ? "--heap" : NULL,
                                   NULL};
  if (!launch(run, arguments))
    return (struct npy){0};
  const size_t rows = (size_t)run->g.ny, columns = (size_t)run->g.nx;
  if (strcmp(run->variant, "csr") == 0)
    return lab_files_read_of_host("f.npy", NPY_FLOAT64, rows, columns);
  const struct npy u = {NPY_FLOAT32, 2, {rows, columns}, (void *)(uintptr_t)run->u};
  const int sent = strcmp(run->variant, "host") == 0 && run->calls > 1 ? run->calls : 1;
  struct npy inputs[MOST_CALLS];
  for (int n = 0; n < sent; n++)
    inputs[n] = u;
  if (sent > 2)
    inputs[1].shape[0] = (size_t)judged_fewer_rows(run->g).ny;
  traffic_check_inputs(sent, inputs);
  return lab_files_read("f.npy", NPY_FLOAT32, rows, columns);
}

static double *widen(size_t count, const float *values) {
  double *wide = allocate_zeroed(count, sizeof *wide);
  for (size_t k = 0; k < count; k++)
    wide[k] = values[k];
  return wide;
}

/* γ times the sum of the magnitudes of the terms of A u; the boundary must be exact. */
static void set_bound(const struct run *run, double epsilon, const double *u, double *bound) {
  const struct grid g = run->g;
  const double inv_h2 = 1 / (g.h * g.h), gamma = judge_gamma(ROUNDINGS, epsilon);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
      const double neighbours = fabs(u[k - 1]) + fabs(u[k + 1]) + fabs(u[k - nx]) + fabs(u[k + nx]);
      bound[k] = gamma * ((4 * fabs(u[k]) + neighbours) * inv_h2 + run->kappa * run->kappa * fabs(u[k]));
    }
}

static struct judge_truth truth_by_reference(const struct run *run, double epsilon) {
  struct judge_truth truth = judge_truth_make(run->g);
  double *u = widen(grid_points(run->g), run->u);
  reference_apply(run->g, run->kappa, u, truth.expected);
  set_bound(run, epsilon, u, truth.bound);
  free(u);
  return truth;
}

/* --- inputs --- */

enum boundary { ZERO_BOUNDARY, RANDOM_BOUNDARY };

static float *random_field(struct grid g, uint64_t seed, enum boundary boundary) {
  struct random random = random_seed(lab_suite_seed(seed));
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (boundary == RANDOM_BOUNDARY || grid_is_interior(g, i, j))
        u[grid_index(g, i, j)] = random_float(&random, -1, 1);
  return u;
}

/* apply_tiled expects zeros on the boundary. */
static enum boundary boundary_of(const char *variant) {
  return strcmp(variant, "tiled") == 0 ? ZERO_BOUNDARY : RANDOM_BOUNDARY;
}

/* The value of a point in an array of float or double. */
static double value_at(const struct npy *array, size_t k) {
  return array->type == NPY_FLOAT32 ? (double)((const float *)array->data)[k]
                                    : ((const double *)array->data)[k];
}

/* --- known mistakes --- */

static void scale_interior(struct grid g, double factor, double *f) {
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      f[grid_index(g, i, j)] *= factor;
}

static void apply_without_h(const struct run *run, const double *u, double *f) {
  reference_apply(run->g, 0, u, f);
  scale_interior(run->g, run->g.h * run->g.h, f);
  for (size_t k = 0; k < grid_points(run->g); k++)
    f[k] += grid_is_interior(run->g, (int)(k / (size_t)run->g.nx), (int)(k % (size_t)run->g.nx))
                ? run->kappa * run->kappa * u[k]
                : 0;
}
static void apply_negated(const struct run *run, const double *u, double *f) {
  reference_apply(run->g, run->kappa, u, f);
  scale_interior(run->g, -1, f);
}
static void apply_without_kappa(const struct run *run, const double *u, double *f) {
  reference_apply(run->g, 0, u, f);
}
static void apply_kappa_not_squared(const struct run *run, const double *u, double *f) {
  reference_apply(run->g, sqrt(run->kappa), u, f);
}
static void apply_kappa_to_the_fourth(const struct run *run, const double *u, double *f) {
  reference_apply(run->g, run->kappa * run->kappa, u, f);
}
/* The term with kappa is multiplied by factor at interior points, and added on the boundary if is_everywhere. */
static void apply_other_kappa(const struct run *run, double factor, bool is_everywhere, const double *u,
                              double *f) {
  const double kappa2 = run->kappa * run->kappa;
  reference_apply(run->g, 0, u, f);
  for (int i = 0; i < run->g.ny; i++)
    for (int j = 0; j < run->g.nx; j++) {
      const size_t k = grid_index(run->g, i, j);
      if (grid_is_interior(run->g, i, j))
        f[k] += factor * kappa2 * u[k];
      else if (is_everywhere)
        f[k] += kappa2 * u[k];
    }
}
static void apply_minus_kappa(const struct run *run, const double *u, double *f) {
  apply_other_kappa(run, -1, false, u, f);
}
static void apply_kappa_by_h2(const struct run *run, const double *u, double *f) {
  apply_other_kappa(run, 1 / (run->g.h * run->g.h), false, u, f);
}
static void apply_kappa_everywhere(const struct run *run, const double *u, double *f) {
  apply_other_kappa(run, 1, true, u, f);
}
static void apply_kappa_without_u(const struct run *run, const double *u, double *f) {
  reference_apply(run->g, 0, u, f);
  for (size_t k = 0; k < grid_points(run->g); k++)
    if (grid_is_interior(run->g, (int)(k / (size_t)run->g.nx), (int)(k % (size_t)run->g.nx)))
      f[k] += run->kappa * run->kappa;
}
/* On the boundary u is that of the nearest interior point. */
static void apply_clamped(const struct run *run, const double *u, double *f) {
  const struct grid g = run->g;
  double *clamped = allocate_zeroed(grid_points(g), sizeof *clamped);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const int row = i < 1          ? 1
                      : i > g.ny - 2 ? g.ny - 2
                                     : i,
                column = j < 1          ? 1
                         : j > g.nx - 2 ? g.nx - 2
                                        : j;
      clamped[grid_index(g, i, j)] = u[grid_index(g, row, column)];
    }
  reference_apply(g, run->kappa, clamped, f);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j))
        f[grid_index(g, i, j)] = u[grid_index(g, i, j)];
  free(clamped);
}
static void apply_h_of_ny(const struct run *run, const double *u, double *f) {
  const double intervals = (double)(run->g.ny - 1) / (run->g.nx - 1);
  apply_other_kappa(run, 0, false, u, f);
  scale_interior(run->g, intervals * intervals, f);
  for (size_t k = 0; k < grid_points(run->g); k++)
    if (grid_is_interior(run->g, (int)(k / (size_t)run->g.nx), (int)(k % (size_t)run->g.nx)))
      f[k] += run->kappa * run->kappa * u[k];
}
/* The launch exchanges inv_h2 and kappa2. */
static void apply_factors_exchanged(const struct run *run, const double *u, double *f) {
  const double inv_h2 = 1 / (run->g.h * run->g.h), kappa2 = run->kappa * run->kappa;
  reference_apply(run->g, 0, u, f);
  scale_interior(run->g, kappa2 / inv_h2, f);
  for (size_t k = 0; k < grid_points(run->g); k++)
    if (grid_is_interior(run->g, (int)(k / (size_t)run->g.nx), (int)(k % (size_t)run->g.nx)))
      f[k] += inv_h2 * u[k];
}
/* Place n of the memory of a grid's points, or of the interior ones alone. */
static size_t place_in(struct grid g, bool is_interior, size_t n) {
  const size_t width = (size_t)g.nx - 2;
  return is_interior ? grid_index(g, (int)(n / width) + 1, (int)(n % width) + 1) : n;
}
/* The launch exchanges nx and ny: the same memory is a grid of nx rows. The spacing stays. */
static void apply_sides_exchanged(const struct run *run, const double *u_of_rows, double *f_of_rows) {
  const bool is_interior = boundary_of(run->variant) == ZERO_BOUNDARY;
  const size_t points = grid_points(run->g), count = is_interior ? grid_interior_points(run->g) : points;
  double *u = allocate_zeroed(points, sizeof *u), *f = allocate_zeroed(points, sizeof *f);
  const struct grid g = grid_make(run->g.ny, run->g.nx);
  for (size_t n = 0; n < count; n++)
    u[place_in(g, is_interior, n)] = u_of_rows[place_in(run->g, is_interior, n)];
  reference_apply(g, 0, u, f);
  scale_interior(g, g.h * g.h / (run->g.h * run->g.h), f);
  for (size_t k = 0; k < grid_points(g); k++)
    if (grid_is_interior(g, (int)(k / (size_t)g.nx), (int)(k % (size_t)g.nx)))
      f[k] += run->kappa * run->kappa * u[k];
  for (size_t n = 0; n < count; n++)
    f_of_rows[place_in(run->g, is_interior, n)] = f[place_in(g, is_interior, n)];
  free(u);
  free(f);
}
static void apply_identity(const struct run *run, const double *u, double *f) {
  memcpy(f, u, grid_points(run->g) * sizeof *f);
}

static const struct {
  void (*apply)(const struct run *, const double *, double *);
  const char *explanation;
} misconceptions[] = {
    {apply_without_h, "it equals A u without the factor 1/h²"},
    {apply_negated, "it equals −A u: the sign is wrong"},
    {apply_h_of_ny, "it equals A u with 1/h² = (ny − 1)²: the argument inv_h2 is 1/h²"},
    {apply_without_kappa, "it equals A u without the term κ²u"},
    {apply_kappa_not_squared, "it equals A u with κ instead of κ²"},
    {apply_kappa_to_the_fourth, "it equals A u with κ⁴ instead of κ²: the argument kappa2 is κ² already"},
    {apply_kappa_without_u, "it equals A u with κ² instead of κ²u: the factor u is missing"},
    {apply_minus_kappa, "it equals A u with −κ²u instead of +κ²u"},
    {apply_kappa_by_h2,
     "it equals A u with κ²u/h² instead of κ²u: the factor 1/h² belongs to the differences alone"},
    {apply_kappa_everywhere,
     "it equals A u, but with κ²u added on the boundary, too, where A is the identity"},
    {apply_identity, "it equals u: the operator was not applied"},
    {apply_factors_exchanged,
     "it equals inv_h2·u instead of κ²u, and κ² times the differences: are inv_h2 and kappa2 exchanged in a call?"},
    {apply_sides_exchanged,
     "it equals A u of a grid with nx rows of ny points: are nx and ny exchanged in a call?"},
    {apply_clamped,
     "it equals A u with the nearest unknown in place of a neighbour on the boundary, which is 0"},
};

/* The misconception that explains got, or NULL. */
static const char *name_misconception(const struct run *run, const double *got) {
  const char *explanation = NULL;
  struct judge_finding ignored;
  struct judge_truth wrong = truth_by_reference(run, FLT_EPSILON); /* its bound applies to all of them */
  double *u = widen(grid_points(run->g), run->u);
  const double kappa2 = run->kappa * run->kappa;
  double largest = 0;
  for (size_t k = 0; k < grid_points(run->g); k++)
    largest = fmax(largest, wrong.bound[k]);
  for (size_t k = 0; k < grid_points(run->g); k++) /* some of them compute the boundary */
    wrong.bound[k] = fmax(largest, judge_gamma(ROUNDINGS, FLT_EPSILON) * (1 + kappa2) * fabs(u[k]));
  for (size_t m = 0; m < sizeof misconceptions / sizeof *misconceptions && !explanation; m++) {
    misconceptions[m].apply(run, u, wrong.expected);
    if (judge_field(&wrong, got, &ignored))
      explanation = misconceptions[m].explanation;
  }
  free(u);
  judge_truth_free(&wrong);
  return explanation;
}

/* The wrong factors of A u, on a larger grid of random values, or NULL. */
static const char *name_factors(const struct run *run) {
  enum { NX = 33, NY = 35 }; /* a row of ny points ends near one of nx */
  static char text[512];
  const struct grid g = grid_make(NX, NY);
  const double h2 = g.h * g.h;
  float *u = random_field(g, 15, boundary_of(run->variant));
  const struct run other = {run->variant, g, run->kappa, "random", u, TRIED, 1};
  struct npy f = apply(&other);
  double *wide = widen(grid_points(g), u), *got = allocate_zeroed(grid_points(g), sizeof *got);
  for (size_t k = 0; f.data && k < grid_points(g); k++)
    got[k] = h2 * value_at(&f, k);
  const struct stencil_fit fit = {g, -1, wide, NULL, got, 4 + run->kappa * run->kappa * h2, -1, 0, ""};
  const size_t used =
      (size_t)snprintf(text, sizeof text,
                       "on %d x %d points it equals a sum over the neighbours, divided by h², but ", NX, NY);
  const bool named = f.data && stencil_fit_name(&fit, text + used, sizeof text - used);
  npy_free(&f);
  free(u);
  free(wide);
  free(got);
  return named ? text : NULL;
}

/* The rows of u that a row of a result comes from: those of the north, the centre and the south. */
enum { NORTH, CENTRE, SOUTH, READ_ROWS };
static const char *const row_names[READ_ROWS] = {"north", "centre", "south"};

/* Whether row i of h²·f is A u of these rows. A value has nine terms of at most 1. */
static bool is_of_rows(const struct stencil_fit *fit, int i, const int rows[READ_ROWS]) {
  const struct grid g = fit->g;
  const double *north = fit->u + grid_index(g, rows[NORTH], 0),
               *centre = fit->u + grid_index(g, rows[CENTRE], 0),
               *south = fit->u + grid_index(g, rows[SOUTH], 0), *got = fit->got + grid_index(g, i, 0);
  const double bound = judge_gamma(ROUNDINGS, FLT_EPSILON) * (fit->own + 4);
  bool equal = true;
  for (int j = 1; j < g.nx - 1 && equal; j++)
    equal =
        fabs(fit->own * centre[j] - centre[j - 1] - centre[j + 1] - north[j] - south[j] - got[j]) <= bound;
  return equal;
}

static bool find_rows(const struct stencil_fit *fit, int i, int rows[READ_ROWS]) {
  const int ny = fit->g.ny;
  for (rows[CENTRE] = 0; rows[CENTRE] < ny; rows[CENTRE]++)
    for (rows[NORTH] = 0; rows[NORTH] < ny; rows[NORTH]++)
      for (rows[SOUTH] = 0; rows[SOUTH] < ny; rows[SOUTH]++)
        if (is_of_rows(fit, i, rows))
          return true;
  return false;
}

/* "its centre from row 0 of u instead of row 4" */
static size_t name_rows(int i, const int rows[READ_ROWS], char *text, size_t size) {
  size_t used = 0;
  for (int n = 0; n < READ_ROWS; n++)
    if (rows[n] != i + n - CENTRE)
      used += (size_t)snprintf(text + used, size - used, "%s its %s from row %d of u instead of row %d",
                               used ? " and" : "", row_names[n], rows[n], i + n - CENTRE);
  return used;
}

/* Rows that come from other rows of u, as in a march whose rows do not move on. fit: of h²·f. explained: so many wrong
 * values have a better explanation. */
static bool name_march(const struct stencil_fit *fit, size_t explained, char *text, size_t size) {
  const struct grid g = fit->g;
  int first = 0, count = 0, wrong = 0, first_rows[READ_ROWS] = {0};
  for (int i = 1; i < g.ny - 1; i++) {
    int rows[READ_ROWS] = {i - 1, i, i + 1};
    if (is_of_rows(fit, i, rows))
      continue;
    wrong++;
    if (find_rows(fit, i, rows) && count++ == 0) {
      first = i;
      memcpy(first_rows, rows, sizeof rows);
    }
  }
  if (count < 2 || 10 * count < wrong || 10 * explained >= 9 * (size_t)count * (size_t)(g.nx - 2))
    return false;
  size_t used = (size_t)snprintf(text, size, "row %d of f takes", first);
  used += name_rows(first, first_rows, text + used, size - used);
  snprintf(
      text + used, size - used,
      ", and %d of %d wrong rows are of this kind: do all rows of a thread move on with each step of its march?",
      count, wrong);
  return true;
}

/* What the wrong values read instead, on a grid of several warps, or NULL. */
static const char *name_misread(const struct run *run) {
  enum { NX = 261, NY = 37 };
  static char text[512];
  const struct grid g = grid_make(NX, NY);
  float *u = random_field(g, 16, boundary_of(run->variant));
  const struct run other = {run->variant, g, run->kappa, "random", u, TRIED, 1};
  struct npy f = apply(&other);
  double *wide = widen(grid_points(g), u), *got = allocate_zeroed(grid_points(g), sizeof *got);
  for (size_t k = 0; f.data && k < grid_points(g); k++)
    got[k] = g.h * g.h * value_at(&f, k);
  const struct stencil_fit fit = {g, -1, wide, NULL, got, 4 + run->kappa * run->kappa * g.h * g.h, -1, 0, ""};
  const size_t used = (size_t)snprintf(text, sizeof text, "on %d x %d points, ", NX, NY);
  const size_t explained = f.data ? stencil_fit_name_misread(&fit, text + used, sizeof text - used) : 0;
  const bool is_march = f.data && strcmp(run->variant, "marching") == 0 &&
                        name_march(&fit, explained, text + used, sizeof text - used);
  npy_free(&f);
  free(u);
  free(wide);
  free(got);
  return explained || is_march ? text : NULL;
}

/* Whether the boundary alone is wrong, and was written. */
static bool is_boundary_alone(const struct run *run, const struct judge_truth *truth, const double *got) {
  bool alone = true;
  for (size_t k = 0; k < grid_points(run->g) && alone; k++) {
    const bool is_interior =
        grid_is_interior(run->g, (int)(k / (size_t)run->g.nx), (int)(k % (size_t)run->g.nx));
    alone = !isnan(got[k]) && (!is_interior || fabs(got[k] - truth->expected[k]) <= truth->bound[k]);
  }
  return alone;
}

static const char *explain(const struct run *run, const struct judge_truth *truth, const double *got) {
  const char *explanation = name_misconception(run, got);
  const bool is_alone = !explanation && is_boundary_alone(run, truth, got);
  if (!explanation && !is_alone)
    explanation = name_factors(run);
  explanation = explanation ? explanation : name_misread(run); /* a small interior may be right by chance */
  if (!explanation && is_alone)
    return "interior points are right: on the boundary A is the identity, so f = u there";
  return explanation;
}

/* --- judging --- */

static void judge(const struct run *run, const struct judge_truth *truth, const double *got) {
  struct judge_finding finding;
  if (judge_field(truth, got, &finding))
    return;
  const char *explanation = explain(run, truth, got);
  ck_abort_msg("%s, nx %d, ny %d, kappa %g, u %s: %s\n%s%s", run->variant, run->g.nx, run->g.ny, run->kappa,
               run->what, finding.where, explanation ? explanation : finding.kind, finding.picture);
}

/* The number of values whose bits differ from those of the stated order of operations. */
static size_t count_other_rounding(const struct run *run, const float *f) {
  const size_t points = grid_points(run->g);
  float *stated = allocate_zeroed(points, sizeof *stated);
  reference_apply_float(run->g, run->kappa, run->u, stated);
  size_t first = 0;
  const size_t different = judge_count_different(points, f, stated, &first);
  free(stated);
  return different;
}

/* Runs a kernel, compares f with truth, or with the reference if truth is NULL, and returns f. */
static float *check_kernel(const struct run *run, const struct judge_truth *truth) {
  struct npy f = apply(run);
  const size_t different = count_other_rounding(run, f.data);
  if (!truth && !different)
    return f.data;
  double *wide = widen(npy_count(&f), f.data);
  struct judge_truth reference = truth_by_reference(run, FLT_EPSILON);
  judge(run, truth ? truth : &reference, wide);
  if (different)
    lab_suite_remark(
        "%s, nx %d, ny %d: %zu of %zu values %s rounded differently: use the order of operations in stencil.h, all in float: is there another order, an fmaf, or a double such as 4.0?",
        run->variant, run->g.nx, run->g.ny, different, grid_points(run->g), PLURAL_IS(different));
  judge_truth_free(&reference);
  free(wide);
  return f.data;
}

/* --- rules --- */

/* More waits than a call of apply_host needs: copies and frees may wait. A vector of Thrust fills its memory
 * by a kernel. */
enum { HOST_WAITS = 16, HOST_LAUNCHES = 3 };

/* Its name in the contract, until the next call. */
static const char *function_of(const char *variant) {
  static char text[32];
  snprintf(text, sizeof text, "%s%s", strcmp(variant, "scale") == 0 ? "" : "apply_", variant);
  return text;
}

/* What several calls leave. main.c allocates u and f, and frees them. */
static void check_left(struct run run) {
  const bool is_host = strcmp(run.variant, "host") == 0;
  const char *function = function_of(run.variant);
  run.counting = COUNTED;
  struct npy f = apply(&run);
  npy_free(&f);
  if (!has_counters)
    return;
  const struct rules rules = {.function = function, .calls = run.calls, .waits = is_host ? HOST_WAITS : 0};
  if (rules_need_more_calls(&rules)) {
    run.calls = RULES_MANY_CALLS;
    check_left(run);
  } else {
    rules_check_left(&rules, &(struct rules_frame){.memory_calls = is_host ? 0 : 4});
  }
}

static void check_launch_error(const char *variant) {
  rules_check_launch_error(function_of(variant), 1,
                           (const char *[]){"--variant", variant, "--nx", "9", NULL});
}

/* main.c waits for the copy of f. */
static void check_rules(const char *variant, struct grid g) {
  const double bytes = (double)grid_points(g) * sizeof(float);
  rules_check(
      &(struct rules){.function = function_of(variant), .contract = "stencil.h", .calls = 1, .launches = 1},
      &(struct rules_frame){
          .waits = 1, .bytes_to_host = bytes, .bytes_to_device = bytes, .bytes_on_device = bytes});
}

/* A point's neighbours come from the tile, two of them at least: shuffles may bring two, and a register the point. A
 * wavefront brings at most 32 values. A tile of 32 x 8 points and its halo have 1.3 values per point; with the
 * neighbours of two sides from global memory there are 3. */
static void check_shared(const char *variant, struct grid g) {
  enum { MOST = 2 };
  const double loads = counters_sum("", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") -
                       counters_sum("", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  const double least = 1.9 * (double)grid_interior_points(g) / 32;
  const double values = counters_sum("", "smsp__sass_data_bytes_mem_global_op_ld.sum") / sizeof(float) /
                        (double)grid_interior_points(g);
  if (loads > 0 && values > MOST)
    ck_abort_msg(
        "apply_%s, nx %d, ny %d: loads %.1f values per point from global memory: expected at most %d: "
        "a tile and its halo are loaded once, and the neighbours come from shared memory",
        variant, g.nx, g.ny, values, MOST);
  if (loads < least)
    ck_abort_msg("apply_%s, nx %d, ny %d: %.0f wavefronts load from shared memory: expected at least %.0f: "
                 "the neighbours' values must come from a tile in shared memory",
                 variant, g.nx, g.ny, loads, ceil(least));
}

/* A thread has four columns and walks: two rows are the least. */
static void check_march(struct grid g) {
  enum { LEAST = 2 * 4 };
  const double blocks = counters_blocks(), threads = counters_threads();
  const double most = (double)grid_points(g) / LEAST * 1.5; /* the last threads of a row, and of a block */
  if (threads > most)
    ck_abort_msg(
        "apply_marching, nx %d, ny %d: %.0f blocks with %.0f threads in all: expected at most %.0f: each thread "
        "owns four columns, and walks down several rows",
        g.nx, g.ny, blocks, threads, most);
}

static void check_data(const char *variant, struct grid g, double kappa, enum counting counting,
                       enum data data) {
  float *u = random_field(g, 7, boundary_of(variant));
  data_change(data, 7, grid_points(g), u);
  const struct run run = {variant, g, kappa, data_words(data), u, counting};
  free(check_kernel(&run, NULL));
  free(u);
}

static void check_grid(const char *variant, struct grid g, double kappa, enum counting counting) {
  check_data(variant, g, kappa, counting, DATA_RANDOM);
}

static void check_random(const char *variant, const int *size, double kappa) {
  check_grid(variant, grid_make(size[0], size[1]), kappa, PLAIN);
}

static void check_sizes(const char *variant) {
  for (int s = 0; s < SIZES; s++)
    check_data(variant, grid_make(sizes[s][0], sizes[s][1]), 0, PLAIN, data_of(s));
}

/* The values that the program draws itself: row by row, 0 on the boundary. */
static float *last_rows_of_random(struct grid g, int rows, uint64_t seed) {
  struct random random = random_seed(seed);
  float *u = allocate_zeroed((size_t)rows * (size_t)g.nx, sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const float value = random_float(&random, -1, 1);
      if (i >= g.ny - rows)
        u[grid_index(g, i - (g.ny - rows), j)] = value;
    }
  return u;
}

/* At least one of 16 blocks has run, and the last part of all blocks. */
static bool are_right_where_written(const struct judge_truth *truth, const float *f) {
  size_t written = 0;
  for (size_t k = (size_t)truth->g.nx; k < grid_points(truth->g); k++) {
    if (f[k] != 0 && !(fabs(f[k] - truth->expected[k]) <= truth->bound[k]))
      return false;
    written += f[k] != 0;
  }
  return written > grid_points(truth->g) / 32;
}

static void expect_last_rows(const char *variant, struct grid g, const struct judge_truth *truth,
                             const float *f) {
  for (size_t k = (size_t)g.nx; k < grid_points(truth->g); k++) /* the first row has its north elsewhere */
    if (!(fabs(f[k] - truth->expected[k]) <= truth->bound[k]))
      ck_abort_msg(
          "%s, nx %d, ny %d, u random: wrong value at (i, j) = (%zu, %zu): expected %.9g, got %.9g\n"
          "grids of fewer points are right: does a float, which counts to 2²⁴ = 16777216, hold an index?",
          variant, g.nx, g.ny, k / (size_t)g.nx + (size_t)(g.ny - truth->g.ny), k % (size_t)g.nx,
          truth->expected[k], isnan(f[k]) ? (double)NAN : f[k]);
}

enum { HUGE_NX = 4099, HUGE_NY = 4103, HUGE_ROWS = 9 };

static struct npy last_rows_of_program(const char *variant) {
  unlink("f.npy");
  lab_suite_expect_success((const char *[]){"--variant", variant, "--nx", "4099", "--ny", "4103", "--seed",
                                            "29", "--last-rows", "9", "--out", "f.npy", NULL});
  return lab_files_read_of_host("f.npy", NPY_FLOAT32, HUGE_ROWS, HUGE_NX);
}

/* Beyond 2²⁴ points: the last rows alone, since a program's file has at most 64 MiB. What a part of the blocks writes
 * is right if the kernel is; if it is not, all of them run. */
static void check_huge(const char *variant) {
  const struct grid g = grid_make(HUGE_NX, HUGE_NY), last = {HUGE_NX, HUGE_ROWS, g.h};
  float *u = last_rows_of_random(g, HUGE_ROWS, 29);
  const struct run run = {variant, last, 0, "random", u, PLAIN, 1};
  struct judge_truth truth = truth_by_reference(&run, FLT_EPSILON);
  lab_checks_stop();
  lab_suite_limit_device(program_limits.device_memory, 10 * program_limits.launch); /* slow is not wrong */
  setenv("SIMGPU_THREADS", "1", 1); /* a race, which the checks report, must not look like a wrong index */
  setenv("SIMGPU_EVERY", "16", 1);
  struct npy f = last_rows_of_program(variant);
  unsetenv("SIMGPU_EVERY");
  if (!are_right_where_written(&truth, f.data)) {
    npy_free(&f);
    f = last_rows_of_program(variant);
    expect_last_rows(variant, g, &truth, f.data);
  }
  unsetenv("SIMGPU_THREADS");
  judge_truth_free(&truth);
  npy_free(&f);
  free(u);
  far_check(variant, (const char *[]){"--variant", variant, NULL}, NPY_FLOAT32, FAR_PRODUCT);
}

/* Larger than any block, tile or grid that a kernel may have in mind, and what the kernel does to the device. */
static void check_large(const char *variant) {
  const struct grid odd = lab_suite_middle_grid(21, true);
  check_grid(variant, odd, 0, COUNTED);
  if (has_counters)
    check_rules(variant, odd);
  if (has_counters && strcmp(variant, "marching") == 0)
    check_march(odd);
  check_grid(variant, lab_suite_tall_grid(25), 0, PLAIN);
  check_grid(variant, lab_suite_wide_grid(26), 0, PLAIN);
  const struct grid g = lab_suite_large_grid(22, false);
  check_grid(variant, g, 0, COUNTED);
  if (!has_counters)
    return;
  check_rules(variant, g);
  if (strcmp(variant, "tiled") == 0)
    check_shared(variant, g);
  if (strcmp(variant, "marching") == 0)
    check_march(g);
}

/* The run of a counter item. Work that no kernel does would cost nothing, so the run keeps the rules, too. */
static void measure_grid(const char *variant, struct grid g) {
  check_grid(variant, g, 0, MEASURED);
  if (has_counters)
    check_rules(variant, g);
}

/* Rows begin at a sector's start: in other rows a warp needs more sectors. */
static void measure(const char *variant) {
  const struct grid g = lab_suite_large_grid(23, false);
  measure_grid(variant, grid_make(g.nx / 8 * 8, g.ny));
}

/* A tile that is filled again needs two. A block may have threads for the halo, or several tiles: of two barriers, the
 * most is by 16 x 16 threads with tiles of 14 x 14, whose 8 warps have 6.1 times 32 points. */
static void check_barriers(const char *function, struct grid g) {
  enum { LANES = 32 };
  const double MOST = 2.75;
  const double all = counters_sum("", "simgpu__barriers.sum") * LANES,
               barriers = fmin(all / counters_threads(), all / (double)grid_points(g));
  if (barriers > MOST)
    ck_abort_msg(
        "%s: a block waits at %.1f barriers for each tile: expected one, between the loads of the tile and "
        "their use, and another one if it fills the tile again",
        function, barriers);
}

/* The same, larger than the second-level cache, so that the modelled time is that of memory. */
static void measure_memory(const char *variant) {
  const struct grid odd = lab_suite_middle_grid(27, true), g = grid_make(4096, 2051);
  const char *function = function_of(variant);
  lab_checks_stop();
  check_grid(variant, odd, 0, COUNTED);
  const double per_point = has_counters ? counters_longest_launch() / (double)grid_points(odd) : 0;
  measure_grid(variant, g);
  if (!has_counters)
    return;
  counters_check_spills(function);
  counters_check_odd(function, odd, per_point, counters_longest_launch() / (double)grid_points(g));
  if (strcmp(variant, "tiled") == 0)
    check_barriers(function, g);
}

/* Whether the last call computes the right values; a single one without a finding of the checks. */
static bool is_right_at(const char *variant, const int *size, double kappa, int calls) {
  const bool is_csr = strcmp(variant, "csr") == 0;
  struct judge_finding ignored;
  char finding[2048];
  float *u = random_field(grid_make(size[0], size[1]), 9, boundary_of(variant));
  struct run run = run_make(variant, size, kappa, "random", u);
  run.counting = TRIED;
  run.calls = calls;
  struct npy f = apply(&run);
  bool is_right = f.data && (calls > 1 || !lab_checks_tell(finding, sizeof finding));
  if (is_right) {
    double *wide = is_csr ? NULL : widen(npy_count(&f), f.data);
    struct judge_truth truth = truth_by_reference(&run, is_csr ? DBL_EPSILON : FLT_EPSILON);
    is_right = judge_field(&truth, is_csr ? f.data : wide, &ignored);
    judge_truth_free(&truth);
    free(wide);
  }
  npy_free(&f);
  free(u);
  return is_right;
}

/* Other tests judge a single call. */
static void check_later_calls(const char *variant, const char *function) {
  static const int again[][2] = {{37, 21}, {20, 20}};
  for (int s = 0; s < 2; s++)
    if (!is_right_at(variant, again[s], 0,
                     CALLS + 2 * s)) /* the second, third, fourth or sixth call may be wrong */
      ck_abort_msg(
          "%s, nx %d, ny %d: a single call is right, but not a call that follows one with other arguments: "
          "does a static variable, or memory that is kept, hold something of an earlier call, or did that call change its input?",
          function, again[s][0], again[s][1]);
}

/* Four times 1/h² gives four times A u without kappa, exactly. */
static void check_spacing(const char *variant, const char *function) {
  enum { FACTOR = 4 };
  const int *size = sizes[5];
  const struct grid g = grid_make(size[0], size[1]);
  const double inv_h2 = (double)(g.nx - 1) * (g.nx - 1);
  float *u = random_field(g, 9, ZERO_BOUNDARY);
  struct run run = run_make(variant, size, 0, "random", u);
  struct npy expected = apply(&run);
  run.inv_h2 = FACTOR * inv_h2;
  struct npy got = apply(&run);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(value_at(&got, k) == FACTOR * value_at(&expected, k)))
      ck_abort_msg(
          "%s, nx %d, ny %d, u random, 1/h² = %g, four times that of the grid: wrong value at (i, j) = (%zu, %zu): "
          "expected %.9g, got %.9g: is 1/h² the argument inv_h2, or computed from nx?",
          function, g.nx, g.ny, run.inv_h2, k / (size_t)g.nx, k % (size_t)g.nx,
          FACTOR * value_at(&expected, k), value_at(&got, k));
  npy_free(&expected);
  npy_free(&got);
  free(u);
}

/* The 4 x 4 grid of the handout, h = 1/3: 9 (4·1 − 2 − 3) = −9 and so on. Several calls show what each
 * of them leaves. */
static void check_by_hand(const char *variant) {
  static const float u[16] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0};
  static const double f[16] = {0, 0, 0, 0, 0, -9, 27, 0, 0, 63, 99, 0, 0, 0, 0, 0};
  struct run run = run_make(variant, (const int[]){4, 4}, 0, "1 2 / 3 4", u);
  struct judge_truth truth = truth_by_reference(&run, FLT_EPSILON);
  memcpy(truth.expected, f, sizeof f);
  free(check_kernel(&run, &truth));
  run.calls = CALLS;
  check_left(run);
  if (strcmp(variant, "host") != 0)
    check_launch_error(variant);
  judge_truth_free(&truth);
}

/* For u = sin(πx) sin(πy/H) with the height H, A u = λu up to the rounding of u, which the bound includes. */
static void check_eigenfunction(const char *variant, double kappa) {
  const int size[2] = {65, 49};
  const struct grid g = grid_make(size[0], size[1]);
  const struct problem problem = {.kind = PROBLEM_EIGEN, .kappa = kappa, .p = 1, .q = 1};
  double *exact = allocate_zeroed(grid_points(g), sizeof *exact);
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  problem_solution(&problem, g, exact);
  for (size_t k = 0; k < grid_points(g); k++)
    u[k] = (float)exact[k];
  const struct run run = run_make(variant, size, kappa, "sin(πx) sin(πy/H)", u);
  struct judge_truth truth = judge_truth_make(g);
  problem_rhs(&problem, g, truth.expected);
  set_bound(&run, FLT_EPSILON, exact, truth.bound);
  for (size_t k = 0; k < grid_points(g); k++)
    truth.bound[k] *= (double)(ROUNDINGS + 1) / ROUNDINGS;
  free(check_kernel(&run, &truth));
  judge_truth_free(&truth);
  free(u);
  free(exact);
}

/* u = 1 + 2j − 3i: A u = 0 inside, and every intermediate result is a small integer. */
static void check_linear(const char *variant) {
  const int size[2] = {37, 21};
  const struct grid g = grid_make(size[0], size[1]);
  struct judge_truth truth = judge_truth_make(g);
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      u[k] = (float)(1 + 2 * j - 3 * i);
      truth.expected[k] = grid_is_interior(g, i, j) ? 0 : u[k];
    }
  const struct run run = run_make(variant, size, 0, "1 + 2j − 3i", u);
  free(check_kernel(&run, &truth));
  judge_truth_free(&truth);
  free(u);
}

/* Values that arithmetic would change: negative zero, a subnormal number, a huge one. */
static void check_boundary(const char *variant) {
  static const float odd[] = {-0.0f, 1e-40f, -1e30f, 1.0f / 3};
  const int size[2] = {45, 19};
  const struct grid g = grid_make(size[0], size[1]);
  float *u = random_field(g, 3, ZERO_BOUNDARY);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j))
        u[grid_index(g, i, j)] = odd[(i + j) % 4];
  const struct run run = run_make(variant, size, 0, "random, with unusual values on the boundary", u);
  struct npy array = apply(&run);
  const float *f = array.data;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      if (!grid_is_interior(g, i, j) && memcmp(&f[k], &u[k], sizeof *f) != 0)
        ck_abort_msg(
            "%s, nx %d, ny %d: the boundary is not copied bit for bit: at (i, j) = (%d, %d), expected %.9g, got "
            "%.9g%s",
            variant, g.nx, g.ny, i, j, u[k], f[k],
            f[k] < u[k] || f[k] > u[k] || isnan(f[k])
                ? ""
                : ": the sign of zero counts: copy the value, and compute nothing with it");
    }
  npy_free(&array);
  free(u);
}

/* The values that differ from those of the naive kernel; all of them if that fails. */
static void compare_with_naive(const struct run *run, float *values) {
  const struct grid g = run->g;
  struct run other = *run;
  other.variant = "naive";
  other.counting = TRIED;
  struct npy naive = apply(&other);
  size_t k = 0, different = naive.data ? judge_count_different(grid_points(g), values, naive.data, &k) : 1;
  if (different)
    free(check_kernel(run, NULL)); /* a mistake, not a rounding */
  if (different && naive.data)
    ck_abort_msg("%s and naive, nx %d, ny %d, kappa %g: %zu of %zu values do not match bit for bit\n"
                 "first at (i, j) = (%zu, %zu): %.9g and %.9g\n"
                 "use the order of operations in stencil.h",
                 run->variant, g.nx, g.ny, run->kappa, different, grid_points(g), k / (size_t)g.nx,
                 k % (size_t)g.nx, values[k], ((const float *)naive.data)[k]);
  npy_free(&naive);
}

/* All kernels agree bit for bit: with the stated order of operations, or with a naive kernel that has another order or
 * another term with kappa, which other items judge. */
static void check_identical(const char *variant, const int *size, double kappa) {
  const struct grid g = grid_make(size[0], size[1]);
  float *u = random_field(g, 11, ZERO_BOUNDARY);
  const struct run run = run_make(variant, size, kappa, "random", u);
  struct npy f = apply(&run);
  if (count_other_rounding(&run, f.data))
    compare_with_naive(&run, f.data);
  npy_free(&f);
  free(u);
}

/* --- 01/scale --- */

/* One element less than one block or several, as many, and some more; more blocks than a block has threads. */
static const int scale_sizes[][2] = {{3, 3},   {15, 17},   {16, 16}, {7, 37},   {31, 33},
                                     {32, 32}, {577, 573}, {25, 41}, {129, 130}};
enum { SCALE_SIZES = sizeof scale_sizes / sizeof *scale_sizes };

/* Why an element is y and not factor times x. */
static const char *explain_scaled(float factor, float x, float y) {
  if (isnan(y))
    return ": it was never written: are there enough blocks, and does the index use blockIdx and threadIdx?";
  if (x != 0 && !(y > x) && !(y < x))
    return ": it equals x: the factor is missing";
  return y > factor * x || y < factor * x ? "" : ": the sign of zero is wrong";
}

static void check_scaled(const struct run *run) {
  const size_t n = grid_points(run->g);
  const float factor = (float)((run->g.nx - 1) * (run->g.nx - 1)); /* main.c scales by 1/h² */
  float *expected = allocate_zeroed(n, sizeof *expected);
  for (size_t k = 0; k < n; k++)
    expected[k] = factor * run->u[k];
  struct npy y = apply(run);
  size_t first = 0;
  const size_t wrong = judge_count_different(n, y.data, expected, &first);
  const float got = wrong ? ((const float *)y.data)[first] : 0;
  if (wrong)
    ck_abort_msg(
        "scale, count %zu, factor %g, x random: %zu of %zu elements are wrong, the first is element %zu: "
        "expected %.9g, got %.9g%s",
        n, factor, wrong, n, first, expected[first], isnan(got) ? (double)NAN : got,
        explain_scaled(factor, run->u[first], got));
  npy_free(&y);
  free(expected);
}

static void check_scale(const int *size, int calls, enum counting counting) {
  float *u = random_field(grid_make(size[0], size[1]), 31, RANDOM_BOUNDARY);
  struct run run = run_make("scale", size, 0, "random", u);
  run.calls = calls;
  run.counting = counting;
  check_scaled(&run);
  if (counting == COUNTED && has_counters)
    check_rules(run.variant, run.g);
  free(u);
}

START_TEST(scale_sizes_of_blocks) {
  for (int s = 0; s < SCALE_SIZES; s++)
    check_scale(scale_sizes[s], 1, s < SCALE_SIZES - 1 ? PLAIN : COUNTED);
  check_scale(scale_sizes[SCALE_SIZES - 2], CALLS, PLAIN);
  check_launch_error("scale");
}
END_TEST

/* --- 01/csr --- */

/* Rows of other lengths come first: they shift all entries behind them. */
static void check_lengths(struct grid g, const struct reference_csr *a, size_t entries,
                          const double *triples) {
  int *length = allocate_zeroed((size_t)a->rows, sizeof *length);
  for (size_t e = 0; e < entries; e++)
    if (triples[3 * e] >= 0 && triples[3 * e] < a->rows)
      length[(int)triples[3 * e]]++;
  for (int row = 0; row < a->rows; row++) {
    const int expected = a->row_start[row + 1] - a->row_start[row];
    if (length[row] != expected)
      ck_abort_msg("csr, nx %d, ny %d: the row of point (i, j) = (%d, %d) has %d entr%s: expected %d%s", g.nx,
                   g.ny, row / g.nx, row % g.nx, length[row], length[row] == 1 ? "y" : "ies", expected,
                   expected > 1 ? ", even where a neighbour lies on the boundary"
                                : ": a boundary row has its diagonal alone");
  }
  free(length);
  if (entries != (size_t)a->row_start[a->rows])
    ck_abort_msg("csr, nx %d, ny %d: %zu entries: expected %d", g.nx, g.ny, entries, a->row_start[a->rows]);
}

static bool is_near(double expected, double got) {
  return fabs(got - expected) <= 4 * DBL_EPSILON * fabs(expected);
}

/* Why the value of an entry is wrong, or "". */
static const char *explain_value(struct grid g, double kappa, double expected, double got) {
  const double kappa2 = kappa * kappa, inv_h2 = 1 / (g.h * g.h),
               laplacian = expected - (expected > 0 ? kappa2 : 0);
  if (isnan(got))
    return ": the array holds NaN before the call: is an entry not written, or read before it is written?";
  if (is_near(-expected, got))
    return ": the sign is wrong";
  if (kappa != 0 && is_near(laplacian, got))
    return ": κ² is missing on the diagonal";
  if (kappa != 0 && is_near(laplacian + kappa2 * inv_h2, got))
    return ": κ² is multiplied by 1/h²";
  if (kappa != 0 && is_near(laplacian + kappa, got))
    return ": it has κ instead of κ²";
  if (fabs(got - expected) <= FLT_EPSILON * fabs(expected))
    return ": the error is as large as a rounding error in float: compute in double";
  return is_near(laplacian / inv_h2 + (expected - laplacian), got) ? ": the factor 1/h² is missing" : "";
}

/* The entries must come in order. Their values, 4/h² + κ² and −1/h², may be rounded in any order. */
static void check_entries(struct grid g, double kappa, size_t entries, const double *triples) {
  static const char *const fields[] = {"row", "column", "value"};
  struct reference_csr a = reference_csr_assemble(g, kappa);
  check_lengths(g, &a, entries, triples);
  for (int row = 0; row < a.rows; row++)
    for (int e = a.row_start[row]; e < a.row_start[row + 1]; e++) {
      const double expected[3] = {row, a.column[e], a.value[e]};
      for (int n = 0; n < 3; n++) {
        const double got = isnan(triples[3 * e + n]) ? (double)NAN : triples[3 * e + n];
        if (!(fabs(got - expected[n]) <= (n == 2 ? 4 * DBL_EPSILON * fabs(expected[n]) : 0)))
          ck_abort_msg(
              "csr, nx %d, ny %d, kappa %g: entry %d of the matrix, in the row of point (i, j) = (%d, %d): expected %s %.17g, got %.17g%s",
              g.nx, g.ny, kappa, e, row / g.nx, row % g.nx, fields[n], expected[n], got,
              n == 2 ? explain_value(g, kappa, expected[n], got) : "");
      }
    }
  reference_csr_free(&a);
}

/* Returns the seconds of CPU time that the program takes. */
static double check_matrix(const int *size, double kappa) {
  const struct grid g = grid_make(size[0], size[1]);
  char nx[16], ny[16], kappa_text[32];
  snprintf(nx, sizeof nx, "%d", g.nx);
  snprintf(ny, sizeof ny, "%d", g.ny);
  snprintf(kappa_text, sizeof kappa_text, "%.17g", kappa);
  unlink("a.npy");
  const struct program_result result = lab_suite_expect_success((const char *[]){
      "--variant", "csr", "--nx", nx, "--ny", ny, "--kappa", kappa_text, "--matrix", "a.npy", NULL});
  struct npy a = lab_files_read_rows("a.npy", NPY_FLOAT64, 3);
  check_entries(g, kappa, a.shape[0], a.data);
  npy_free(&a);
  return result.report.cpu_seconds;
}

START_TEST(csr_matrix) {
  static const double kappas[] = {0, 2, 2.1}; /* the square of 2.1 is not exact in float */
  for (int s = 0; s < SIZES; s++)
    check_matrix(sizes[s], kappas[s % 3]);
  check_matrix((const int[]){3, 4}, 2.1);
  check_matrix((const int[]){4, 3}, 2);
}
END_TEST

/* More points than 16 bits count; neither 1/h² fits a float, nor 4/h² an int. */
START_TEST(csr_of_a_wide_grid) {
  const double most = 2; /* of about 0.1 s */
  const int nx = lab_suite_wide_grid(27).nx;
  const double seconds = check_matrix((const int[]){nx, 3}, 0);
  if (seconds > most)
    ck_abort_msg(
        "csr, nx %d, ny 3: the program takes %.1f s of CPU time: expected about 0.1 s, and at most %.0f s: is "
        "the work for each row the same, wherever the row is?",
        nx, seconds, most);
}
END_TEST

/* Beside other calls there are equal ones. */
static void check_host_memory(const char *variant) {
  enum { OTHERS = 3 };
  float *u = random_field(grid_make(sizes[5][0], sizes[5][1]), 9, boundary_of(variant));
  struct run run = run_make(variant, sizes[5], 0, "random", u);
  run.calls = OTHERS + HEAP_CALLS;
  run.heap = true;
  struct npy f = apply(&run);
  npy_free(&f);
  free(u);
}

START_TEST(csr_again) {
  check_later_calls("csr", "csr_assemble");
  check_spacing("csr", "csr_assemble");
  check_host_memory("csr");
}
END_TEST

START_TEST(csr_number_of_entries) {
  for (size_t n = 3; n <= 33; n += 5) {
    char size[16];
    snprintf(size, sizeof size, "%zu", n);
    unlink("a.npy");
    lab_suite_expect_success((const char *[]){"--variant", "csr", "--nx", size, "--matrix", "a.npy", NULL});
    struct npy a = lab_files_read_of_host("a.npy", NPY_FLOAT64, 5 * n * n - 16 * n + 16, 3);
    npy_free(&a);
  }
}
END_TEST

START_TEST(csr_product) {
  static const double kappas[] = {1.5, 0.3, 0.05, 20};
  for (int s = 0; s < SIZES; s++) {
    float *u = random_field(grid_make(sizes[s][0], sizes[s][1]), 5, RANDOM_BOUNDARY);
    const struct run run = run_make("csr", sizes[s], kappas[s % 4], "random", u);
    struct npy f = apply(&run);
    struct judge_truth truth = truth_by_reference(&run, DBL_EPSILON);
    judge(&run, &truth, f.data);
    judge_truth_free(&truth);
    npy_free(&f);
    free(u);
  }
}
END_TEST

/* --- 01/naive --- */

START_TEST(naive_by_hand) { check_by_hand("naive"); }
END_TEST
START_TEST(naive_sizes) { check_sizes("naive"); }
END_TEST
START_TEST(naive_eigenfunction) { check_eigenfunction("naive", 0); }
END_TEST
START_TEST(naive_linear) { check_linear("naive"); }
END_TEST
START_TEST(naive_boundary) { check_boundary("naive"); }
END_TEST
START_TEST(naive_large) { check_large("naive"); }
END_TEST
START_TEST(naive_huge) { check_huge("naive"); }
END_TEST
START_TEST(naive_again) {
  check_later_calls("naive", "apply_naive");
  check_spacing("naive", "apply_naive");
  check_host_memory("naive");
}
END_TEST

/* --- 01/tiled --- */

START_TEST(tiled_by_hand) { check_by_hand("tiled"); }
END_TEST
START_TEST(tiled_sizes) { check_sizes("tiled"); }
END_TEST
START_TEST(tiled_eigenfunction) { check_eigenfunction("tiled", 0); }
END_TEST
START_TEST(tiled_large) { check_large("tiled"); }
END_TEST
START_TEST(tiled_huge) { check_huge("tiled"); }
END_TEST
START_TEST(tiled_again) {
  check_later_calls("tiled", "apply_tiled");
  check_spacing("tiled", "apply_tiled");
  check_host_memory("tiled");
}
END_TEST
START_TEST(tiled_identical) { check_identical("tiled", (const int[]){67, 43}, 0); }
END_TEST

/* --- 01/kappa --- */

static const int kappa_sizes[][2] = {{4, 4}, {33, 65}, {65, 49}, {100, 37}};
enum { KAPPA_SIZES = sizeof kappa_sizes / sizeof *kappa_sizes };

static bool is_right_without_kappa(const char *variant) {
  bool is_right = true;
  is_right_at(variant, kappa_sizes[0], 0.5, 1); /* names part 4 if that is not written */
  for (int s = 0; s < KAPPA_SIZES && is_right; s++)
    is_right = is_right_at(variant, kappa_sizes[s], 0, 1);
  return is_right;
}

/* Both kernels call apply_point, so one kernel that is wrong for another reason says nothing of kappa. */
START_TEST(kappa_term) {
  static const char *const variants[] = {"naive", "tiled"};
  bool is_judged = false;
  for (int v = 0; v < 2; v++) {
    if (!is_right_without_kappa(variants[v]))
      continue;
    is_judged = true;
    check_random(variants[v], kappa_sizes[0], 2);
    check_random(variants[v], kappa_sizes[1], 0.5);
    check_random(variants[v], kappa_sizes[0], 0.05);
    check_random(variants[v], kappa_sizes[2], 200);
    check_eigenfunction(variants[v], 30);
    check_identical(variants[v], kappa_sizes[3], 30);
    if (!is_right_at(variants[v], kappa_sizes[0], 2, CALLS))
      ck_abort_msg(
          "%s, nx %d, ny %d, kappa 2: a single call is right, but not a call that follows one with kappa 3: does "
          "a static variable, or memory that is kept, hold something of an earlier call?",
          variants[v], kappa_sizes[0][0], kappa_sizes[0][1]);
  }
  if (is_judged)
    return;
  lab_suite_verdict("SKIPPED");
  ck_abort_msg("counts when 01/naive or 01/tiled is right for kappa 0");
}
END_TEST

/* --- 01/marching --- */

START_TEST(marching_by_hand) { check_by_hand("marching"); }
END_TEST
START_TEST(marching_sizes) {
  check_sizes("marching");
  for (int nx = 128; nx < 134; nx++) /* every remainder modulo 4, with one warp's columns and a few more */
    check_random("marching", (const int[]){nx, 9}, 0);
}
END_TEST
START_TEST(marching_linear) { check_linear("marching"); }
END_TEST
START_TEST(marching_boundary) { check_boundary("marching"); }
END_TEST
START_TEST(marching_large) { check_large("marching"); }
END_TEST
START_TEST(marching_huge) { check_huge("marching"); }
END_TEST
START_TEST(marching_again) {
  check_later_calls("marching", "apply_marching");
  check_spacing("marching", "apply_marching");
  check_host_memory("marching");
}
END_TEST
START_TEST(marching_identical) {
  check_identical("marching", (const int[]){260, 150}, 0);
  check_identical("marching", (const int[]){261, 149}, 2);
  check_identical("marching", (const int[]){9, 7}, 0.05);
}
END_TEST

/* --- 01/host --- */

START_TEST(host_sizes) {
  check_by_hand("host");
  check_random("host", (const int[]){3, 5}, 0);
  check_random("host", (const int[]){129, 130}, 0);
}
END_TEST

START_TEST(host_again) {
  check_later_calls("host", "apply_host");
  check_spacing("host", "apply_host");
  check_host_memory("host");
}
END_TEST

/* A kernel that works on mapped memory of the host moves every value over the bus. */
static void check_device_memory(void) {
  const double writes = counters_total("mapped_writes");
  if (writes > 0)
    ck_abort_msg(
        "apply_host: kernels write to memory of the host, in %.0f launch%s: expected that f is in device memory "
        "while the kernel runs, and is copied then",
        writes, writes > 1 ? "es" : "");
}

/* The wait for the copy back is the function's own. */
START_TEST(host_large) {
  const struct grid g = lab_suite_large_grid(24, true);
  const double bytes = (double)grid_points(g) * sizeof(float);
  check_grid("host", g, 0, COUNTED);
  if (has_counters)
    rules_check(&(struct rules){.function = "apply_host",
                                .contract = "stencil.h",
                                .calls = 1,
                                .launches = HOST_LAUNCHES,
                                .waits = HOST_WAITS,
                                .bytes_to_host = bytes,
                                .bytes_on_device = 2 * bytes}, /* it may clear both arrays */
                &(struct rules_frame){.bytes_to_device = bytes});
  if (has_counters)
    check_device_memory();
  traffic_check_copies("apply_host", HOST_WAITS);
}
END_TEST

/* Infinity minus infinity: the NaN of a GPU has other bits than that of a processor. */
START_TEST(host_returns_the_values_of_the_kernel) {
  const struct grid g = grid_make(35, 11);
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (size_t k = 0; k < grid_points(g); k++)
    u[k] = k % 2 ? 3e37F : 3e38F;
  struct run run = {"naive", g, 1e6, "3e37 and 3e38 in turn", u, COUNTED, 1};
  char naive[256] = "", kernel[256] = "";
  struct npy expected = apply(&run);
  counters_kernel(naive, sizeof naive);
  run.variant = "host";
  struct npy got = apply(&run);
  counters_kernel(kernel, sizeof kernel);
  size_t k = 0;
  if (judge_count_different(grid_points(g), got.data, expected.data, &k))
    ck_abort_msg(
        "apply_host, nx %d, ny %d, kappa %g, u %s: the values are not those of apply_naive: was the result "
        "computed on the host?",
        g.nx, g.ny, run.kappa, run.what);
  if (naive[0] && !counters_have_kernel(naive))
    ck_abort_msg("apply_host launches %s: expected %s: stencil.h says that apply_host calls apply_naive",
                 kernel, naive);
  npy_free(&expected);
  npy_free(&got);
  free(u);
}
END_TEST

static const char *const *host_arguments(const char *nx) {
  static const char *arguments[] = {"--variant", "host", "--nx", NULL, "--out", "f.npy", NULL};
  arguments[3] = nx;
  return arguments;
}

static void check_stops(const char *nx, const char *what, const char *error) {
  const struct program_result result = lab_suite_run(host_arguments(nx));
  error_checks_expect("apply_host", &result, what, error);
}

START_TEST(host_checks_each_call) { error_checks_of_each_call("apply_host", host_arguments("65")); }
END_TEST

START_TEST(host_errors) {
  if (!lab_suite_is_simulated())
    return;
  const size_t row_bytes = 65 * sizeof(float), array = 65 * row_bytes;
  lab_checks_stop();
  lab_suite_limit_device(array / 2, program_limits.launch);
  check_stops("65", "there is no device memory for u", "cudaErrorMemoryAllocation");
  lab_suite_limit_device(array * 3 / 2, program_limits.launch);
  check_stops("65", "there is device memory for one array, not for two", "cudaErrorMemoryAllocation");
  lab_suite_limit_device(program_limits.device_memory, 1);
  check_stops("1025", "the kernel fails while it runs", "cudaErrorLaunchTimeout");
}
END_TEST

/* There is memory for a part of each array. Whoever copies the arrays in parts ends in another way:
 * that says nothing. */
START_TEST(host_asks_for_whole_arrays) {
  if (!lab_suite_is_simulated())
    return;
  const struct program_result result =
      far_run((const char *[]){"--variant", "host", NULL}, program_limits.device_memory);
  if (strcmp(program_verdict(&result), "PASS") == 0 || strstr(result.message, "cudaErrorIllegalAddress"))
    ck_abort_msg(
        "apply_host, nx %d, ny %d: cudaMalloc gets fewer bytes than an array has: expected 4294967296: is their number "
        "computed in int, which counts to 2³¹ − 1?",
        FIELDS_MAX, FIELDS_MAX);
}
END_TEST

/* --- counter items --- */

START_TEST(naive_counted) { measure("naive"); }
END_TEST
START_TEST(naive_modelled) { measure_memory("naive"); }
END_TEST
START_TEST(tiled_counted) { measure("tiled"); }
END_TEST
START_TEST(tiled_modelled) { measure_memory("tiled"); }
END_TEST
START_TEST(marching_counted) { measure("marching"); }
END_TEST
START_TEST(marching_modelled) { measure_memory("marching"); }
END_TEST

/* --- 01/input --- */

static const struct {
  const char *arguments[8];
  const char *says; /* part of the message */
} bad_inputs[] = {
    {{"--variant", "niave", "--out", "f.npy"}, "did you mean naive"},
    {{"--colour", "red", "--out", "f.npy"}, "--colour"},
    {{"tabel"}, "did you mean table"},
    {{"--nx", "2", "--out", "f.npy"}, "--nx 2"},
    {{"--ny", "-5", "--out", "f.npy"}, "--ny -5"},
    {{"--nx", "33x", "--out", "f.npy"}, "--nx 33x"},
    {{"--kappa", "nan", "--out", "f.npy"}, "--kappa nan"},
    {{"--kappa", "--out", "f.npy"}, "--kappa"},
    {{"--u", "missing.npy", "--out", "f.npy"}, "missing.npy"},
    {{"--u", "text.npy", "--out", "f.npy"}, "text.npy"},
    {{"--u", "whole.npy", "--out", "f.npy"}, "whole.npy"},
    {{"--u", "flat.npy", "--out", "f.npy"}, "ny = 2"},
    {{"--u", "nan.npy", "--out", "f.npy"}, "nan.npy"},
    {{"--u", "zero.npy", "--nx", "9", "--out", "f.npy"}, "--nx 9"},
    {{"--u", "zero.npy", "--ny", "4", "--out", "f.npy"}, "--ny 4"},
    {{"--variant", "tiled", "--u", "edge.npy", "--out", "f.npy"}, "(0, 3)"},
    {{"--variant", "naive", "--matrix", "f.npy"}, "--variant csr"},
    {{"solve", "--out", "no/such/f.npy"}, "no/such/f.npy"},
    {{"solve", "--nx", "1", "--out", "f.npy"}, "--nx 1"},
    {{"compare", "--launches", "0", "--csv", "f.npy"}, "--launches 0"},
    {{"table", "--sizes", "500,2", "--csv", "f.npy"}, "--sizes 500,2"},
    {{"table", "--sizes", "500;600", "--csv", "f.npy"}, "--sizes 500;600"},
    {{"table", "--sizes", "", "--csv", "f.npy"}, "--sizes"},
};

START_TEST(input_is_refused) {
  static const float edge[20] = {[3] = 0.5f};
  lab_files_write_bad_inputs();
  lab_files_write("edge.npy", NPY_FLOAT32, 5, 4, edge);
  for (size_t n = 0; n < sizeof bad_inputs / sizeof *bad_inputs; n++)
    lab_suite_expect_refused(bad_inputs[n].arguments, bad_inputs[n].says, "f.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"01/scale", &scale_sizes_of_blocks},
    {"01/csr", &csr_matrix},
    {"01/csr", &csr_number_of_entries},
    {"01/csr", &csr_product},
    {"01/csr", &csr_of_a_wide_grid},
    {"01/csr", &csr_again},
    {"01/naive", &naive_by_hand},
    {"01/naive", &naive_sizes},
    {"01/naive", &naive_eigenfunction},
    {"01/naive", &naive_linear},
    {"01/naive", &naive_boundary},
    {"01/naive", &naive_large},
    {"01/naive", &naive_huge},
    {"01/naive", &naive_again},
    {"01/host", &host_sizes},
    {"01/host", &host_large},
    {"01/host", &host_again},
    {"01/host", &host_returns_the_values_of_the_kernel},
    {"01/host", &host_errors},
    {"01/host", &host_asks_for_whole_arrays},
    {"01/host", &host_checks_each_call},
    {"01/tiled", &tiled_by_hand},
    {"01/tiled", &tiled_sizes},
    {"01/tiled", &tiled_eigenfunction},
    {"01/tiled", &tiled_large},
    {"01/tiled", &tiled_huge},
    {"01/tiled", &tiled_again},
    {"01/tiled", &tiled_identical},
    {"01/kappa", &kappa_term},
    {"01/marching", &marching_by_hand},
    {"01/marching", &marching_sizes},
    {"01/marching", &marching_linear},
    {"01/marching", &marching_boundary},
    {"01/marching", &marching_large},
    {"01/marching", &marching_huge},
    {"01/marching", &marching_again},
    {"01/marching", &marching_identical},
    {"01/input", &input_is_refused},
    {"01/naive_sectors", &naive_counted},
    {"01/naive_copy", &naive_modelled},
    {"01/tiled_sectors", &tiled_counted},
    {"01/tiled_conflicts", &tiled_counted},
    {"01/tiled_copy", &tiled_modelled},
    {"01/marching_sectors", &marching_counted},
    {"01/marching_copy", &marching_modelled},
    {"01/marching_local", &marching_counted},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--variant", "naive", "--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
