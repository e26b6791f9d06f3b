#include "solver.h"

#include "allocate.h"
#include "cuda_check.h"
#include "reference.h"
#include "stopwatch.h"

#include <stdlib.h>

const char *const solver_names[] = {
    [CG] = "cg",           [FUSED] = "fused",   [PCG] = "pcg", [REDUCED] = "reduced",
    [NATURAL] = "natural", [JACOBI] = "jacobi", NULL};
const char *const solver_functions[METHODS] = {
    [CG] = "cg_solve", [FUSED] = "cg_solve_fused", [PCG] = "pcg_solve", [REDUCED] = "reduced_cg"};
const char *const solver_status[] = {[PCG_CONVERGED] = "converged",
                                     [PCG_LIMIT] = "limit reached",
                                     [PCG_NOT_FINITE] = "not finite",
                                     [PCG_BREAKDOWN] = "breakdown"};

struct pcg_grid solver_grid(struct grid g, double shift) {
  const double kappa = setup_settings.kappa;
  return (struct pcg_grid){g.nx, g.ny, grid_pitch(g.nx), 4 + (kappa * kappa + shift) * (g.h * g.h)};
}

const char *const solver_dots[] = {[DEVICE_DOT] = "device", [HOST_DOT] = "host", NULL};
int solver_dot = DEVICE_DOT;

static int dot_on_host(int n, const double *x, const double *y, double *partial, double *result) {
  const size_t count = (size_t)n, bytes = count * sizeof *x;
  double *a = allocate_zeroed(2 * count, sizeof *a), *b = a + count;
  (void)partial;
  CUDA_CHECK(cudaMemcpy(a, x, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(b, y, bytes, cudaMemcpyDeviceToHost));
  const double sum = reference_dot_blocks(count, a, b);
  CUDA_CHECK(cudaMemcpy(result, &sum, sizeof sum, cudaMemcpyHostToDevice));
  free(a);
  return 0;
}

int solver_call(enum method m, const struct pcg_grid *g, double factor, const double *h2f, double *u,
                struct pcg_control control, struct pcg_result *result) {
  control.dot = solver_dot == HOST_DOT ? dot_on_host : pcg_dot;
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

static struct solver_run run_on_device(enum method m, double factor, struct setup *p, double shift,
                                       struct pcg_control control) {
  struct solver_run run = {.history = control.history};
  const struct pcg_grid g = solver_grid(p->g, shift);
  double *h2f = setup_to_device(p->g, p->g.h * p->g.h, p->f), *u = setup_to_device(p->g, 1, p->u);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(solver_call(m, &g, factor, h2f, u, control, &run.result), solver_functions[m]);
  run.ms = stopwatch_stop(watch);
  setup_from_device(p->g, u, p->u);
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
