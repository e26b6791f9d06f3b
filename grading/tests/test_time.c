/* The arithmetic of time items, limits of machines, and merging: they need no GPU and no lab program. */
#include "allocate.h"
#include "calibrate.h"
#include "grid.h"
#include "machine.h"
#include "merge.h"
#include "program.h"
#include "random.h"
#include "reference.h"
#include "result.h"
#include "self_test.h"
#include "suite.h"
#include "time_jail.h"
#include "time_lab.h"
#include "time_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const double PEAK = 4.8e12, COPIED = 1e9;

static struct rubric_item line_of(enum time_against against) {
  return (struct rubric_item){.id = "1/t",
                              .title = "t",
                              .kind = RUBRIC_TIME,
                              .points = 10,
                              .none_at = 0.4,
                              .full_at = 0.8,
                              .against = against,
                              .count = 100,
                              .per = 1e6,
                              .bytes = 12,
                              .noise = 0.1};
}

/* Each trusted time has an error of up to disturbance times the reference's time. */
static struct time_sample sample_of(struct random *random, double reference, double submission,
                                    double disturbance) {
  const double overhead = 0.05, off = disturbance * reference;
  return (struct time_sample){.copy = COPIED / 4e12 * (1 + random_double(random, 0, disturbance)),
                              .overhead = overhead + random_double(random, 0, off),
                              .reference = overhead + reference + random_double(random, 0, off),
                              .submission = overhead + submission};
}

static struct time_run run_of(struct random *random, double reference, double submission,
                              double disturbance) {
  struct time_run run = {.count = TIME_ROUND, .copied = COPIED};
  for (int n = 0; n < run.count; n++)
    run.samples[n] = sample_of(random, reference, submission, disturbance);
  return run;
}

/* 100 sweeps of 12 bytes at each of 10^6 points take 0.3 ms at 4 TB/s. */
enum { TRIALS = 500 };
static const double QUIET = 1e-9, SWEEPS = 0.3e-3;

START_TEST(values_are_what_they_mean) {
  struct random random = random_seed(1);
  const struct rubric_item ratio = line_of(TIME_REFERENCE), copy = line_of(TIME_COPY);
  const struct time_run run = run_of(&random, 2 * SWEEPS, 4 * SWEEPS, QUIET);
  ck_assert_double_eq_tol(time_value(&ratio, &run), 0.5, 1e-6);
  ck_assert_double_eq_tol(time_value(&copy, &run), 0.25, 1e-6);
  const struct time_figures f = time_figures_of(&copy, &run);
  ck_assert_double_eq_tol(f.submission, 4 * SWEEPS, 1e-9);
  ck_assert_double_eq_tol(f.copy_rate, 4e12, 1e5);
}
END_TEST

/* An outlier among three times does not change the value, but an outlier of a trusted time is noise. */
START_TEST(one_outlier_moves_no_median) {
  struct random random = random_seed(2);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  struct time_run run = run_of(&random, 2 * SWEEPS, 4 * SWEEPS, QUIET);
  run.samples[1].submission += 1;
  ck_assert_double_eq_tol(time_value(&line, &run), 0.5, 1e-6);
  ck_assert_double_lt(time_figures_of(&line, &run).noise, 1e-6);
  run.samples[2].reference += 1;
  ck_assert_double_eq_tol(time_value(&line, &run), 0.5, 1e-6);
  ck_assert_double_gt(time_figures_of(&line, &run).noise, 1);
}
END_TEST

START_TEST(points_rise_with_speed) {
  struct random random = random_seed(3);
  for (int against = TIME_REFERENCE; against <= TIME_COPY; against++) {
    const struct rubric_item line = line_of((enum time_against)against);
    double last = -1;
    for (int n = 1; n <= 60; n++) {
      const double speed = n / 50.0;
      const struct time_run run = run_of(&random, SWEEPS, SWEEPS / speed, QUIET);
      const enum time_verdict verdict = time_judge(&line, &run, 0);
      const double points = time_points(&line, verdict, time_value(&line, &run));
      ck_assert(points >= last);
      ck_assert_double_eq_tol(points, fmax(0, fmin(10, 10 * (speed - 0.4) / 0.4)), 0.011);
      ck_assert_int_eq(verdict, speed > 0.8 - 1e-9 ? TIME_PASS : TIME_WRONG);
      last = points;
    }
  }
}
END_TEST

