/* Lab 07: runs a multigrid program (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "data.h"
#include "judge.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "problem.h"
#include "reference.h"
#include "rules.h"
#include "solve_suite.h"
#include "traffic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int sizes[] = {3, 5, 9, 17, 33, 65, 129};
enum { SIZES = sizeof sizes / sizeof *sizes, LARGE = 513 };

static struct grid square(int n) { return grid_make(n, n); }
static size_t points_of(int n) { return (size_t)n * (size_t)n; }
static double *zeros(int n) { return allocate_zeroed(points_of(n), sizeof(double)); }

/* Random values inside, 0 on the boundary. */
static double *field(int n, uint64_t purpose, enum data data) {
  double *values = solve_suite_random(square(n), lab_suite_seed(purpose + (uint64_t)n));
  data_change_double(data, purpose, points_of(n), values);
  return values;
}

/* --- a step of the program --- */

/* Arguments of a step: u is r for restrict, which has no f. */
struct step {
  const char *name, *function;
  int n, out_n, calls;
  const double *u, *f; /* f of prolong: u of the coarser level */
};

static bool is_step(const struct step *s, const char *name) { return strcmp(s->name, name) == 0; }
static int f_size(const struct step *s) { return is_step(s, "prolong") ? s->n / 2 + 1 : s->n; }

static void step_arguments(struct arguments *a, const struct step *s) {
  arguments_add(a, "apply"), arguments_add(a, "--step"), arguments_add(a, s->name);
  if (s->f) {
    solve_suite_write("f.npy", square(f_size(s)), s->f);
    arguments_add(a, "--f"), arguments_add(a, "f.npy");
  }
  solve_suite_write("u.npy", square(s->n), s->u);
  arguments_add(a, "--u"), arguments_add(a, "u.npy");
  arguments_add(a, "--out"), arguments_add(a, "out.npy");
  arguments_add_number(a, "--calls", s->calls);
  unlink("out.npy");
}

static struct npy array_of(int n, const double *values) {
  return (struct npy){NPY_FLOAT64, 2, {(size_t)n, (size_t)n}, (void *)(uintptr_t)values};
}

/* h²·f, which is exact: h is a power of two. */
static double *h2f_of(int n, const double *f) {
  const double h = 1.0 / (n - 1);
  double *h2f = zeros(n);
  for (size_t k = 0; k < points_of(n); k++)
    h2f[k] = h * h * f[k];
  return h2f;
}

static void check_inputs(const struct step *s) {
  double *sent = s->f && !is_step(s, "prolong") ? h2f_of(s->n, s->f) : NULL;
  traffic_check_inputs(s->f ? 2 : 1,
                       (struct npy[]){array_of(s->n, s->u), array_of(f_size(s), sent ? sent : s->f)});
  free(sent);
}

static double *run_step(const struct step *s) {
  struct arguments a = {0};
  step_arguments(&a, s);
  lab_suite_expect_success(a.list);
  check_inputs(s);
  return solve_suite_read("out.npy", square(s->out_n));
}

/* A result that may be wrong in a known way. */
struct wrong {
  const char *explanation;
  void (*compute)(const struct step *s, const struct wrong *wrong, double *result);
  double centre, edge, corner; /* weights, or what compute makes of them */
};

/* The first row of the table, which `explanation` NULL ends, that gives the same result within the bound;
 * NULL: none does. */
static const char *explain(const struct step *s, const struct wrong *table, const double *bound,
                           const double *got) {
  double *result = zeros(s->out_n);
  const char *found = NULL;
  for (; table->explanation && !found; table++) {
    memset(result, 0, points_of(s->out_n) * sizeof *result);
    table->compute(s, table, result);
    bool equal = true;
    for (size_t k = 0; equal && k < points_of(s->out_n); k++)
      equal = fabs(got[k] - result[k]) <= 16 * bound[k];
    found = equal ? table->explanation : NULL;
  }
  free(result);
  return found;
}

static void check_boundary(const struct step *s, const double *got) {
  const struct grid g = square(s->out_n);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j) && got[grid_index(g, i, j)] != 0)
        ck_abort_msg(
            "%s, n %d: the result is %g at boundary point (%d, %d): expected 0: only interior points are "
            "computed",
            s->function, s->n, got[grid_index(g, i, j)], i, j);
}

