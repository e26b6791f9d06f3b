#include "solve_suite.h"

#include "allocate.h"
#include "lab_files.h"
#include "problem.h"
#include "random.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

void arguments_add(struct arguments *a, const char *word) { a->list[a->count++] = word; }

void arguments_add_number(struct arguments *a, const char *option, double value) {
  char *text = a->text[a->texts++];
  snprintf(text, sizeof a->text[0], "%.17g", value);
  arguments_add(a, option);
  arguments_add(a, text);
}

void arguments_add_grid(struct arguments *a, struct grid g, double kappa) {
  arguments_add_number(a, "--nx", g.nx);
  arguments_add_number(a, "--ny", g.ny);
  arguments_add_number(a, "--kappa", kappa);
}

double solve_suite_said(const struct program_result *result, const char *before) {
  const char *place = strstr(result->output, before);
  double value;
  if (!place || sscanf(place + strlen(before), "%lf", &value) != 1)
    ck_abort_msg("expected '%s' and a number on standard output, got:\n%s", before, result->output);
  return value;
}

void solve_suite_check_ending(const char *what, const struct program_result *result, int status,
                              const char *words) {
  char ending[512];
  program_describe(result, ending, sizeof ending);
  if (result->status != status || !strstr(result->output, words))
    ck_abort_msg("%s: expected exit status %d and '%s', but: %s\n%s", what, status, words, ending,
                 result->output);
}

double *solve_suite_random(struct grid g, uint64_t seed) {
  struct random random = random_seed(seed);
  double *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      u[grid_index(g, i, j)] = random_double(&random, -1, 1);
  return u;
}

double *solve_suite_ones(struct grid g) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  problem_rhs(&(struct problem){.kind = PROBLEM_CONSTANT}, g, f);
  return f;
}

double *solve_suite_copy(struct grid g, const double *u) {
  return memcpy(allocate_zeroed(grid_points(g), sizeof *u), u, grid_points(g) * sizeof *u);
}

void solve_suite_write(const char *path, struct grid g, const double *u) {
  lab_files_write(path, NPY_FLOAT64, (size_t)g.ny, (size_t)g.nx, u);
}

double *solve_suite_read(const char *path, struct grid g) {
  return lab_files_read(path, NPY_FLOAT64, (size_t)g.ny, (size_t)g.nx).data;
}
