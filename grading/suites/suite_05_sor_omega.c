/* Lab 05: runs a sor_omega program (see lab_suite.h for the command line) and judges its files and output. This file
 * judges the sweeps, suite_05_radius.c parts 2 and 3, suite_05_solve.c part 4, suite_05_study.c parts 5 and 6. */
#include "suite_05.h"

#include "allocate.h"
#include "counters.h"
#include "data.h"
#include "far.h"
#include "judge.h"
#include "judged_grids.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "plural.h"
#include "problem.h"
#include "reference.h"
#include "stencil_fit.h"
#include "sweep_suite.h"
#include "traffic.h"
#include "wrong_sweeps.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nx, ny: smallest, hand-worked, odd, even, rectangular; one thread, warp or block more or less. */
static const int sizes[][2] = {{3, 3},   {3, 5},   {5, 3},    {4, 4},    {6, 4},    {5, 5},  {33, 34},
                               {64, 11}, {65, 10}, {127, 10}, {128, 11}, {129, 12}, {130, 9}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* --- runs of the filter --- */

struct run {
  const char *variant, *colour; /* colour: "red", "black", or NULL for whole sweeps */
  struct grid g;
  double kappa, omega;
  int sweeps;
  const char *what; /* u and f, in words */
  const double *u, *f;
  enum sweep_counting counting;
  struct solve_use *use; /* NULL, or receives what the run did */
  enum data data;        /* of check_random */
};

/* Keeps what the run of the program did if run->use asks for it. False: a tried run fails. */
static bool start(const struct run *run, const char *const *arguments) {
  bool known = false;
  if (run->counting == SWEEP_TRIED)
    return lab_suite_succeeds(arguments);
  if (run->counting == SWEEP_MEASURED)
    known = counters_measure(arguments, run->sweeps * (double)grid_points(run->g));
  else if (run->counting == SWEEP_COUNTED)
    known = counters_run(arguments);
  else
    lab_suite_expect_success(arguments);
  if (run->use)
    *run->use = solve_suite_use(known);
  return true;
}

/* Writes u and f. */
static void prepare(const struct run *run, struct arguments *a) {
  solve_suite_write("u.npy", run->g, run->u);
  solve_suite_write("f.npy", run->g, run->f);
  unlink("out.npy");
  arguments_add(a, "--variant"), arguments_add(a, run->variant);
  if (run->colour)
    arguments_add(a, "--colour"), arguments_add(a, run->colour);
  arguments_add(a, "--u"), arguments_add(a, "u.npy"), arguments_add(a, "--f"), arguments_add(a, "f.npy"),
      arguments_add(a, "--out"), arguments_add(a, "out.npy");
  arguments_add_number(a, "--omega", run->omega);
  arguments_add_number(a, "--sweeps", run->sweeps);
  arguments_add_number(a, "--kappa", run->kappa);
}

/* NULL: a tried run fails. */
static double *run_program(const struct run *run) {
  struct arguments a = {0};
  prepare(run, &a);
  if (!start(run, a.list))
    return NULL;
  if (strcmp(run->variant, "sweep") == 0)
    solve_suite_check_inputs(run->g, run->f, run->u);
  return solve_suite_read("out.npy", run->g);
}

/* A launch for each half-sweep, at every size. A counted run has rules of its own, which come first. */
static void check_launches(const struct run *run) {
  char size[96];
  snprintf(size, sizeof size, "nx %d, ny %d, %d sweep%s", run->g.nx, run->g.ny, run->sweeps,
           PLURAL(run->sweeps));
  if (!run->use && !run->colour)
    traffic_check_calls("sor_half_sweep", size, 2 * run->sweeps);
}

static bool has_colour(const struct run *run, int colour) {
  return !run->colour || colour == (strcmp(run->colour, "red") == 0 ? GRID_RED : GRID_BLACK);
}

/* Rounding errors of a half-sweep, and its effect on earlier ones: a running error analysis (N. J. Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.3). Each term of u goes through at most nine
 * roundings, those of the three factors included. */
static void half_sweep_bound(const struct run *run, int colour, const double *u, double *bound) {
  const struct grid g = run->g;
  const double gamma = judge_gamma(9, DBL_EPSILON), h2 = g.h * g.h, keep = fabs(1 - run->omega);
  const double factor = run->omega / (4 + run->kappa * run->kappa * h2);
  const size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, grid_first_column(i, colour)); k < grid_index(g, i, g.nx - 1); k += 2) {
      const double terms =
          fabs(u[k - 1]) + fabs(u[k + 1]) + fabs(u[k - nx]) + fabs(u[k + nx]) + h2 * fabs(run->f[k]);
      const double errors = bound[k - 1] + bound[k + 1] + bound[k - nx] + bound[k + nx];
      bound[k] = keep * bound[k] + factor * errors + gamma * (keep * fabs(u[k]) + factor * terms);
    }
}

static struct judge_truth truth_of_sweeps(const struct run *run) {
  struct judge_truth truth = judge_truth_make(run->g);
  truth.before = run->u;
  memcpy(truth.expected, run->u, grid_points(run->g) * sizeof *run->u);
  for (int n = 0; n < run->sweeps; n++)
    for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
      if (has_colour(run, colour)) {
        half_sweep_bound(run, colour, truth.expected, truth.bound);
        reference_sor_half_sweep(run->g, run->kappa, run->omega, colour, run->f, truth.expected);
      }
  return truth;
}

/* Writes the known mistakes that give this result to text; false if there is none. */
static bool explain(const struct run *run, const double *got, char *text, size_t size) {
  const struct wrong_sweeps_run asked = {
      .g = run->g,
      .kappa = run->kappa,
      .omega = run->omega,
      .colour = run->colour,
      .sweeps = run->sweeps,
      .split = true,
      .epsilon = DBL_EPSILON,
      .u = run->u,
      .f = run->f,
  };
  return wrong_sweeps_name(&asked, got, text, size);
}

