/* Time on the host, and summaries of repeated measurements. */
#pragma once

#include "c_linkage.h"
#include <stddef.h>

C_LINKAGE_BEGIN

/* Seconds on a clock that never runs backwards; only differences are meaningful. */
double timing_now(void);

/* Quartiles interpolate linearly between order statistics (Hyndman and Fan's type 7, as NumPy does). */
struct timing_summary {
  double median;
  double spread; /* upper minus lower quartile, in the samples' unit */
  double min, max;
};

/* samples: count >= 1 values, which are sorted in place. */
struct timing_summary timing_summarise(size_t count, double *samples);

C_LINKAGE_END
