#include "time_run.h"
#include "timing.h"

#include <math.h>
#include <stddef.h>

const char *const time_verdicts[] = {[TIME_PASS] = "PASS",
                                     [TIME_WRONG] = "WRONG",
                                     [TIME_INCONCLUSIVE] = "INCONCLUSIVE",
                                     [TIME_SUSPECT] = "SUSPECT"};

/* Of one member of the samples. */
static struct timing_summary summary_of(const struct time_run *run, size_t member) {
  double values[TIME_ALTERNATIONS];
  for (int n = 0; n < run->count; n++)
    values[n] = *(const double *)((const char *)&run->samples[n] + member);
  return timing_summarise((size_t)run->count, values);
}

struct time_figures time_figures_of(const struct time_run *run) {
  const struct timing_summary copy = summary_of(run, offsetof(struct time_sample, copy)),
                              overhead = summary_of(run, offsetof(struct time_sample, overhead)),
                              reference = summary_of(run, offsetof(struct time_sample, reference)),
                              submission = summary_of(run, offsetof(struct time_sample, submission));
  struct time_figures f = {.copy_rate = run->copied / copy.median,
                           .overhead = overhead.median,
                           .reference = reference.median - overhead.median,
                           .submission = submission.median - overhead.median};
  f.noise = fmax((copy.max - copy.min) / copy.median,
                 fmax(overhead.max - overhead.min, reference.max - reference.min) / f.reference);
  if (!(f.reference > 0))
    f.noise = INFINITY;
  return f;
}

double time_value(const struct rubric_line *line, const struct time_run *run) {
  const struct time_figures f = time_figures_of(run);
  if (!(f.submission > 0))
    return INFINITY;
  if (line->against == TIME_COPY)
    return line->bytes * line->per * line->count / f.submission / f.copy_rate;
  return f.reference / f.submission;
}

enum time_verdict time_judge(const struct rubric_line *line, const struct time_run *run, double peak) {
  const struct time_figures f = time_figures_of(run);
  const double value = time_value(line, run);
  const bool noisy = !(f.noise <= line->noise);
  if (peak > 0 && !(f.submission * peak >= line->bytes * line->per * line->count))
    return noisy ? TIME_INCONCLUSIVE : TIME_SUSPECT;
  if (value >= line->full_at)
    return TIME_PASS;
  const bool hopeless = isfinite(f.noise) && value * (1 + f.noise) <= line->none_at;
  return noisy && !hopeless ? TIME_INCONCLUSIVE : TIME_WRONG;
}

double time_points(const struct rubric_line *line, enum time_verdict verdict, double value) {
  switch (verdict) {
  case TIME_PASS:
  case TIME_INCONCLUSIVE:
    return line->points;
  case TIME_WRONG:
    return rubric_points(line, value);
  default:
    return 0;
  }
}
