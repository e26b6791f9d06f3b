/* Lab 06: runs a pcg program (see lab_suite.h for the command line) and judges its files and output. */
#include "allocate.h"
#include "counters.h"
#include "data.h"
#include "far.h"
#include "judge.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "plural.h"
#include "random.h"
#include "reference.h"
#include "rules.h"
#include "solve_suite.h"
#include "stencil_fit.h"
#include "traffic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nx, ny: smallest, hand-worked, odd, even, rectangular; one tile, warp or block more or less. */
static const int sizes[][2] = {{3, 3},   {3, 5},   {5, 3},   {4, 4},   {6, 4},    {5, 5},    {33, 34},
                               {20, 40}, {64, 11}, {65, 10}, {127, 9}, {128, 10}, {129, 11}, {130, 12}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* --- what a call may ask of the host --- */

/* A number from `least` on that a program cannot know. */
static int drawn(uint64_t purpose, int least) { return least + (int)(lab_suite_seed(purpose) % 32); }

#define TIME "simgpu__time_model_ns"
#define ATOMICS "atomic additions of floating-point numbers: such a sum depends on the order of the blocks"

static double count(const char *column) { return counters_sum("", column); }

/* Nothing but the result, which main.c fetches, and `beyond` bytes of scalars reach the host. words: of 4 bytes. */
static void check_origin(const char *what, const struct solve_use *use, double words, double beyond) {
  solve_suite_check_launched(what, use, 1);
  if (use->bytes_to_host > 4 * words + beyond)
    ck_abort_msg("%s: copies to the host of %.0f bytes: expected at most %.0f, those of the result%s", what,
                 use->bytes_to_host, 4 * words + beyond,
                 beyond > 64 ? " and of four scalars in each iteration: vectors stay on the device"
                             : ": work on the device");
}

/* Kernels wrote the result, except `others` words of its boundary. */
static void check_written(const char *what, double words, double others) {
  if (words > others)
    ck_abort_msg(
        "%s: %.0f value%s of the result %s copied from the host to the device: a kernel must compute it",
        what, (words - others) / 2, PLURAL((int)(words - others) / 2), PLURAL_IS((int)(words - others) / 2));
}

/* Words of a grid function in device memory, and those that no kernel needs to write. */
static double words_of(struct grid g) { return 4 * (double)grid_split_points(g); }
static double idle_words(struct grid g) { return words_of(g) - 2 * (double)grid_interior_points(g); }

/* per: what an operation count is divided by, in words. least: fewer than any way to compute it needs. */
static void check_device_works(const char *what, double operations, const char *per, double least) {
  if (!(operations >= least))
    ck_abort_msg(
        "%s: no kernel does the work: %.1f floating-point operations in double per %s, expected at least %.0f: is it done on the host?",
        what, operations, per, least);
}

/* What one thread adds takes as long as all others together. The model sees it where it samples that block. */
static void check_even_shares(const char *what, double most, const char *question) {
  const double times = counters_longest_warp();
  if (times > most)
    ck_abort_msg(
        "%s: a warp executes %.0f times as many instructions as the average: expected at most %.0f: %s", what,
        times, most, question);
}

/* Calls by which main.c allocates and frees the arrays of a call. */
enum { MEMORY_OF_DOT = 6, MEMORY_OF_SSOR = 4 };

/* A call that neither waits nor fetches anything: main.c waits once, for the result. */
static void check_call(const char *what, const struct solve_use *use, double words, double others,
                       const char *per, double size, double least, int memory_calls) {
  check_origin(what, use, words, 64);
  check_written(what, counters_total("words_to_host_not_by_a_kernel"), others);
  check_device_works(what, solve_suite_operations() / size, per, least);
  const double atomics = count("simgpu__fp_atomics.sum");
  if (atomics > 0)
    ck_abort_msg("%s: %.0f " ATOMICS, what, atomics);
  if (solve_suite_waits(use) > 1)
    ck_abort_msg(
        "%s: the host waits for the device %.0f times: expected 1, the program's for the result: the call must not wait",
        what, solve_suite_waits(use));
  solve_suite_check_end(what, use);
  if (use->memory_calls > memory_calls)
    ck_abort_msg(
        "%s: the call allocates or frees memory %.0f times: expected never: the host may wait for the device there",
        what, use->memory_calls - memory_calls);
}

/* Whether such a call in a solver spoils what the solver is judged by. */
static bool breaks_rule(const struct solve_use *use, double words, double uploads, int memory_calls) {
  char text[512];
  return use->known && (use->bytes_to_host > 4 * words + 64 || solve_suite_waits(use) > 1 ||
                        use->memory_calls > memory_calls ||
                        solve_suite_name_end("", use, text, sizeof text) || solve_suite_sends(use, uploads));
}

/* --- 06/dot --- */

static void write_vector(const char *path, size_t count, const double *x) {
  struct error error;
  const struct npy array = {
      .type = NPY_FLOAT64, .rank = 1, .shape = {count, 1}, .data = (void *)(uintptr_t)x};
  if (!npy_write(path, &array, &error))
    ck_abort_msg("%s", error.text);
}

/* DOT_WATCHED: *use receives what the call did; DOT_MEASURED: the same in the run of a counter item. */
enum dot_run { DOT_PLAIN, DOT_ORDERS, DOT_WATCHED, DOT_MEASURED };

static double run_dot(size_t count, const double *x, const double *y, enum dot_run how,
                      struct solve_use *use) {
  static const char *const arguments[] = {"dot", "--x", "x.npy", "--y", "y.npy", NULL};
  write_vector("x.npy", count, x);
  write_vector("y.npy", count, y);
  if (how == DOT_MEASURED)
    counters_begin_measure(arguments, (double)count);
  const struct program_result result =
      how == DOT_WATCHED ? solve_suite_watch(arguments, use) : lab_suite_run(arguments);
  if (result.status != 0)
    lab_suite_expect_success(arguments); /* says why */
  if (how == DOT_MEASURED)
    *use = solve_suite_use(counters_end());
  double sum = solve_suite_said(&result, "dot ");
  traffic_check_inputs(2, (struct npy[]){{NPY_FLOAT64, 1, {count, 1}, (void *)(uintptr_t)x},
                                         {NPY_FLOAT64, 1, {count, 1}, (void *)(uintptr_t)y}});
  traffic_check_output("the dot product", &(struct npy){NPY_FLOAT64, 1, {1, 1}, &sum});
  return sum;
}

/* Other orders of blocks must not change the sum. */
static void check_order(size_t count, const double *x, const double *y, double forward) {
  setenv("SIMGPU_ORDER", "reverse", 1);
  const double reverse = run_dot(count, x, y, DOT_PLAIN, NULL);
  unsetenv("SIMGPU_ORDER");
  if (reverse != forward)
    ck_abort_msg(
        "dot of %zu elements: %.17g, and %.17g if the blocks run in reverse order: the sum depends on their order",
        count, forward, reverse);
}

/* The lanes of each warp, or the warps of each block of 256 threads, whose products a sum has. */
struct summands {
  size_t of, places; /* elements of a place */
  bool is_beginning; /* those before an end; otherwise the first of each group */
  const char *before, *after;
};
static const struct summands summands[] = {
    {1, 32, true, "the first ", " lanes of each warp: is the first distance of the shuffles 16?"},
    {1, 32, false, "one in ", " lanes of each warp: is the last distance of the shuffles 1?"},
    {32, 8, true, "the first ", " warps of each block: are the sums of all 8 warps added?"},
    {256, 8, true, "the first ",
     " of the 8 elements of each thread: does each thread loop over its elements?"}};

static bool is_sum_of(const struct summands *s, size_t number, size_t count, const double *x, const double *y,
                      double got, double bound) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) {
    const size_t place = k / s->of % s->places;
    sum += (s->is_beginning ? place < number : place % number == 0) ? x[k] * y[k] : 0;
  }
  return fabs(got - sum) <= bound;
}

static bool name_summands(size_t count, const double *x, const double *y, double got, double bound,
                          char *text, size_t size) {
  for (size_t n = 0; n < sizeof summands / sizeof *summands; n++)
    for (size_t part = 2; part <= summands[n].places; part *= 2) {
      const struct summands *s = &summands[n];
      const size_t number = s->is_beginning ? s->places / part : part;
      if (is_sum_of(s, number, count, x, y, got, bound))
        return snprintf(text, size, "\nit is the sum over %s%zu%s", s->before, number, s->after);
    }
  return false;
}

/* Any order of a sum is within this. */
static double bound_of_dot(size_t count, const double *x, const double *y) {
  double magnitude = 0;
  for (size_t k = 0; k < count; k++)
    magnitude += fabs(x[k] * y[k]);
  return judge_gamma(200, DBL_EPSILON) * magnitude; /* a term goes through far fewer roundings */
}

/* Explains a sum that lacks the products of some lanes or blocks; "" for another one. bound: of the error of a sum. */
static const char *explain_dot(size_t count, const double *x, const double *y, double got, double bound) {
  enum { SPAN = 2048, MOST = 1024, THREADS = 256 };
  static char text[160];
  const size_t needed = (count + SPAN - 1) / SPAN, blocks = needed < MOST ? needed : MOST;
  double of_block[MOST] = {0}, sum = 0;
  if (name_summands(count, x, y, got, bound, text, sizeof text))
    return text;
  if (fabs(got - reference_dot_blocks(count, x, x)) <= bound_of_dot(count, x, x))
    return "\nit is x·x: a product is that of elements of x and y";
  for (size_t k = 0; k < count; k++)
    of_block[k / THREADS % blocks] += x[k] * y[k];
  for (size_t b = 0; b + 1 < blocks; b++) {
    sum += of_block[b];
    if (!(fabs(got - sum) <= bound))
      continue;
    snprintf(text, sizeof text,
             "\nit is the sum of the first %zu of %zu blocks: does the last step add all partial sums?",
             b + 1, blocks);
    return text;
  }
  return "";
}

static const char *explain_missing_element(size_t count, const double *x, const double *y, double got,
                                           double bound) {
  static char text[96];
  const double all = reference_dot_blocks(count, x, y);
  for (size_t k = 0; k < count; k++)
    if (fabs(all - x[k] * y[k] - got) <= bound) {
      snprintf(text, sizeof text, "\nof %zu elements, the product of element %zu is missing", count, k);
      return text;
    }
  return "";
}

/* Of a wrong dot product of 2049 elements: it may be right with one block, or where all threads have
 * as many elements. */
static const char *explain_size(size_t count, const double *x, const double *y) {
  enum { WHOLE = 2048 };
  if (count != WHOLE + 1)
    return "";
  const double bound = bound_of_dot(WHOLE, x, y), got = run_dot(WHOLE, x, y, DOT_PLAIN, NULL);
  if (!(fabs(got - reference_dot_blocks(WHOLE, x, y)) <= bound)) {
    const char *cause = explain_dot(WHOLE, x, y, got, bound);
    return cause[0] ? cause : explain_missing_element(WHOLE, x, y, got, bound);
  }
  double *twice = allocate_zeroed((size_t)2 * WHOLE, sizeof *twice);
  for (size_t k = 0; k < (size_t)2 * WHOLE; k++)
    twice[k] = x[k % WHOLE];
  const double of_twice = run_dot((size_t)2 * WHOLE, twice, twice, DOT_PLAIN, NULL);
  const bool is_right = fabs(of_twice - reference_dot_blocks((size_t)2 * WHOLE, twice, twice)) <=
                        bound_of_dot((size_t)2 * WHOLE, twice, twice);
  free(twice);
  return is_right
             ? "\n2048 and 4096 elements are right: are those added that remain when each thread has as many?"
             : "\n2048 elements are right, and 4096 are not: is the stride of a thread's loop that of the whole "
               "grid, gridDim.x * blockDim.x?";
}

/* x and y differ and change sign, so a missing or repeated product changes the result. */
static void check_dot(size_t count, enum dot_run how, enum data data) {
  const double DOT_SECTORS = 1; /* of 0.5: 16 bytes */
  double *x = allocate_zeroed(count, sizeof *x), *y = allocate_zeroed(count, sizeof *y);
  struct random random = random_seed(lab_suite_seed(count));
  struct solve_use use = {0};
  for (size_t k = 0; k < count; k++) {
    x[k] = random_double(&random, -1, 1);
    y[k] = random_double(&random, -1, 1);
  }
  data_change_double(data, 18, count, x);
  data_change_double(data, 19, count, y);
  const double expected = reference_dot_blocks(count, x, y), got = run_dot(count, x, y, how, &use),
               bound = bound_of_dot(count, x, y);
  if (!(fabs(got - expected) <= bound)) {
    const char *cause = explain_dot(count, x, y, got, bound);
    ck_abort_msg("dot of %zu element%s%s%s: expected %.17g, got %.17g%s%s", count, PLURAL(count),
                 data == DATA_RANDOM ? "" : ", values ", data == DATA_RANDOM ? "" : data_words(data),
                 expected, got,
                 solve_suite_float_hint(fabs(got - expected) / bound * judge_gamma(200, DBL_EPSILON)),
                 cause[0] ? cause : explain_size(count, x, y));
  }
  if (how == DOT_ORDERS)
    check_order(count, x, y, got);
  if (use.known)
    check_call("pcg_dot", &use, 2, 0, "element", (double)count, 1, MEMORY_OF_DOT);
  if (use.known && how == DOT_WATCHED)
    check_even_shares("pcg_dot", 4, "does one thread add the products that fill no whole block?");
  if (use.known && how == DOT_MEASURED)
    rules_check_sectors("pcg_dot", (double)count, "element", DOT_SECTORS);
  if (got != expected)
    lab_suite_remark("dot of %zu element%s: rounded differently: use the order of summation in pcg.h", count,
                     PLURAL(count));
  free(x);
  free(y);
}

START_TEST(dot_sizes) {
  static const size_t counts[] = {1, 2, 7, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 5000};
  check_dot(2049, DOT_PLAIN,
            DATA_RANDOM); /* a plain case first, with more elements than one thread for each */
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
    check_dot(counts[n], DOT_PLAIN, data_of((int)n));
  check_dot((size_t)drawn(12, 70000), DOT_ORDERS, DATA_RANDOM);
}
END_TEST

/* More partial sums than blocks, a rest of all threads of a block but one, and nothing for the host to do. */
START_TEST(dot_large) {
  lab_checks_stop();
  check_dot((size_t)drawn(13, 2098386) / 256 * 256 + 255, DOT_WATCHED, DATA_RANDOM);
}
END_TEST

START_TEST(dot_far) {
  far_expect_inside("dot of 1073741824 elements", (const char *[]){"dot", "--far", "10", NULL});
}
END_TEST

/* On the files of the last dot product. */
static const char *const calls_of_dot[] = {"dot",     "--x", "x.npy",  "--y", "y.npy",
                                           "--calls", "18",  "--heap", NULL};

