/* Lab 06, the host's side of every solve in pcg.cu. No part asks about it: read the declarations, not the bodies. A
 * solver calls solve_open, iterates if runs is true, and calls solve_close. Functions that return an int return 0 or
 * the part that is not written. Include pcg.h first. */
#pragma once

#include "cuda_check.h"

#include <math.h>

struct solve {
  const pcg_grid *g; /* the solver's arguments */
  const double *h2f;
  double *u;
  pcg_control control;
  pcg_result *result;
  int n;                 /* elements of a grid function */
  double *r;             /* a grid function on the device, zero at first: the residual */
  double *partial, *sum; /* on the device, for host_dot */
  double f_norm;         /* norm of h2f */
  bool runs;             /* false if the result is complete without an iteration */
};

static int residual(const solve *s); /* pcg.cu: s->r = h2f − A u */

/* ⌈count / per_block⌉ */
inline int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

/* count zeros on the device; the caller frees them. */
template <class T> static T *device_array(int count) {
  T *array;
  CUDA_CHECK(cudaMalloc((void **)&array, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(array, 0, count * sizeof(T)));
  return array;
}

/* Sets *s. If h2f is zero or not finite, the result is complete. */
static int solve_open(solve *s, const pcg_grid *g, const double *h2f, double *u, pcg_control control,
                      pcg_result *result);

/* Computes the residual of u anew, for the result, unless `part` says that something is not written. Frees. */
static int solve_close(solve *s, int part);

/* *value = x·y, on the host. */
static int host_dot(const solve *s, const double *x, const double *y, double *value);

/* Records r·r after an iteration, or before the first. Returns true to stop. */
static bool solve_add(solve *s, double square);

/* Returns false if a number that must be positive is not, and sets the status. */
static bool is_positive(solve *s, double value);

/* q = A p, for the comparison with a matrix. */
static void csr_multiply(const pcg_csr *a, const double *p, double *q);

/* --- the bodies --- */

static int host_dot(const solve *s, const double *x, const double *y, double *value) {
  const int part = s->control.dot(s->n, x, y, s->partial, s->sum);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(value, s->sum, sizeof *value, cudaMemcpyDeviceToHost));
  return part;
}

static int solve_open(solve *s, const pcg_grid *g, const double *h2f, double *u, pcg_control control,
                      pcg_result *result) {
  double square = 0;
  *s = {g, h2f, u, control, result, pcg_elements(g)};
  s->partial = device_array<double>(PCG_DOT_BLOCKS);
  s->sum = device_array<double>(1);
  s->r = device_array<double>(s->n);
  *result = {PCG_CONVERGED, 0, 0};
  if (const int part = host_dot(s, h2f, h2f, &square))
    return part;
  s->f_norm = sqrt(square);
  s->runs = isfinite(square) && square > 0;
  if (square == 0) {
    CUDA_CHECK(cudaMemset(u, 0, s->n * sizeof *u));
    if (control.history)
      control.history[0] = 0;
  } else if (!isfinite(square)) {
    result->status = PCG_NOT_FINITE;
    result->relative_residual = NAN;
  }
  return 0;
}

static int solve_close(solve *s, int part) {
  double square = 0;
  if (s->runs && !part) {
    part = residual(s);
    part = part ? part : host_dot(s, s->r, s->r, &square);
    s->result->relative_residual = sqrt(square) / s->f_norm;
  }
  for (double *array : {s->r, s->partial, s->sum})
    CUDA_CHECK(cudaFree(array));
  return part;
}

static bool solve_add(solve *s, double square) {
  pcg_result *result = s->result;
  const double relative = sqrt(square) / s->f_norm;
  if (s->control.history)
    s->control.history[result->iterations] = relative;
  result->status = relative <= s->control.tolerance ? PCG_CONVERGED
                   : isfinite(relative)             ? PCG_LIMIT
                                                    : PCG_NOT_FINITE;
  return result->status != PCG_LIMIT || result->iterations >= s->control.limit;
}

static bool is_positive(solve *s, double value) {
  if (!(value > 0 && isfinite(value)))
    s->result->status = isfinite(value) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
  return value > 0 && isfinite(value);
}

/* A block multiplies the entries of its rows in the order of memory, so that neighbouring threads read neighbouring
 * entries; then each thread adds the products of one row. */
enum { CSR_ROWS = 256 };

static __global__ void csr_kernel(pcg_csr a, const double *p, double *q) {
  __shared__ double product[PCG_ROW_ENTRIES * CSR_ROWS];
  const int first_row = blockIdx.x * CSR_ROWS, rows = min(CSR_ROWS, a.rows - first_row);
  const int *start = a.row_start + first_row;
  const int t = threadIdx.x;
  const int first = start[0], count = start[rows] - first;
  for (int e = t; e < count; e += CSR_ROWS)
    product[e] = a.value[first + e] * p[a.column[first + e]];
  __syncthreads();
  if (t >= rows)
    return;
  double row_sum = 0;
  for (int e = start[t] - first; e < start[t + 1] - first; e++)
    row_sum += product[e];
  q[first_row + t] = row_sum;
}

static void csr_multiply(const pcg_csr *a, const double *p, double *q) {
  csr_kernel<<<blocks_for(a->rows, CSR_ROWS), CSR_ROWS>>>(*a, p, q);
}