/* The type of an index is too small for the elements of both colours: from its largest value on, a half-sweep
 * writes none of its points. */
static bool explain_index(const struct run *run, const double *got, char *text, size_t size) {
  const struct grid g = run->g;
  const size_t pitch = (size_t)grid_pitch(g.nx), half = (size_t)g.ny * pitch;
  for (size_t bits = 15; run->colour && bits <= 16; bits++) {
    size_t points[2] = {0}, changed[2] = {0}; /* below and beyond */
    for (int i = 1; i < g.ny - 1; i++)
      for (int j = 1; j < g.nx - 1; j++) {
        const size_t colour = (size_t)grid_colour(i, j), at = grid_index(g, i, j);
        const bool is_beyond = colour * half + (size_t)i * pitch + (size_t)j / 2 >= (size_t)1 << bits;
        if (has_colour(run, (int)colour)) {
          points[is_beyond]++;
          changed[is_beyond] += got[at] != run->u[at];
        }
      }
    if (points[1] > 0 && changed[0] == points[0] && changed[1] == 0) {
      snprintf(text, size, "no point from element %d on was written: does an index have %zu bits?", 1 << bits,
               bits);
      return true;
    }
  }
  return false;
}

/* Random u, and f so that h²·f matters. The caller frees both. */
static void set_random(struct run *run, double **u, double **f) {
  run->u = *u = solve_suite_random(run->g, 1);
  run->f = *f = solve_suite_random(run->g, 2);
  data_change_double(run->data, 1, grid_points(run->g), *u);
  data_change_double(run->data, 2, grid_points(run->g), *f);
  for (size_t k = 0; k < grid_points(run->g); k++)
    (*f)[k] *= fmax(100, pow(run->g.nx - 1, 2));
}

/* Names the wrong terms of a half-sweep of this colour on a larger grid. */
static bool name_step(const struct run *asked, const char *colour, char *text, size_t size) {
  struct run run = {"sweep",      colour, grid_make(33, 35), asked->kappa,
                    asked->omega, 1,      "random u and f",  .counting = SWEEP_TRIED};
  double *u, *f;
  set_random(&run, &u, &f);
  double *got = run_program(&run);
  const double step = run.omega / (4 + run.kappa * run.kappa * run.g.h * run.g.h);
  for (size_t k = 0; k < grid_points(run.g); k++)
    f[k] *= run.g.h * run.g.h;
  const struct stencil_fit fit = {run.g,
                                  strcmp(colour, "red") == 0 ? GRID_RED : GRID_BLACK,
                                  u,
                                  f,
                                  got,
                                  .own = 1 - run.omega,
                                  .side = step,
                                  .source = step,
                                  .f_name = "h2f"};
  const size_t used =
      (size_t)snprintf(text, size, "on %d x %d points, in a %s half-sweep, ", run.g.nx, run.g.ny, colour);
  const bool named = got && (stencil_fit_name(&fit, text + used, size - used) ||
                             stencil_fit_name_misread(&fit, text + used, size - used) > 0);
  free(u), free(f), free(got);
  return named;
}

static void judge(const struct run *run, const struct judge_truth *truth, const double *got) {
  struct judge_finding finding;
  if (!judge_field(truth, got, &finding)) {
    char instead[WRONG_SWEEPS_TEXT];
    const bool is_dense = strcmp(run->variant, "sequential") == 0; /* its boundary points are unknowns, too */
    const bool named =
        !is_dense &&
        (explain_index(run, got, instead, sizeof instead) || explain(run, got, instead, sizeof instead) ||
         name_step(run, "red", instead, sizeof instead) || name_step(run, "black", instead, sizeof instead));
    ck_abort_msg("%s%s%s, nx %d, ny %d, kappa %g, omega %g, %d sweep%s, %s: %s\n%s%s", run->variant,
                 run->colour ? ", " : "", run->colour ? run->colour : "", run->g.nx, run->g.ny, run->kappa,
                 run->omega, run->sweeps, PLURAL(run->sweeps), run->what, finding.where,
                 named ? instead : finding.kind, finding.picture);
  }
  if (memcmp(truth->expected, got, grid_points(run->g) * sizeof *got) != 0)
    lab_suite_remark("%s, nx %d, ny %d: rounded differently: use the order of operations in sor_omega.h",
                     run->variant, run->g.nx, run->g.ny);
}

static void check_sweeps(const struct run *run) {
  struct judge_truth truth = truth_of_sweeps(run);
  double *got = run_program(run);
  judge(run, &truth, got);
  check_launches(run);
  judge_truth_free(&truth);
  free(got);
}

static void check_random(const struct run *asked) {
  struct run run = *asked;
  double *u, *f;
  set_random(&run, &u, &f);
  check_sweeps(&run);
  free(u);
  free(f);
}

static void check_random_sweeps(struct grid g, const char *colour, double kappa, double omega, int sweeps) {
  check_random(&(struct run){"sweep", colour, g, kappa, omega, sweeps, "random u and f"});
}

static void check_sweeps_of(int n, const char *colour, double kappa, double omega, int sweeps) {
  const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
  check_random(&(struct run){"sweep", colour, g, kappa, omega, sweeps, "random u and f", .data = data_of(n)});
}

/* --- 05/sequential --- */

static double *dense_matrix(struct grid g, double kappa) {
  struct reference_csr a = reference_csr_assemble(g, kappa);
  double *dense = reference_csr_dense(&a);
  judged_couple(grid_points(g), dense);
  reference_csr_free(&a);
  return dense;
}