/* The first of two calls has half of the elements. */
START_TEST(dot_again) {
  enum { COUNT = 70001 };
  double *x = allocate_zeroed(2 * COUNT, sizeof *x);
  struct random random = random_seed(lab_suite_seed(17));
  for (int k = 0; k < 2 * COUNT; k++)
    x[k] = random_double(&random, -1, 1);
  const double alone = run_dot(COUNT, x, x + COUNT, DOT_PLAIN, NULL);
  const struct program_result again =
      lab_suite_expect_success((const char *[]){"dot", "--x", "x.npy", "--y", "y.npy", "--calls", "2", NULL});
  const double last = solve_suite_said(&again, "dot ");
  if (last != alone)
    ck_abort_msg(
        "dot of %d elements: %.17g, and %.17g after a call with half of the elements: does a static variable hold "
        "something of an earlier call?",
        COUNT, alone, last);
  free(x);
  rules_check_heap(calls_of_dot);
  rules_check_launch_error("pcg_dot", 1, (const char *[]){"dot", "--x", "x.npy", "--y", "y.npy", NULL});
}
END_TEST

START_TEST(dot_not_finite) {
  double x[300] = {[299] = 1e200}, y[300] = {[299] = 1e200};
  const double got = run_dot(300, x, y, DOT_PLAIN, NULL);
  ck_assert_msg(isinf(got), "dot of two vectors whose product overflows (1e400): expected inf, got %g", got);
}
END_TEST

/* --- 06/ssor --- */

static void ssor_arguments(struct arguments *a, struct grid g, double kappa, double omega, const double *r) {
  solve_suite_write("r.npy", g, r);
  unlink("z.npy");
  arguments_add(a, "ssor"), arguments_add(a, "--r"), arguments_add(a, "r.npy");
  arguments_add(a, "--out"), arguments_add(a, "z.npy");
  arguments_add_number(a, "--kappa", kappa);
  arguments_add_number(a, "--omega", omega);
}

static double *run_ssor(struct grid g, double kappa, double omega, const double *r, struct solve_use *use) {
  struct arguments a = {0};
  ssor_arguments(&a, g, kappa, omega, r);
  if (!use || solve_suite_watch(a.list, use).status != 0)
    lab_suite_expect_success(a.list);
  solve_suite_check_inputs(g, r, r);
  return solve_suite_read("z.npy", g);
}

/* Wrong preconditioners that may have produced z. The passes are z = s·r + weight·c·neighbours of one
 * colour, then of the other; neighbours are those of s·r in the first pass and of z in the second. */
/* times 1/diagonal: ω, 1, ω(2 − ω); ω/4; ω/diagonal for neighbours of r instead of s·r, or of s·z instead of z */
enum coefficient { OMEGA, ONE, OF_S, OF_FOUR, OF_R, OF_SCALED, OF_OLD };

static const struct ssor_instead {
  const char *explanation;
  int first;
  double weight[2];
  bool second_from_r;
  enum coefficient c[2];
  bool is_third,
      is_s_of_four; /* is_third: a pass over the first colour again; is_s_of_four: s = ω(2 − ω)/4 */
} ssor_bank[] = {
    {"the result of red before black: black points come first", GRID_RED, {1, 1}, false, {OMEGA}},
    {"the result of red before black, where z is not written yet: black points come first",
     GRID_RED,
     {1, 1},
     true,
     {OF_OLD, OMEGA}},
    {"the result of two forward passes, red before black: it is not symmetric; the second pass must go backward",
     GRID_BLACK,
     {2, 0},
     false,
     {OMEGA}},
    {"the forward pass alone: it is not symmetric", GRID_BLACK, {1, 0}, false, {OMEGA}},
    {"s·r alone, without neighbours: Jacobi's preconditioner", GRID_BLACK, {0, 0}, false, {OMEGA}},
    {"the result if both passes read s·r: the second must read z", GRID_BLACK, {1, 1}, true, {OMEGA}},
    {"the result with c = 1/diagonal: c lacks the factor ω", GRID_BLACK, {1, 1}, false, {ONE, ONE}},
    {"the result with −c instead of c", GRID_BLACK, {-1, -1}, false, {OMEGA}},
    {"the result with c = s: only s has the factor 2 − ω", GRID_BLACK, {1, 1}, false, {OF_S, OF_S}},
    {"the result with c = 1/diagonal in the pass over red points: it is not symmetric; both passes have the same c",
     GRID_BLACK,
     {1, 1},
     false,
     {OMEGA, ONE}},
    {"the result with c = 1/diagonal in the pass over black points: it is not symmetric; both passes have the same c",
     GRID_BLACK,
     {1, 1},
     false,
     {ONE, OMEGA}},
    {"the result with c = ω/4: the diagonal is 4 + κ²h²", GRID_BLACK, {1, 1}, false, {OF_FOUR, OF_FOUR}},
    {"the result with s = ω(2 − ω)/4: the diagonal is 4 + κ²h²",
     GRID_BLACK,
     {1, 1},
     false,
     {OMEGA},
     .is_s_of_four = true},
    {"the result with 4 as the diagonal: it is 4 + κ²h²",
     GRID_BLACK,
     {1, 1},
     false,
     {OF_FOUR, OF_FOUR},
     .is_s_of_four = true},
    {"the result if the pass over black points reads r: it reads s·r",
     GRID_BLACK,
     {1, 1},
     false,
     {OF_R, OMEGA}},
    {"the result if the pass over red points reads s·z: it reads z",
     GRID_BLACK,
     {1, 1},
     false,
     {OMEGA, OF_SCALED}},
    {"the result if the pass over red points reads r: it reads z", GRID_BLACK, {1, 1}, true, {OMEGA, OF_R}},
    {"the result if the pass over black points reads z, where nothing is written yet: it reads s·r",
     GRID_BLACK,
     {1, 1},
     false,
     {OF_OLD, OMEGA}},
    {"the result with a third pass, over black points again: black, then red is all",
     GRID_BLACK,
     {1, 1},
     false,
     {OMEGA},
     true},
};
enum { SSOR_BANK = sizeof ssor_bank / sizeof *ssor_bank };

static void apply_instead(const struct ssor_instead *m, struct grid g, double kappa, double omega,
                          const double *r, double *z) {
  const double diagonal = 4 + kappa * kappa * g.h * g.h;
  const double s = omega * (2 - omega) / (m->is_s_of_four ? 4 : diagonal) * g.h * g.h;
  const double h2 = g.h * g.h;
  const double factors[] = {[OMEGA] = omega,
                            [ONE] = 1,
                            [OF_S] = omega * (2 - omega),
                            [OF_FOUR] = omega * diagonal / 4,
                            [OF_R] = omega * h2 / s,
                            [OF_SCALED] = omega * s / h2,
                            [OF_OLD] = omega / s}; /* z is r before the call, without h² */
  for (int n = 0; n < 2 + m->is_third; n++) {
    const int pass = n % 2;
    const double c = factors[m->c[pass]] / diagonal;
    const double *x = n == 0 || m->second_from_r ? r : z, factor = x == r ? s : 1;
    for (int i = 1; i < g.ny - 1; i++)
      for (int j = 1; j < g.nx - 1; j++) {
        const size_t k = grid_index(g, i, j), nx = (size_t)g.nx;
        if ((grid_colour(i, j) == m->first) == (pass == 0))
          z[k] = s * r[k] + m->weight[pass] * c * factor * (x[k - 1] + x[k + 1] + x[k - nx] + x[k + nx]);
      }
  }
}

static bool equals(struct grid g, const double *got, const double *z) {
  double scale = 0;
  bool same = true;
  for (size_t k = 0; k < grid_points(g); k++)
    scale = fmax(scale, fabs(z[k]));
  for (size_t k = 0; k < grid_points(g); k++)
    same = same && fabs(got[k] - z[k]) <= 1e-12 * scale;
  return same;
}

static bool is_multiple(struct grid g, const double *got, const double *z) {
  double ratio = NAN;
  for (size_t k = 0; k < grid_points(g); k++)
    if (z[k] != 0 && isnan(ratio))
      ratio = got[k] / z[k];
  bool same = isfinite(ratio) && ratio != 0;
  for (size_t k = 0; k < grid_points(g); k++)
    same = same && fabs(got[k] - ratio * z[k]) <= 1e-12 * fabs(got[k]);
  return same;
}

/* Explains got, or returns NULL. On grids of a few points several mistakes may match; the first one counts. */
static const char *explain_ssor(struct grid g, double kappa, double omega, const double *r,
                                const double *got) {
  double *z = allocate_zeroed(grid_points(g), sizeof *z);
  const char *explanation = NULL;
  reference_ssor_apply(g, kappa, omega, REFERENCE_RED_BLACK, r, z);
  if (equals(g, got, z))
    explanation = "the right result, but for the boundary or for a rounding: boundary and padding stay zero";
  else if (is_multiple(g, got, z))
    explanation = "a multiple of the expected result: look at the factor ω(2 − ω) and at D⁻¹";
  reference_ssor_apply(g, kappa, omega, REFERENCE_NATURAL, r, z);
  if (!explanation && equals(g, got, z))
    explanation = "the result in the natural order";
  for (int n = 0; n < SSOR_BANK && !explanation; n++) {
    memset(z, 0, grid_points(g) * sizeof *z);
    apply_instead(&ssor_bank[n], g, kappa, omega, r, z);
    explanation = equals(g, got, z) ? ssor_bank[n].explanation : NULL;
  }
  free(z);
  return explanation;
}

/* Names wrong neighbours of a pass: of r, which is s times what black points read, or of black points of z. */
static bool name_neighbours(char *text, size_t size) {
  const struct grid g = grid_make(33, 35);
  const double omega = 1.5, c = omega / 4, s = omega * (2 - omega) / 4;
  double *r = solve_suite_random(g, 54), *got = run_ssor(g, 0, omega, r, NULL);
  for (size_t k = 0; k < grid_points(g); k++)
    r[k] = grid_is_interior(g, (int)k / g.nx, (int)k % g.nx) ? r[k] * g.h * g.h : 0;
  const struct stencil_fit black = {g, GRID_BLACK, r, NULL, got, s, c * s, 0, "", 0, 0};
  struct stencil_fit red = {g, GRID_RED, r, NULL, got, s, c, 0, "", 0, 0};
  const char *const begins[] = {"where u stands for r, in the pass over black points, ",
                                "where u stands for r and z, in the pass over red points, "};
  bool named = false;
  for (int n = 0; n < 2 && !named; n++) {
    const int used = snprintf(text, size, "%s", begins[n]);
    const struct stencil_fit *fit = n == 0 ? &black : &red;
    named = stencil_fit_name(fit, text + used, size - (size_t)used) ||
            stencil_fit_name_misread(fit, text + used, size - (size_t)used) > 0;
    for (size_t k = 0; k < grid_points(g); k++) /* what the pass over red points reads */
      r[k] = n == 0 && grid_colour((int)k / g.nx, (int)k % g.nx) == GRID_BLACK ? got[k] : r[k];
  }
  free(r);
  free(got);
  return named;
}

/* Names points that a call must not write and did, or must write and did not: z is r before the call. */
static bool name_unwritten(struct grid g, const double *r, const double *got, char *text, size_t size) {
  size_t points[2] = {0}, unwritten[2] = {0}, first = 0;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      if (!grid_is_interior(g, i, j) && got[k] != 0) {
        snprintf(text, size, "the boundary point (%d, %d) is written: only interior points are unknowns", i,
                 j);
        return true;
      }
      if (!grid_is_interior(g, i, j))
        continue;
      const bool is_kept = got[k] == r[k];
      first = is_kept && unwritten[0] + unwritten[1] == 0 ? k : first;
      points[grid_colour(i, j)]++;
      unwritten[grid_colour(i, j)] += is_kept;
    }
  if (unwritten[GRID_RED] + unwritten[GRID_BLACK] == 0)
    return false;
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    if (unwritten[colour] == points[colour] && unwritten[!colour] == 0) {
      const char *name = colour == GRID_RED ? "red" : "black";
      snprintf(text, size, "no %s point is written: is the pass over %s points missing?", name, name);
      return true;
    }
  snprintf(
      text, size,
      "z keeps its value from before the call at %zu interior points, first at (%zu, %zu): which limit or "
      "block leaves them out?",
      unwritten[GRID_RED] + unwritten[GRID_BLACK], first / (size_t)g.nx, first % (size_t)g.nx);
  return true;
}

/* All coefficients of M⁻¹ are positive, so M⁻¹|r| is the sum of the magnitudes of z's terms, each of which
 * goes through at most 20 roundings, those of the factors included. */
static void check_ssor(const char *what, struct grid g, double kappa, double omega, const double *r,
                       struct solve_use *use) {
  struct judge_truth truth = judge_truth_make(g);
  struct judge_finding finding;
  double *magnitude = solve_suite_copy(g, r), *got = run_ssor(g, kappa, omega, r, use);
  for (size_t k = 0; k < grid_points(g); k++)
    magnitude[k] = fabs(magnitude[k]);
  reference_ssor_apply(g, kappa, omega, REFERENCE_RED_BLACK, r, truth.expected);
  reference_ssor_apply(g, kappa, omega, REFERENCE_RED_BLACK, magnitude, truth.bound);
  for (size_t k = 0; k < grid_points(g); k++)
    truth.bound[k] *= judge_gamma(20, DBL_EPSILON);
  if (!judge_field(&truth, got, &finding)) {
    const char *explanation = explain_ssor(g, kappa, omega, r, got);
    char cause[512];
    const bool named = !explanation && (name_unwritten(g, r, got, cause, sizeof cause) ||
                                        name_neighbours(cause, sizeof cause));
    ck_abort_msg("ssor, nx %d, ny %d, kappa %g, omega %g, %s: %s\n%s%s%s", g.nx, g.ny, kappa, omega, what,
                 finding.where, explanation ? "it equals " : "",
                 explanation ? explanation
                 : named     ? cause
                             : finding.kind,
                 finding.picture);
  }
  judge_truth_free(&truth);
  free(magnitude);
  free(got);
}

/* The 4 x 4 grid of the handout: h = 1/3, ω = 1, h²r = 4 8 / 12 16, so that D⁻¹r = 1 2 / 3 4. Black first:
 * 2 + (1 + 4)/4 = 3.25 and 3 + 5/4 = 4.25; then red: 1 + (3.25 + 4.25)/4 = 2.875 and 4 + 7.5/4 = 5.875. */
START_TEST(ssor_by_hand) {
  static const double r[16] = {[5] = 36, [6] = 72, [9] = 108, [10] = 144};
  static const double z[16] = {[5] = 2.875, [6] = 3.25, [9] = 4.25, [10] = 5.875};
  double reference[16];
  const struct grid g = grid_make(4, 4);
  reference_ssor_apply(g, 0, 1, REFERENCE_RED_BLACK, r, reference);
  for (int k = 0; k < 16; k++)
    ck_assert_double_eq_tol(reference[k], z[k], 1e-14);
  check_ssor("r by hand", g, 0, 1, r, NULL);
}
END_TEST

START_TEST(ssor_sizes) {
  static const double omegas[] = {1, 1.5, 0.3, 1.95, 0.04, 1.99};
  for (int n = 0; n < SIZES; n++) {
    const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
    double *r = solve_suite_random(g, (uint64_t)n);
    data_change_double(data_of(n), (uint64_t)n, grid_points(g), r);
    check_ssor("random r", g, n % 2 * 7, omegas[n % 6], r, NULL);
    free(r);
  }
}
END_TEST

