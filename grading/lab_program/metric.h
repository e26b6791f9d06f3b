/* Metrics of counter items: ratios of counters, by kernel, of one run of a program. */
#pragma once

#include "error.h"

/* Causes of a bad value: idle lanes, requests that touch too many sectors, sectors that move repeatedly,
 * too many requests, bank conflicts, too much time, local memory. */
enum metric_fault {
  METRIC_LANES,
  METRIC_SECTORS,
  METRIC_TRAFFIC,
  METRIC_REQUESTS,
  METRIC_CONFLICTS,
  METRIC_TIME,
  METRIC_LOCAL
};

struct metric {
  const char *name, *unit;
  const char *formula;   /* in words, for the report */
  const char *above[10]; /* columns of the counter file whose sums are added, NULL at the end; none: `per` */
  const char *below[8];  /* the same for the divisor; none: `per`, a number that the test gives */
  double scale;          /* of the ratio */
  enum metric_fault fault;
};

const struct metric *metric_find(const char *name); /* NULL: there is none */

/* A measurement: kernels whose names begin with kernel ("": all) in a counter file, minus those in the file of a
 * shorter run (NULL: none). */
struct metric_run {
  const char *counters, *less, *kernel;
  double per;
};

/* False when a file or a column is missing, no such kernel was launched, or the divisor is 0. */
bool metric_measure(const struct metric *metric, const struct metric_run *run, double *value,
                    struct error *error);