/* Fails unless the program's result is that of truth, which this frees. */
static void judge_step(const struct step *s, struct judge_truth *truth, const struct wrong *table,
                       enum data data) {
  struct judge_finding finding;
  double *got = run_step(s);
  if (!judge_field(truth, got, &finding)) {
    const char *cause = explain(s, table, truth->bound, got);
    if (!cause)
      check_boundary(s, got);
    ck_abort_msg("%s, n %d, %s: %s\n%s%s%s", s->function, s->n, data_words(data), finding.where,
                 cause ? "it equals " : "", cause ? cause : finding.kind, finding.picture);
  }
  check_boundary(s, got);
  free(got);
  judge_truth_free(truth);
}

/* Calls beyond the first: what each asks of the device. launches: at most, in each. */
static void check_rules(struct step s, double launches, double filled) {
  enum { MORE = 3 };
  struct arguments one = {0}, more = {0};
  s.calls = 1;
  step_arguments(&one, &s);
  if (!counters_run(one.list))
    return;
  check_inputs(&s);
  const struct rules_frame frame = rules_frame_read();
  s.calls = 1 + MORE;
  step_arguments(&more, &s);
  counters_run(more.list);
  check_inputs(&s);
  rules_check(&(struct rules){s.function, "multigrid.h", .calls = MORE, .launches = launches,
                              .bytes_on_device = filled},
              &frame);
}

/* --- 07/residual --- */

static void residual_with(const struct step *s, const struct wrong *wrong, double *result) {
  double *h2f = h2f_of(s->n, s->f);
  for (int i = 1; i < s->n - 1; i++)
    for (int j = 1; j < s->n - 1; j++) {
      const int k = i * s->n + j;
      const double sum = s->u[k - 1] + s->u[k + 1] + s->u[k - s->n] + s->u[k + s->n];
      result[k] = wrong->centre * h2f[k] + wrong->edge * sum + wrong->corner * s->u[k];
    }
  free(h2f);
}

/* Factors of h2f, of the neighbours and of u. */
static const struct wrong wrong_residuals[] = {
    {"A u − h2f: the residual is h2f − A u", residual_with, -1, -1, 4},
    {"−A u: h2f is missing", residual_with, 0, 1, -4},
    {"A u: the residual is h2f − A u", residual_with, 0, -1, 4},
    {"h2f − 4u − the neighbours: A u = 4u − the neighbours", residual_with, 1, -1, -4},
    {"h2f + A u: the residual is h2f − A u", residual_with, 1, -1, 4},
    {"h2f + the neighbours: 4u is missing", residual_with, 1, 1, 0},
    {NULL, NULL, 0, 0, 0},
};

static void check_residual(int n, enum data data) {
  struct judge_truth truth = judge_truth_make(square(n));
  double *u = field(n, 1, data), *f = field(n, 2, data), *h2f = h2f_of(n, f);
  const struct step s = {"residual", "mg_residual", n, n, 1, u, f};
  reference_scaled_residual(square(n), 0, h2f, u, truth.expected);
  for (size_t k = 0; k < points_of(n); k++)
    if (grid_is_interior(square(n), (int)k / n, (int)k % n))
      truth.bound[k] =
          judge_gamma(8, DBL_EPSILON) * (fabs(h2f[k]) + 4 * fabs(u[k]) + fabs(u[k - 1]) + fabs(u[k + 1]) +
                                         fabs(u[k - (size_t)n]) + fabs(u[k + (size_t)n]));
  judge_step(&s, &truth, wrong_residuals, data);
  free(u);
  free(f);
  free(h2f);
}

START_TEST(residual_sizes) {
  check_residual(17, DATA_RANDOM); /* a plain case first */
  for (int k = 0; k < SIZES; k++)
    check_residual(sizes[k], data_of(k));
  check_residual(65, DATA_TINY);
  check_residual(65, DATA_HUGE);
}
END_TEST

START_TEST(residual_large) {
  lab_checks_stop();
  check_residual(LARGE, DATA_RANDOM);
}
END_TEST

START_TEST(residual_keeps_the_rules) {
  double *u = field(65, 3, DATA_RANDOM), *f = field(65, 4, DATA_RANDOM);
  check_rules((struct step){"residual", "mg_residual", 65, 65, 1, u, f}, 1, 0);
  free(u);
  free(f);
}
END_TEST

/* --- 07/restrict --- */