/* Noise above the machine's limit costs no points, unless even the largest value within it gets none. */
START_TEST(noise_never_costs_points) {
  struct random random = random_seed(4);
  int inconclusive = 0;
  for (int n = 0; n < TRIALS; n++) {
    const struct rubric_item line = line_of(n % 2 ? TIME_COPY : TIME_REFERENCE);
    const double speed = random_double(&random, 0.3, 1.1), disturbance = random_double(&random, 0, 1);
    const struct time_run run = run_of(&random, SWEEPS, SWEEPS / speed, disturbance);
    const struct time_figures f = time_figures_of(&line, &run);
    const enum time_verdict verdict = time_judge(&line, &run, PEAK);
    const double value = time_value(&line, &run), points = time_points(&line, verdict, value);
    if (verdict == TIME_INCONCLUSIVE)
      ck_assert_double_eq(points, 10);
    const double most = value * (1 + f.noise);
    if (verdict == TIME_WRONG)
      ck_assert(f.noise <= line.noise ? most < line.full_at : most <= line.none_at);
    inconclusive += verdict == TIME_INCONCLUSIVE;
  }
  ck_assert_int_gt(inconclusive, TRIALS / 10);
  ck_assert_int_lt(inconclusive, TRIALS);
}
END_TEST

/* The order statistics that enclose the median: 1 to 6 of six samples, 2 to 8 of nine, 3 to 10 of twelve (David
 * and Nagaraja; tails of Bin(count, 1/2) up to 2.5 %). */
START_TEST(noise_is_an_interval_of_the_median) {
  static const int counts[][2] = {{3, 2}, {6, 5}, {9, 6}, {12, 7}};
  struct random random = random_seed(8);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  for (int c = 0; c < 4; c++) {
    struct time_run run = {.count = counts[c][0], .copied = COPIED};
    for (int n = 0; n < run.count; n++) {
      run.samples[n] = sample_of(&random, 100, 100, 0);
      run.samples[n].overhead += n;
    }
    const struct time_figures f = time_figures_of(&line, &run);
    ck_assert_double_eq_tol(f.noise, counts[c][1] / f.reference, 1e-9);
  }
}
END_TEST

/* Noise in the copy's time has no effect on a comparison with the reference. */
START_TEST(noise_is_of_what_counts) {
  struct random random = random_seed(9);
  const struct rubric_item ratio = line_of(TIME_REFERENCE), copy = line_of(TIME_COPY);
  struct time_run run = run_of(&random, SWEEPS, SWEEPS, QUIET);
  run.samples[0].copy *= 2;
  ck_assert_double_lt(time_figures_of(&ratio, &run).noise, 1e-6);
  ck_assert_double_eq_tol(time_figures_of(&copy, &run).noise, 1, 1e-6);
}
END_TEST

/* A whole measurement in which every time has an error of up to disturbance times the reference's time. */
static enum time_verdict measured_verdict(struct random *random, const struct rubric_item *line, double speed,
                                          double disturbance, int *alternations) {
  struct time_run run = {.copied = COPIED};
  while (time_is_open(line, &run, PEAK)) {
    const double off = random_double(random, 0, disturbance);
    run.samples[run.count++] = sample_of(random, SWEEPS, SWEEPS / speed + off * SWEEPS, disturbance);
  }
  *alternations = run.count;
  return time_judge(line, &run, PEAK);
}

