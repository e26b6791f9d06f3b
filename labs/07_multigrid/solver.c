#include "solver.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "stopwatch.h"

#include <math.h>
#include <stdlib.h>

const char *const solver_names[] = {[CYCLE] = "cycle", [MGCG] = "mgcg", [CG] = "cg", NULL};

int solver_size(const char *what, int n) {
  if (n < MG_MIN || n > MG_MAX || ((n - 1) & (n - 2)) != 0)
    error_die(
        "%s: expected 2^k + 1 points per side, from %d to %d, such as 65 or 129: each coarser level halves the "
        "number of intervals",
        what, MG_MIN, MG_MAX);
  return n;
}

int solver_levels(int n) {
  int count = 1;
  for (; n > MG_MIN; n = n / 2 + 1)
    count++;
  return count;
}

static size_t bytes_of(int n) { return (size_t)n * (size_t)n * sizeof(double); }

static double *zeros(size_t bytes) {
  double *array;
  CUDA_CHECK(cudaMalloc((void **)&array, bytes));
  CUDA_CHECK(cudaMemset(array, 0, bytes));
  return array;
}

struct mg_level solver_level(int n) {
  return (struct mg_level){n, zeros(bytes_of(n)), zeros(bytes_of(n)), zeros(bytes_of(n))};
}

void solver_level_free(const struct mg_level *level) {
  CUDA_CHECK(cudaFree(level->h2f));
  CUDA_CHECK(cudaFree(level->u));
  CUDA_CHECK(cudaFree(level->r));
}

struct solver solver_open(int n) {
  struct solver s = {.count = solver_levels(n)};
  CUDA_CHECK(cudaStreamCreate(&s.stream));
  s.v = (struct mg_vectors){zeros(bytes_of(n)), zeros(bytes_of(n)), zeros(bytes_of(n)),
                            zeros((MG_BLOCKS + 1) * sizeof(double))};
  for (int l = 0; l < s.count; l++, n = n / 2 + 1)
    s.level[l] = solver_level(n);
  return s;
}

void solver_close(struct solver *s) {
  for (int l = 0; l < s->count; l++)
    solver_level_free(&s->level[l]);
  CUDA_CHECK(cudaFree(s->v.x));
  CUDA_CHECK(cudaFree(s->v.p));
  CUDA_CHECK(cudaFree(s->v.q));
  CUDA_CHECK(cudaFree(s->v.partial));
  if (s->graph)
    CUDA_CHECK(cudaGraphExecDestroy(s->graph));
  CUDA_CHECK(cudaStreamDestroy(s->stream));
}

void solver_put(const struct solver *s, double *array, int n, double factor, const double *values) {
  const struct grid g = grid_make(n, n);
  double *scaled = allocate_zeroed(grid_points(g), sizeof *scaled);
  for (int i = 1; values && i < n - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, n - 1); k++)
      scaled[k] = factor * values[k];
  CUDA_CHECK(cudaMemcpyAsync(array, scaled, bytes_of(n), cudaMemcpyHostToDevice, s->stream));
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
  free(scaled);
}

void solver_get(const struct solver *s, const double *array, int n, double *values) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(values, array, bytes_of(n), cudaMemcpyDeviceToHost, s->stream));
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
}

int solver_record(struct solver *s) {
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal));
  const int part = mg_cycle(s->level, s->count, MG_RED, s->stream);
  CUDA_CHECK(cudaStreamEndCapture(s->stream, &graph));
  if (!part)
    CUDA_CHECK(cudaGraphInstantiate(&s->graph, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return part;
}

int solver_cycle(const struct solver *s) {
  if (!s->graph)
    return mg_cycle(s->level, s->count, MG_RED, s->stream);
  CUDA_CHECK(cudaGraphLaunch(s->graph, s->stream));
  return 0;
}

/* --- solve --- */

static double norm_of(const struct solver *s, const double *x) {
  const int n = s->level->n;
  return sqrt(mg_dot(n * n, x, x, s->v.partial, s->stream));
}

static int residual_norm(const struct solver *s, double *norm) {
  const struct mg_level *top = s->level;
  const int part = mg_residual(top->n, top->h2f, top->u, top->r, s->stream);
  *norm = norm_of(s, top->r);
  return part;
}

static int solve_by_cycles(const struct solver *s, struct mg_control control, double f_norm,
                           int *iterations) {
  for (*iterations = 0;; ++*iterations) {
    double norm;
    int part = residual_norm(s, &norm);
    const double relative = norm / f_norm;
    control.history[*iterations] = relative;
    if (part || relative <= control.tolerance || !isfinite(relative) || *iterations >= control.limit)
      return part;
    part = solver_cycle(s);
    CUDA_CHECK(cudaGetLastError());
    if (part)
      return part;
  }
}

static int solve_by_cg(const struct solver *s, enum method m, struct mg_control control, int *iterations) {
  const size_t bytes = bytes_of(s->level->n);
  CUDA_CHECK(cudaMemsetAsync(s->v.x, 0, bytes, s->stream));
  CUDA_CHECK(cudaMemsetAsync(s->v.p, 0, bytes, s->stream));
  return mg_cg(s->level, m == MGCG ? s->count : 0, s->v, control, iterations, s->stream);
}

int solver_solve(struct solver *s, enum method m, struct mg_control control, struct solver_run *run) {
  const double f_norm = norm_of(s, s->level->h2f);
  *run = (struct solver_run){.converged = true};
  control.history[0] = 0;
  CUDA_CHECK(cudaMemsetAsync(s->v.x, 0, bytes_of(s->level->n), s->stream));
  if (f_norm == 0) {
    CUDA_CHECK(cudaMemsetAsync(s->level->u, 0, bytes_of(s->level->n), s->stream));
    return 0;
  }
  const struct stopwatch watch = stopwatch_start();
  const int part = m == CYCLE ? solve_by_cycles(s, control, f_norm, &run->iterations)
                              : solve_by_cg(s, m, control, &run->iterations);
  run->ms = stopwatch_stop(watch);
  run->relative_residual = control.history[run->iterations];
  run->converged = run->relative_residual <= control.tolerance;
  return part;
}

double *solver_solution(const struct solver *s, enum method m) { return m == CYCLE ? s->level->u : s->v.x; }
