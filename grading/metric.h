/* What a counter line of a rubric can measure: ratios of counters, by kernel, of one run of a program. */
#ifndef METRIC_H
#define METRIC_H

#include "error.h"

struct metric {
  const char *name, *unit;
  const char *formula;  /* in words, for the report */
  const char *above[8]; /* columns of the counter file whose sums are added, NULL at the end */
  const char *below[8]; /* the same for the divisor; none: `per`, a number that the rubric gives */
  double scale;         /* of the ratio */
  const char *told_by;  /* words of the device's report (SIMGPU_REPORT) about a source line that spoils it */
};

const struct metric *metric_find(const char *name); /* NULL: there is none */

/* Measures kernels whose names begin with kernel in the counter file at path. */
bool metric_measure(const struct metric *metric, const char *path, const char *kernel, double per,
                    double *value, struct error *error);

#endif
