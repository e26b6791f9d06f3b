/* What the suites of the labs in double share: command lines, what a program said, grid functions in float64.
 */
#ifndef SOLVE_SUITE_H
#define SOLVE_SUITE_H

#include "grid.h"
#include "program.h"
#include <stdint.h>

/* The longest command line that a test builds. Words that are added must outlive it. */
struct arguments {
  const char *list[32];
  char text[16][40];
  int count, texts;
};
void arguments_add(struct arguments *a, const char *word);
void arguments_add_number(struct arguments *a, const char *option, double value);
void arguments_add_grid(struct arguments *a, struct grid g, double kappa);

/* In a test: the number after `before` in what the program said. */
double solve_suite_said(const struct program_result *result, const char *before);

/* In a test: fails it unless a run ended with this exit status and these words on standard output. */
void solve_suite_check_ending(const char *what, const struct program_result *result, int status,
                              const char *words);

/* Grid functions; the caller frees them. */
double *solve_suite_random(struct grid g, uint64_t seed); /* in [−1, 1), zero on the boundary */
double *solve_suite_ones(struct grid g);                  /* zero on the boundary */
double *solve_suite_copy(struct grid g, const double *u);
void solve_suite_write(const char *path, struct grid g, const double *u);
double *solve_suite_read(const char *path, struct grid g);

#endif
