/* Lab 05, norms on the device and on their way to the host. No part asks about them: read the declarations,
 * not the bodies. */
#pragma once

#include "cuda_check.h"

#include <math.h>

enum { NORM_SLOTS = 2 };
enum { SUM_THREADS = 256, SUM_BLOCKS = 1024, SUM_SPAN = 2048, SUM_FIRST = 32 };

/* ⌈count / per_block⌉ */
inline int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

/* count zeros on the device; the caller frees them. */
template <class T> static T *device_array(int count) {
  T *array;
  CUDA_CHECK(cudaMalloc((void **)&array, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(array, 0, count * sizeof(T)));
  return array;
}

/* *result = x·x, in an order that does not depend on the order in which blocks run. partial: work space of SUM_BLOCKS
 * doubles. All arrays are in device memory. */
static void sor_squares(int n, const double *x, double *partial, double *result);

/* Norms on their way to the host. */
struct norms {
  double *partial, *sum; /* device */
  double *arrived;       /* pinned host memory: only a copy to such memory is asynchronous */
  cudaEvent_t event[NORM_SLOTS];
};
static norms norms_open();
static void norms_close(norms *q);

/* Queues the norm of x and its copy to a slot, and returns at once. */
static void norms_queue(norms *q, int slot, int n, const double *x);

/* Returns that norm when it has arrived, whatever was queued after it. */
static double norms_wait(norms *q, int slot);

static double norm_now(norms *q, int n, const double *x);

/* --- the bodies --- */

inline int sum_blocks(int n) {
  const int blocks = blocks_for(n, SUM_SPAN);
  return blocks < SUM_BLOCKS ? blocks : SUM_BLOCKS;
}

/* *total = the sum of this block's terms. Term k belongs to thread k mod (threads of the launch), which adds its terms
 * in ascending order. Of each block, thread t < 32 adds the sums of threads t + 32, t + 64, … to its own, and thread 0
 * adds these 32 sums. The blocks' sums are added in the same way. */
static __device__ void add_terms(int n, const double *x, bool squared, double *total) {
  __shared__ double sum[SUM_THREADS];
  const int t = threadIdx.x;
  sum[t] = 0;
  for (int k = blockIdx.x * SUM_THREADS + t; k < n; k += gridDim.x * SUM_THREADS)
    sum[t] += squared ? x[k] * x[k] : x[k];
  __syncthreads();
  if (t < SUM_FIRST)
    for (int other = t + SUM_FIRST; other < SUM_THREADS; other += SUM_FIRST)
      sum[t] += sum[other];
  __syncthreads();
  if (t > 0)
    return;
  double all = 0;
  for (int first = 0; first < SUM_FIRST; first++)
    all += sum[first];
  *total = all;
}

static __global__ void squares_kernel(int n, const double *x, double *partial) {
  add_terms(n, x, true, partial + blockIdx.x);
}

static __global__ void squares_finish_kernel(int blocks, const double *partial, double *result) {
  add_terms(blocks, partial, false, result);
}

static void sor_squares(int n, const double *x, double *partial, double *result) {
  squares_kernel<<<sum_blocks(n), SUM_THREADS>>>(n, x, partial);
  squares_finish_kernel<<<1, SUM_THREADS>>>(sum_blocks(n), partial, result);
  CUDA_CHECK(cudaGetLastError());
}

static norms norms_open() {
  norms q;
  q.partial = device_array<double>(SUM_BLOCKS);
  q.sum = device_array<double>(NORM_SLOTS);
  CUDA_CHECK(cudaMallocHost((void **)&q.arrived, NORM_SLOTS * sizeof(double)));
  for (cudaEvent_t &event : q.event)
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return q;
}

static void norms_close(norms *q) {
  CUDA_CHECK(cudaFree(q->partial));
  CUDA_CHECK(cudaFree(q->sum));
  CUDA_CHECK(cudaFreeHost(q->arrived));
  for (cudaEvent_t event : q->event)
    CUDA_CHECK(cudaEventDestroy(event));
}

static void norms_queue(norms *q, int slot, int n, const double *x) {
  sor_squares(n, x, q->partial, q->sum + slot);
  CUDA_CHECK(cudaMemcpyAsync(q->arrived + slot, q->sum + slot, sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaEventRecord(q->event[slot]));
}

static double norms_wait(norms *q, int slot) {
  CUDA_CHECK(cudaEventSynchronize(q->event[slot]));
  return sqrt(q->arrived[slot]);
}

static double norm_now(norms *q, int n, const double *x) {
  norms_queue(q, 0, n, x);
  return norms_wait(q, 0);
}