/* Like half_sweep_bound: a row has at most five nonzero terms, and each goes through at most nine roundings. */
static void dense_bound(const struct run *run, const double *a, const double *x, double *bound) {
  const size_t n = grid_points(run->g);
  const double gamma = judge_gamma(9, DBL_EPSILON), keep = fabs(1 - run->omega);
  for (size_t i = 0; i < n; i++, a += n) {
    double terms = fabs(run->f[i]), errors = 0;
    for (size_t j = 0; j < n; j++)
      if (j != i) {
        terms += fabs(a[j] * x[j]);
        errors += fabs(a[j]) * bound[j];
      }
    bound[i] = keep * bound[i] + fabs(run->omega / a[i]) * errors +
               gamma * (keep * fabs(x[i]) + fabs(run->omega / a[i]) * terms);
  }
}

/* The bound of a sweep is computed from its result too: neighbours before i are new. */
static struct judge_truth truth_of_dense(const struct run *run) {
  struct judge_truth truth = judge_truth_make(run->g);
  double *a = dense_matrix(run->g, run->kappa), *largest = solve_suite_copy(run->g, run->u);
  memcpy(truth.expected, run->u, grid_points(run->g) * sizeof *run->u);
  for (int n = 0; n < run->sweeps; n++) {
    memcpy(largest, truth.expected, grid_points(run->g) * sizeof *largest);
    reference_sor_sweep_dense((int)grid_points(run->g), a, run->f, run->omega, truth.expected);
    for (size_t k = 0; k < grid_points(run->g); k++)
      largest[k] = fmax(fabs(largest[k]), fabs(truth.expected[k]));
    dense_bound(run, a, largest, truth.bound);
  }
  free(a);
  free(largest);
  return truth;
}

/* Sweeps that differ from those of the contract in one thing. */
enum dense_mistake {
  TRANSPOSED,
  FIRST_PIVOT,
  BACKWARD,
  TO_AND_FRO,
  OLD_VALUES,
  DIAGONAL_INCLUDED,
  BEFORE_ALONE,
  AFTER_ALONE,
  ADDED,
  WITHOUT_B,
  FIRST_LEFT_OUT,
  LAST_LEFT_OUT,
  FIRST_TERM_LEFT_OUT,
  LAST_TERM_LEFT_OUT,
  DENSE_MISTAKES
};

static bool has_term(enum dense_mistake mistake, int n, int i, int j) {
  return (j != i || mistake == DIAGONAL_INCLUDED) && !(mistake == BEFORE_ALONE && j > i) &&
         !(mistake == AFTER_ALONE && j < i) && !(mistake == FIRST_TERM_LEFT_OUT && j == 0) &&
         !(mistake == LAST_TERM_LEFT_OUT && j == n - 1);
}

static void sweep_instead(enum dense_mistake mistake, int n, const double *a, const double *b, double omega,
                          bool is_odd, double *x) {
  double *old = allocate_zeroed((size_t)n, sizeof *old);
  memcpy(old, x, (size_t)n * sizeof *x);
  for (int m = mistake == FIRST_LEFT_OUT; m < n - (mistake == LAST_LEFT_OUT); m++) {
    const bool back = mistake == BACKWARD || (mistake == TO_AND_FRO && is_odd);
    const int i = back ? n - 1 - m : m;
    double s = mistake == WITHOUT_B ? 0 : b[i];
    for (int j = 0; j < n; j++)
      if (has_term(mistake, n, i, j))
        s -= (mistake == ADDED ? -1 : 1) * a[mistake == TRANSPOSED ? j * n + i : i * n + j] *
             (mistake == OLD_VALUES ? old : x)[j];
    x[i] = (1 - omega) * x[i] + omega * (s / a[mistake == FIRST_PIVOT ? 0 : i * n + i]);
  }
  free(old);
}

/* x_i = (1 − ω)·x_i·a_ii^old + ω·factor·(b_i·a_ii^b − Σ a_ij·x_j·a_ii^sum); right: 0, 1, −1, −1. */
struct dense_formula {
  int old, b, sum;
  double factor;
};
enum { LEAST_POWER = -2, MOST_POWER = 1 };

static void sweep_by_formula(const struct dense_formula *formula, int n, const double *a, const double *b,
                             double omega, double *x) {
  for (int i = 0; i < n; i++) {
    const double diagonal = a[i * n + i];
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += j == i ? 0 : a[i * n + j] * x[j];
    x[i] = (1 - omega) * x[i] * pow(diagonal, formula->old) +
           omega * formula->factor * (b[i] * pow(diagonal, formula->b) - sum * pow(diagonal, formula->sum));
  }
}

static bool gives(const struct dense_formula *formula, const struct run *run, const double *a,
                  const double *b, const double *got) {
  double *x = solve_suite_copy(run->g, run->u);
  bool equal = true;
  for (int n = 0; n < run->sweeps; n++)
    sweep_by_formula(formula, (int)grid_points(run->g), a, b, run->omega, x);
  for (size_t k = 0; k < grid_points(run->g); k++)
    equal = equal && fabs(got[k] - x[k]) <= 1e-10 * fabs(x[k]);
  free(x);
  return equal;
}