static void check_long_ssor(struct grid g) {
  double *r = solve_suite_random(g, 53);
  check_ssor("random r", g, 1, 1.3, r, NULL);
  free(r);
}

/* More columns and rows than a program may have in mind, and nothing for the host to do. */
/* The first of three calls has fewer rows, and the last one has the arguments of the second. */
START_TEST(ssor_again) {
  const struct grid g = grid_make(70, 90);
  struct arguments a = {0};
  double *r = solve_suite_random(g, 56), *alone = run_ssor(g, 1, 1.3, r, NULL);
  ssor_arguments(&a, g, 1, 1.3, r);
  arguments_add_number(&a, "--calls", 3);
  lab_suite_expect_success(a.list);
  double *last = solve_suite_read("z.npy", g);
  if (memcmp(alone, last, grid_points(g) * sizeof *last) != 0)
    ck_abort_msg(
        "ssor, nx %d, ny %d: a call after others differs from a single call: does a static variable hold something of an "
        "earlier call, or did that call change r?",
        g.nx, g.ny);
  struct arguments many = {0};
  ssor_arguments(&many, g, 1, 1.3, r);
  arguments_add_number(&many, "--calls", 18), arguments_add(&many, "--heap");
  rules_check_heap(many.list);
  struct arguments one = {0};
  ssor_arguments(&one, g, 1, 1.3, r);
  rules_check_launch_error("ssor_apply", 1, one.list);
  free(r);
  free(alone);
  free(last);
}
END_TEST

START_TEST(ssor_large) {
  const double MOST = 2.4; /* sectors; a right one needs 1.6 to 1.8 of them, lanes down a column 3.1 */
  struct solve_use use;
  const struct grid g = grid_make(drawn(14, 590), drawn(15, 520));
  double *r = solve_suite_random(g, 52);
  lab_checks_stop();
  check_ssor("random r", g, 1, 1.3, r, &use);
  if (use.known) {
    check_call("ssor_apply", &use, words_of(g), idle_words(g), "point", (double)grid_interior_points(g), 3,
               MEMORY_OF_SSOR);
    solve_suite_check_sent("ssor_apply", &use, 8 * words_of(g));
    solve_suite_check_longest("ssor_apply", (double)grid_points(g) / 2, 64); /* a pass */
    rules_check_sectors("ssor_apply", (double)grid_points(g), "point", MOST);
  }
  free(r);
  check_long_ssor(grid_make(5, drawn(16, 10001)));
  check_long_ssor(lab_suite_wide_grid(17));
}
END_TEST

START_TEST(ssor_far) {
  far_expect_inside("ssor, nx 32768, ny 32768", (const char *[]){"ssor", "--far", "10", NULL});
}
END_TEST

/* M is symmetric and positive definite exactly when its inverse is. */
START_TEST(ssor_is_symmetric_and_positive) {
  for (int n = 4; n < SIZES; n += 2) {
    const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
    const double omega = 0.4 * (n % 5) + 0.1;
    double *x = solve_suite_random(g, 50), *y = solve_suite_random(g, 51);
    double *mx = run_ssor(g, 2, omega, x, NULL), *my = run_ssor(g, 2, omega, y, NULL);
    const double left = reference_dot(g, mx, y), right = reference_dot(g, x, my),
                 square = reference_dot(g, mx, x);
    const double scale = reference_norm2(g, mx) * reference_norm2(g, y);
    if (!(fabs(left - right) <= 1e-13 * scale))
      ck_abort_msg("ssor, nx %d, ny %d, omega %g: (M⁻¹x)·y = %.17g, but x·(M⁻¹y) = %.17g: M is not symmetric",
                   g.nx, g.ny, omega, left, right);
    if (!(square > 0))
      ck_abort_msg("ssor, nx %d, ny %d, omega %g: (M⁻¹x)·x = %g: M is not positive definite", g.nx, g.ny,
                   omega, square);
    for (double **array = (double *[]){x, y, mx, my, NULL}; *array; array++)
      free(*array);
  }
}
END_TEST

/* --- solvers --- */

/* A file that a test leaves for the later tests of its item: pcg_dot is wrong, so that the solvers are judged with
 * a correct product. */
static const char dot_is_wrong[] = "dot_is_wrong";
static bool has_other_dot(void) { return access(dot_is_wrong, F_OK) == 0; }
static const char *dot_of_solvers(void) { return has_other_dot() ? "host" : "device"; }

static struct program_result run_solve(const struct solve *asked) {
  struct solve s = *asked;
  s.dot = has_other_dot() ? "host" : asked->dot;
  return solve_suite_run(&s, NULL, "--method");
}

enum { HISTORY_MAX = 4096 };

/* Reads the history of the last run and returns the number of residuals. */
static int read_history(double *residual) {
  char line[128];
  int rows = 0, iteration;
  FILE *file = lab_files_open("h.csv");
  while (rows < HISTORY_MAX && fgets(line, sizeof line, file))
    if (sscanf(line, "%*[^,],%d,%lf", &iteration, &residual[rows]) == 2) {
      ck_assert_msg(iteration == rows, "row %d of the history belongs to iteration %d: expected iteration %d",
                    rows, iteration, rows);
      rows++;
    }
  fclose(file);
  return rows;
}

static double *right_hand_side(const struct solve *s) {
  return s->f ? solve_suite_copy(s->g, s->f) : solve_suite_ones(s->g);
}
static double *initial_guess(const struct solve *s) {
  return s->u0 ? solve_suite_copy(s->g, s->u0) : allocate_zeroed(grid_points(s->g), sizeof *s->u0);
}

/* Solves with the reference, in at most `limit` iterations; history has room for HISTORY_MAX residuals. */
static struct reference_result reference_solve(const struct solve *s, int limit, double *u, double *history) {
  const struct reference_control control = {s->tolerance, limit, history};
  double *f = right_hand_side(s);
  const double best = reference_omega_optimal(reference_jacobi_radius(s->g, s->kappa));
  const bool reduced = strcmp(s->method, "reduced") == 0, natural = strcmp(s->method, "natural") == 0;
  const bool preconditioned = reduced || natural || strcmp(s->method, "pcg") == 0;
  const enum reference_order order = natural ? REFERENCE_NATURAL : REFERENCE_RED_BLACK;
  const double omega = reduced ? 1 : s->omega ? s->omega : best;
  if (reduced) /* after a red half-sweep, PCG has residuals only at black points, like the reduced system */
    reference_sor_half_sweep(s->g, s->kappa, 1, GRID_RED, f, u);
  const struct reference_result result =
      preconditioned ? reference_pcg_solve(s->g, s->kappa, omega, order, f, u, control)
                     : reference_cg_solve(s->g, s->kappa, f, u, control);
  free(f);
  return result;
}

/* Iterations to the tolerance. */
static int reference_iterations(const struct solve *s) {
  static double history[HISTORY_MAX];
  double *u = initial_guess(s);
  const int iterations = reference_solve(s, HISTORY_MAX - 1, u, history).iterations;
  free(u);
  return iterations;
}

/* The reported residual is that of the returned u, computed here. Returns it. */
static double check_residual(const struct solve *s, const struct program_result *result) {
  double *u = solve_suite_read("out.npy", s->g), *f = right_hand_side(s);
  const double residual = reference_relative_residual(s->g, s->kappa, f, u);
  const double reported = solve_suite_said(result, "relative residual ");
  if (!(fabs(reported - residual) <= 0.01 * residual + 1e-14))
    ck_abort_msg(
        "--method %s, nx %d, ny %d: the reported relative residual is %.3e, but the returned u has %.3e: it is "
        "computed from u at the end, since rounding errors part the recurrence's r from it",
        s->method, s->g.nx, s->g.ny, reported, residual);
  free(u);
  free(f);
  return residual;
}

static double norm_of_h2f(const struct solve *s) {
  double *f = right_hand_side(s);
  const double norm = s->g.h * s->g.h * reference_norm2(s->g, f);
  free(f);
  return norm;
}

/* The solve reaches the limit, although the program itself knows a residual within the tolerance. */
static void fail_if_met(const struct solve *s, double residual, int expected) {
  double largest = 0;
  for (size_t k = 0; s->f && k < grid_points(s->g); k++)
    largest = fmax(largest, fabs(s->f[k]));
  if (residual <= s->tolerance)
    ck_abort_msg(
        "--method %s, nx %d, ny %d, values of f up to %.2g: the loop goes on to the limit, although the relative residual "
        "is %.3e, within the tolerance %g: expected to stop after %d iterations: is what it compares with computed in "
        "double, from the tolerance and the norm of h2f?",
        s->method, s->g.nx, s->g.ny, s->f ? largest : 1, residual, s->tolerance, expected);
}

/* A wrong solver stops a few iterations after the reference does: it costs little time. */
static void check_solved(const struct solve *s, int expected, int within) {
  enum { MORE = 20 };
  struct solve bounded = *s;
  bounded.limit = expected + MORE;
  const struct program_result result = run_solve(&bounded);
  if (result.status == 1 && strstr(result.output, "limit reached after ")) {
    fail_if_met(s, solve_suite_said(&result, "relative residual "), expected);
    ck_abort_msg(
        "--method %s, nx %d, ny %d, kappa %g, omega %g: expected %d iterations to %g, within %d; after %d iterations the relative residual is still %.3e",
        s->method, s->g.nx, s->g.ny, s->kappa, s->omega, expected, s->tolerance, within, bounded.limit,
        solve_suite_said(&result, "relative residual "));
  }
  solve_suite_check_ending(s->method, &result, 0, "converged after ");
  const double residual = check_residual(s, &result);
  if (!(residual <= s->tolerance * (1 + 1e-3)))
    ck_abort_msg(
        "--method %s, nx %d, ny %d, kappa %g: the relative residual of u is %.3e: expected at most %g%s",
        s->method, s->g.nx, s->g.ny, s->kappa, residual, s->tolerance,
        solve_suite_criterion_hint(residual, norm_of_h2f(s), s->tolerance));
  const double iterations = solve_suite_said(&result, "converged after ");
  if (!(fabs(iterations - expected) <= within))
    ck_abort_msg(
        "--method %s, nx %d, ny %d, kappa %g, omega %g: expected %d iterations to %g, within %d; got %.0f",
        s->method, s->g.nx, s->g.ny, s->kappa, s->omega, expected, s->tolerance, within, iterations);
}

static void check_first_iterations(const struct solve *s, const char *advice);

/* f = 1 from u = 0: the residual rises before it falls, which must not stop or restart anything. */
static void check_smooth(const char *method, struct grid g) {
  const struct solve s = {
      .method = method, .g = g, .omega = 1.2, .tolerance = 1e-30, .check_every = 5, .limit = 12};
  check_first_iterations(&s, NULL);
}

/* Few iterations: a loose tolerance where there are many points. Starts alternately from u = 0 and from a random u. */
static void check_sizes_of(const char *method) {
  static const double omegas[] = {1.2, 1.95, 0.5, 1.7, 1.985, 0.05};
  enum { SMOOTH = 7 };
  for (int n = 0; n < SIZES; n++) {
    const struct grid g = grid_make(sizes[n][0], sizes[n][1]);
    if (n == SMOOTH) {
      check_smooth(method, g);
      continue;
    }
    const bool from_random = n % 2 == 1;
    double *f = solve_suite_random(g, 60 + (uint64_t)n), *u0 = solve_suite_random(g, 80 + (uint64_t)n);
    data_change_double(data_of(n), 60 + (uint64_t)n, grid_points(g), f);
    data_change_double(data_of(n), 80 + (uint64_t)n, grid_points(g), u0);
    const struct solve s = {.method = method,
                            .g = g,
                            .kappa = n % 3 * 2.5,
                            .omega = omegas[n % 6],
                            .tolerance = n < 6 ? 1e-9 : 0.1,
                            .check_every = 1 + n * 5,
                            .f = f,
                            .u0 = from_random ? u0 : NULL};
    check_solved(&s, reference_iterations(&s), 1);
    free(f);
    free(u0);
  }
}

/* f = 1, u = 0, tolerance 1e-6, on n x n interior points. */
static struct solve square(const char *method, int n, double omega) {
  return (struct solve){
      .method = method, .g = grid_make(n + 2, n + 2), .omega = omega, .tolerance = 1e-6, .check_every = 32};
}

/* Why the first residual is exactly 1, although u0 is not 0. NULL: it is not. */
static const char *hint_at_one(const struct solve *s, int rows, const double *got, const double *expected) {
  bool is_relative = rows > 1;
  if (got[0] != 1 || !s->u0)
    return NULL;
  for (int n = 1; n < rows; n++)
    is_relative = is_relative && fabs(got[n] * expected[0] - expected[n]) <= 1e-9 * expected[n];
  return is_relative
             ? "\nit is exactly 1, and all residuals are divided by the first one: divide by the norm of h2f"
             : "\nit is exactly 1, although u is not 0: does r start as h2f? It starts as h2f − A u";
}

/* An error in a part of an iteration first appears in one residual. */
static const char *residual_hint(const char *method, int first_wrong) {
  static const char *const hints[] = {
      "\nthe residual before the first iteration is wrong: look at f − A u, and at its norm",
      "\nthe first residual is correct, the next one is wrong: look at A p, alpha, and the signs in the updates of u and r, and whether the updates reach all elements",
      "\nthe residual after 1 iteration is correct, the next one is wrong: look at beta and at the new direction p",
      "\nthe residual after 2 iterations is correct, the next one is wrong: beta divides by r·z of the iteration before, which each iteration stores anew"};
  enum { COUNT = sizeof hints / sizeof *hints };
  if (first_wrong == 0 && strcmp(method, "reduced") == 0)
    return "\nthe residual before the first iteration is wrong: it is that of the black points, after the red points are "
           "computed from them";
  if (first_wrong == 1 && strcmp(method, "reduced") == 0)
    return "\nthe first residual is correct, the next one is wrong: the loop is right for all points, so look at S p, where a "
           "red point on the boundary counts as 0, and at the parity of its rows";
  if (first_wrong == 1 && strcmp(method, "pcg") == 0)
    return "\nthe first residual is correct, the next one is wrong: the loop is right without a preconditioner, so look at z: "
           "it is M⁻¹r by ssor_apply, with this omega, before r·z";
  if (first_wrong == 2 && strcmp(method, "pcg") == 0)
    return "\nthe residual after 1 iteration is correct, the next one is wrong: look at beta, at z, which each iteration "
           "computes from its r, and at the new direction p";
  if (first_wrong == 2 && (strcmp(method, "fused") == 0 || strcmp(method, "reduced") == 0))
    return "\nthe residual after 1 iteration is correct, the next one is wrong: look at beta and at the new direction p: is it "
           "written to the array whose old values other threads still read?";
  return first_wrong < COUNT ? hints[first_wrong] : "";
}

static bool is_black(struct grid g, size_t k) {
  return grid_colour((int)(k / (size_t)g.nx), (int)(k % (size_t)g.nx)) == GRID_BLACK;
}