START_TEST(the_reference_does_not_fail) {
  struct random random = random_seed(10);
  struct rubric_item line = line_of(TIME_REFERENCE);
  line.full_at = 0.9;
  line.noise = 0.15;
  for (double disturbance = 0; disturbance < 0.6; disturbance += 0.05) {
    int verdicts[TIME_SUSPECT + 1] = {0}, alternations;
    for (int n = 0; n < TRIALS; n++) {
      verdicts[measured_verdict(&random, &line, 1, disturbance, &alternations)]++;
      ck_assert(alternations >= TIME_ROUND && alternations <= TIME_ALTERNATIONS);
    }
    ck_assert_msg(verdicts[TIME_WRONG] <= TRIALS / 100 && verdicts[TIME_SUSPECT] == 0,
                  "disturbed by %.2f: %d of %d WRONG, %d SUSPECT", disturbance, verdicts[TIME_WRONG], TRIALS,
                  verdicts[TIME_SUSPECT]);
    if (disturbance < 0.11)
      ck_assert_int_eq(verdicts[TIME_PASS], TRIALS);
  }
}
END_TEST

/* Three alternations never cost points, and a clearly slow program fails on a machine with the usual noise. */
START_TEST(the_slow_fail) {
  struct random random = random_seed(11);
  struct rubric_item line = line_of(TIME_REFERENCE);
  int wrong = 0, alternations;
  for (int n = 0; n < TRIALS; n++)
    if (measured_verdict(&random, &line, 0.6, 0.1, &alternations) == TIME_WRONG) {
      ck_assert_int_ge(alternations, TIME_BEFORE_LOSS);
      wrong++;
    }
  ck_assert_int_gt(wrong, TRIALS * 95 / 100);
}
END_TEST

/* The submission's own times cause no noise, so unsteady times do not give full marks. */
START_TEST(own_noise_is_no_excuse) {
  struct random random = random_seed(5);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  struct time_run run = run_of(&random, SWEEPS, 4 * SWEEPS, QUIET);
  run.samples[0].submission *= 3;
  run.samples[2].submission *= 9;
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_WRONG);
}
END_TEST

START_TEST(what_is_too_fast_is_suspect) {
  struct random random = random_seed(6);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  const double least = 1.2e9 / PEAK;
  struct time_run run = run_of(&random, SWEEPS, 1.01 * least, QUIET);
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_PASS);
  run = run_of(&random, SWEEPS, 0.99 * least, QUIET);
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_SUSPECT);
  ck_assert_double_eq(time_points(&line, TIME_SUSPECT, time_value(&line, &run)), 0);
  ck_assert_int_eq(time_judge(&line, &run, 0), TIME_PASS); /* an unknown peak */
  run = run_of(&random, SWEEPS, -SWEEPS, QUIET);           /* less than the overhead */
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_SUSPECT);
  ck_assert(isinf(time_value(&line, &run)));
}
END_TEST

/* Within the noise, the clock may be the cause: neither SUSPECT nor PASS. */
START_TEST(what_may_be_too_fast_is_inconclusive) {
  struct random random = random_seed(6);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  struct time_run run = run_of(&random, SWEEPS, 0.95 * 1.2e9 / PEAK, QUIET);
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_SUSPECT);
  run.samples[2].reference += 0.3 * SWEEPS;
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_INCONCLUSIVE);
}
END_TEST

/* A reference that takes only the overhead gives no verdict. */
START_TEST(no_reference_is_noise) {
  struct random random = random_seed(7);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  const struct time_run run = run_of(&random, -SWEEPS, SWEEPS, QUIET);
  ck_assert_int_eq(time_judge(&line, &run, PEAK), TIME_INCONCLUSIVE);
}
END_TEST

/* --- sessions: scripts answer the requests instead of programs --- */

static void write_script(const char *path, const char *body) {
  FILE *file = fopen(path, "w");
  ck_assert(file != NULL);
  fprintf(file, "#!/bin/sh\nwhile read seed count; do\n%s\ndone\n", body);
  ck_assert(fclose(file) == 0 && chmod(path, 0755) == 0);
}

#define ANSWER "printf %08d $((seed % 100000000))"
static const char quick[] = "[ $count = 0 ] || sleep 0.01\n" ANSWER;