/* Fails with the formula that gives this result: the division may be wrong in each of its terms. */
static void explain_division(const struct run *run, const double *a, const double *b, const double *got) {
  enum { POWERS = MOST_POWER - LEAST_POWER + 1, FACTORS = 3 };
  static const char *const powers[POWERS] = {"/a_ii²", "/a_ii", "", "·a_ii"}, *const names[FACTORS] = {
                                                                                  "", "4·", "¼·"};
  static const double factors[FACTORS] = {1, 4, 0.25};
  for (int n = 0; n < FACTORS * 2 * POWERS * POWERS; n++) {
    const int of_b = n % POWERS, of_sum = n / POWERS % POWERS, of_old = n / POWERS / POWERS % 2,
              factor = n / POWERS / POWERS / 2;
    const struct dense_formula formula = {-of_old, LEAST_POWER + of_b, LEAST_POWER + of_sum, factors[factor]};
    if (gives(&formula, run, a, b, got))
      ck_abort_msg(
          "sequential, nx %d, ny %d, kappa %g, omega %g, %d sweep%s: it equals "
          "x_i = (1 − ω)·x_i%s + ω·%s(b_i%s − sum%s): expected x_i = (1 − ω)·x_i + ω·(b_i − sum)/a_ii",
          run->g.nx, run->g.ny, run->kappa, run->omega, run->sweeps, PLURAL(run->sweeps),
          of_old ? "/a_ii" : "", names[factor], powers[of_b], powers[of_sum]);
  }
}

/* Fails with the name of the mistake that gives this result, up to roundings. */
static void explain_dense_sweeps(const struct run *run, const double *got) {
  static const char *const explanations[DENSE_MISTAKES] = {
      [TRANSPOSED] = "the result with a[j*n + i] instead of a[i*n + j]: a is stored by rows",
      [FIRST_PIVOT] = "the result without the division by a_ii, or with a_00, here 1, as the divisor",
      [BACKWARD] = "sweeps from the last unknown to the first: expected ascending i",
      [TO_AND_FRO] = "sweeps that alternate between ascending and descending i: expected ascending i",
      [OLD_VALUES] =
          "a Jacobi sweep, in which all x_j are those from before the sweep: an unknown uses the new values of those before it",
      [DIAGONAL_INCLUDED] = "the result with the term a_ii·x_i in the sum: j = i is left out",
      [BEFORE_ALONE] = "the result without the terms j > i: all j except i belong to the sum",
      [AFTER_ALONE] = "the result without the terms j < i: all j except i belong to the sum",
      [ADDED] = "the result of b_i plus the sum: the terms a_ij·x_j are subtracted",
      [WITHOUT_B] = "the result without b_i",
      [FIRST_LEFT_OUT] = "sweeps that leave out unknown 0",
      [LAST_LEFT_OUT] = "sweeps that leave out the last unknown, n − 1",
      [FIRST_TERM_LEFT_OUT] = "the result without the first term, j = 0",
      [LAST_TERM_LEFT_OUT] = "the result without the last term, j = n − 1"};
  const size_t points = grid_points(run->g);
  double *a = dense_matrix(run->g, run->kappa), *b = solve_suite_copy(run->g, run->f);
  for (size_t k = 0; k < points * points; k++)
    a[k] *= judged_sign(run->g, k / points);
  for (size_t k = 0; k < points; k++)
    b[k] *= judged_sign(run->g, k);
  for (int m = 0; m < DENSE_MISTAKES; m++) {
    double *x = solve_suite_copy(run->g, run->u);
    bool equal = true;
    for (int n = 0; n < run->sweeps; n++)
      sweep_instead((enum dense_mistake)m, (int)points, a, b, run->omega, n % 2, x);
    for (size_t k = 0; k < points; k++)
      equal = equal && fabs(got[k] - x[k]) <= 1e-10 * fabs(x[k]);
    if (equal)
      ck_abort_msg("sequential, nx %d, ny %d, kappa %g, omega %g, %d sweep%s: it equals %s", run->g.nx,
                   run->g.ny, run->kappa, run->omega, run->sweeps, PLURAL(run->sweeps), explanations[m]);
    free(x);
  }
  explain_division(run, a, b, got);
  free(a);
  free(b);
}

/* The weights are 1 − ω and ω: other ones are those of another ω. */
static void explain_dense(const struct run *run, const double *got) {
  const struct {
    double omega;
    int sweeps;
    const char *explanation;
  } bank[] = {{1 - run->omega, run->sweeps, "ω·x + (1 − ω)·s/a: omega is on the wrong term"},
              {1, run->sweeps, "s/a alone: omega is not used"},
              {run->omega, 0, "x before the sweeps"},
              {run->omega, run->sweeps - 1, "the result of one sweep less"},
              {run->omega, run->sweeps + 1, "the result of one sweep more"},
              {run->omega, 1, "the result of one sweep: do all sweeps run?"}};
  for (size_t n = 0; n < sizeof bank / sizeof *bank; n++) {
    struct run other = *run;
    struct judge_finding finding;
    other.omega = bank[n].omega;
    other.sweeps = bank[n].sweeps;
    struct judge_truth truth = truth_of_dense(&other);
    if (judge_field(&truth, got, &finding))
      ck_abort_msg("sequential, nx %d, ny %d, omega %g, %d sweep%s, %s: it equals %s", run->g.nx, run->g.ny,
                   run->omega, run->sweeps, PLURAL(run->sweeps), run->what, bank[n].explanation);
    judge_truth_free(&truth);
  }
  explain_dense_sweeps(run, got);
}

/* So that the first and the last unknown, which are on the boundary, change. */
static void change_at_boundary(struct grid g, double *f) {
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j))
        f[grid_index(g, i, j)] = 1 + i - 0.25 * j;
}

