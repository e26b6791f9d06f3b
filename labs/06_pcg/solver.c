#include "solver.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "plural.h"
#include "reference.h"
#include "stopwatch.h"
#include "triples.h"

#include <math.h>
#include <stdlib.h>

const char *const solver_names[] = {
    [CG] = "cg",   [FUSED] = "fused",     [PCG] = "pcg",       [REDUCED] = "reduced",
    [CSR] = "csr", [NATURAL] = "natural", [JACOBI] = "jacobi", NULL};
const char *const solver_functions[METHODS] = {[CG] = "cg_solve",
                                               [FUSED] = "cg_solve_fused",
                                               [PCG] = "pcg_solve",
                                               [REDUCED] = "reduced_cg",
                                               [CSR] = "cg_solve"};
const char *const solver_status[] = {[PCG_CONVERGED] = "converged",
                                     [PCG_LIMIT] = "limit reached",
                                     [PCG_NOT_FINITE] = "not finite",
                                     [PCG_BREAKDOWN] = "breakdown"};

struct pcg_grid solver_grid(struct grid g, double shift) {
  const double kappa = setup_settings.kappa;
  return (struct pcg_grid){g.nx, g.ny, setup_pitch(g), 4 + (kappa * kappa + shift) * (g.h * g.h)};
}

int (*solver_dot)(int n, const double *x, const double *y, double *partial, double *result) = pcg_dot;

/* Element of point k of the interleaved layout in a grid function; -1 on the boundary. */
static int element_of(struct grid g, int k) {
  const int i = k / g.nx, j = k % g.nx, pitch = setup_pitch(g);
  return grid_is_interior(g, i, j) ? (grid_colour(i, j) * g.ny + i) * pitch + grid_compressed(j) : -1;
}

static void *to_device(const void *values, size_t bytes) {
  void *array;
  CUDA_CHECK(cudaMalloc(&array, bytes));
  CUDA_CHECK(cudaMemcpy(array, values, bytes, cudaMemcpyHostToDevice));
  return array;
}

double solver_omega(double given, struct grid g) {
  if (given <= 0 || given >= 2)
    error_die("--omega %g: expected a number above 0 and below 2", given);
  return isnan(given) ? setup_formula_omega(g) : given;
}

const char *solver_matrix_path;

static struct reference_csr read_matrix(struct grid g) {
  const struct reference_csr a = triples_read(solver_matrix_path);
  if ((size_t)a.rows != grid_points(g))
    error_die("%s: %d row%s: expected %zu, one for each point of --nx %d --ny %d", solver_matrix_path, a.rows,
              PLURAL(a.rows), grid_points(g), g.nx, g.ny);
  for (int k = 0; k < a.rows; k++)
    if (a.row_start[k + 1] - a.row_start[k] > PCG_ROW_ENTRIES)
      error_die("%s: row %d: %d entries: expected at most %d", solver_matrix_path, k,
                a.row_start[k + 1] - a.row_start[k], PCG_ROW_ENTRIES);
  return a;
}

struct pcg_csr solver_matrix(struct grid g, double shift) {
  const struct pcg_grid grid = solver_grid(g, shift);
  const int rows = pcg_elements(&grid);
  struct reference_csr a =
      solver_matrix_path ? read_matrix(g) : reference_csr_assemble(g, setup_settings.kappa);
  int *row_start = allocate_zeroed((size_t)rows + 1, sizeof *row_start);
  int *point = allocate_zeroed(
      (size_t)rows, sizeof *point); /* point of each element; 0, on the boundary, if there is none */
  int *column = allocate_zeroed((size_t)a.row_start[a.rows], sizeof *column), count = 0;
  double *value = allocate_zeroed((size_t)a.row_start[a.rows], sizeof *value);
  for (int k = 0; k < a.rows; k++)
    if (element_of(g, k) >= 0)
      point[element_of(g, k)] = k;
  for (int row = 0; row < rows; row++) {
    const int k = point[row];
    for (int e = a.row_start[k]; k > 0 && e < a.row_start[k + 1]; e++)
      if (element_of(g, a.column[e]) >= 0) {
        column[count] = element_of(g, a.column[e]);
        value[count++] = a.column[e] != k     ? a.value[e] * (g.h * g.h)
                         : solver_matrix_path ? (a.value[e] + shift) * (g.h * g.h)
                                              : grid.diagonal;
      }
    row_start[row + 1] = count;
  }
  const struct pcg_csr result = {rows, to_device(row_start, ((size_t)rows + 1) * sizeof *row_start),
                                 to_device(column, (size_t)count * sizeof *column),
                                 to_device(value, (size_t)count * sizeof *value)};
  reference_csr_free(&a);
  free(row_start);
  free(point);
  free(column);
  free(value);
  return result;
}