/* Scripts replace the programs of a time item whose result has two floats. */
static const struct time_outcome *measure(const char *reference, const char *submission) {
  static struct time_outcome outcome;
  struct rubric_item line = line_of(TIME_REFERENCE);
  line.run[0] = "--nx";
  line.run[1] = "1";
  line.per = 2;
  line.count = 1;
  line.element_size = sizeof(float);
  line.within = 1e-3;
  write_script("copier", "printf x");
  write_script("reference", reference);
  write_script("submission", submission);
  time_measure(&(struct installation){.gpu_copy = "./copier"},
               &(struct installation_lab){.reference = "./reference"}, "./submission", NULL, &line, PEAK,
               &outcome);
  return &outcome;
}

START_TEST(sessions_measure_what_programs_take) {
  struct rubric_item line = line_of(TIME_REFERENCE);
  const struct time_outcome *outcome =
      measure("[ $count = 0 ] || sleep 0.25\n" ANSWER,
              "sleep 1; " ANSWER "; echo 'serve: seed 1: 1 in 7.5 ms by' >&2");
  ck_assert_msg(!outcome->verdict[0], "%s: %s", outcome->verdict, outcome->message);
  ck_assert_int_eq(outcome->run.count, TIME_BEFORE_LOSS);
  const double value = time_value(&line, &outcome->run);
  ck_assert_msg(value > 0.15 && value < 0.45, "0.25 s over 1 s: measured %g", value);
  ck_assert_double_eq(outcome->device_ms, 7.5);
  ck_assert_double_eq(outcome->difference, 0);
}
END_TEST

/* The copier answers only if it sees what the jail shows, or only if it sees more. */
START_TEST(submissions_have_a_jail_if_our_own_program_works_in_one) {
  static const char *const none[] = {NULL};
  struct installation kit = {.nvcc = "/usr/bin/nvcc",
                             .isolation = self_test_run(ISOLATION_FULL, none, none, 1)};
  char copier[PATH_MAX], missing[512];
  ck_assert(getcwd(copier, sizeof copier - 16) != NULL);
  kit.gpu_copy = strcat(copier, "/copier");
  if (kit.isolation.level != ISOLATION_FULL) {
    suite_skip("isolation at level full needs bubblewrap, libseccomp and namespaces");
    return;
  }
  write_script("copier", "test -e /etc/passwd || test ! -e /sys || printf x");
  ck_assert_int_eq(time_jail_try(&kit, missing, sizeof missing), ISOLATION_FULL);
  ck_assert_str_eq(missing, "");
  write_script("copier", "test -e /etc/passwd && printf x || { echo no GPU >&2; exit 1; }");
  ck_assert_int_eq(time_jail_try(&kit, missing, sizeof missing), ISOLATION_NONE);
  ck_assert_str_eq(missing,
                   "a jail in which programs can use this GPU (gpu_copy in a jail: exit status 1: no GPU)");
}
END_TEST

static const struct {
  const char *reference, *submission, *verdict, *says;
} broken[] = {
    {quick, "printf 12345678", "WRONG", "differs from the reference's"},
    {quick, "printf '\\377\\377\\377\\377\\377\\377\\377\\377'", "WRONG", "expected at most 0.001"}, /* NaN */
    {quick, "exit 0", "OUTPUT", "the submission: exit status 0"},
    {quick, "printf 1234; exit 0", "OUTPUT", "the submission"},
    {quick, ANSWER "; printf more", "OUTPUT", "without a request"},
    {quick, "kill -SEGV $$", "CRASH", "Segmentation fault"},
    {quick, "echo 'a.sim: f: TODO(2): not written yet' >&2; exit 3", "UNWRITTEN", "TODO(2): not written yet"},
    {"exit 0", quick, "INFRA", "the reference"},
    {"printf 1; exit 1", quick, "INFRA", "the reference"},
};