/* How red points are computed from black ones: u_r = factor·(C u_b + source·h2f_r)/diagonal. */
struct red {
  const char *explanation;
  double source;
  bool has_kappa, is_undivided, is_given; /* in the diagonal; factor is the diagonal; u_r stays as it is */
};
static const struct red red_right = {"", 1, true, false, false};
static const struct red red_bank[] = {
    {"without h2f: u_r = (C u_b + h2f_r)/diagonal", 0, true, false, false},
    {"with −h2f: u_r = (C u_b + h2f_r)/diagonal", -1, true, false, false},
    {"divided by 4: u_r = (C u_b + h2f_r)/diagonal, and the diagonal is 4 + κ²h²", 1, false, false, false},
    {"that are not divided by the diagonal: u_r = (C u_b + h2f_r)/diagonal", 1, true, true, false},
    {"that keep their values of the initial guess: does solve_red compute them from black ones?", 1, true,
     false, true},
};

/* The residual of the black points, after the red points are computed from them. The caller frees it. */
static double *reduced_residual(const struct solve *s, const struct red *red) {
  double *f = right_hand_side(s), *u = initial_guess(s), *r = allocate_zeroed(grid_points(s->g), sizeof *r);
  double *source = solve_suite_copy(s->g, f);
  const double diagonal = 4 + s->kappa * s->kappa * s->g.h * s->g.h;
  for (size_t k = 0; k < grid_points(s->g); k++)
    source[k] *= red->source;
  if (!red->is_given)
    reference_sor_half_sweep(s->g, red->has_kappa ? s->kappa : 0, 1, GRID_RED, source, u);
  for (size_t k = 0; k < grid_points(s->g) && red->is_undivided; k++)
    u[k] *= is_black(s->g, k) ? 1 : diagonal;
  reference_residual(s->g, s->kappa, f, u, r);
  for (size_t k = 0; k < grid_points(s->g); k++)
    r[k] *= is_black(s->g, k);
  free(f);
  free(u);
  free(source);
  return r;
}

static bool is_first_residual(const struct solve *s, double got, const struct red *red) {
  double *r = reduced_residual(s, red);
  const double residual = s->g.h * s->g.h * reference_norm2(s->g, r) / norm_of_h2f(s);
  free(r);
  return fabs(residual - got) <= 1e-9 * got;
}

/* Whether this first residual is relative to the norm of the black points' h2f. */
static bool is_relative_to_black(const struct solve *s, double got, double expected) {
  double *f = right_hand_side(s);
  for (size_t k = 0; k < grid_points(s->g); k++)
    f[k] *= is_black(s->g, k);
  const double norm = s->g.h * s->g.h * reference_norm2(s->g, f);
  free(f);
  return fabs(got * norm - expected * norm_of_h2f(s)) <= 1e-9 * expected * norm_of_h2f(s);
}

static const char *hint_at_red(const struct solve *s, double got, double expected) {
  static char text[192];
  if (strcmp(s->method, "reduced") != 0)
    return NULL;
  if (is_relative_to_black(s, got, expected))
    return "\nit is relative to the norm of h2f at the black points: divide by that of the whole h2f, as all solvers do";
  for (size_t n = 0; n < sizeof red_bank / sizeof *red_bank; n++)
    if (is_first_residual(s, got, &red_bank[n])) {
      snprintf(text, sizeof text, "\nit is that of red points %s", red_bank[n].explanation);
      return text;
    }
  return NULL;
}

/* Wrong operators of the reduced system: own·x − inverse·(sums of the black points around each red neighbour). */
enum red_zeros { NO_BOUNDARY, FIRST_ROWS, NONE }; /* where a red point counts as 0 */
static const struct reduced_instead {
  const char *explanation;
  bool has_own, has_inverse; /* the diagonal 4 + κ²h², not 4 */
  double corner;             /* weight of a point that two red ones share */
  double factor;             /* of the second term */
  enum red_zeros zeros;
} reduced_bank[] = {
    {"with D = 4 or with ¼ instead of 1/diagonal: both have the diagonal 4 + κ²h²", false, true, 2, 1,
     NO_BOUNDARY},
    {"with the diagonal 4: it is 4 + κ²h², in D and in 1/diagonal", false, false, 2, 1, NO_BOUNDARY},
    {"with diagonal neighbours that count once: two red points lead to each of them", true, true, 1, 1,
     NO_BOUNDARY},
    {"with + instead of −", true, true, 2, -1, NO_BOUNDARY},
    {"with CᵀC instead of (1/diagonal)·CᵀC", true, true, 2, 0, NO_BOUNDARY},
    {"with red points on the left and right boundary: they are 0", true, true, 2, 1, FIRST_ROWS},
    {"with red points on the boundary: they are 0", true, true, 2, 1, NONE},
};
enum { REDUCED_BANK = sizeof reduced_bank / sizeof *reduced_bank };

/* The sum of the black points around the red one at k; 0 on the boundary, or on this part of it. */
static double around_red(struct grid g, enum red_zeros zeros, const double *x, size_t k) {
  const size_t nx = (size_t)g.nx, i = k / nx, j = k % nx;
  const bool is_outer_row = i == 0 || i == (size_t)g.ny - 1, is_outer_column = j == 0 || j == nx - 1;
  if ((is_outer_row && zeros != NONE) || (is_outer_column && zeros == NO_BOUNDARY))
    return 0;
  return (j > 0 ? x[k - 1] : 0) + (j < nx - 1 ? x[k + 1] : 0) + (i > 0 ? x[k - nx] : 0) +
         (i < (size_t)g.ny - 1 ? x[k + nx] : 0);
}

static void apply_reduced(const struct reduced_instead *m, const struct solve *s, const double *x,
                          double *y) {
  const struct grid g = s->g;
  const double diagonal = 4 + s->kappa * s->kappa * g.h * g.h, own = m->has_own ? diagonal : 4,
               inverse = m->factor == 0 ? 1 : m->factor / (m->has_inverse ? diagonal : 4),
               corners = (2 - m->corner) * inverse;
  const size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      const size_t k = grid_index(g, i, j);
      if (!is_black(g, k))
        continue;
      y[k] = own * x[k] - inverse * (around_red(g, m->zeros, x, k - 1) + around_red(g, m->zeros, x, k + 1) +
                                     around_red(g, m->zeros, x, k - nx) + around_red(g, m->zeros, x, k + nx));
      y[k] += corners * (x[k - nx - 1] + x[k - nx + 1] + x[k + nx - 1] + x[k + nx + 1]);
    }
}

/* The relative residual after one iteration with a wrong operator. */
static double reduced_step(const struct reduced_instead *m, const struct solve *s) {
  double *r = reduced_residual(s, &red_right), *q = allocate_zeroed(grid_points(s->g), sizeof *q);
  apply_reduced(m, s, r, q);
  const double alpha = reference_dot(s->g, r, r) / reference_dot(s->g, r, q);
  for (size_t k = 0; k < grid_points(s->g); k++)
    r[k] -= alpha * q[k];
  const double residual = s->g.h * s->g.h * reference_norm2(s->g, r) / norm_of_h2f(s);
  free(r);
  free(q);
  return residual;
}

static const char *hint_at_operator(const struct solve *s, double got) {
  static char text[192];
  for (int n = 0; n < REDUCED_BANK && strcmp(s->method, "reduced") == 0; n++)
    if (fabs(reduced_step(&reduced_bank[n], s) - got) <= 1e-9 * got) {
      snprintf(text, sizeof text, "\nit is that of S = D − (1/diagonal)·CᵀC %s", reduced_bank[n].explanation);
      return text;
    }
  return NULL;
}

/* Wrong operators on all points. */
enum wrong_a { OF_POISSON, ON_THE_BOUNDARY, IN_THE_PADDING, WITHOUT_COLUMN_1, ADDED, WRONG_AS };

/* y = A x on the rows inside. */
static void apply_wrong(enum wrong_a wrong, const struct solve *s, const double *x, double *y) {
  const struct grid g = s->g;
  const double diagonal = wrong == OF_POISSON ? 4 : 4 + s->kappa * s->kappa * g.h * g.h;
  const size_t nx = (size_t)g.nx;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 0; j < g.nx; j++) {
      const size_t k = grid_index(g, i, j);
      const bool is_inside = 0 < j && j < g.nx - 1;
      const double sum = (j > 0 ? x[k - 1] : 0) + (j < g.nx - 1 ? x[k + 1] : 0) + x[k - nx] + x[k + nx];
      if ((is_inside || wrong == ON_THE_BOUNDARY || wrong == IN_THE_PADDING) &&
          !(j == 1 && wrong == WITHOUT_COLUMN_1))
        y[k] = diagonal * x[k] - (wrong == ADDED ? -sum : sum);
    }
}

/* The squares of A x in the padding: after the last element of a row comes column 1 of the next one, in the rows of the
 * colour where jh = 0 is an interior point. */
static double square_of_padding(struct grid g, const double *x) {
  double sum = 0;
  for (int i = 2; i < g.ny - 1; i++)
    sum += x[grid_index(g, i, 1)] * x[grid_index(g, i, 1)];
  return sum;
}

/* The relative residual after n iterations, 0 or 1, with a wrong operator in the last of them. */
static double wrong_residual(enum wrong_a wrong, const struct solve *s, int n) {
  const size_t points = grid_points(s->g);
  double *f = right_hand_side(s), *u = initial_guess(s), *r = solve_suite_copy(s->g, f),
         *q = allocate_zeroed(points, sizeof *q), sum = 0;
  if (n == 1)
    reference_residual(s->g, s->kappa, f, u, r);
  for (size_t k = 0; k < points; k++)
    r[k] *= s->g.h * s->g.h;
  apply_wrong(wrong, s, n == 0 ? u : r, q);
  const double alpha = n == 0 ? 1 : reference_dot(s->g, r, r) / reference_dot(s->g, r, q);
  if (wrong == IN_THE_PADDING)
    sum = alpha * alpha * square_of_padding(s->g, n == 0 ? u : r);
  for (size_t k = 0; k < points; k++) {
    const bool is_left_out = n == 0 && wrong == WITHOUT_COLUMN_1 && k % (size_t)s->g.nx == 1;
    r[k] = is_left_out ? 0 : r[k] - alpha * q[k];
    sum += r[k] * r[k];
  }
  for (double **array = (double *[]){f, u, r, q, NULL}; *array; array++)
    free(*array);
  return sqrt(sum) / norm_of_h2f(s);
}

static const char *hint_at_a(const struct solve *s, int n, double got) {
  static const char *const hints[WRONG_AS] = {
      [OF_POISSON] = "\nit is that of an A with the diagonal 4: it is 4 + κ²h²",
      [ON_THE_BOUNDARY] =
          "\nit is that of an A that has the boundary columns, too: only interior points are unknowns",
      [IN_THE_PADDING] =
          "\nit is that of an A that has boundary and padding, too: only interior points are unknowns",
      [WITHOUT_COLUMN_1] =
          "\nit is that of an A without column 1: in a row with a shift, jh = 0 is an interior point",
      [ADDED] = "\nit is that of an A that adds the neighbours: it subtracts them"};
  if (n > 1 || (strcmp(s->method, "cg") != 0 && strcmp(s->method, "fused") != 0))
    return NULL;
  for (int wrong = 0; wrong < WRONG_AS; wrong++)
    if (fabs(wrong_residual((enum wrong_a)wrong, s, n) - got) <= 1e-9 * got)
      return hints[wrong];
  return NULL;
}

/* --- what the first two iterations show of the residual and of the operator --- */

/* Whether u is that after so many iterations. */
static bool is_after(const struct solve *s, int iterations, const double *u) {
  static double ignored[HISTORY_MAX];
  double *other = initial_guess(s);
  bool equal = true;
  reference_solve(s, iterations, other, ignored);
  for (size_t k = 0; k < grid_points(s->g); k++)
    equal = equal && fabs(u[k] - other[k]) <= 1e-9;
  free(other);
  return equal;
}

/* Runs it to this limit and returns u, which the caller frees; NULL if it ends otherwise. */
static double *u_after(const struct solve *s, int limit) {
  struct solve bounded = *s;
  bounded.limit = limit;
  const struct program_result result = run_solve(&bounded);
  return result.status == 1 && strstr(result.output, "limit reached after ")
             ? solve_suite_read("out.npy", s->g)
             : NULL;
}

/* r: the first residual; q: A r or, at the black points, S r. */
struct product {
  double *r, *q;
  bool is_u_right; /* after one iteration */
};

/* r has the direction of the first step of u and the norm of the first residual, history[0]. The second step is alpha
 * (r_1 + beta r), where r_1 is orthogonal to r, and r − q times the first alpha is r_1. The caller frees both
 * vectors; they are NULL if the runs end otherwise. */
static struct product find_product(const struct solve *s, const double *history) {
  const size_t points = grid_points(s->g);
  double *u0 = initial_guess(s), *u1 = u_after(s, 1), *u2 = u1 ? u_after(s, 2) : NULL;
  struct product product = {NULL, NULL, u1 && is_after(s, 1, u1)};
  if (u2) {
    double *r = allocate_zeroed(points, sizeof *r), *q = allocate_zeroed(points, sizeof *q);
    const double norm = norm_of_h2f(s), first = history[0] * norm, second = history[1] * norm;
    const bool is_reduced = strcmp(s->method, "reduced") == 0;
    for (size_t k = 0; k < points; k++) {
      r[k] = is_reduced && !is_black(s->g, k) ? 0 : u1[k] - u0[k];
      q[k] = is_reduced && !is_black(s->g, k) ? 0 : u2[k] - u1[k];
    }
    const double alpha = reference_norm2(s->g, r) / first, beta = second * second / (first * first);
    for (size_t k = 0; k < points; k++)
      r[k] /= alpha;
    const double next_alpha = reference_dot(s->g, q, r) / (second * second);
    for (size_t k = 0; k < points; k++)
      q[k] = (r[k] - (q[k] / next_alpha - beta * r[k])) / alpha;
    product.r = r, product.q = q;
  }
  free(u0);
  free(u1);
  free(u2);
  return product;
}

/* Whether the rows with this shift have the product by the diagonal neighbours of the other shift; S r is right
 * in all others. */
static bool is_shift_wrong(const struct solve *s, const struct product *p, const bool wrong[2]) {
  const struct grid g = s->g;
  const long nx = g.nx;
  const double diagonal = 4 + s->kappa * s->kappa * g.h * g.h;
  double error = 0, largest = 0;
  for (int i = 2; i < g.ny - 2; i++)
    for (int j = 4; j < g.nx - 4; j++) {
      const size_t k = grid_index(g, i, j);
      const double *x = p->r + k, *other = x + (wrong[j % 2] ? 2 - j % 2 * 4 : 0);
      const double corners = other[-nx - 1] + other[-nx + 1] + other[nx - 1] + other[nx + 1];
      if (!is_black(g, k))
        continue;
      error = fmax(error, fabs(p->q[k] - diagonal * x[0] +
                               (4 * x[0] + x[-2] + x[2] + x[-2 * nx] + x[2 * nx] + 2 * corners) / diagonal));
      largest = fmax(largest, fabs(p->q[k]));
    }
  return largest > 0 && error <= 1e-6 * largest;
}

