#include "time_run.h"
#include "timing.h"

#include <math.h>
#include <stddef.h>

const char *const time_verdicts[] = {[TIME_PASS] = "PASS",
                                     [TIME_WRONG] = "WRONG",
                                     [TIME_INCONCLUSIVE] = "INCONCLUSIVE",
                                     [TIME_SUSPECT] = "SUSPECT"};

/* How many of count sorted samples can be left out at each end, so that the median of their distribution lies
 * within the others with 95 % confidence. */
static int left_out(int count) {
  double ways = 1, below = 1;
  int n = 0;
  for (; (below += ways *= (double)(count - n) / (n + 1)) <= 0.025 * ldexp(1, count); n++)
    ;
  return n;
}

struct interval {
  double median, width;
};

/* Of one member of the samples. */
static struct interval interval_of(const struct time_run *run, size_t member) {
  double values[TIME_ALTERNATIONS];
  for (int n = 0; n < run->count; n++)
    values[n] = *(const double *)((const char *)&run->samples[n] + member);
  const double median = timing_summarise((size_t)run->count, values).median; /* sorts them */
  const int out = left_out(run->count);
  return (struct interval){median, values[run->count - 1 - out] - values[out]};
}

struct time_figures time_figures_of(const struct rubric_item *item, const struct time_run *run) {
  const struct interval copy = interval_of(run, offsetof(struct time_sample, copy)),
                        overhead = interval_of(run, offsetof(struct time_sample, overhead)),
                        reference = interval_of(run, offsetof(struct time_sample, reference)),
                        submission = interval_of(run, offsetof(struct time_sample, submission));
  struct time_figures f = {.copy_rate = run->copied / copy.median,
                           .overhead = overhead.median,
                           .reference = reference.median - overhead.median,
                           .submission = submission.median - overhead.median};
  f.noise = fmax(overhead.width, reference.width) / f.reference;
  if (item->against == TIME_COPY)
    f.noise = fmax(f.noise, copy.width / copy.median);
  if (!(f.reference > 0))
    f.noise = INFINITY;
  return f;
}

static double bytes_of(const struct rubric_item *item) { return item->bytes * item->per * item->count; }

double time_value(const struct rubric_item *item, const struct time_run *run) {
  const struct time_figures f = time_figures_of(item, run);
  if (!(f.submission > 0))
    return INFINITY;
  return item->against == TIME_COPY ? bytes_of(item) / f.submission / f.copy_rate
                                    : f.reference / f.submission;
}

enum time_verdict time_judge(const struct rubric_item *item, const struct time_run *run, double peak) {
  const struct time_figures f = time_figures_of(item, run);
  const double value = time_value(item, run), most = value * (1 + f.noise);
  const bool noisy = !(f.noise <= item->noise);
  const bool too_fast = peak > 0 && !(f.submission * peak >= bytes_of(item));
  if (too_fast && isfinite(f.noise) && !(f.submission * (1 + f.noise) * peak >= bytes_of(item)))
    return TIME_SUSPECT;
  if (value >= item->full_at)
    return too_fast && noisy ? TIME_INCONCLUSIVE : TIME_PASS;
  const bool lost = isfinite(f.noise) && most < item->full_at;
  return lost && (!noisy || most <= item->none_at) ? TIME_WRONG : TIME_INCONCLUSIVE;
}

bool time_is_open(const struct rubric_item *item, const struct time_run *run, double peak) {
  if (run->count < TIME_ROUND)
    return true;
  const enum time_verdict verdict = time_judge(item, run, peak);
  const bool clear = verdict != TIME_INCONCLUSIVE && run->count >= TIME_BEFORE_LOSS;
  return verdict != TIME_PASS && !clear && run->count < TIME_ALTERNATIONS;
}

double time_points(const struct rubric_item *item, enum time_verdict verdict, double value) {
  switch (verdict) {
  case TIME_PASS:
  case TIME_INCONCLUSIVE:
    return item->points;
  case TIME_WRONG:
    return rubric_points(item, value);
  default:
    return 0;
  }
}