START_TEST(broken_programs_are_no_measurement) {
  const struct time_outcome *outcome = measure(broken[_i].reference, broken[_i].submission);
  ck_assert_str_eq(outcome->verdict, broken[_i].verdict);
  ck_assert_msg(strstr(outcome->message, broken[_i].says) != NULL, "expected '%s' in: %s", broken[_i].says,
                outcome->message);
}
END_TEST

/* --- the difference that `within` must detect --- */

enum { POINTS = 256, SWEEPS_OF_A_RUN = 512 };

/* A half-sweep with another order of summation: it differs only by rounding. */
static void other_half_sweep(struct grid g, double kappa, int colour, const float *h2f, float *u) {
  (void)kappa;
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      float *p = &u[grid_index(g, i, j)];
      if (grid_colour(i, j) == colour)
        *p = ((h2f[grid_index(g, i, j)] + p[g.nx]) + p[-g.nx] + (p[1] + p[-1])) * 0.25f;
    }
}

/* Both start from the same random u and f, with boundary values like those of lab programs that serve. */
static float *sweeps_of(struct grid g, int count,
                        void (*half_sweep)(struct grid g, double kappa, int colour, const float *h2f,
                                           float *u)) {
  struct random random = random_seed(9);
  float *u = allocate_zeroed(grid_points(g), sizeof *u), *h2f = allocate_zeroed(grid_points(g), sizeof *h2f);
  for (size_t k = 0; k < grid_points(g); k++) {
    u[k] = random_float(&random, -1, 1);
    h2f[k] = random_float(&random, -1, 1) * (float)(g.h * g.h);
  }
  for (int n = 0; n < 2 * count; n++)
    half_sweep(g, 0, n % 2, h2f, u);
  free(h2f);
  return u;
}

START_TEST(rounding_is_no_missing_sweep) {
  const struct grid g = grid_make(POINTS, POINTS);
  const size_t points = grid_points(g);
  float *u = sweeps_of(g, SWEEPS_OF_A_RUN, reference_gs_half_sweep_float),
        *other = sweeps_of(g, SWEEPS_OF_A_RUN, other_half_sweep),
        *less = sweeps_of(g, SWEEPS_OF_A_RUN - 1, reference_gs_half_sweep_float);
  const double rounding = time_difference(points, sizeof *u, other, u),
               missing = time_difference(points, sizeof *u, less, u);
  ck_assert_msg(rounding > 0 && rounding < 1e-6, "rounding: %g", rounding);
  ck_assert_msg(missing > 1e-4, "one sweep of %d left out: %g", SWEEPS_OF_A_RUN, missing);
  free(less);
  free(other);
  free(u);
}
END_TEST

/* --- calibration --- */

/* Sum of twelve uniform numbers less six: nearly normal, deviation 1. */
static double normal(struct random *random) {
  double sum = -6;
  for (int n = 0; n < 12; n++)
    sum += random_double(random, 0, 1);
  return sum;
}

START_TEST(limits_leave_a_margin) {
  enum { GRADINGS = 2000 };
  struct random random = random_seed(8);
  const struct rubric_item line = line_of(TIME_REFERENCE);
  static double values[GRADINGS], noises[GRADINGS];
  for (int n = 0; n < GRADINGS; n++) {
    values[n] = 0.7 + 0.02 * normal(&random);
    noises[n] = 0.08;
  }
  struct limits_item limits = calibrate_item(&line, GRADINGS, values, noises);
  ck_assert_double_eq_tol(limits.median, 0.7, 0.002);
  ck_assert_double_eq_tol(limits.deviation, 0.02, 0.002);
  ck_assert_double_eq_tol(limits.full_at, 0.62, 0.01);
  ck_assert_double_eq_tol(limits.none_at / limits.full_at, 0.5, 1e-12);
  ck_assert_double_eq_tol(limits.noise, 0.16, 1e-12);
  for (int n = 0; n < GRADINGS; n++)
    values[n] += 0.5; /* far above the rubric's limit, which is kept */
  limits = calibrate_item(&line, GRADINGS, values, noises);
  ck_assert_double_eq(limits.full_at, 0.8);
  ck_assert_double_eq(limits.none_at, 0.4);
}
END_TEST

