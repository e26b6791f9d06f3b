/* The time model against an H200. argv[1]: model_times, linked with the simulated GPU. */
#include "suite.h"

#include "device_program.h"

#include <math.h>
#include <stdio.h>

/* Fractions of the copy's bandwidth on an H200, CUDA 13.0, N = 16384, slowest kernel of each group first. The
 * model runs at N = 4096, the smallest size that does not fit in L2. */
static const struct {
  const char *kernel;
  double measured;
  int group;
} rows[] = {
    {"naive 32x32", 0.42, 0}, {"naive 16x16", 0.50, 0}, {"naive 32x8", 0.53, 0},   {"masked", 0.34, 1},
    {"compressed", 0.49, 1},  {"split", 0.72, 1},       {"split float4", 1.02, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };
static const double tolerance = 0.25, tie = 0.05;
static const char *program;

static double fraction_of(const char *output, const char *kernel) {
  char start[64];
  double ms, fraction;
  snprintf(start, sizeof start, "\n%s,", kernel);
  const char *row = strstr(output, start);
  ck_assert_msg(row && sscanf(row + strlen(start), "%lf,%lf", &ms, &fraction) == 2, "no row \"%s\" in:\n%s",
                kernel, output);
  return fraction;
}

static struct program_result times(const char *n) {
  struct program_result result = program_run((const char *[]){program, n, "1", NULL}, 250);
  ck_assert_msg(result.status == 0, "%s: %s", program, result.message);
  return result;
}

START_TEST(times_are_near_and_in_order) {
  struct program_result result = times("4096");
  double before = 0;
  for (int i = 0; i < ROWS; i++) {
    double modelled = fraction_of(result.output, rows[i].kernel), error = rows[i].measured / modelled - 1;
    ck_assert_msg(fabs(error) <= tolerance, "%s: %.2f of copy, measured %.2f", rows[i].kernel, modelled,
                  rows[i].measured);
    if (i > 0 && rows[i].group == rows[i - 1].group)
      ck_assert_msg(modelled >= before - tie, "%s is slower than %s", rows[i].kernel, rows[i - 1].kernel);
    before = modelled;
  }
}
END_TEST

START_TEST(times_do_not_depend_on_the_host) {
  setenv("SIMGPU_THREADS", "1", 1);
  struct program_result one = times("512");
  setenv("SIMGPU_THREADS", "3", 1);
  struct program_result three = times("512");
  unsetenv("SIMGPU_THREADS");
  ck_assert_str_eq(one.output, three.output);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM");
  program = argv[1];
  TCase *tcase = tcase_create("times");
  tcase_add_test(tcase, times_are_near_and_in_order);
  tcase_add_test(tcase, times_do_not_depend_on_the_host);
  tcase_set_timeout(tcase, 270);
  return suite_run_case("model_hardware", tcase);
}