static void restrict_with(const struct step *s, const struct wrong *wrong, double *result) {
  const int n = s->n, m = s->out_n;
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      const double *r = s->u + 2 * i * n + 2 * j;
      const double edges = r[-1] + r[1] + r[-n] + r[n];
      const double corners = r[-n - 1] + r[-n + 1] + r[n - 1] + r[n + 1];
      result[i * m + j] = wrong->centre * r[0] + wrong->edge * edges + wrong->corner * corners;
    }
}

/* Full weighting around (2i + centre, 2j + edge), or around (i, j). */
static void restrict_shifted(const struct step *s, const struct wrong *wrong, double *result) {
  const int n = s->n, m = s->out_n, scale = wrong->corner > 0 ? 1 : 2;
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
          const int row = scale * i + (int)wrong->centre + di, column = scale * j + (int)wrong->edge + dj;
          result[i * m + j] += (2 - abs(di)) * (2 - abs(dj)) / 4.0 * s->u[row * n + column];
        }
}

static const struct wrong wrong_restrictions[] = {
    {"full weighting itself, a quarter of what is expected: h doubles on the coarser level, so h² and with it the "
     "right-hand side grow by 4",
     restrict_with, 0.25, 0.125, 0.0625},
    {"16 times full weighting, not 4 times: the weights 4, 2 and 1 are not divided by 4", restrict_with, 4, 2,
     1},
    {"4 times injection: only the point (2i, 2j) counts, and its eight neighbours do not; cycles with it are slower or "
     "diverge: red-black sweeps leave no residual at black points, and injection does not know that",
     restrict_with, 4, 0, 0},
    {"injection of r: only the point (2i, 2j) counts, and the factor 4 is missing, too", restrict_with, 1, 0,
     0},
    {"the weighted sum without the corners: the weights are 4, 2 and 1 of 16, and the corners have 1",
     restrict_with, 1, 0.5, 0},
    {"half weighting: the corners are missing", restrict_with, 2, 0.5, 0},
    {"the sum with the weights of edges and corners exchanged: edges have 2 and corners 1", restrict_with, 1,
     0.25, 0.5},
    {"an average with nine equal weights: they are 4, 2 and 1 of 16", restrict_with, 4.0 / 9, 4.0 / 9,
     4.0 / 9},
    {"minus the right one: the coarser level solves for the residual with its sign", restrict_with, -1, -0.5,
     -0.25},
    {"full weighting around point (i, j): coarse point (i, j) is point (2i, 2j)", restrict_shifted, 0, 0, 1},
    {"full weighting around point (2i + 1, 2j + 1): coarse point (i, j) is point (2i, 2j)", restrict_shifted,
     1, 1, 0},
    {"full weighting around point (2i − 1, 2j − 1): coarse point (i, j) is point (2i, 2j)", restrict_shifted,
     -1, -1, 0},
    {NULL, NULL, 0, 0, 0},
};

static void check_restrict(int n, enum data data) {
  const int m = n / 2 + 1;
  struct judge_truth truth = judge_truth_make(square(m));
  double *r = field(n, 5, data), *magnitude = zeros(n);
  const struct step s = {"restrict", "mg_restrict", n, m, 1, r, NULL};
  for (size_t k = 0; k < points_of(n); k++)
    magnitude[k] = judge_gamma(12, DBL_EPSILON) * fabs(r[k]);
  reference_mg_restrict(n, r, truth.expected);
  reference_mg_restrict(n, magnitude, truth.bound);
  judge_step(&s, &truth, wrong_restrictions, data);
  free(r);
  free(magnitude);
}

START_TEST(restrict_sizes) {
  check_restrict(17, DATA_RANDOM);
  for (int k = 1; k < SIZES; k++)
    check_restrict(sizes[k], data_of(k));
  check_restrict(65, DATA_TINY);
  check_restrict(65, DATA_HUGE);
}
END_TEST

START_TEST(restrict_large) {
  lab_checks_stop();
  check_restrict(LARGE, DATA_RANDOM);
}
END_TEST

START_TEST(restrict_keeps_the_rules) {
  double *r = field(65, 6, DATA_RANDOM);
  check_rules((struct step){"restrict", "mg_restrict", 65, 33, 1, r, NULL}, 1, 0);
  free(r);
}
END_TEST

/* --- 07/prolong --- */