/* A kit of one lab, whose correctness, counter and time items are worth 70, 30 and 12 points. */
static struct installation kit_of_one(void) {
  struct installation kit = {.version = "1", .count = 1};
  struct rubric *rubric = &kit.labs[0].rubric;
  kit.labs[0].name = "1_x";
  strcpy(kit.rubrics, "0123");
  strcpy(kit.judge, "4567");
  rubric->count = 4;
  rubric->items[0] =
      (struct rubric_item){.id = "1/a", .title = "a", .kind = RUBRIC_CORRECTNESS, .points = 70};
  rubric->items[1] = (struct rubric_item){.id = "1/b", .title = "b", .kind = RUBRIC_COUNTER, .points = 20};
  rubric->items[2] = (struct rubric_item){.id = "1/c", .title = "c", .kind = RUBRIC_COUNTER, .points = 10};
  rubric->items[3] = line_of(TIME_REFERENCE);
  rubric->items[3].points = 12;
  rubric->items[3].needs[0] = "1/a";
  return kit;
}

static struct machine here = {.gpu = "NVIDIA H200", .driver = "580.1", .toolkit = "13.0"};

START_TEST(limits_come_back) {
  struct installation kit = kit_of_one();
  struct error error;
  const struct limits_item line = {.id = "1/t", .none_at = 0.25, .full_at = 0.5, .noise = 0.125, .median = 1};
  ck_assert_msg(limits_write("limits.cfg", &kit, &here, 1, &line, &error), "%s", error.text);
  ck_assert_msg(limits_apply("limits.cfg", &kit, &here, &error), "%s", error.text);
  ck_assert_double_eq(kit.labs[0].rubric.items[3].none_at, 0.25);
  ck_assert_double_eq(kit.labs[0].rubric.items[3].full_at, 0.5);
  ck_assert_double_eq(kit.labs[0].rubric.items[3].noise, 0.125);
  ck_assert_uint_eq(strlen(here.limits), 64);
}
END_TEST

static void expect_refused(struct installation *kit, struct machine *machine, const char *says) {
  struct error error;
  const double before = kit->labs[0].rubric.items[3].full_at;
  ck_assert_msg(!limits_apply("limits.cfg", kit, machine, &error), "limits were taken: expected '%s'", says);
  ck_assert_msg(strstr(error.text, says) != NULL, "expected '%s' in: %s", says, error.text);
  ck_assert_double_eq(kit->labs[0].rubric.items[3].full_at, before);
  ck_assert_str_eq(machine->limits, "");
}

START_TEST(limits_of_another_machine_are_refused) {
  struct installation kit = kit_of_one();
  const struct limits_item lines[] = {{.id = "1/t", .none_at = 0.25, .full_at = 0.5},
                                      {.id = "1/t", .none_at = 0.5, .full_at = 0.5},
                                      {.id = "1/a", .none_at = 0.25, .full_at = 0.5}};
  ck_assert(limits_write("limits.cfg", &kit, &here, 1, lines, NULL));
  struct machine other = here;
  strcpy(other.gpu, "NVIDIA H100");
  expect_refused(&kit, &other, "gpu = \"NVIDIA H200\": expected \"NVIDIA H100\"");
  other = here;
  strcpy(other.driver, "580.2");
  expect_refused(&kit, &other, "driver = ");
  other = here;
  strcpy(other.toolkit, "12.9");
  expect_refused(&kit, &other, "toolkit = ");
  strcpy(kit.rubrics, "4567");
  expect_refused(&kit, &here, "rubrics = ");
  kit = kit_of_one();
  kit.version = "2";
  expect_refused(&kit, &here, "kit = ");
  kit = kit_of_one();
  ck_assert(limits_write("limits.cfg", &kit, &here, 2, lines,
                         NULL)); /* the second item is malformed, so none is applied */
  expect_refused(&kit, &here, "item 2, '1/t'");
  ck_assert(limits_write("limits.cfg", &kit, &here, 1, lines + 2, NULL));
  expect_refused(&kit, &here, "item 1, '1/a'");
  ck_assert(limits_write("limits.cfg", &kit, &here, 0, lines, NULL));
  expect_refused(&kit, &here, "expected items");
}
END_TEST

