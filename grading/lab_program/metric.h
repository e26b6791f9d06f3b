/* Metrics of counter items: ratios of counters, by kernel, of one run of a program. */
#ifndef METRIC_H
#define METRIC_H

#include "error.h"

/* Causes of a bad value: idle lanes, requests that touch too many sectors, sectors that move repeatedly,
 * too many requests, bank conflicts. */
enum metric_fault { METRIC_LANES, METRIC_SECTORS, METRIC_TRAFFIC, METRIC_REQUESTS, METRIC_CONFLICTS };

struct metric {
  const char *name, *unit;
  const char *formula;  /* in words, for the report */
  const char *above[8]; /* columns of the counter file whose sums are added, NULL at the end */
  const char *below[8]; /* the same for the divisor; none: `per`, a number that the rubric gives */
  double scale;         /* of the ratio */
  enum metric_fault fault;
};

const struct metric *metric_find(const char *name); /* NULL: there is none */

/* Measures kernels whose names begin with kernel in the counter file at path. */
bool metric_measure(const struct metric *metric, const char *path, const char *kernel, double per,
                    double *value, struct error *error);

#endif