static void check_dense_of(const int *size, double kappa, double omega, int sweeps, enum data data) {
  const struct grid g = grid_make(size[0], size[1]);
  double *u = solve_suite_random(g, 3), *f = solve_suite_random(g, 4);
  struct solve_use use;
  change_at_boundary(g, f);
  data_change_double(data, 3, grid_points(g), u);
  data_change_double(data, 4, grid_points(g), f);
  const struct run run = {"sequential",     NULL, g, kappa,         omega, sweeps,
                          data_words(data), u,    f, SWEEP_COUNTED, &use};
  struct judge_truth truth = truth_of_dense(&run);
  struct judge_finding finding;
  double *got = run_program(&run);
  const double result = sizeof *u * (double)grid_points(g);
  const size_t points = grid_points(g);
  double *a = dense_matrix(g, kappa), *b = solve_suite_copy(g, f);
  for (size_t k = 0; k < points * points; k++)
    a[k] *= judged_sign(g, k / points); /* as in main.c */
  for (size_t k = 0; k < points; k++)
    b[k] *= judged_sign(g, k);
  traffic_check_inputs(3, (struct npy[]){{NPY_FLOAT64, 2, {points, points}, a},
                                         {NPY_FLOAT64, 1, {points, 1}, b},
                                         {NPY_FLOAT64, 1, {points, 1}, u}});
  free(a);
  free(b);
  solve_suite_check_launched("sor_sequential", &use, 1);
  if (use.known && use.bytes_to_host > result)
    ck_abort_msg("sor_sequential: %.0f bytes are copied to the host: expected %.0f, the result alone: "
                 "compute on the device",
                 use.bytes_to_host, result);
  if (omega != 1 && !judge_field(&truth, got, &finding))
    explain_dense(&run, got);
  judge(&run, &truth, got);
  judge_truth_free(&truth);
  free(got);
  free(u);
  free(f);
}

static void check_dense(const int *size, double kappa, double omega, int sweeps) {
  check_dense_of(size, kappa, omega, sweeps, DATA_RANDOM);
}

START_TEST(sequential_sizes) {
  static const int small[][2] = {{4, 4}, {3, 3}, {3, 5}, {6, 4}, {9, 7}};
  for (size_t n = 0; n < sizeof small / sizeof *small; n++) {
    check_dense(small[n], 2, 1.7, 3);
    check_dense(small[n], 0, 1, 1);
  }
  check_dense(small[4], 2, 0.6, 2);
  check_dense_of(small[3], 2, 1.3, 4, DATA_TINY); /* a limit for "converged" must not end the sweeps */
  check_dense_of(small[3], 2, 1.3, 4, DATA_HUGE);
  rules_check_launch_error("sor_sequential", 1,
                           (const char *[]){"--variant", "sequential", "--nx", "5", NULL});
  lab_checks_stop();
  check_dense((int[]){26, 25}, 0, 1.2, 1);
  check_dense((int[]){17, 17}, 1, 1.3, 1); /* more unknowns than a block may have in mind */
}
END_TEST

/* --- 05/sweep --- */

/* The 4 x 4 grid of the handout: h = 1/3, h²·f = 4 at all points, u = 1 2 / 3 4, ω = 1.5. Red, −½u + 1½ u_GS:
 * u_GS = (2 + 3 + 4)/4 for both, so 1 → 2.875 and 4 → 1.375; then black, with (2.875 + 1.375 + 4)/4: 2
 * → 2.09375 and 3 → 1.59375. */
START_TEST(sweep_by_hand) {
  static const double u[16] = {[5] = 1, [6] = 2, [9] = 3, [10] = 4};
  static const double f[16] = {[5] = 36, [6] = 36, [9] = 36, [10] = 36};
  static const double after[16] = {[5] = 2.875, [6] = 2.09375, [9] = 1.59375, [10] = 1.375};
  const struct run run = {"sweep", NULL, grid_make(4, 4), 0, 1.5, 1, "1 2 / 3 4", u, f};
  struct judge_truth truth = truth_of_sweeps(&run);
  for (int k = 0; k < 16; k++)
    ck_assert_double_eq_tol(truth.expected[k], after[k], 1e-15); /* h = 1/3 is rounded, so h²·36 is not 4 */
  double *got = run_program(&run);
  judge(&run, &truth, got);
  judge_truth_free(&truth);
  free(got);
}
END_TEST

START_TEST(half_sweeps) {
  for (int n = 0; n < SIZES; n++) {
    check_sweeps_of(n, "red", 0, 1.5, 1);
    check_sweeps_of(n, "black", 3, 0.7, 1);
  }
}
END_TEST

START_TEST(whole_sweeps) {
  static const double kappas[] = {0, 5, 0.01}; /* the last one changes the diagonal in its ninth digit */
  for (int n = 0; n < SIZES; n++)
    check_sweeps_of(n, NULL, kappas[n % 3], 1.9, 3);
}
END_TEST

/* Sweeps do not change the solution of the discrete equations, which a direct method computes. */
START_TEST(the_solution_is_a_fixed_point) {
  const struct grid g = grid_make(37, 50);
  double *f = solve_suite_random(g, 5), *u = allocate_zeroed(grid_points(g), sizeof *u);
  reference_solve_direct(g, 4, f, u);
  const struct run run = {"sweep", NULL, g, 4, 1.8, 20, "the solution", u, f};
  double *got = run_program(&run);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(fabs(got[k] - u[k]) <= 1e-13))
      ck_abort_msg("20 sweeps change the exact solution, first at (i, j) = (%zu, %zu): from %.17g to %.17g",
                   k / 37, k % 37, u[k], got[k]);
  free(got);
  free(f);
  free(u);
}
END_TEST

START_TEST(large_grids) {
  lab_checks_stop();
  check_random_sweeps(lab_suite_middle_grid(11, true), "red", 3, 1.7, 1);
  check_random_sweeps(lab_suite_large_grid(12, false), "black", 0, 0.7, 1);
  check_random_sweeps(lab_suite_tall_grid(13), NULL, 0, 1.3, 1);
  check_random_sweeps(lab_suite_wide_grid(14), NULL, 0, 1.3, 1);
  far_check(
      "sor_half_sweep",
      (const char *[]){"--variant", "sweep", "--colour", "black", "--omega", "1", "--sweeps", "1", NULL},
      NPY_FLOAT64, FAR_BLACK);
}
END_TEST

