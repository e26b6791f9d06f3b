#include "solver.h"

#include "allocate.h"
#include "stopwatch.h"

const char *const solver_status[] = {
    [SOR_CONVERGED] = "converged", [SOR_LIMIT] = "limit reached", [SOR_NOT_FINITE] = "not finite"};

const char *const solver_functions[] = {[DOUBLE] = "sor_solve", [MIXED] = "sor_solve_mixed"};

struct sor_grid solver_grid(struct grid g) {
  const double diagonal = 4 + setup_settings.kappa * setup_settings.kappa * (g.h * g.h);
  return (struct sor_grid){g.nx, g.ny, setup_pitch(g), diagonal, 1 / diagonal};
}

struct solver_arrays solver_open(const struct setup *p) {
  return (struct solver_arrays){solver_grid(p->g), setup_to_device(p->g, p->g.h * p->g.h, p->f),
                                setup_to_device(p->g, 1, p->u)};
}

void solver_close(struct solver_arrays *d) {
  CUDA_CHECK(cudaFree(d->h2f));
  CUDA_CHECK(cudaFree(d->u));
}

struct sor_control solver_control(double goal, int most, int every) {
  return (struct sor_control){goal, most, every, allocate_zeroed((size_t)(most / every) + 2, sizeof(double))};
}

struct solver_run solver_run(enum precision p, const struct solver_arrays *d, double factor,
                             struct sor_control control) {
  static int (*const solvers[])(const struct sor_grid *, double, const double *, double *, struct sor_control,
                                struct sor_result *) = {[DOUBLE] = sor_solve, [MIXED] = sor_solve_mixed};
  struct solver_run run = {.control = control};
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(solvers[p](&d->g, factor, d->h2f, d->u, control, &run.result), solver_functions[p]);
  run.ms = stopwatch_stop(watch);
  return run;
}

void solver_add_history(struct history *history, const char *method, const struct solver_run *run) {
  const int every = run->control.check_every, most = run->control.limit;
  for (int c = 0; c < run->result.checks; c++)
    history_add(history, method, c > most / every ? most : c * every, run->control.history[c]);
}

void *solver_to_device(const void *values, size_t bytes) {
  void *array;
  CUDA_CHECK(cudaMalloc(&array, bytes));
  CUDA_CHECK(cudaMemcpy(array, values, bytes, cudaMemcpyHostToDevice));
  return array;
}

struct radius_result solver_radius_of_grid(struct grid g, struct radius_control control) {
  const struct sor_grid grid = solver_grid(g);
  struct radius_result result = {0};
  unwritten_check(jacobi_radius_grid(&grid, control, &result), "jacobi_radius_grid");
  return result;
}

struct radius_result solver_radius_of_matrix(struct reference_csr *a, struct radius_control control) {
  const size_t rows = (size_t)a->rows, entries = (size_t)a->row_start[rows];
  int *row_start = solver_to_device(a->row_start, (rows + 1) * sizeof *row_start);
  int *column = solver_to_device(a->column, entries * sizeof *column);
  double *value = solver_to_device(a->value, entries * sizeof *value);
  struct radius_result result = {0};
  reference_csr_free(a);
  unwritten_check(jacobi_radius_csr((int)rows, row_start, column, value, control, &result),
                  "jacobi_radius_csr");
  CUDA_CHECK(cudaFree(row_start));
  CUDA_CHECK(cudaFree(column));
  CUDA_CHECK(cudaFree(value));
  return result;
}