/* u + interpolation with other weights of the coarse points around a point that is one, between two, between four. */
static void prolong_with(const struct step *s, const struct wrong *wrong, double *result) {
  const int n = s->n, m = n / 2 + 1;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const double *c = s->f + i / 2 * m + j / 2;
      const int right = j % 2, down = i % 2 * m, odd = i % 2 + j % 2;
      const double weight = odd == 0 ? wrong->centre : odd == 1 ? wrong->edge / 2 : wrong->corner / 4;
      const double sum = odd == 2 ? c[0] + c[1] + c[m] + c[m + 1] : odd == 1 ? c[0] + c[right + down] : c[0];
      result[i * n + j] = s->u[i * n + j] + weight * sum;
    }
}

static void prolong_nearest(const struct step *s, const struct wrong *wrong, double *result) {
  const int n = s->n, m = n / 2 + 1;
  (void)wrong;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      result[i * n + j] = s->u[i * n + j] + s->f[i / 2 * m + j / 2];
}

static void prolong_replacing(const struct step *s, const struct wrong *wrong, double *result) {
  (void)wrong;
  reference_mg_prolong(s->n, s->f, result);
}

static void prolong_transposed(const struct step *s, const struct wrong *wrong, double *result) {
  const int n = s->n, m = n / 2 + 1;
  double *turned = zeros(m);
  (void)wrong;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      turned[j * m + i] = s->f[i * m + j];
  memcpy(result, s->u, points_of(n) * sizeof *result);
  reference_mg_prolong(n, turned, result);
  free(turned);
}

static const struct wrong wrong_prolongations[] = {
    {"the interpolated correction alone: it is added to u, which it does not replace", prolong_replacing, 0,
     0, 0},
    {"u minus the correction: the correction solves A e = r, and r = h2f − A u, so it is added", prolong_with,
     -1, -1, -1},
    {"u plus the correction at coarse points alone: points between them get averages", prolong_with, 1, 0, 0},
    {"u plus the value of the coarse point to the north-west: points between coarse points get averages",
     prolong_nearest, 0, 0, 0},
    {"u plus sums of the coarse points around a point: a sum of two is halved, a sum of four divided by 4",
     prolong_with, 1, 2, 4},
    {"u plus the correction with halves of sums of four points: they are divided by 4", prolong_with, 1, 1,
     2},
    {"u plus a quarter of all sums: a coarse point's own value keeps the weight 1, and a sum of two has ½",
     prolong_with, 0.25, 0.5, 1},
    {"u without the correction at points between four coarse points", prolong_with, 1, 1, 0},
    {"u without the correction at points between two coarse points", prolong_with, 1, 0, 1},
    {"u plus 4 times the correction: the factor 4 of h² belongs to the restriction alone", prolong_with, 4, 4,
     4},
    {"u plus a quarter of the correction", prolong_with, 0.25, 0.25, 0.25},
    {"u plus the correction with rows and columns exchanged", prolong_transposed, 0, 0, 0},
    {NULL, NULL, 0, 0, 0},
};

static void check_prolong(int n, enum data data) {
  struct judge_truth truth = judge_truth_make(square(n));
  double *u = field(n, 7, data), *coarse = field(n / 2 + 1, 8, data), *magnitude = zeros(n / 2 + 1);
  const struct step s = {"prolong", "mg_prolong", n, n, 1, u, coarse};
  memcpy(truth.expected, u, points_of(n) * sizeof *u);
  reference_mg_prolong(n, coarse, truth.expected);
  for (size_t k = 0; k < points_of(n / 2 + 1); k++)
    magnitude[k] = fabs(coarse[k]);
  for (size_t k = 0; k < points_of(n); k++)
    truth.bound[k] = fabs(u[k]);
  reference_mg_prolong(n, magnitude, truth.bound);
  for (size_t k = 0; k < points_of(n); k++)
    truth.bound[k] *= judge_gamma(8, DBL_EPSILON);
  judge_step(&s, &truth, wrong_prolongations, data);
  free(u);
  free(coarse);
  free(magnitude);
}

START_TEST(prolong_sizes) {
  check_prolong(17, DATA_RANDOM);
  for (int k = 1; k < SIZES; k++)
    check_prolong(sizes[k], data_of(k));
  check_prolong(65, DATA_TINY);
  check_prolong(65, DATA_HUGE);
}
END_TEST

START_TEST(prolong_large) {
  lab_checks_stop();
  check_prolong(LARGE, DATA_RANDOM);
}
END_TEST

