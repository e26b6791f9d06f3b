/* The arithmetic of time items, without processes or files.
 *
 * A run alternates: copies by a program of ours, the reference with no work, the reference, the submission;
 * then again. The reference's time without work is overhead (input, transfers, output). It is subtracted
 * from both, so a submission cannot shorten its time by being slow elsewhere. Only the trusted programs
 * determine the noise, so a submission cannot cause noise. */
#pragma once

#include "rubric.h"
#include <stdbool.h>

/* Alternations continue until the verdict is clear: at least three, and at least six before points are lost. */
enum { TIME_ROUND = 3, TIME_BEFORE_LOSS = 2 * TIME_ROUND, TIME_ALTERNATIONS = 4 * TIME_ROUND };

/* Seconds of the requests of one alternation. */
struct time_sample {
  double copy, overhead, reference, submission;
};

struct time_run {
  int count; /* alternations */
  struct time_sample samples[TIME_ALTERNATIONS];
  double copied; /* bytes that a request for copies reads and writes */
};

/* Medians in seconds; reference and submission are without the overhead. noise: the relative width of the
 * confidence interval of a trusted time's median, the widest one that enters the item's value. The interval
 * lies between order statistics, with 95 % confidence for any distribution (H. A. David, H. N. Nagaraja,
 * Order Statistics, 3rd ed., §7.1); with fewer than six samples, between the smallest and the largest. */
struct time_figures {
  double copy_rate; /* bytes/s */
  double overhead, reference, submission, noise;
};
struct time_figures time_figures_of(const struct rubric_item *item, const struct time_run *run);

/* The item's value: the reference's time divided by the submission's, or the item's bytes divided by the submission's
 * time and the copy's rate. Larger is better. Infinite if the submission took less than the overhead. */
double time_value(const struct rubric_item *item, const struct time_run *run);

/* PASS: full marks. WRONG: below that by more than the noise; points by rubric_points. INCONCLUSIVE: below, but not by
 * more than the noise, or the noise is above item->noise and some points lie within it; costs nothing. SUSPECT: by more
 * than the noise, faster than memory moves the item's bytes at its peak in bytes/s. peak = 0: unknown. */
enum time_verdict { TIME_PASS, TIME_WRONG, TIME_INCONCLUSIVE, TIME_SUSPECT };
extern const char *const time_verdicts[];
enum time_verdict time_judge(const struct rubric_item *item, const struct time_run *run, double peak);

/* Whether more alternations are needed. */
bool time_is_open(const struct rubric_item *item, const struct time_run *run, double peak);

/* The item's points for this verdict and value. */
double time_points(const struct rubric_item *item, enum time_verdict verdict, double value);
