/* Verdicts on a grid function that a program computed in float: right up to rounding, or where and how it
 * is wrong, with a message that helps to find the cause. */
#pragma once

#include "grid.h"
#include <stdbool.h>

enum { JUDGE_PICTURE_COLUMNS = 64, JUDGE_PICTURE_ROWS = 16 };

/* The number of wrong values, their region and the first of them; whether the error looks like rounding or logic; and a
 * map of the grid with the first row on top. The picture begins with a newline and does not end with one. */
struct judge_finding {
  char where[512], kind[256];
  char picture[(JUDGE_PICTURE_COLUMNS + 3) * JUDGE_PICTURE_ROWS + 256];
};

/* A point of the result is right if it is within bound of expected. Both have ny rows of nx. before: NULL, or the
 * values before the run, which an unwritten point still has. */
struct judge_truth {
  struct grid g;
  double *expected, *bound;
  const double *before;
};

struct judge_truth judge_truth_make(struct grid g); /* all zero; judge_truth_free releases it */
void judge_truth_free(struct judge_truth *truth);

/* γ_n = n u/(1 − n u), with u half the distance from 1 to the next number of the precision. If every term of a sum of
 * products goes through at most n roundings, the sum differs from the exact one by at most γ_n times the sum of the
 * terms' magnitudes, in any order of computation, fused or not (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, 2nd ed., SIAM 2002, §3.1). epsilon: FLT_EPSILON or DBL_EPSILON, that is 2u. */
double judge_gamma(int n, double epsilon);

/* True when |got − expected| <= bound everywhere; else fills finding. */
bool judge_field(const struct judge_truth *truth, const double *got, struct judge_finding *finding);

/* Counts the floats whose bits differ; first receives the index of the first one. */
size_t judge_count_different(size_t points, const float *a, const float *b, size_t *first);