static const char *name_shift(const struct solve *s, const struct product *p) {
  static const struct {
    bool wrong[2];
    const char *text;
  } bank[] = {
      {{true, true}, "\nS p is that of rows whose shift is inverted: is the colour in the parity?"},
      {{true, false},
       "\nS p is that of rows with a shift, even in rows without one: the parity of i + colour decides"},
      {{false, true},
       "\nS p is that of rows without a shift, even in rows with one: the parity of i + colour decides"}};
  for (size_t n = 0; n < sizeof bank / sizeof *bank; n++)
    if (is_shift_wrong(s, p, bank[n].wrong))
      return bank[n].text;
  return NULL;
}

/* Whether q is A x with neighbours from the array of the point's own colour: at jh + shift − 1, jh + shift and jh. */
static bool reads_own_colour(const struct solve *s, const double *all, const double *q) {
  const struct grid g = s->g;
  const long nx = g.nx;
  const double diagonal = 4 + s->kappa * s->kappa * g.h * g.h;
  double error = 0, largest = 0;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 2; j < g.nx - 2; j++) {
      const double *x = all + grid_index(g, i, j);
      const int side = j % 2 ? 1 : -1; /* of rows with and without a shift */
      const double sum = x[0] + x[2 * side] + x[-nx - side] + x[nx - side];
      error = fmax(error, fabs(q[grid_index(g, i, j)] - (diagonal * x[0] - sum)));
      largest = fmax(largest, fabs(q[grid_index(g, i, j)]));
    }
  return largest > 0 && error <= 1e-6 * largest;
}

/* How often each of the four red points counts in a sum of nine black ones, from the factors of the black points behind
 * them; false if other factors do not agree with that. */
static bool name_red_points(double diagonal, const double *factors, char *text, size_t size) {
  enum { CENTRE = STENCIL_FIT_POINTS / 2, ROW = STENCIL_FIT_SIDE };
  static const struct {
    const char *name;
    int step;
  } red[] = {{"(i − 1, j)", -ROW}, {"(i + 1, j)", ROW}, {"(i, j − 1)", -1}, {"(i, j + 1)", 1}};
  double times[4], sum = 0;
  size_t used = 0;
  for (int n = 0; n < 4; n++) {
    times[n] = round(-1000 * diagonal * factors[CENTRE + 2 * red[n].step]) / 1000;
    sum += times[n];
  }
  bool agrees = fabs(factors[CENTRE] - diagonal + sum / diagonal) < 1e-3;
  for (int n = 0; n < 4; n++) {
    const int row = n / 2, column = 2 + n % 2;
    agrees = agrees && fabs(diagonal * factors[CENTRE + red[row].step + red[column].step] + times[row] +
                            times[column]) < 1e-3;
    if (fabs(times[n] - 1) > 1e-3)
      used += (size_t)snprintf(text + used, size - used, "%s the red point %s counts %.3g times",
                               used ? " and" : "\nin S p,", red[n].name, times[n] + 0.0);
  }
  if (agrees && used > 0)
    snprintf(text + used, size - used, ": expected each of the four once");
  return agrees && used > 0;
}

/* A wrong alpha changes all factors of the product that the steps show. */
static bool is_partly_right(const struct stencil_fit *fit, const double *factors) {
  enum { CENTRE = STENCIL_FIT_POINTS / 2, ROW = STENCIL_FIT_SIDE };
  const int to_corner[] = {-ROW - 1, -ROW + 1, ROW - 1, ROW + 1}, to_side[] = {-ROW, -1, 1, ROW};
  bool is_right = fabs(factors[CENTRE] - fit->own) < 1e-3;
  for (int n = 0; n < 4; n++)
    is_right |= fit->corner != 0 ? fabs(factors[CENTRE + to_corner[n]] - fit->corner) < 1e-3
                                 : fabs(factors[CENTRE + to_side[n]] - fit->side) < 1e-3;
  return is_right;
}

/* Explains a wrong residual before the first iteration, n = 0, or after it. */
static const char *hint_at_product(const struct solve *s, int n, const double *history) {
  static const char u_is_right[] =
      "\nu after 1 iteration is right, and so is alpha: look at the sign in the update of r, and at the sum of its squares";
  static char text[512];
  const bool is_reduced = strcmp(s->method, "reduced") == 0;
  if (n > 1 || !s->u0 || strcmp(s->method, "pcg") == 0 || (is_reduced && n == 0))
    return NULL;
  struct product p = find_product(s, history);
  const double diagonal = 4 + s->kappa * s->kappa * s->g.h * s->g.h, factor = is_reduced ? -1 / diagonal : 0;
  double *h2f = right_hand_side(s), factors[STENCIL_FIT_FACTORS];
  for (size_t k = 0; k < grid_points(s->g); k++)
    h2f[k] *= s->g.h * s->g.h;
  const struct stencil_fit fit =
      n == 0 ? (struct stencil_fit){s->g, -1, s->u0, h2f, p.r, -diagonal, 1, 1, "h2f", 0, 0}
             : (struct stencil_fit){s->g,
                                    is_reduced ? GRID_BLACK : -1,
                                    p.r,
                                    NULL,
                                    p.q,
                                    diagonal + 4 * factor,
                                    is_reduced ? 0 : -1,
                                    0,
                                    "",
                                    2 * factor,
                                    factor};
  const char *hint = p.r && is_reduced ? name_shift(s, &p) : NULL;
  for (size_t k = 0; p.r && n == 0 && k < grid_points(s->g); k++)
    p.q[k] = h2f[k] - p.r[k];
  if (p.r && !is_reduced && reads_own_colour(s, n == 0 ? s->u0 : p.r, p.q))
    hint =
        "\nthe neighbours are read from the array of the point's own colour: they are in the other colour's";
  const bool is_sum = p.r && !hint && stencil_fit_find(&fit, factors),
             is_known = is_sum && is_partly_right(&fit, factors);
  if (is_known && is_reduced && name_red_points(diagonal, factors, text, sizeof text))
    hint = text;
  if (p.r && !hint) {
    const size_t used = (size_t)snprintf(text, sizeof text, "\nin %s, ",
                                         n == 0       ? "h2f − A u"
                                         : is_reduced ? "S u"
                                                      : "A u");
    const bool named =
        is_sum ? is_known && stencil_fit_name_factors(&fit, factors, text + used, sizeof text - used)
               : stencil_fit_name_misread(&fit, text + used, sizeof text - used) > 0;
    hint = named ? text : n == 1 && p.is_u_right ? u_is_right : NULL;
  }
  free(h2f);
  free(p.r);
  free(p.q);
  return hint;
}

static bool has_device_loop(const struct solve *s) {
  return strcmp(s->method, "fused") == 0 || strcmp(s->method, "reduced") == 0;
}

/* The squares of a stretch of another length overwrite each other: residual n is that of another iteration. */
static const char *hint_at_stretch(const struct solve *s, int n, double got, const double *expected) {
  static char text[192];
  if (!has_device_loop(s))
    return NULL;
  for (int m = 0; m <= s->limit; m++)
    if (m != n && fabs(got - expected[m]) <= 1e-9 * expected[m]) {
      snprintf(
          text, sizeof text,
          "\nit is the residual after %d iteration%s: has a stretch check_every = %d iterations, and has each of them "
          "its own place in squares?",
          m, PLURAL(m), s->check_every);
      return text;
    }
  return NULL;
}

/* Residuals are right until a stretch ends. */
static const char *hint_behind_stretch(const struct solve *s, int first_wrong) {
  return has_device_loop(s) && first_wrong > 2 && first_wrong % s->check_every <= 1 % s->check_every
             ? "\nthe residuals are right up to the end of a stretch of check_every iterations: which of the state changes "
               "there? Each iteration goes on from the one before"
             : NULL;
}

static const char *hint_at(const struct solve *s, int n, int rows, const double *got,
                           const double *expected) {
  const char *start = n == 0 ? hint_at_one(s, rows, got, expected) : hint_at_stretch(s, n, got[n], expected);
  return start ? start : hint_behind_stretch(s, n);
}

/* Reads the history and compares it; returns the number of residuals. */
static int compare_residuals(const struct solve *s, const double *expected, const char *advice) {
  static double got[HISTORY_MAX];
  const int rows = read_history(got);
  for (int n = 0; n < rows && n <= s->limit; n++)
    if (!(fabs(got[n] - expected[n]) <= 1e-9 * expected[n])) {
      const char *reduced = n == 0   ? hint_at_red(s, got[0], expected[0])
                            : n == 1 ? hint_at_operator(s, got[1])
                                     : NULL;
      const char *a = hint_at_a(s, n, got[n]);
      const char *rounding = solve_suite_float_hint(fabs(got[n] / expected[n] - 1));
      const char *start = hint_at(s, n, rows, got, expected);
      const char *product = reduced || a || start || advice ? NULL : hint_at_product(s, n, got);
      ck_abort_msg(
          "--method %s, nx %d, ny %d: the relative residual after %d iteration%s is %.9e: expected %.9e%s",
          s->method, s->g.nx, s->g.ny, n, PLURAL(n), got[n], expected[n],
          reduced       ? reduced
          : a           ? a
          : product     ? product
          : rounding[0] ? rounding
          : start       ? start
          : advice      ? advice
          : n == 0 && got[0] == 0
              ? "\nit is 0: is the residual before the first iteration recorded, while iterations is 0?"
              : residual_hint(s->method, n));
    }
  return rows;
}

static void compare_history(const struct solve *s, const double *expected, const char *advice) {
  const int rows = compare_residuals(s, expected, advice);
  ck_assert_msg(rows == s->limit + 1, "history of %d iterations: expected %d residuals, got %d", s->limit,
                s->limit + 1, rows);
}

/* The same for a solve that has converged, after at most HISTORY_MAX - 1 iterations. On a grid of 66 x 66 the
 * solution's residuals agree to 12 digits. */
static void compare_long_history(const struct solve *s) {
  static double got[HISTORY_MAX], expected[HISTORY_MAX];
  double *u = initial_guess(s);
  const int known = reference_solve(s, HISTORY_MAX - 1, u, expected).iterations, rows = read_history(got);
  free(u);
  for (int n = 0; n < rows && n <= known; n++)
    if (!(fabs(got[n] - expected[n]) <= 1e-6 * expected[n]))
      ck_abort_msg(
          "--method %s, nx %d, ny %d: the history's relative residual after %d iteration%s is %.9e: expected %.9e",
          s->method, s->g.nx, s->g.ny, n, PLURAL(n), got[n], expected[n]);
}

/* A definite system never breaks down: the direction is wrong. The residuals before it may say more. */
static void fail_at_breakdown(const struct solve *s, const char *what, const char *ending,
                              const double *expected, const char *advice) {
  const int rows = compare_residuals(s, expected, advice);
  if (rows <= 1)
    ck_abort_msg(
        "%s: breakdown after 0 iterations: expected '%s': p·Ap is not positive in the first iteration: is "
        "p = z there, and q = A p?",
        what, ending);
  ck_abort_msg("%s: breakdown after %d iteration%s: expected '%s': p·Ap is not positive%s", what, rows - 1,
               PLURAL(rows - 1), ending, residual_hint(s->method, rows));
}

/* Whether the black points have moved as far as they should, in the opposite direction; red points may be
 * computed from them. */
static bool is_turned(const struct solve *s, const double *truth, const double *u) {
  double *u0 = initial_guess(s);
  bool turned = true;
  for (int i = 1; i < s->g.ny - 1; i++)
    for (int j = 1; j < s->g.nx - 1; j++) {
      const size_t k = grid_index(s->g, i, j);
      turned = turned && (grid_colour(i, j) == GRID_RED || fabs(u[k] + truth[k] - 2 * u0[k]) <= 1e-9);
    }
  free(u0);
  return turned;
}

/* Whether the black points of the reduced system are right, and a red one is not. */
static bool is_red_alone(const struct solve *s, const double *truth, const double *u) {
  bool right = strcmp(s->method, "reduced") == 0;
  for (size_t k = 0; k < grid_points(s->g); k++)
    right = right && (!is_black(s->g, k) || fabs(u[k] - truth[k]) <= 1e-9);
  return right;
}

/* The difference of u after two numbers of iterations, which the caller frees. */
static double *step_of(const struct solve *s, int from, int to) {
  static double ignored[HISTORY_MAX];
  double *step = initial_guess(s), *before = initial_guess(s);
  reference_solve(s, to, step, ignored);
  reference_solve(s, from, before, ignored);
  for (size_t k = 0; k < grid_points(s->g); k++)
    step[k] -= before[k];
  free(before);
  return step;
}

/* Whether u is past the result by multiples of the last two directions: the kernels that make new directions have
 * stopped, and the one that changes u has not. */
static bool is_past_the_end(const struct solve *s, const double *truth, const double *u) {
  const size_t points = grid_points(s->g);
  if (!has_device_loop(s) || s->limit < 2)
    return false;
  double *last = step_of(s, s->limit - 1, s->limit), *other = step_of(s, s->limit - 2, s->limit - 1),
         *past = solve_suite_copy(s->g, u);
  for (size_t k = 0; k < points; k++)
    past[k] -= truth[k];
  const double aa = reference_dot(s->g, last, last), ab = reference_dot(s->g, last, other),
               bb = reference_dot(s->g, other, other), ap = reference_dot(s->g, last, past),
               bp = reference_dot(s->g, other, past), size = reference_norm2(s->g, past);
  const double determinant = aa * bb - ab * ab, a = (ap * bb - bp * ab) / determinant,
               b = (bp * aa - ap * ab) / determinant;
  for (size_t k = 0; k < points; k++)
    past[k] -= a * last[k] + b * other[k];
  const bool is_past = reference_norm2(s->g, past) <= 1e-6 * size;
  for (double **array = (double *[]){last, other, past, NULL}; *array; array++)
    free(*array);
  return is_past;
}

/* By which factor all steps of u differ from those of the truth; 0: by none. */
static double steps_ratio(const struct solve *s, const double *truth, const double *u) {
  double *u0 = initial_guess(s), *step = solve_suite_copy(s->g, u), *right = solve_suite_copy(s->g, truth);
  for (size_t k = 0; k < grid_points(s->g); k++)
    step[k] -= u0[k], right[k] -= u0[k];
  const double ratio = reference_dot(s->g, step, right) / reference_dot(s->g, right, right),
               size = reference_norm2(s->g, step);
  for (size_t k = 0; k < grid_points(s->g); k++)
    step[k] -= ratio * right[k];
  const bool is_multiple = reference_norm2(s->g, step) <= 1e-6 * size;
  for (double **array = (double *[]){u0, step, right, NULL}; *array; array++)
    free(*array);
  return is_multiple ? ratio : 0;
}

