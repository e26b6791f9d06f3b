#include "suite.h"
#include "timing.h"
#include <time.h>

START_TEST(the_clock_counts_seconds) {
  double start = timing_now();
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  double elapsed = timing_now() - start;
  ck_assert(0.02 <= elapsed && elapsed < 2);
}
END_TEST

/* The quartiles that numpy.percentile gives. */
static const struct {
  size_t count;
  double samples[5];
  struct timing_summary expected;
} cases[] = {
    {1, {4}, {4, 0, 4, 4}},
    {2, {3, 1}, {2, 1, 1, 3}},
    {4, {40, 10, 30, 20}, {25, 15, 10, 40}},
    {5, {5, 1, 100, 2, 3}, {3, 3, 1, 100}},
};

START_TEST(median_and_spread) {
  double samples[5];
  memcpy(samples, cases[_i].samples, sizeof samples);
  struct timing_summary summary = timing_summarise(cases[_i].count, samples);
  ck_assert_double_eq(summary.median, cases[_i].expected.median);
  ck_assert_double_eq(summary.spread, cases[_i].expected.spread);
  ck_assert_double_eq(summary.min, cases[_i].expected.min);
  ck_assert_double_eq(summary.max, cases[_i].expected.max);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("timing");
  tcase_add_test(tests, the_clock_counts_seconds);
  tcase_add_loop_test(tests, median_and_spread, 0, sizeof cases / sizeof *cases);
  return suite_run_case("timing", tests);
}
