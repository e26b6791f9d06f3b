/* What a run of the clock says: the arithmetic of time lines, without processes or files.
 *
 * A run alternates: copies by a program of ours, the reference with no work, the reference, the submission;
 * then again. What the reference needs without work is overhead (input, transfers, output) and is subtracted
 * from both, so that a submission cannot shorten its time by being slow elsewhere. Noise is what the trusted
 * programs show, so that a submission cannot make its own. */
#ifndef TIME_RUN_H
#define TIME_RUN_H

#include "rubric.h"

enum { TIME_ALTERNATIONS = 3 };

/* Seconds of the requests of one alternation. */
struct time_sample {
  double copy, overhead, reference, submission;
};

struct time_run {
  int count; /* alternations */
  struct time_sample samples[TIME_ALTERNATIONS];
  double copied; /* bytes that a request for copies reads and writes */
};

/* Medians, in seconds, less the overhead where that is in them; noise: the widest range among the trusted
 * times, as a fraction of the reference's. */
struct time_figures {
  double copy_rate; /* bytes/s */
  double overhead, reference, submission, noise;
};
struct time_figures time_figures_of(const struct time_run *run);

/* The line's value: the reference's time over the submission's, or its bytes over that time over the copy's
 * rate. Larger is better. Infinite when the submission took less than the overhead. */
double time_value(const struct rubric_line *line, const struct time_run *run);

/* PASS: full marks. WRONG: below that; points by rubric_points. INCONCLUSIVE: below full marks, the noise is
 * above line->noise, and some points lie within it; costs nothing. SUSPECT: faster than memory moves the
 * line's bytes at its peak in bytes/s; 0: not known. */
enum time_verdict { TIME_PASS, TIME_WRONG, TIME_INCONCLUSIVE, TIME_SUSPECT };
extern const char *const time_verdicts[];
enum time_verdict time_judge(const struct rubric_line *line, const struct time_run *run, double peak);

/* The line's points for that. */
double time_points(const struct rubric_line *line, enum time_verdict verdict, double value);

#endif