/* Explains a wrong u whose residuals were right. */
static const char *u_hint(const struct solve *s, const double *truth, const double *u) {
  static char text[192];
  if (is_red_alone(s, truth, u))
    return "\nall black points are right: are the red points computed from them after the loop?";
  if (is_turned(s, truth, u))
    return "\nu moves away from the solution: the residuals have the right norm, but the wrong sign: r = h2f − A u";
  if (is_past_the_end(s, truth, u))
    return "\nu moves on after the last iteration: does the kernel that changes u do nothing unless the state is RUNNING?";
  for (int more = -1; more <= 2 * s->check_every; more++)
    if (more != 0 && is_after(s, s->limit + more, u)) {
      snprintf(text, sizeof text, "\nit is u after %d iterations: %s", s->limit + more,
               more > 0 ? "a kernel does not stop at the limit" : "the last update of u is missing");
      return text;
    }
  const double times = steps_ratio(s, truth, u);
  if (times == 0)
    return "\nthe residuals are right, and so are alpha and r: look at the update u = u + alpha·p";
  snprintf(
      text, sizeof text,
      "\nthe residuals are right, but u moves %.9g times as far as it should: has A p a wrong factor, or the "
      "step of u another one than that of r?",
      times);
  return text;
}

/* Runs that end before their first iteration, from an initial guess that is no solution. */
static void check_first_step(const struct solve *s, const struct program_result *result, const char *what,
                             const char *ending) {
  if (strstr(result->output, "converged after 0 "))
    ck_abort_msg(
        "%s: expected '%s', got 'converged after 0 iterations', but the initial guess is no solution: is each "
        "iteration counted in result->iterations?",
        what, ending);
  if (!has_device_loop(s) && strstr(result->output, "not finite after 0 "))
    ck_abort_msg(
        "%s: expected '%s', got 'not finite after 0 iterations': beta is 0 in the first iteration, where no "
        "earlier rho exists to divide by",
        what, ending);
}

/* Compares every residual of the first iterations, before rounding has an effect, and then u. advice: NULL for
 * that of the first wrong residual. */
static void check_first_iterations(const struct solve *s, const char *advice) {
  static double expected[HISTORY_MAX];
  char ending[64], what[96];
  double *truth = initial_guess(s);
  const struct program_result result = run_solve(s);
  snprintf(what, sizeof what, "--method %s, nx %d, ny %d", s->method, s->g.nx, s->g.ny);
  snprintf(ending, sizeof ending, "limit reached after %d iteration%s", s->limit, PLURAL(s->limit));
  reference_solve(s, s->limit, truth, expected);
  if (strstr(result.output, "breakdown after "))
    fail_at_breakdown(s, what, ending, expected, advice);
  check_first_step(s, &result, what, ending);
  solve_suite_check_ending(what, &result, 1, ending);
  compare_history(s, expected, advice);
  double *u = solve_suite_read("out.npy", s->g);
  for (size_t k = 0, nx = (size_t)s->g.nx; k < grid_points(s->g); k++)
    if (!(fabs(u[k] - truth[k]) <= 1e-9)) {
      const char *rounding = solve_suite_float_hint(fabs(u[k] - truth[k]) / fabs(truth[k]));
      ck_abort_msg(
          "--method %s, nx %d, ny %d: u after %d iterations, first wrong value at (i, j) = (%zu, %zu): expected %.9g, got %.9g%s",
          s->method, s->g.nx, s->g.ny, s->limit, k / nx, k % nx, truth[k], u[k],
          rounding[0] ? rounding
          : advice    ? advice
                      : u_hint(s, truth, u));
    }
  free(truth);
  free(u);
}

/* A solve from random f and u that ends at the limit. The caller frees f and u0. */
static struct solve cut_off(const char *method, struct grid g, int check_every, int limit) {
  return (struct solve){.method = method,
                        .g = g,
                        .kappa = 2,
                        .omega = 1.4,
                        .tolerance = 1e-30,
                        .check_every = check_every,
                        .limit = limit,
                        .f = solve_suite_random(g, 26),
                        .u0 = solve_suite_random(g, 27)};
}

static void cut_off_free(const struct solve *s) {
  free((void *)(uintptr_t)s->f);
  free((void *)(uintptr_t)s->u0);
}

/* The limit is not a multiple of check-every. */
static void check_history(const char *method) {
  const struct solve s = cut_off(method, grid_make(70, 43), 7, 23);
  check_first_iterations(&s, NULL);
  cut_off_free(&s);
}

/* --- rules: what a run may ask of the host --- */

/* What 32 iterations do beyond 16, which is what no part before or after the loop does. */
struct stretch {
  struct solve_use less, more;
  double atomics;              /* of 32 iterations */
  double launches, operations; /* per iteration; operations in double, per interior point, too */
};

enum { SHORT_RUN = 16, LONG_RUN = 48, CHECK_EVERY = 16, STRETCHES = (LONG_RUN - SHORT_RUN) / CHECK_EVERY };

static struct solve_use run_counted(struct solve *s, int limit, double *done, double *atomics) {
  struct solve_use use;
  s->use = &use, s->limit = limit;
  run_solve(s);
  s->use = NULL;
  *done = use.known ? solve_suite_operations() : 0;
  *atomics = use.known ? count("simgpu__fp_atomics.sum") : 0;
  return use;
}

/* False without a simulated GPU. */
static bool run_stretch(const char *method, struct grid g, struct stretch *stretch) {
  double before, done, atomics, more_atomics;
  struct solve s = cut_off(method, g, CHECK_EVERY, SHORT_RUN);
  const double iterations = LONG_RUN - SHORT_RUN;
  lab_checks_stop();
  stretch->less = run_counted(&s, SHORT_RUN, &before, &atomics);
  stretch->more = run_counted(&s, LONG_RUN, &done, &more_atomics);
  cut_off_free(&s);
  stretch->atomics = more_atomics - atomics;
  stretch->launches = (stretch->more.launches - stretch->less.launches) / iterations;
  stretch->operations = (done - before) / iterations / (double)grid_interior_points(g);
  return stretch->less.known && stretch->more.known;
}

/* The rules of pcg_dot and ssor_apply: a solver that calls them does not answer for what they break. */
static bool calls_obey(bool has_ssor) {
  enum { COUNT = 300 };
  double x[COUNT] = {1}, y[COUNT] = {1};
  struct solve_use dot = {0}, ssor = {0};
  struct arguments a = {0};
  const struct grid g = grid_make(65, 65);
  run_dot(COUNT, x, y, DOT_WATCHED, &dot);
  const bool dot_obeys =
      !breaks_rule(&dot, 2, sizeof x + sizeof y, MEMORY_OF_DOT) && !rules_leaves_heap(calls_of_dot);
  if (!has_ssor || !dot_obeys)
    return dot_obeys;
  double *r = solve_suite_random(g, 54);
  ssor_arguments(&a, g, 1, 1, r);
  solve_suite_watch(a.list, &ssor);
  free(r);
  arguments_add_number(&a, "--calls", 18), arguments_add(&a, "--heap");
  return !rules_leaves_heap(a.list) && !breaks_rule(&ssor, words_of(g), 8 * words_of(g), MEMORY_OF_SSOR);
}

/* The host reads every scalar, and no vector. */
static void check_rules_of_host_loop(const char *method, bool has_ssor) {
  enum { SCALARS = 4 };
  struct stretch stretch;
  char what[64];
  const struct grid g = grid_make(drawn(1, 40), drawn(2, 30));
  snprintf(what, sizeof what, "--method %s, %d iterations", method, LONG_RUN);
  if (!run_stretch(method, g, &stretch))
    return;
  check_device_works(what, stretch.operations, "point and iteration", 6);
  const double others = counters_total("words_to_host_not_by_a_kernel");
  if (has_other_dot() || !calls_obey(has_ssor))
    return;
  check_origin(what, &stretch.more, words_of(g), 8 * SCALARS * LONG_RUN + 64);
  solve_suite_check_sent(what, &stretch.more, 8 * words_of(g));
  check_written(what, others, idle_words(g));
  solve_suite_check_end(what, &stretch.more);
  const struct solve_use further = solve_suite_beyond(&stretch.more, &stretch.less);
  solve_suite_check_memory_calls(what, &further, (LONG_RUN - SHORT_RUN) / 2.0, "32 iterations");
}

/* An application of the preconditioner more than the one that an iteration needs has no item of its own. The same loop
 * without one is cg_solve. */
static void check_one_application(void) {
  enum { SLACK = 4 }; /* operations per point: another product, or nearly two */
  const double most = 1.35;
  const struct grid g = grid_make(128, 12); /* without padding */
  struct stretch cg, pcg;
  struct arguments a = {0};
  struct solve_use use = {0};
  double *r = solve_suite_random(g, 55);
  ssor_arguments(&a, g, 1, 1, r);
  const struct program_result ssor = solve_suite_watch(a.list, &use);
  free(r);
  if (ssor.status != 0 || !use.known)
    return;
  const double once = solve_suite_operations() / (double)grid_interior_points(g);
  const struct program_result plain = lab_suite_run((const char *[]){"--method", "cg", "--nx", "5", NULL});
  if (solve_suite_is_unwritten(&plain))
    return;
  if (!run_stretch("cg", g, &cg) || !run_stretch("pcg", g, &pcg))
    return;
  if (pcg.operations > cg.operations + most * once + SLACK)
    ck_abort_msg(
        "--method pcg: %.1f floating-point operations in double per point and iteration: expected about %.1f, "
        "%.1f of --method cg and %.1f of ssor_apply: is the preconditioner applied more than once?",
        pcg.operations, cg.operations + once, cg.operations, once);
}

/* Why the loop needs the host, or "". least: operations per point that an iteration needs. MOVED: bytes of sums and of
 * the state in each iteration; LAUNCHES: of pcg.h's kernels for `fused` and `reduced`. */
static const char *fault_of_loop(const char *method, double least) {
  enum { WAITS = STRETCHES + 2, MOVED = 4096, LAUNCHES = 2 };
  static char fault[512];
  const double bytes = STRETCHES * (64 + 8 * CHECK_EVERY) + 64;
  struct stretch stretch;
  char what[64];
  fault[0] = '\0';
  snprintf(what, sizeof what, "--method %s, %d iterations, --check-every %d", method, LONG_RUN - SHORT_RUN,
           CHECK_EVERY);
  const struct grid g = grid_make(drawn(3, 128), drawn(4, 20));
  if (!run_stretch(method, g, &stretch))
    return fault;
  check_device_works(what, stretch.operations, "point and iteration", least);
  solve_suite_check_sent(what, &stretch.more, 8 * words_of(g));
  const struct solve_use use = solve_suite_beyond(&stretch.more, &stretch.less);
  const double waits = fmax(use.host_waits, use.host_functions), fetched = use.bytes_to_host,
               starved = solve_suite_starved_waits(&use);
  if (waits > WAITS || fetched > bytes)
    snprintf(
        fault, sizeof fault,
        "%s: the host waits for the device %.0f times, and copies to the host have %.0f bytes: expected at most %d times and %.0f bytes: no iteration may need the host",
        what, waits, fetched, WAITS, bytes);
  else if (stretch.atomics > 0)
    snprintf(fault, sizeof fault, "%s: %.0f " ATOMICS, what, stretch.atomics);
  else if (starved >= STRETCHES)
    snprintf(fault, sizeof fault,
             "%s: the device is idle while the host waits for %.0f of %d stretches: launch the next stretch "
             "before you wait for the state of the previous one",
             what, starved, STRETCHES);
  else if (use.mapped_writes > 2 * STRETCHES)
    snprintf(
        fault, sizeof fault,
        "%s: %.0f launches write to mapped memory of the host: expected at most %d: keep the state and the "
        "sums in device memory, and copy them once per stretch",
        what, use.mapped_writes, 2 * STRETCHES);
  else if (use.bytes_on_device > MOVED * (LONG_RUN - SHORT_RUN))
    snprintf(
        fault, sizeof fault,
        "%s: copies within the device of %.0f bytes in %d iterations: expected at most %d: the kernels write "
        "the direction from one array to another",
        what, use.bytes_on_device, LONG_RUN - SHORT_RUN, MOVED * (LONG_RUN - SHORT_RUN));
  else if (use.graphs_made > STRETCHES / 2.0)
    snprintf(
        fault, sizeof fault,
        "%s: makes %.0f executable graphs for %d stretches: expected none: make the graph of a stretch once, before "
        "the loop, and launch it again",
        what, use.graphs_made, STRETCHES);
  else if (use.memory_calls > STRETCHES / 2.0)
    snprintf(
        fault, sizeof fault,
        "%s: allocates or frees memory %.0f times: expected never: allocate before the loop: the host may "
        "wait for the device there",
        what, use.memory_calls);
  else if (stretch.launches > LAUNCHES + 0.2) /* others come before and after the loop */
    snprintf(fault, sizeof fault, "%s: %.1f launches per iteration: expected %d, the kernels of pcg.h", what,
             stretch.launches, LAUNCHES);
  else if (solve_suite_name_end(what, &stretch.more, fault, sizeof fault) && !calls_obey(false))
    fault[0] = '\0';
  return fault;
}

/* --- sizes that a launch may have forgotten --- */

static const char size_advice[] =
    "\nsmaller grids are correct: are there enough blocks, or too many for an array with one element per block?";

static void note_dot(int elements);

/* More columns and rows than a program may have in mind; for the fused loops, more tiles than LOOP_BLOCKS. Few columns
 * suffice, since padding makes a row 64 values long. */
static void check_large(const char *method, bool has_tiles) {
  const struct grid wide = lab_suite_wide_grid(5), tall = grid_make(5, drawn(7, has_tiles ? 4261 : 2081));
  lab_checks_stop();
  if (has_tiles)
    note_dot((int)words_of(tall) / 2); /* more partial sums than threads */
  for (int n = 0; n < 2; n++) {
    const struct solve s = cut_off(method, n == 0 ? wide : tall, 2, 2);
    check_first_iterations(&s, size_advice);
    cut_off_free(&s);
  }
}

/* --- counter items --- */

/* The item does not measure the kernels around the iterations, such as the residual's. less, more: modelled times of
 * one iteration and of two. */
static void check_surroundings(const char *what, double less, double more) {
  enum { MOST = 200 }; /* µs: ten launches that each take far longer than memory needs */
  const double around = (2 * less - more) / 1000;
  counters_check_slow_launch(what);
  if (around > MOST)
    ck_abort_msg(
        "%s: the kernels before and after the iterations take %.0f µs of modelled time, an iteration takes "
        "%.0f µs: expected at most %d µs: do few blocks or warps do the work?",
        what, around, (more - less) / 1000, MOST);
}

/* Measures what a second iteration does, divided by `per`. Work that no kernel does would cost nothing. least: of
 * operations that it makes per point. */