static struct solve_use use_of_sweeps(int sweeps) {
  struct solve_use use;
  check_random(&(struct run){"sweep", NULL, grid_make(130, 75), 1, 1.6, sweeps, "random u and f",
                             .counting = SWEEP_COUNTED, .use = &use});
  return use;
}

enum { MORE = 1 + HALVES / 2 };

struct solve_use suite_05_use_of_sweeps(void) {
  const struct solve_use one = use_of_sweeps(1), many = use_of_sweeps(MORE);
  return solve_suite_beyond(&many, &one);
}

void suite_05_check_moves(const char *what, const struct solve_use *use, double most, const char *units) {
  if (use->known && use->bytes_on_device > most && suite_05_use_of_sweeps().bytes_on_device == 0)
    ck_abort_msg(
        "%s: copies within the device of %.0f bytes in %s: expected at most %.0f: kernels do the work, "
        "and the solver needs no copies of its arrays",
        what, use->bytes_on_device, units, most);
}

static const char *const some_sweeps[] = {"--nx", "9", "--omega", "1.5", "--sweeps", "18", "--heap", NULL};

bool suite_05_sweeps_leave_memory(void) {
  const struct solve_use use = suite_05_use_of_sweeps();
  return use.objects > 0 || use.pinned > 0 || rules_leaves_heap(some_sweeps);
}

void suite_05_check_end(const char *what, const struct solve_use *use) {
  char text[512], other[512];
  if (!solve_suite_name_end(what, use, text, sizeof text))
    return;
  const struct solve_use sweeps = suite_05_use_of_sweeps();
  if (!solve_suite_name_end("sor_half_sweep", &sweeps, other, sizeof other))
    ck_abort_msg("%s", text);
}

static const char *slow_launch(void) {
  const char *slow = counters_slow_launch();
  return slow ? slow : counters_scattered_launch();
}

/* Whether the last run has the fault, too. */
static bool is_as_slow(const char *slow, double longest) {
  return slow ? slow_launch() != NULL : longest <= 2 * counters_longest_launch();
}

/* Of half-sweeps, or of the residual of part 4, which have their own items. */
static bool has_slow_parts(bool is_solver, struct grid g, const char *slow, double longest) {
  struct solve_use use;
  check_random(
      &(struct run){"sweep", NULL, g, 0, 1.5, 1, "random u and f", .counting = SWEEP_COUNTED, .use = &use});
  if (is_as_slow(slow, longest) || is_solver)
    return is_as_slow(slow, longest);
  const struct solve solve = {
      .method = "double", .g = g, .omega = 1.5, .check_every = 1, .limit = 1, .use = &use};
  solve_suite_run(&solve, "solve", "--precision");
  return use.known && is_as_slow(slow, longest);
}

void suite_05_check_longest(const char *what, const struct solve_use *use, struct grid g) {
  const double points = (double)grid_points(g), bytes = 64;
  const char *slow = use->known ? slow_launch() : NULL;
  if (!use->known || (!slow && !solve_suite_is_slow(points, bytes)))
    return;
  const double longest = counters_longest_launch();
  if (!has_slow_parts(strcmp(what, "sor_solve") == 0, g, slow, longest))
    solve_suite_fail_slow(what, slow, points, longest);
}

double suite_05_atomics(void) { return counters_sum("", "simgpu__fp_atomics.sum"); }

void suite_05_check_memory_calls(const char *what, const struct solve_use *use, double most,
                                 const char *units) {
  if (use->known && use->memory_calls > most && suite_05_use_of_sweeps().memory_calls == 0)
    solve_suite_check_memory_calls(what, use, most, units);
}

void suite_05_check_fetched(const char *what, const struct solve_use *use, double most) {
  if (use->known && use->bytes_to_host > most && suite_05_use_of_sweeps().bytes_to_host == 0)
    ck_abort_msg(
        "%s: %.0f bytes are copied to the host in all: expected at most %.0f: norms alone come to the host",
        what, use->bytes_to_host, most);
}

bool suite_05_sweeps_are_idle(void) {
  const struct solve_use use = suite_05_use_of_sweeps();
  return use.bytes_to_host == 0 && use.managed_bytes == 0 && use.bytes_to_device == 0;
}

void suite_05_check_sent(const char *what, const struct solve_use *use, struct grid g) {
  const double uploads = 2 * 2 * (double)grid_split_points(g) * sizeof(double);
  if (solve_suite_sends(use, uploads) && suite_05_sweeps_are_idle())
    solve_suite_check_sent(what, use, uploads);
}

/* The host reads managed memory uncounted, and needs no copy for it. */
static void check_host_is_idle(const struct solve_use *use, double halves) {
  enum { BYTES = 4096 }; /* pointers and parameters */
  if (use->bytes_to_host > 0)
    ck_abort_msg("sor_half_sweep: %.4g bytes are copied to the host in a half-sweep: expected none",
                 use->bytes_to_host / halves);
  if (use->managed_bytes > BYTES || use->bytes_to_device > halves * BYTES)
    ck_abort_msg(
        "sor_half_sweep: %.0f bytes of managed or mapped memory, and %.0f bytes from the host to the "
        "device: expected at most %d in a half-sweep: was the result computed on the host?",
        use->managed_bytes / halves, use->bytes_to_device / halves, BYTES);
  if (use->bytes_on_device > halves * BYTES)
    ck_abort_msg(
        "sor_half_sweep: copies within the device of %.0f bytes in a half-sweep: expected at most %d: "
        "a kernel does the work",
        use->bytes_on_device / halves, BYTES);
}

