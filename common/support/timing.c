#include "timing.h"
#include <assert.h>
#include <stdlib.h>
#include <time.h>

double timing_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(size_t count, const double *sorted, double fraction) {
  double position = fraction * (double)(count - 1);
  size_t below = (size_t)position;
  size_t above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

struct timing_summary timing_summarise(size_t count, double *samples) {
  assert(count >= 1);
  qsort(samples, count, sizeof *samples, compare);
  return (struct timing_summary){.median = quantile(count, samples, 0.5),
                                 .spread = quantile(count, samples, 0.75) - quantile(count, samples, 0.25),
                                 .min = samples[0],
                                 .max = samples[count - 1]};
}