static void measure_iterations(const char *method, struct grid g, size_t per, double least) {
  enum { BEYOND = 1024 }; /* bytes of scalars and of a few squares */
  struct solve_use use;
  struct solve s = cut_off(method, g, 1, 1);
  char what[64];
  snprintf(what, sizeof what, "--method %s, nx %d, ny %d, 2 iterations", method, g.nx, g.ny);
  lab_checks_stop();
  s.use = &use;
  check_first_iterations(&s, NULL);
  const double before = use.known ? solve_suite_operations() : 0, less = use.known ? count(TIME) : 0;
  s.use = NULL, s.limit = 2, s.per = (double)per;
  check_first_iterations(&s, NULL);
  cut_off_free(&s);
  if (!use.known || has_other_dot())
    return;
  use = solve_suite_use(true);
  check_surroundings(what, less, count(TIME));
  counters_check_spills(what);
  check_device_works(what, (solve_suite_operations() - before) / (double)grid_interior_points(g),
                     "point and iteration", least);
  check_origin(what, &use, words_of(g), BEYOND);
  solve_suite_check_sent(what, &use, 8 * words_of(g));
  check_written(what, counters_total("words_to_host_not_by_a_kernel"), idle_words(g));
}

/* --- what a part needs: it cannot be judged if that is wrong --- */

/* Skips the item unless the item that it needs gives correct results. */
static void need(bool is_right, const char *item) {
  if (is_right)
    return;
  lab_checks_forget();
  lab_suite_verdict("SKIPPED");
  ck_abort_msg("counts when %s passes", item);
}

/* Its results can be compared. An unwritten part, or an endless one, is the next test's to report. */
static bool is_comparable(const struct program_result *result) {
  return !solve_suite_is_unwritten(result) && !result->timed_out;
}

static bool dot_is_right(int elements) {
  const size_t count = (size_t)elements;
  double *x = allocate_zeroed(2 * count, sizeof *x), *y = x + count, got = NAN;
  for (int k = 0; k < elements; k++)
    x[k] = k % 7 + 1, y[k] = k % 5 - 1;
  write_vector("x.npy", count, x);
  write_vector("y.npy", count, y);
  const struct program_result result =
      lab_suite_run((const char *[]){"dot", "--x", "x.npy", "--y", "y.npy", "--calls", "2", NULL});
  sscanf(result.output, "dot %lf", &got);
  char finding[2048];
  const bool is_found = lab_checks_tell(finding, sizeof finding);
  const bool is_right =
      !is_comparable(&result) || (!is_found && got == reference_dot_blocks(count, x, y)); /* integers */
  free(x);
  return is_right;
}

/* Its first residuals, and no race. */
static bool solver_is_right(const char *method) {
  static double expected[HISTORY_MAX], got[HISTORY_MAX];
  const struct solve s = cut_off(method, grid_make(70, 43), 3, 6);
  double *u = initial_guess(&s);
  const struct program_result result = run_solve(&s);
  bool is_right = strstr(result.output, "limit reached after 6 ") && read_history(got) == s.limit + 1;
  reference_solve(&s, s.limit, u, expected);
  for (int n = 0; is_right && n <= s.limit; n++)
    is_right = fabs(got[n] - expected[n]) <= 1e-9 * expected[n];
  free(u);
  cut_off_free(&s);
  char finding[2048];
  return !is_comparable(&result) || (!lab_checks_tell(finding, sizeof finding) && is_right);
}

static bool ssor_is_right(void) {
  const struct grid g = grid_make(20, 11);
  double *r = solve_suite_random(g, 53), *z = allocate_zeroed(grid_points(g), sizeof *z);
  struct arguments a = {0};
  ssor_arguments(&a, g, 1, 1.3, r);
  arguments_add_number(&a, "--calls", 2);
  const struct program_result result = lab_suite_run(a.list);
  reference_ssor_apply(g, 1, 1.3, REFERENCE_RED_BLACK, r, z);
  bool is_right = result.status == 0;
  if (is_right) {
    double *got = solve_suite_read("z.npy", g);
    is_right = equals(g, got, z);
    free(got);
  }
  free(r);
  free(z);
  return !is_comparable(&result) || is_right;
}

/* --- endings --- */

static struct program_result expect_ending(const struct solve *s, const char *what, int status,
                                           const char *words) {
  struct solve_use use = {0};
  struct solve watched = *s;
  watched.use = &use;
  const struct program_result result = run_solve(&watched);
  char text[128];
  snprintf(text, sizeof text, "--method %s, %s", s->method, what);
  solve_suite_check_ending(text, &result, status, words);
  solve_suite_check_end(text, &use);
  return result;
}

/* f whose norm is finite, but f·Af is not. */
static double *almost_infinite(struct grid g) {
  double *f = solve_suite_random(g, 31), squares = 0;
  for (size_t k = 0; k < grid_points(g); k++)
    squares += pow(g.h * g.h * f[k], 2);
  for (size_t k = 0; k < grid_points(g); k++)
    f[k] *= 1e154 / sqrt(squares);
  return f;
}

static struct solve ending(const char *method, struct grid g, const double *f, const double *u0) {
  return (struct solve){
      .method = method, .g = g, .tolerance = 1e-6, .check_every = 4, .limit = 100, .f = f, .u0 = u0};
}

/* The last iteration that the limit allows may converge. */
static void check_last_iteration(const struct solve *s) {
  char words[64];
  struct solve last = *s;
  last.limit = 100;
  const struct program_result result = run_solve(&last);
  const char *said = strstr(result.output, "converged after ");
  if (!said) /* other tests report that */
    return;
  last.limit = atoi(said + strlen("converged after "));
  snprintf(words, sizeof words, "converged after %d iterations", last.limit);
  expect_ending(&last, "as many iterations as it needs", 0, words);
}

/* The recurrence's residual falls below the tolerance; that of u does not, since u0 has left its
 * rounding errors there. */
static void check_reported_residual(const struct solve *ordinary) {
  struct solve s = *ordinary;
  double *u0 = solve_suite_random(s.g, 34);
  for (size_t k = 0; k < grid_points(s.g); k++)
    u0[k] *= 1e9;
  s.u0 = u0, s.limit = 400;
  const struct program_result result = run_solve(&s);
  if (result.status == 0 || result.status == 1)
    check_residual(&s, &result);
  free(u0);
}

/* One unknown, and no rounding: the residual after the first iteration is 0, which is within the tolerance 0. The
 * reduced system has no unknown here. */
static void check_exact_iteration(const char *method) {
  struct solve s = ending(method, grid_make(3, 3), NULL, NULL);
  s.omega = 1, s.tolerance = 0;
  if (strcmp(method, "reduced") != 0)
    expect_ending(
        &s,
        "one unknown, tolerance 0, which the residual 0 after the first iteration meets, so that all kernels stop",
        0, "converged after 1 iteration");
}

/* has_plain_direction: the first p is h²f. */
static void check_endings(const char *method, bool has_plain_direction) {
  const struct grid g = grid_make(20, 9);
  double *zero = allocate_zeroed(grid_points(g), sizeof *zero), *f = solve_suite_random(g, 29);
  double *u0 = solve_suite_random(g, 28), *large = solve_suite_copy(g, f);
  for (size_t k = 0; k < grid_points(g); k++)
    large[k] *= 1e200;
  const struct solve nothing = ending(method, g, zero, u0), far = ending(method, g, f, large),
                     strong = ending(method, g, large, NULL);
  struct solve one = ending(method, g, f, NULL);
  expect_ending(&nothing, "f = 0", 0, "converged after 0 iterations");
  double *u = solve_suite_read("out.npy", g);
  ck_assert_msg(memcmp(u, zero, grid_points(g) * sizeof *u) == 0, "--method %s, f = 0: expected u = 0",
                method);
  expect_ending(&far, "u = 1e200, whose norm overflows", 1, "not finite after 0 iterations");
  expect_ending(&strong, "f = 1e200, whose norm overflows", 1, "not finite after 0 iterations");
  one.limit = 1;
  expect_ending(&one, "one iteration", 1, "limit reached after 1 iteration");
  check_last_iteration(&one);
  check_reported_residual(&one);
  check_exact_iteration(method);
  double *almost = almost_infinite(g);
  const struct solve steep = ending(method, g, almost, NULL);
  if (has_plain_direction)
    expect_ending(&steep, "p·Ap overflows", 1, "not finite after 0 iterations");
  for (double **array = (double *[]){zero, f, u0, large, u, almost, NULL}; *array; array++)
    free(*array);
}

/* With one interior point, h = 1/2 and the shift −16, A is zero, so p·Ap is exactly 0, which is not positive. */
static void check_zero_curvature(const char *method) {
  const struct grid g = grid_make(3, 3);
  double *f = solve_suite_random(g, 32);
  struct solve s = ending(method, g, f, NULL);
  s.shift = -16;
  if (strcmp(method, "cg") == 0 || strcmp(method, "fused") == 0)
    expect_ending(&s, "p·Ap = 0", 1, "breakdown after 0 iterations");
  free(f);
}

/* The diagonal is −1, and so is M negative. The values of r alternate like a chessboard, and those of z with them, so
 * that z·Az is positive. */
static void check_negative_preconditioner(void) {
  const struct grid g = grid_make(20, 9);
  double *f = solve_suite_random(g, 33);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      f[grid_index(g, i, j)] = grid_colour(i, j) == GRID_RED ? 1 : -1;
  struct solve s = ending("pcg", g, f, NULL);
  s.omega = 1, s.shift = -5 / (g.h * g.h);
  expect_ending(&s, "r·z is negative in the first iteration, and p·Ap is positive", 1,
                "breakdown after 0 iterations");
  free(f);
}

/* −Δu − 1e4·u is negative definite on this grid, and −Δu − 30·u is negative in one direction. So p·Ap <= 0 in the
 * first step, or in a later one; with a preconditioner whose D is negative, r·z <= 0. u remains finite. */
static void check_breakdown(const char *method) {
  static double history[HISTORY_MAX];
  const struct grid g = grid_make(24, 24);
  double *f = solve_suite_random(g, 30);
  struct solve s = ending(method, g, f, NULL);
  s.omega = 1, s.limit = 200, s.shift = -1e4;
  expect_ending(&s, "a negative operator", 1, "breakdown after 0 iterations");
  check_zero_curvature(method);
  s.shift = -30;
  const struct program_result result = expect_ending(&s, "an indefinite operator", 1, "breakdown after ");
  const int rows = read_history(history);
  ck_assert_msg(rows > 1 && rows < 200,
                "--method %s, an indefinite operator: breakdown after %d iterations: expected 1 to 198",
                method, rows - 1);
  double *u = solve_suite_read("out.npy", g);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert_msg(isfinite(u[k]), "--method %s, an indefinite operator: u is not finite", method);
  const double residual = solve_suite_said(&result, "relative residual "), last = history[rows - 1];
  if (!(fabs(residual - last) <= 1e-3 * last))
    ck_abort_msg(
        "--method %s, an indefinite operator: the relative residual of u is %.9e, and %.9e after the last "
        "complete iteration: after a breakdown, u is the result of that iteration",
        method, residual, last);
  free(u);
  free(f);
}

enum solver { CG, PCG, FUSED, REDUCED, SOLVERS };
static const char *const methods[SOLVERS] = {
    [CG] = "cg", [PCG] = "pcg", [FUSED] = "fused", [REDUCED] = "reduced"};

/* A solver that is right with a correct product is judged with that one. */
static void note_dot(int elements) {
  FILE *note = has_other_dot() || dot_is_right(elements) ? NULL : fopen(dot_is_wrong, "w");
  if (note)
    fclose(note);
}

START_TEST(needs_dot) {
  note_dot(5000);
  if (has_other_dot())
    need(solver_is_right(methods[_i]), "06/dot");
}
END_TEST
START_TEST(needs_ssor) { need(ssor_is_right(), "06/ssor"); }
END_TEST
START_TEST(needs_solver) {
  char item[16];
  snprintf(item, sizeof item, "06/%s", methods[_i]);
  need(solver_is_right(methods[_i]), item);
}
END_TEST

START_TEST(solver_sizes) { check_sizes_of(methods[_i]); }
END_TEST

/* The loop uses the matrix and the product that it gets. The host's product fetches both vectors. */
static void check_given_parts(struct grid g, const struct solve_use *use, int iterations) {
  const double fetched = 16.0 * iterations * 2 * (double)grid_split_points(g); /* by one product in each */
  const double operations = solve_suite_operations() / iterations / (double)grid_interior_points(g);
  enum { LEAST = 130 }; /* bytes; the matrix and its factor have 104, a stencil and all updates below 105 */
  const double loaded =
      count("smsp__sass_data_bytes_mem_global_op_ld.sum") / iterations / (double)grid_interior_points(g);
  check_device_works("cg_solve with a matrix", operations, "point and iteration", 6);
  if (use->bytes_to_host < fetched)
    ck_abort_msg(
        "cg_solve, %d iterations with a product on the host: %.0f bytes are copied to the host: expected at "
        "least %.0f: call control.dot for each product",
        iterations, use->bytes_to_host, fetched);
  if (loaded < LEAST)
    ck_abort_msg(
        "cg_solve with a matrix: kernels load %.0f bytes for each point and iteration: expected at least %d: "
        "multiply by control.matrix if it is not NULL",
        loaded, LEAST);
}

/* The loop multiplies by the lab's sparse matrix instead: the same system, on a rectangle without padding. */
START_TEST(solver_with_a_matrix) {
  static double history[HISTORY_MAX];
  struct solve_use use;
  const struct grid g = grid_make(64, 22);
  double *f = solve_suite_random(g, 77);
  const struct solve s = {.method = "csr",
                          .g = g,
                          .kappa = 3,
                          .tolerance = 1e-9,
                          .check_every = 1,
                          .f = f,
                          .dot = "host",
                          .use = &use};
  check_solved(&s, reference_iterations(&s), 1);
  if (use.known)
    check_given_parts(g, &use, read_history(history) - 1);
  free(f);
}
END_TEST
START_TEST(solver_history) { check_history(methods[_i]); }
END_TEST
START_TEST(solver_large) { check_large(methods[_i], _i == FUSED || _i == REDUCED); }
END_TEST
START_TEST(host_loop_rules) {
  check_rules_of_host_loop(methods[_i], _i == PCG);
  if (_i == PCG)
    check_one_application();
}
END_TEST
START_TEST(fused_rules) {
  const char *fault = fault_of_loop("fused", 6);
  if (fault[0])
    ck_abort_msg("%s", fault);
}
END_TEST

/* A fault of the loop that both share is that of 06/fused. */
START_TEST(reduced_rules) {
  char fault[512];
  snprintf(fault, sizeof fault, "%s", fault_of_loop("reduced", 4));
  if (fault[0] && !fault_of_loop("fused", 6)[0])
    ck_abort_msg("%s", fault);
}
END_TEST

/* Correct sums do not show that a fence is missing. */
START_TEST(fused_is_ordered) {
  char finding[2048];
  if (lab_checks_tell(finding, sizeof finding))
    ck_abort_msg("the results are correct, but the checks found: %s%s", finding,
                 strstr(finding, "read-only (__ldg)")
                     ? "\n__ldg and ld.global.nc are for data that no thread of the kernel writes"
                 : strstr(finding, "race: ")
                     ? "\nif blocks count their arrivals: an atomic alone orders nothing: __threadfence?"
                     : "");
}
END_TEST
START_TEST(solver_endings) {
  check_endings(methods[_i], _i == CG || _i == FUSED);
  const struct solve few = {.method = methods[_i], .dot = has_other_dot() ? "host" : NULL};
  solve_suite_check_solved_before(few, NULL, "--method", "iterations");
  solve_suite_check_nearly_solved(few, NULL, "--method", "iterations");
}
END_TEST
START_TEST(solver_breakdown) {
  check_breakdown(methods[_i]);
  if (_i == PCG)
    check_negative_preconditioner();
}
END_TEST