/* Half-sweeps launch a kernel and return. */
static void check_half_sweeps(const struct solve_use *use, double halves) {
  solve_suite_check_launched("sor_half_sweep", use, halves);
  if (solve_suite_waits(use) > 0)
    ck_abort_msg(
        "sor_half_sweep: the host waits for the device %.3g times in a half-sweep: expected no wait: "
        "launch the kernel and return",
        solve_suite_waits(use) / halves);
  check_host_is_idle(use, halves);
  if (use->launches > halves)
    ck_abort_msg("sor_half_sweep: %.4g launches in a half-sweep: expected one: sor_omega.h says so",
                 use->launches / halves);
  if (use->leaks > 0)
    ck_abort_msg("sor_half_sweep: %.0f bytes allocated in a half-sweep are never freed", use->leaks / halves);
  solve_suite_check_end("sor_half_sweep", use);
  char units[32];
  snprintf(units, sizeof units, "%.0f half-sweeps", halves);
  solve_suite_check_memory_calls("sor_half_sweep", use, 0, units);
}

/* What many sweeps do beyond one. */
START_TEST(half_sweeps_only_launch) {
  const struct solve_use use = suite_05_use_of_sweeps();
  if (use.known)
    check_half_sweeps(&use, HALVES);
  rules_check_heap(some_sweeps);
  rules_check_launch_error("sor_half_sweep", 1, (const char *[]){"--nx", "9", "--omega", "1.5", NULL});
}
END_TEST

/* --- counter items of the sweep --- */

/* A run from u = 0 with the program's own random f: no files of this size are written for the program. */
static struct solve_use run_memory_grid(struct grid g, double seed, int sweeps) {
  struct arguments a = {0};
  const char *const words[] = {"--problem", "random", "--out", "out.npy"};
  for (int n = 0; n < 4; n++)
    arguments_add(&a, words[n]);
  arguments_add_grid(&a, g, 0);
  arguments_add_number(&a, "--seed", seed);
  arguments_add_number(&a, "--omega", 1.5);
  arguments_add_number(&a, "--sweeps", sweeps);
  unlink("out.npy");
  return solve_suite_use(sweeps ? counters_measure(a.list, sweeps * (double)grid_points(g))
                                : counters_run(a.list));
}

/* What a run of no sweeps does, in which the bytes grow with the rows. */
static struct solve_use frame_of_memory_grid(struct grid g, double seed) {
  const struct grid few = grid_make(g.nx, 3);
  const double times = (double)grid_split_points(g) / (double)grid_split_points(few);
  struct solve_use use = run_memory_grid(few, seed, 0);
  use.bytes_to_host *= times, use.bytes_to_device *= times, use.bytes_on_device *= times;
  return use;
}

/* Of one sweep, to which every launch belongs: work that no kernel does would cost nothing. frame: of an earlier run,
 * since the counters of the last one are measured. */
static void check_measured_sweep(const struct solve_use *use, const struct solve_use *frame) {
  const struct solve_use sweep = solve_suite_beyond(use, frame);
  if (!sweep.known)
    return;
  counters_check_slow_launch("sor_half_sweep");
  check_half_sweeps(&sweep, 2);
}

START_TEST(sweep_counted) {
  const struct grid g = lab_suite_middle_grid(13, true);
  const struct solve_use frame = frame_of_memory_grid(g, 1);
  struct solve_use use;
  check_random(
      &(struct run){"sweep", NULL, g, 0, 1.5, 1, "random u and f", .counting = SWEEP_MEASURED, .use = &use});
  check_measured_sweep(&use, &frame);
}
END_TEST

/* Larger than the second-level cache, so that the modelled time is that of memory. */
START_TEST(sweep_modelled) {
  const struct grid g = grid_make(2048, 2051);
  const double seed = (double)(lab_suite_seed(14) % 1000000);
  double *f = allocate_zeroed(grid_points(g), sizeof *f), *u = allocate_zeroed(grid_points(g), sizeof *u);
  lab_checks_stop();
  const struct solve_use frame = frame_of_memory_grid(g, seed), use = run_memory_grid(g, seed, 1);
  double *got = solve_suite_read("out.npy", g);
  problem_rhs(&(struct problem){.kind = PROBLEM_RANDOM, .seed = (uint64_t)seed}, g, f);
  reference_sor_sweep(g, 0, 1.5, REFERENCE_RED_BLACK, f, u);
  for (size_t k = 0; k < grid_points(g); k++)
    if (!(fabs(got[k] - u[k]) <= 1e-12 * fabs(u[k]) + 1e-18))
      ck_abort_msg("sweep, nx %d, ny %d, omega 1.5, 1 sweep of u = 0 with random f: first wrong value at "
                   "(i, j) = (%zu, %zu): expected %.9g, got %.9g",
                   g.nx, g.ny, k / (size_t)g.nx, k % (size_t)g.nx, u[k], got[k]);
  check_measured_sweep(&use, &frame);
  free(got);
  free(f);
  free(u);
}
END_TEST

/* --- what other parts need --- */

void suite_05_skip_if(bool wrong, const char *need) {
  char finding[512];
  if (!lab_checks_tell(finding, sizeof finding) && !wrong)
    return;
  lab_suite_verdict("SKIPPED");
  ck_abort_msg("counts when %s", need);
}

static bool are_sweeps_wrong(struct grid g) {
  double *u = solve_suite_random(g, 61), *f = solve_suite_random(g, 62);
  const struct run run = {"sweep", NULL, g, 2, 1.6, 3, "random u and f", u, f};
  struct arguments a = {0};
  prepare(&run, &a);
  const struct program_result result = lab_suite_run(a.list);
  struct judge_truth truth = truth_of_sweeps(&run);
  struct judge_finding finding;
  bool wrong = !solve_suite_is_unwritten(&result); /* of an unwritten part, the item's own run reports */
  if (result.status == 0) {
    double *got = solve_suite_read("out.npy", g);
    wrong = !judge_field(&truth, got, &finding);
    free(got);
  }
  judge_truth_free(&truth);
  free(u);
  free(f);
  return wrong;
}