void solver_matrix_free(struct pcg_csr *a) {
  CUDA_CHECK(cudaFree((void *)a->row_start));
  CUDA_CHECK(cudaFree((void *)a->column));
  CUDA_CHECK(cudaFree((void *)a->value));
}

int solver_call(enum method m, const struct pcg_grid *g, double factor, const double *h2f, double *u,
                struct pcg_control control, struct pcg_result *result) {
  control.dot = solver_dot;
  switch (m) {
  case FUSED:
    return cg_solve_fused(g, h2f, u, control, result);
  case PCG:
    return pcg_solve(g, factor, h2f, u, control, result);
  case REDUCED:
    return reduced_cg(g, h2f, u, control, result);
  default:
    return cg_solve(g, h2f, u, control, result);
  }
}

bool solver_is_written(enum method m) {
  struct setup p = setup_of(grid_make(PCG_MIN, PCG_MIN));
  const struct pcg_grid g = solver_grid(p.g, 0);
  struct pcg_result result;
  double *h2f = setup_to_device(p.g, 1, p.f), *u = setup_to_device(p.g, 1, p.u);
  const struct pcg_control control = {0, 1, 1, NULL, NULL, NULL};
  const int part = solver_call(m, &g, 1, h2f, u, control, &result);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  setup_free(&p);
  return part == 0;
}

static struct solver_run run_on_device(enum method m, double factor, struct setup *p, double shift,
                                       struct pcg_control control) {
  struct solver_run run = {.history = control.history};
  const struct pcg_grid g = solver_grid(p->g, shift);
  double *h2f = setup_to_device(p->g, p->g.h * p->g.h, p->f), *u = setup_to_device(p->g, 1, p->u);
  struct pcg_csr matrix = {0};
  if (m == CSR) {
    matrix = solver_matrix(p->g, shift);
    control.matrix = &matrix;
  }
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(solver_call(m, &g, factor, h2f, u, control, &run.result), solver_functions[m]);
  run.ms = stopwatch_stop(watch);
  setup_from_device(p->g, u, p->u);
  solver_matrix_free(&matrix);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  return run;
}

static struct solver_run run_on_host(enum method m, double factor, struct setup *p,
                                     struct pcg_control control) {
  const double kappa = setup_settings.kappa;
  const struct reference_control on_host = {control.tolerance, control.limit, control.history};
  const struct reference_result result =
      m == JACOBI ? reference_jacobi_solve(p->g, kappa, p->f, p->u, on_host)
                  : reference_pcg_solve(p->g, kappa, factor, REFERENCE_NATURAL, p->f, p->u, on_host);
  const enum pcg_status status = result.converged ? PCG_CONVERGED : PCG_LIMIT;
  return (struct solver_run){
      {result.breakdown ? PCG_BREAKDOWN : status, result.iterations, result.relative_residual},
      control.history,
      -1};
}

struct solver_run solver_run(enum method m, double factor, struct setup *p, double shift,
                             struct pcg_control control) {
  control.history = allocate_zeroed((size_t)control.limit + 1, sizeof *control.history);
  return m >= NATURAL ? run_on_host(m, factor, p, control) : run_on_device(m, factor, p, shift, control);
}

void solver_add_history(struct history *history, const char *name, const struct solver_run *run) {
  for (int n = 0; n <= run->result.iterations; n++)
    history_add(history, name, n, run->history[n]);
}