/* --- merging --- */

static json_t *half(const struct installation *kit, const char *mode, const char *sha256,
                    const char *const *verdicts) {
  const bool time = strcmp(mode, "time") == 0;
  struct submission submission = {.name = "x"};
  json_t *lines = json_array();
  strcpy(submission.sha256, sha256);
  for (int n = 0; n < kit->labs[0].rubric.count; n++) {
    const struct rubric_item *line = &kit->labs[0].rubric.items[n];
    if ((line->kind == RUBRIC_TIME) == time)
      json_array_append_new(lines, result_item(line, *verdicts++, ""));
  }
  json_t *labs = json_array();
  json_array_append_new(labs, result_lab("1_x", lines, ""));
  const struct result_origin origin = {.kit = kit->version,
                                       .rubrics = kit->rubrics,
                                       .judge = kit->judge,
                                       .limits = time ? "89ab" : "",
                                       .mode = mode,
                                       .device = mode};
  return result_whole(&submission, &origin, labs, 1);
}

static const char *const names[] = {"a.json", "b.json"};
static const char *const all_pass[] = {"PASS", "PASS", "PASS"};

static void expect_merged(const char *const *counters, const char *time, double points, const char *verdict,
                          const char *time_verdict) {
  const struct installation kit = kit_of_one();
  struct error error;
  json_t *a = half(&kit, "counters", "ab", counters), *b = half(&kit, "time", "ab", &time);
  json_object_set_new(json_array_get(json_object_get(a, "labs"), 0), "kernels",
                      json_pack("[{s:s}]", "kernel", "k"));
  for (int turned = 0; turned < 2; turned++) {
    json_t *merged = merge_results(&kit, turned ? b : a, turned ? a : b, names, &error);
    ck_assert_msg(merged != NULL, "%s", error.text);
    ck_assert_uint_eq(
        json_array_size(json_object_get(json_array_get(json_object_get(merged, "labs"), 0), "kernels")), 1);
    ck_assert_double_eq_tol(json_number_value(json_object_get(merged, "points")), points, 1e-9);
    ck_assert_double_eq(json_number_value(json_object_get(merged, "max_points")), 100);
    ck_assert_str_eq(result_verdict(merged), verdict);
    ck_assert_str_eq(json_string_value(json_object_get(merged, "mode")), "merged");
    ck_assert_str_eq(json_string_value(json_object_get(merged, "judge")), "4567");
    ck_assert_str_eq(json_string_value(json_object_get(merged, "limits")), "89ab");
    const json_t *lines = json_object_get(json_array_get(json_object_get(merged, "labs"), 0), "items");
    ck_assert_str_eq(result_verdict(json_array_get(lines, 3)), time_verdict);
    json_decref(merged);
  }
  json_decref(a);
  json_decref(b);
}

/* Time items take 12 of the 30 points of counter items: 12 and 6 of their 20 and 10 points remain. */
START_TEST(halves_make_a_hundred) {
  expect_merged(all_pass, "PASS", 100, "PASS", "PASS");
  expect_merged(all_pass, "WRONG", 88, "WRONG", "WRONG");
  expect_merged((const char *[]){"PASS", "WRONG", "PASS"}, "PASS", 88, "WRONG", "PASS");
  expect_merged((const char *[]){"PASS", "PASS", "WRONG"}, "PASS", 94, "WRONG", "PASS");
  expect_merged((const char *[]){"WRONG", "PASS", "PASS"}, "PASS", 18, "WRONG", "SKIPPED");
  expect_merged(all_pass, "SUSPECT", 88, "SUSPECT", "SUSPECT");
}
END_TEST