/* The pitch is that of the call. */
START_TEST(solver_wide) {
  const struct grid g = grid_make(41, 22);
  double *f = solve_suite_random(g, 77);
  solve_suite_check_wide((struct solve){.method = methods[_i],
                                        .g = g,
                                        .kappa = 1,
                                        .omega = 1.4,
                                        .check_every = 9,
                                        .limit = 20,
                                        .dot = has_other_dot() ? "host" : NULL,
                                        .f = f},
                         NULL, "--method");
  free(f);
}
END_TEST

/* The dot product has a part of its own. */
START_TEST(solver_again) {
  const struct grid g = grid_make(13, 10);
  double *f = solve_suite_random(g, 79);
  const char *left = solve_suite_check_later_calls((struct solve){.method = methods[_i],
                                                                  .g = g,
                                                                  .omega = 1.3,
                                                                  .tolerance = 1e-2,
                                                                  .check_every = 8,
                                                                  .limit = 500,
                                                                  .dot = has_other_dot() ? "host" : NULL,
                                                                  .f = f},
                                                   NULL, "--method");
  if (left && calls_obey(_i == PCG))
    ck_abort_msg("%s", left);
  free(f);
}
END_TEST

/* Grids of n x n interior points. known: the number of iterations, or 0 to compute it with the reference. Only
 * strict runs check the known ones, which take long. */
static const struct {
  enum solver solver;
  int n;
  double omega;
  int known;
} counts[] = {{CG, 128, 0, 204},  {PCG, 32, 1, 0},      {PCG, 32, 1.5, 0},   {PCG, 128, 1, 103},
              {PCG, 128, 0, 198}, {FUSED, 128, 0, 204}, {REDUCED, 32, 0, 0}, {REDUCED, 128, 0, 103}};

/* More than 200 iterations on a small grid, in long stretches: a restart shows that no shorter run reaches. */
static void check_many_iterations(const char *method) {
  const struct grid g = grid_make(98, 34);
  double *f = solve_suite_random(g, 78);
  lab_checks_stop(); /* shorter runs have them */
  const struct solve s = {.method = method, .g = g, .tolerance = 1e-11, .check_every = 130, .f = f};
  check_solved(&s, reference_iterations(&s), 4); /* roundings differ by then */
  compare_long_history(&s);
  free(f);
}

START_TEST(solver_counts) {
  if (_i == CG || _i == FUSED)
    check_many_iterations(methods[_i]);
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
    if ((int)counts[n].solver != _i || (counts[n].known && !lab_suite_is_strict()))
      continue;
    if (counts[n].known)
      lab_checks_stop();
    const struct solve s = square(methods[_i], counts[n].n, counts[n].omega);
    check_solved(&s, counts[n].known ? counts[n].known : reference_iterations(&s), 1);
  }
}
END_TEST

/* --- counter items --- */

/* A second product, or a residual in each iteration, takes little more modelled time than other right loops need. With
 * the lab's matrix and products on the host, only the loop's own operations are counted: 10 of a product and 6 of the
 * updates for a point, or 9 of the updates if p·Ap comes from a recurrence. */
static void check_work_of_loop(void) {
  enum { ITERATIONS = 120 }; /* each launch allows for a part of the matrix, which goes to the device */
  const double most =
      21.8; /* sums in its own kernels make 20.9, a residual in each iteration 22.8, another product 26.4 */
  struct solve_use use;
  const struct grid g = grid_make(64, 24); /* without padding, and with few points on the boundary */
  struct solve s = cut_off("csr", g, 1, ITERATIONS);
  s.dot = "host", s.use = &use;
  run_solve(&s);
  cut_off_free(&s);
  const double operations =
      use.known ? solve_suite_operations() / ITERATIONS / (double)grid_interior_points(g) : 0;
  if (operations > most)
    ck_abort_msg(
        "cg_solve with a matrix and with products on the host: %.1f floating-point operations in double per point and "
        "iteration: expected about 17, and at most %.1f with sums in kernels of its own: is A p computed twice, or the residual in each iteration?",
        operations, most);
}

START_TEST(cg_modelled) {
  check_work_of_loop(); /* the last run is the measured one */
  measure_iterations("cg", grid_make(drawn(9, 500), drawn(10, 500)), 1, 6);
}
END_TEST
START_TEST(dot_modelled) {
  lab_checks_stop();
  check_dot((size_t)drawn(16, 2098386), DOT_MEASURED, DATA_RANDOM);
}
END_TEST

/* Rows without padding: as many places as points. */
static void measure_places(const char *method, struct grid g) {
  measure_iterations(method, g, grid_points(g), strcmp(method, "reduced") == 0 ? 4 : 6);
  char what[32];
  snprintf(what, sizeof what, "--method %s", method);
  check_even_shares(what, 8, "does one thread add the sums of all blocks?");
}
START_TEST(loop_modelled) { measure_places(methods[_i], grid_make(704, 577)); }
END_TEST
START_TEST(loop_counted) { measure_places(methods[_i], grid_make(512, drawn(11, 200))); }
END_TEST

/* --- 06/bits --- */

START_TEST(solver_bits) {
  char what[32];
  lab_checks_stop();
  snprintf(what, sizeof what, "--method %s", methods[_i]);
  solve_suite_check_bits(what, (const char *[]){"--method", methods[_i], "--nx", "150", "--ny", "30",
                                                "--problem", "random", "--tolerance", "0.2", "--limit", "60",
                                                "--history", "h.csv", "--dot", dot_of_solvers(), NULL});
}
END_TEST

/* --- 06/input --- */

static const struct {
  const char *arguments[10];
  const char *says;
} bad_inputs[] = {
    {{"--method", "pcg", "--omega", "0", "--out", "out.npy"}, "--omega 0"},
    {{"--method", "pcg", "--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"--method", "pcg", "--omega", "nan", "--out", "out.npy"}, "--omega nan"},
    {{"--method", "cgg", "--out", "out.npy"}, "did you mean cg"},
    {{"--method", "natural", "--shift", "-1", "--out", "out.npy"}, "--shift -1"},
    {{"--matrix", "matrix.npy", "--out", "out.npy"}, "--method csr, not cg"},
    {{"--method", "csr", "--nx", "3", "--matrix", "vector.npy", "--out", "out.npy"}, "vector.npy"},
    {{"--method", "csr", "--nx", "3", "--matrix", "matrix.npy", "--out", "out.npy"},
     "matrix.npy: 6 rows: expected 9"},
    {{"--method", "csr", "--nx", "3", "--matrix", "wide.npy", "--out", "out.npy"},
     "wide.npy: row 8: 6 entries: expected at most 5"},
    {{"--tolerance", "-1", "--out", "out.npy"}, "--tolerance -1"},
    {{"--limit", "0", "--out", "out.npy"}, "--limit 0"},
    {{"--check-every", "0", "--out", "out.npy"}, "--check-every 0"},
    {{"--nx", "2", "--out", "out.npy"}, "--nx 2"},
    {{"--f", "nan64.npy", "--out", "out.npy"}, "nan64.npy"},
    {{"--f", "missing.npy", "--out", "out.npy"}, "missing.npy"},
    {{"--u", "edge.npy", "--out", "out.npy"}, "(0, 3)"},
    {{"ssor", "--out", "out.npy"}, "--r"},
    {{"ssor", "--r", "good.npy", "--omega", "2", "--out", "out.npy"}, "--omega 2"},
    {{"ssor", "--r", "nan64.npy", "--out", "out.npy"}, "nan64.npy"},
    {{"dot", "--x", "vector.npy"}, "--y"},
    {{"dot", "--x", "vector.npy", "--y", "longer.npy"}, "longer.npy: 4 elements"},
    {{"dot", "--x", "good.npy", "--y", "vector.npy"}, "good.npy"},
    {{"study", "--of", "growth", "--sizes", "18,2", "--csv", "out.npy"}, "--sizes 18,2"},
    {{"table", "--sizes", "100;200", "--csv", "out.npy"}, "--sizes 100;200"},
};

/* A matrix of ones: the last row has several entries, the others have the diagonal. */
static void write_entries(const char *path, int rows, int last) {
  double entries[3 * 16], *entry = entries;
  for (int row = 0; row < rows; row++)
    for (int column = row < rows - 1 ? row : rows - last; column <= row; column++) {
      *entry++ = row;
      *entry++ = column;
      *entry++ = 1;
    }
  lab_files_write(path, NPY_FLOAT64, (size_t)(entry - entries) / 3, 3, entries);
}

START_TEST(input_is_refused) {
  static const double zero[20], nan[20] = {[7] = NAN}, edge[20] = {[3] = 0.5};
  lab_files_write("good.npy", NPY_FLOAT64, 5, 4, zero);
  lab_files_write("nan64.npy", NPY_FLOAT64, 5, 4, nan);
  lab_files_write("edge.npy", NPY_FLOAT64, 5, 4, edge);
  write_vector("vector.npy", 3, zero);
  write_vector("longer.npy", 4, zero);
  write_entries("matrix.npy", 6, 1);
  write_entries("wide.npy", 9, 6);
  for (size_t n = 0; n < sizeof bad_inputs / sizeof *bad_inputs; n++)
    lab_suite_expect_refused(bad_inputs[n].arguments, bad_inputs[n].says, "out.npy");
}
END_TEST

/* --- 06/study --- */

START_TEST(study_of_orders) {
  lab_checks_stop();
  static const struct {
    const char *name, *method;
    double omega; /* 0: the optimal omega, by the formula */
  } rows[] = {{"CG", "cg", 0},
              {"red-black 1", "pcg", 1},
              {"red-black 1.5", "pcg", 1.5},
              {"red-black opt", "pcg", 0},
              {"reduced", "reduced", 0},
              {"natural 1", "natural", 1},
              {"natural opt", "natural", 0}};
  const struct program_result result =
      lab_suite_expect_success((const char *[]){"study", "--of", "histories", "--nx", "34", "--limit", "200",
                                                "--csv", "s.csv", "--dot", dot_of_solvers(), NULL});
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    char name[32];
    snprintf(name, sizeof name, "\n%-16s", rows[n].name);
    const struct solve s = square(rows[n].method, 32, rows[n].omega);
    const int expected = reference_iterations(&s);
    const double got = solve_suite_said(&result, name);
    ck_assert_msg(fabs(got - expected) <= 1, "study: %s: expected %d iterations, got %.0f", rows[n].name,
                  expected, got);
  }
}
END_TEST

/* The history of a solver comes first, since it shows the first wrong iteration. */
static const struct lab_test tests[] = {
    {"06/dot", &dot_sizes},
    {"06/dot", &dot_not_finite},
    {"06/dot", &dot_large},
    {"06/dot", &dot_again},
    {"06/dot", &dot_far},
    {"06/cg", &needs_dot, CG},
    {"06/cg", &solver_history, CG},
    {"06/cg", &solver_sizes, CG},
    {"06/cg", &solver_counts, CG},
    {"06/cg", &solver_endings, CG},
    {"06/cg", &solver_breakdown, CG},
    {"06/cg", &solver_large, CG},
    {"06/cg", &host_loop_rules, CG},
    {"06/cg", &solver_with_a_matrix},
    {"06/cg", &solver_wide, CG},
    {"06/cg", &solver_again, CG},
    {"06/ssor", &ssor_by_hand},
    {"06/ssor", &ssor_sizes},
    {"06/ssor", &ssor_is_symmetric_and_positive},
    {"06/ssor", &ssor_large},
    {"06/ssor", &ssor_again},
    {"06/ssor", &ssor_far},
    {"06/pcg", &needs_dot, CG},
    {"06/pcg", &needs_ssor},
    {"06/pcg", &needs_solver, CG},
    {"06/pcg", &solver_history, PCG},
    {"06/pcg", &solver_sizes, PCG},
    {"06/pcg", &solver_counts, PCG},
    {"06/pcg", &solver_endings, PCG},
    {"06/pcg", &solver_breakdown, PCG},
    {"06/pcg", &solver_large, PCG},
    {"06/pcg", &host_loop_rules, PCG},
    {"06/pcg", &solver_wide, PCG},
    {"06/pcg", &solver_again, PCG},
    {"06/fused", &needs_dot, FUSED},
    {"06/fused", &solver_history, FUSED},
    {"06/fused", &fused_is_ordered},
    {"06/fused", &solver_sizes, FUSED},
    {"06/fused", &solver_counts, FUSED},
    {"06/fused", &solver_endings, FUSED},
    {"06/fused", &solver_breakdown, FUSED},
    {"06/fused", &solver_large, FUSED},
    {"06/fused", &fused_rules},
    {"06/fused", &solver_wide, FUSED},
    {"06/fused", &solver_again, FUSED},
    {"06/reduced", &needs_dot, FUSED},
    {"06/reduced", &needs_solver, FUSED},
    {"06/reduced", &solver_history, REDUCED},
    {"06/reduced", &solver_sizes, REDUCED},
    {"06/reduced", &solver_counts, REDUCED},
    {"06/reduced", &solver_endings, REDUCED},
    {"06/reduced", &solver_breakdown, REDUCED},
    {"06/reduced", &solver_large, REDUCED},
    {"06/reduced", &reduced_rules},
    {"06/reduced", &solver_bits, REDUCED},
    {"06/reduced", &solver_wide, REDUCED},
    {"06/reduced", &solver_again, REDUCED},
    {"06/bits", &needs_dot, CG},
    {"06/bits", &needs_solver, CG},
    {"06/bits", &needs_solver, PCG},
    {"06/bits", &needs_solver, FUSED},
    {"06/bits", &solver_bits, CG},
    {"06/bits", &solver_bits, PCG},
    {"06/bits", &solver_bits, FUSED},
    {"06/study", &needs_dot, CG},
    {"06/study", &needs_solver, CG},
    {"06/study", &needs_solver, PCG},
    {"06/study", &needs_solver, REDUCED},
    {"06/study", &study_of_orders},
    {"06/input", &input_is_refused},
    {"06/dot_copy", &dot_modelled},
    {"06/cg_model", &needs_dot, CG},
    {"06/cg_model", &cg_modelled},
    {"06/fused_copy", &needs_dot, FUSED},
    {"06/fused_copy", &loop_modelled, FUSED},
    {"06/reduced_copy", &needs_dot, FUSED},
    {"06/reduced_copy", &loop_modelled, REDUCED},
    {"06/sectors", &needs_dot, FUSED},
    {"06/sectors", &loop_counted, FUSED},
    {"06/traffic", &needs_dot, FUSED},
    {"06/traffic", &loop_counted, FUSED},
    {"06/reduced_traffic", &needs_dot, FUSED},
    {"06/reduced_traffic", &loop_counted, REDUCED},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
