/* What the suites of the labs in double share: command lines, output of a program, grid functions in
 * float64. */
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

/* A run of a solver; f and u0 may be NULL: 1 and 0. */
struct solve {
  const char *method;
  struct grid g;
  double kappa, shift, omega; /* omega: 0 for the program's own */
  double tolerance;
  int check_every, limit;
  const double *f, *u0;
};

/* In a test: runs the solver. command: NULL for the program's first; option: that chooses the method. Its u
 * is in out.npy, its residuals in h.csv. A part that is not written fails the test. */
struct program_result solve_suite_run(const struct solve *s, const char *command, const char *option);

/* In a test: runs with other orders of the blocks, and other numbers of host threads, write the same h.csv.
 */
void solve_suite_check_bits(const char *what, const char *const *arguments);

/* In a test: the number after `before` in the output of the program. */
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