START_TEST(prolong_keeps_the_rules) {
  double *u = field(65, 9, DATA_RANDOM), *coarse = field(33, 10, DATA_RANDOM);
  check_rules((struct step){"prolong", "mg_prolong", 65, 65, 1, u, coarse}, 1, 0);
  free(u);
  free(coarse);
}
END_TEST

/* --- 07/cycle --- */

/* What a cycle leaves out or does otherwise. */
enum fault {
  NO_FIRST_SWEEP = 1,
  NO_LAST_SWEEP = 2,
  NO_CORRECTION = 4,
  COARSEST_LEFT = 8,
  KEEPS_COARSE_U = 16,
  OTHER_ORDER = 32,
  RED_BELOW = 64,
  TWO_LEVELS = 128,
  ONE_OF_TWO_COLOURS = 256,
  RESIDUAL_EARLY = 512
};
enum { MOST_LEVELS = 14 };

static void half_sweep(int n, int colour, const double *h2f, double *u) {
  const struct grid g = square(n);
  double *f = zeros(n);
  for (size_t k = 0; k < points_of(n); k++)
    f[k] = h2f[k] / (g.h * g.h);
  reference_sor_half_sweep(g, 0, 1, colour, f, u);
  free(f);
}

/* kept: u of each coarser level, from earlier cycles. */
static void wrong_cycle(int n, int level, int after, enum fault fault, const double *h2f, double *u,
                        double **kept) {
  if (n == GRID_MIN || (fault & TWO_LEVELS && level == 1)) {
    if (!(fault & COARSEST_LEFT))
      half_sweep(n, GRID_RED, h2f, u);
    return;
  }
  const int m = n / 2 + 1, last = fault & OTHER_ORDER ? 1 - after : after;
  double *r = zeros(n), *below = zeros(m);
  if (!kept[level])
    kept[level] = zeros(m);
  if (!(fault & KEEPS_COARSE_U))
    memset(kept[level], 0, points_of(m) * sizeof *u);
  if (fault & RESIDUAL_EARLY)
    reference_scaled_residual(square(n), 0, h2f, u, r);
  for (int half = 0; half < 2 && !(fault & NO_FIRST_SWEEP); half++)
    if (half == 0 || !(fault & ONE_OF_TWO_COLOURS))
      half_sweep(n, half, h2f, u);
  if (!(fault & RESIDUAL_EARLY))
    reference_scaled_residual(square(n), 0, h2f, u, r);
  reference_mg_restrict(n, r, below);
  wrong_cycle(m, level + 1, fault & RED_BELOW ? GRID_RED : after, fault, below, kept[level], kept);
  if (!(fault & NO_CORRECTION))
    reference_mg_prolong(n, kept[level], u);
  for (int half = 0; half < 2 && !(fault & NO_LAST_SWEEP); half++)
    half_sweep(n, half == 0 ? last : 1 - last, h2f, u);
  free(r);
  free(below);
}

static void cycles_with(const struct step *s, const struct wrong *wrong, double *result) {
  double *h2f = h2f_of(s->n, s->f), *kept[MOST_LEVELS] = {NULL};
  memcpy(result, s->u, points_of(s->n) * sizeof *result);
  for (int k = 0; k < s->calls; k++)
    wrong_cycle(s->n, 0, is_step(s, "symmetric") ? GRID_BLACK : GRID_RED, (enum fault)wrong->centre, h2f,
                result, kept);
  for (int k = 0; k < MOST_LEVELS; k++)
    free(kept[k]);
  free(h2f);
}

static const struct wrong wrong_cycles[] = {
    {"a cycle without the sweep before the correction: V(1,1) has one sweep before and one after",
     cycles_with, NO_FIRST_SWEEP, 0, 0},
    {"a cycle without the sweep after the correction: V(1,1) has one sweep before and one after", cycles_with,
     NO_LAST_SWEEP, 0, 0},
    {"two sweeps without a correction from the coarser level", cycles_with, NO_CORRECTION, 0, 0},
    {"a cycle whose coarsest level stays 0: a red half-sweep solves its one unknown", cycles_with,
     COARSEST_LEFT, 0, 0},
    {"cycles whose coarser levels start from the correction of the last cycle: they start from u = 0, because each cycle "
     "has a new residual",
     cycles_with, KEEPS_COARSE_U, 0, 0},
    {"a cycle whose last sweep has the other order of colours: it begins with the colour `after`",
     cycles_with, OTHER_ORDER, 0, 0},
    {"a cycle that is symmetric on the finest level alone: the levels below need `after`, too", cycles_with,
     RED_BELOW, 0, 0},
    {"a cycle of two levels: the coarser level is solved by a whole cycle, down to 3 x 3 points", cycles_with,
     TWO_LEVELS, 0, 0},
    {"a cycle whose first sweep relaxes red points alone", cycles_with, ONE_OF_TWO_COLOURS, 0, 0},
    {"a cycle that restricts the residual of u before the first sweep", cycles_with, RESIDUAL_EARLY, 0, 0},
    {NULL, NULL, 0, 0, 0},
};

