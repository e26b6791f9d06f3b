/* Verdicts on a grid function that a program computed in float: right up to rounding, or where and how it
 * is wrong, in words that help to find the cause. */
#ifndef JUDGE_H
#define JUDGE_H

#include "grid.h"
#include <stdbool.h>

enum { JUDGE_PICTURE_COLUMNS = 64, JUDGE_PICTURE_ROWS = 16 };

/* What is wrong: how many values, where, the first of them; whether that looks like rounding or logic; and a
 * map of the grid, its first row on top. A picture begins with a newline and ends without one. */
struct judge_finding {
  char where[512];
  const char *kind;
  char picture[(JUDGE_PICTURE_COLUMNS + 3) * JUDGE_PICTURE_ROWS + 256];
};

/* A point of the result is right if it is within bound of expected. Both have ny rows of nx. */
struct judge_truth {
  struct grid g;
  double *expected, *bound;
};

struct judge_truth judge_truth_make(struct grid g); /* all zero; judge_truth_free releases it */
void judge_truth_free(struct judge_truth *truth);

/* γ_n = n u/(1 − n u), u half the distance of 1 to the next number of the precision: a sum of products in
 * which every term goes through at most n roundings differs from the exact one by at most γ_n times the sum
 * of the terms' magnitudes, in whatever order it is computed, fused or not (N. J. Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., SIAM 2002, §3.1). epsilon: FLT_EPSILON or DBL_EPSILON, that is
 * 2u. */
double judge_gamma(int n, double epsilon);

/* True when |got − expected| <= bound everywhere; else fills finding. */
bool judge_field(const struct judge_truth *truth, const double *got, struct judge_finding *finding);

/* Number of points whose bits differ, of points floats; first gets the place of the first one. */
size_t judge_count_different(size_t points, const float *a, const float *b, size_t *first);

#endif