/* Rows of 64 elements of a colour are full blocks; those of 96 are not. */
void suite_05_need_sweeps(void) {
  suite_05_skip_if(are_sweeps_wrong(grid_make(66, 37)) || are_sweeps_wrong(grid_make(130, 23)),
                   "the sweeps of part 1 are right");
}

/* --- 05/input --- */

static const struct {
  const char *arguments[10];
  const char *says;
} bad_inputs[] = {
    {{"--omega", "0", "--out", "out.npy"}, "--omega 0"},
    {{"--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"--omega", "-0.5", "--out", "out.npy"}, "--omega -0.5"},
    {{"--omega", "2.5", "--out", "out.npy"}, "--omega 2.5"},
    {{"--omega", "nan", "--out", "out.npy"}, "--omega nan"},
    {{"solve", "--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"solve", "--tolerance", "-1", "--out", "out.npy"}, "--tolerance -1"},
    {{"solve", "--limit", "0", "--out", "out.npy"}, "--limit 0"},
    {{"solve", "--check-every", "0", "--out", "out.npy"}, "--check-every 0"},
    {{"--variant", "swep", "--out", "out.npy"}, "did you mean sweep"},
    {{"--variant", "sequential", "--colour", "red", "--out", "out.npy"}, "--colour red"},
    {{"--variant", "sequential", "--nx", "100", "--out", "out.npy"}, "at most 4096"},
    {{"--u", "missing.npy", "--out", "out.npy"}, "missing.npy"},
    {{"--u", "whole.npy", "--out", "out.npy"}, "whole.npy"},
    {{"--f", "nan64.npy", "--out", "out.npy"}, "nan64.npy"},
    {{"--u", "edge.npy", "--out", "out.npy"}, "(0, 3)"},
    {{"--u", "good.npy", "--f", "other.npy", "--out", "out.npy"}, "other.npy"},
    {{"omega", "--rho", "1"}, "--rho 1"},
    {{"omega"}, "--rho"},
    {{"radius", "--matrix", "missing.npy"}, "missing.npy"},
    {{"radius", "--matrix", "flat.npy"}, "flat.npy"},
    {{"radius", "--matrix", "zero_diagonal.npy"}, "row 1: zero diagonal"},
    {{"radius", "--matrix", "no_diagonal.npy"}, "row 0: zero diagonal"},
    {{"radius", "--matrix", "nan_matrix.npy"}, "nan_matrix.npy"},
    {{"radius", "--matrix", "far.npy"}, "column 5"},
    {{"radius", "--matrix", "half.npy"}, "row 0.5"},
    {{"radius", "--matrix", "unsorted.npy"}, "entry 1"},
    {{"radius", "--matrix", "far.npy", "--nx", "9"}, "--nx"},
    {{"study", "--of", "omgas", "--csv", "out.npy"}, "did you mean omegas"},
    {{"study", "--of", "growth", "--sizes", "18;34", "--csv", "out.npy"}, "--sizes 18;34"},
    {{"table", "--sizes", "100,2", "--csv", "out.npy"}, "--sizes 100,2"},
    {{"solve", "--nx", "9", "--history", "no/such/h.csv", "--omega", "3"}, "--omega 3"},
};

static void write_inputs(void) {
  static double zero[20], nan[20] = {[7] = NAN}, edge[20] = {[3] = 0.5}, wide[24];
  lab_files_write_bad_inputs();
  lab_files_write("good.npy", NPY_FLOAT64, 5, 4, zero);
  lab_files_write("nan64.npy", NPY_FLOAT64, 5, 4, nan);
  lab_files_write("edge.npy", NPY_FLOAT64, 5, 4, edge);
  lab_files_write("other.npy", NPY_FLOAT64, 6, 4, wide);
  lab_files_write("zero_diagonal.npy", NPY_FLOAT64, 4, 3, (double[]){0, 0, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0});
  lab_files_write("no_diagonal.npy", NPY_FLOAT64, 2, 3, (double[]){0, 1, 2, 1, 1, 3});
  lab_files_write("nan_matrix.npy", NPY_FLOAT64, 2, 3, (double[]){0, 0, NAN, 1, 1, 3});
  lab_files_write("far.npy", NPY_FLOAT64, 3, 3, (double[]){0, 0, 1, 1, 1, 3, 1, 5, 3});
  lab_files_write("half.npy", NPY_FLOAT64, 2, 3, (double[]){0.5, 0, 1, 1, 1, 3});
  lab_files_write("unsorted.npy", NPY_FLOAT64, 3, 3, (double[]){0, 1, 1, 0, 0, 3, 1, 1, 1});
}

START_TEST(input_is_refused) {
  write_inputs();
  for (size_t n = 0; n < sizeof bad_inputs / sizeof *bad_inputs; n++)
    lab_suite_expect_refused(bad_inputs[n].arguments, bad_inputs[n].says, "out.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"05/sequential", &sequential_sizes}, {"05/sweep", &sweep_by_hand},
    {"05/sweep", &half_sweeps},           {"05/sweep", &half_sweeps_only_launch},
    {"05/sweep", &whole_sweeps},          {"05/sweep", &the_solution_is_a_fixed_point},
    {"05/sweep", &large_grids},           {"05/input", &input_is_refused},
    {"05/bytes", &sweep_counted},         {"05/requests", &sweep_counted},
    {"05/sweep_copy", &sweep_modelled},   {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--nx", "3", "--omega", "1", NULL};
  lab_suite_add(suite_05_radius);
  lab_suite_add(suite_05_solve);
  lab_suite_add(suite_05_study);
  return lab_suite_main(argc, argv, tests, probe);
}