/* The bound is generous: other orders of sums are right, and each fault changes the first digits. */
static void check_cycle(const char *name, int n, int calls) {
  const double RELATIVE = 1e-11;
  struct judge_truth truth = judge_truth_make(square(n));
  double *u = field(n, 11, DATA_RANDOM), *f = field(n, 12, DATA_RANDOM);
  const struct step s = {name, "mg_cycle", n, n, calls, u, f};
  double most = 0;
  cycles_with(&s, &(struct wrong){0}, truth.expected);
  for (size_t k = 0; k < points_of(n); k++)
    most = fmax(most, fabs(u[k]));
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      truth.bound[i * n + j] = RELATIVE * most;
  judge_step(&s, &truth, wrong_cycles, DATA_RANDOM);
  free(u);
  free(f);
}

START_TEST(cycle_sizes) {
  check_cycle("cycle", 33, 1);
  for (int k = 0; k < SIZES; k++)
    check_cycle("cycle", sizes[k], 1 + k % 3);
  for (int k = 0; k < SIZES - 1; k++)
    check_cycle("symmetric", sizes[k], 1 + k % 3);
}
END_TEST

/* Seven launches on each level but the last. The levels below are filled with zeros. */
START_TEST(cycle_keeps_the_rules) {
  enum { N = 65, LEVELS = 6, MOST = 8 };
  double *u = field(N, 13, DATA_RANDOM), *f = field(N, 14, DATA_RANDOM), filled = 0;
  for (int n = N / 2 + 1; n >= GRID_MIN; n = n / 2 + 1) {
    filled += (double)points_of(n) * sizeof(double);
    if (n == GRID_MIN)
      break;
  }
  check_rules((struct step){"cycle", "mg_cycle", N, N, 1, u, f}, MOST * LEVELS, filled);
  free(u);
  free(f);
}
END_TEST

/* A recorded cycle computes the same. */
START_TEST(cycle_can_be_recorded) {
  static const char *const plain[] = {"--nx", "33", "--out", "out.npy", NULL};
  static const char *const graph[] = {"--nx", "33", "--out", "out.npy", "--graph", NULL};
  lab_suite_expect_success(plain);
  double *expected = solve_suite_read("out.npy", square(33));
  const struct program_result result = lab_suite_run(graph);
  if (result.status != 0)
    ck_abort_msg(
        "mg_cycle cannot be recorded as a CUDA graph: does it put all its work into the stream, without "
        "waiting? %s",
        result.message);
  double *got = solve_suite_read("out.npy", square(33));
  if (memcmp(expected, got, points_of(33) * sizeof *got) != 0)
    ck_abort_msg("mg_cycle, n 33: a recorded cycle gives another u: is some work outside the stream?");
  free(expected);
  free(got);
}
END_TEST

/* --- 07/convergence, 07/cg --- */

enum { HISTORY = 64 };

/* Relative residuals of a run; returns the iterations. */
static int run_solver(const char *method, int n, double *history) {
  char number[16], line[160];
  int count = 0;
  snprintf(number, sizeof number, "%d", n);
  unlink("h.csv");
  lab_suite_run((const char *[]){"--method", method, "--nx", number, "--limit", "60", "--csv", "h.csv",
                                 "--out", "out.npy", NULL});
  if (access("h.csv", R_OK) != 0)
    lab_suite_expect_success((const char *[]){"--method", method, "--nx", number, "--limit", "60", NULL});
  FILE *file = lab_files_open("h.csv");
  while (count < HISTORY && fgets(line, sizeof line, file)) {
    const char *comma = strrchr(line, ',');
    if (comma && sscanf(comma, ",%lf", &history[count]) == 1) /* not the heading */
      count++;
  }
  fclose(file);
  ck_assert_msg(count > 0, "--method %s, n %d: the program writes no residuals", method, n);
  return count - 1;
}