static void expect_apart(json_t *a, json_t *b, const char *says) {
  const struct installation kit = kit_of_one();
  struct error error = {""};
  json_t *merged = merge_results(&kit, a, b, names, &error);
  ck_assert_msg(merged == NULL, "merged: expected '%s'", says);
  ck_assert_msg(strstr(error.text, says) != NULL, "expected '%s' in: %s", says, error.text);
  json_decref(a);
  json_decref(b);
}

static json_t *changed(json_t *result, const char *name, json_t *value) {
  json_object_set_new(result, name, value);
  return result;
}

START_TEST(other_halves_are_refused) {
  const struct installation kit = kit_of_one();
#define COUNTERS half(&kit, "counters", "ab", all_pass)
#define TIME half(&kit, "time", "ab", all_pass)
  expect_apart(COUNTERS, half(&kit, "time", "cd", all_pass), "a.json is of submission ab, b.json of cd");
  expect_apart(COUNTERS, COUNTERS, "expected one with counters and one with time");
  expect_apart(TIME, TIME, "expected one with counters and one with time");
  expect_apart(COUNTERS, changed(TIME, "mode", json_string("merged")),
               "expected one with counters and one with time");
  expect_apart(COUNTERS, changed(TIME, "kit", json_string("2")), "b.json: kit \"2\": expected \"1\"");
  expect_apart(changed(COUNTERS, "rubrics", json_string("9")), TIME, "a.json: rubrics \"9\"");
  expect_apart(changed(COUNTERS, "judge", json_string("8")), TIME, "a.json: judge \"8\": expected \"4567\"");
  expect_apart(COUNTERS, changed(TIME, "judge", json_null()), "b.json: judge \"\"");
  expect_apart(changed(COUNTERS, "schema", json_string("x")), TIME, "a.json: schema \"x\"");
  expect_apart(changed(COUNTERS, "points", json_null()), TIME, "grade again");
  expect_apart(COUNTERS, changed(TIME, "labs", json_array()), "expected the same labs");
  json_t *other = TIME, *lab = json_array_get(json_object_get(other, "labs"), 0);
  json_object_set_new(lab, "items", json_array());
  expect_apart(COUNTERS, other, "no item 1/t");
  other = TIME;
  json_object_set_new(json_array_get(json_object_get(other, "labs"), 0), "lab", json_string("2_y"));
  expect_apart(COUNTERS, other, "lab 1_x: expected it in both");
  expect_apart(json_array(), json_integer(3), "a.json: schema \"\"");
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("time");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, values_are_what_they_mean);
  tcase_add_test(cases, one_outlier_moves_no_median);
  tcase_add_test(cases, points_rise_with_speed);
  tcase_add_test(cases, noise_never_costs_points);
  tcase_add_test(cases, noise_is_an_interval_of_the_median);
  tcase_add_test(cases, noise_is_of_what_counts);
  tcase_add_test(cases, the_reference_does_not_fail);
  tcase_add_test(cases, the_slow_fail);
  tcase_add_test(cases, own_noise_is_no_excuse);
  tcase_add_test(cases, what_is_too_fast_is_suspect);
  tcase_add_test(cases, what_may_be_too_fast_is_inconclusive);
  tcase_add_test(cases, no_reference_is_noise);
  tcase_add_test(cases, sessions_measure_what_programs_take);
  tcase_add_test(cases, submissions_have_a_jail_if_our_own_program_works_in_one);
  tcase_add_loop_test(cases, broken_programs_are_no_measurement, 0, sizeof broken / sizeof *broken);
  tcase_add_test(cases, rounding_is_no_missing_sweep);
  tcase_add_test(cases, limits_leave_a_margin);
  tcase_add_test(cases, limits_come_back);
  tcase_add_test(cases, limits_of_another_machine_are_refused);
  tcase_add_test(cases, halves_make_a_hundred);
  tcase_add_test(cases, other_halves_are_refused);
  program_enter_directory();
  return suite_run_case("time", cases);
}