static double *ones(int n) {
  const struct problem problem = {.kind = PROBLEM_CONSTANT};
  double *f = zeros(n);
  problem_rhs(&problem, square(n), f);
  return f;
}

/* A history alone shows nothing: a program can write one that it has not computed. */
static void check_solution(const char *method, int n, const char *hint) {
  double *u = solve_suite_read("out.npy", square(n)), *f = ones(n);
  const double residual = reference_relative_residual(square(n), 0, f, u);
  if (!(residual <= 1.01e-6))
    ck_abort_msg(
        "--method %s, n %d: the relative residual of x is %.2e: expected at most 1e-6, as reported%s", method,
        n, residual, hint);
  free(u);
  free(f);
}

static bool is_close(double a, double b) { return fabs(a - b) <= 1e-3 * b + 1e-12; }

START_TEST(convergence_does_not_depend_on_h) {
  enum { CYCLES = 7, LARGEST = 257 };
  char found[256] = "";
  bool same = true;
  lab_checks_stop();
  for (int n = 17; n <= LARGEST; n = 2 * n - 1) {
    double history[HISTORY];
    const int cycles = run_solver("cycle", n, history);
    same &= cycles == CYCLES;
    snprintf(found + strlen(found), sizeof found - strlen(found), "%s%d at n = %d%s", found[0] ? ", " : "",
             cycles, n, cycles >= 60 ? " (the limit)" : "");
  }
  if (!same)
    ck_abort_msg(
        "cycles to a relative residual of 1e-6, f = 1: %s: expected %d at every n: the number of cycles does not "
        "depend on h",
        found, CYCLES);
  check_solution("cycle", LARGEST, "");
  lab_suite_show("%d cycles at n = 17 to %d", CYCLES, LARGEST);
}
END_TEST

/* CG that may be wrong. */
struct cg {
  const char *explanation;
  int after; /* of the cycle; −1: no preconditioner */
  bool beta_inverted, fixed,
      squares; /* β turned; always the first search direction's β = 0; r·r instead of r·z */
};
static const struct cg wrong_cgs[] = {
    {"CG without the preconditioner: z = M⁻¹r is one cycle from u = 0", -1, false, false, false},
    {"CG with a cycle that is not symmetric: CG needs a symmetric M, and MG_BLACK makes it so", GRID_RED,
     false, false, false},
    {"CG with β turned: it is the new r·z divided by the old one", GRID_BLACK, true, false, false},
    {"steepest descent: p = z + βp with β = 0", GRID_BLACK, false, true, false},
    {"CG with r·r in place of r·z in α and β", GRID_BLACK, false, false, true},
    {NULL, 0, false, false, false},
};

static void apply_m(int n, int after, const double *r, double *z) {
  memcpy(z, r, points_of(n) * sizeof *z);
  if (after < 0)
    return;
  memset(z, 0, points_of(n) * sizeof *z);
  reference_mg_cycle(n, after, r, z);
}

/* Relative residuals of `limit` iterations for f = 1. */
static void run_cg(int n, const struct cg *how, int limit, double *history) {
  const struct grid g = square(n);
  double *f = ones(n), *r = h2f_of(n, f), *z = zeros(n), *p = zeros(n), *q = zeros(n), rho_old = 1;
  const double f_norm = reference_norm2(g, r);
  for (int k = 0; k <= limit; k++) {
    history[k] = reference_norm2(g, r) / f_norm;
    apply_m(n, how->after, r, z);
    const double rho = reference_dot(g, r, how->squares ? r : z);
    const double ratio = how->beta_inverted ? rho_old / rho : rho / rho_old;
    for (size_t i = 0; i < points_of(n); i++)
      p[i] = z[i] + (k > 0 && !how->fixed ? ratio : 0) * p[i];
    reference_apply(g, 0, p, q);
    const double alpha = rho / (reference_dot(g, p, q) * g.h * g.h);
    for (size_t i = 0; i < points_of(n); i++)
      r[i] -= alpha * g.h * g.h * q[i];
    rho_old = rho;
  }
  free(f), free(r), free(z), free(p), free(q);
}

/* "": none of the table. The first residual after the start, and a few more, decide. */
static const char *explain_cg(int n, const double *history, int iterations) {
  enum { COMPARED = 4 };
  for (const struct cg *how = wrong_cgs; how->explanation; how++) {
    double wrong[COMPARED + 1];
    bool same = iterations >= COMPARED;
    run_cg(n, how, COMPARED, wrong);
    for (int k = 1; same && k <= COMPARED; k++)
      same = is_close(history[k], wrong[k]);
    if (same)
      return how->explanation;
  }
  return "";
}

static void check_cg(const char *method, int after, int n) {
  double history[HISTORY], expected[HISTORY];
  const int iterations = run_solver(method, n, history);
  run_cg(n, &(struct cg){.after = after}, HISTORY - 1, expected);
  for (int k = 0; k <= iterations; k++)
    if (!is_close(history[k], expected[k])) {
      const char *cause = after < 0 ? "" : explain_cg(n, history, iterations);
      ck_abort_msg("--method %s, n %d: relative residual %.3e after %d iterations: expected %.3e%s%s", method,
                   n, history[k], k, expected[k], cause[0] ? "\nit equals " : "", cause);
    }
  if (!(history[iterations] <= 1e-6) || (iterations > 0 && history[iterations - 1] <= 1e-6))
    ck_abort_msg(
        "--method %s, n %d: %d iterations end at a relative residual of %.2e: expected the first one of at most "
        "1e-6",
        method, n, iterations, history[iterations]);
  check_solution(method, n, ": is x updated by +alpha p, and r by −alpha A p?");
}

START_TEST(cg_with_a_cycle) {
  check_cg("mgcg", GRID_BLACK, 33); /* enough iterations to name a cause */
  for (int n = 5; n <= 129; n = 2 * n - 1)
    check_cg("mgcg", GRID_BLACK, n);
}
END_TEST

START_TEST(cg_without_one) { check_cg("cg", -1, 33); }
END_TEST

/* --- 07/input --- */

START_TEST(input_is_refused) {
  static const char *const sizes_refused[] = {"4", "6", "64", "66", "100", "1000", "16386"};
  double *wide = solve_suite_random(grid_make(17, 9), 1), *even = solve_suite_random(grid_make(16, 16), 1);
  for (size_t k = 0; k < sizeof sizes_refused / sizeof *sizes_refused; k++)
    lab_suite_expect_refused((const char *[]){"--nx", sizes_refused[k], "--out", "out.npy", NULL}, "2^k + 1",
                             "out.npy");
  solve_suite_write("wide.npy", grid_make(17, 9), wide);
  solve_suite_write("even.npy", grid_make(16, 16), even);
  lab_suite_expect_refused((const char *[]){"--f", "wide.npy", "--out", "out.npy", NULL},
                           "as many rows as columns", "out.npy");
  lab_suite_expect_refused((const char *[]){"--f", "even.npy", "--out", "out.npy", NULL}, "2^k + 1",
                           "out.npy");
  lab_suite_expect_refused((const char *[]){"apply", "--u", "even.npy", "--out", "out.npy", NULL}, "2^k + 1",
                           "out.npy");
  lab_suite_expect_refused(
      (const char *[]){"apply", "--step", "restrict", "--nx", "3", "--out", "out.npy", NULL}, "at least 5",
      "out.npy");
  lab_suite_expect_refused((const char *[]){"--graph", "--method", "cg", "--out", "out.npy", NULL}, "--graph",
                           "out.npy");
  lab_suite_expect_refused((const char *[]){"table", "--sizes", "33,100", "--csv", "out.npy", NULL},
                           "2^k + 1", "out.npy");
  free(wide);
  free(even);
}
END_TEST

static const struct lab_test tests[] = {
    {"07/residual", &residual_sizes},
    {"07/residual", &residual_large},
    {"07/residual", &residual_keeps_the_rules},
    {"07/restrict", &restrict_sizes},
    {"07/restrict", &restrict_large},
    {"07/restrict", &restrict_keeps_the_rules},
    {"07/prolong", &prolong_sizes},
    {"07/prolong", &prolong_large},
    {"07/prolong", &prolong_keeps_the_rules},
    {"07/cycle", &cycle_sizes},
    {"07/cycle", &cycle_keeps_the_rules},
    {"07/cycle", &cycle_can_be_recorded},
    {"07/convergence", &convergence_does_not_depend_on_h},
    {"07/cg", &cg_with_a_cycle},
    {"07/cg", &cg_without_one},
    {"07/input", &input_is_refused},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"apply", "--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
