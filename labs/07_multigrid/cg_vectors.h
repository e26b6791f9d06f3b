/* Lab 07, given: the operations of lab 06 on vectors, plain, for the loop of part 5. */
#pragma once

#include "cuda_check.h"
#include "smoother.h"

#include <math.h>

enum { THREADS = 256 };

/* The sum over a block, in thread 0. */
static __device__ double block_sum(double value) {
  __shared__ double sums[THREADS];
  sums[threadIdx.x] = value;
  for (int width = THREADS / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width)
      sums[threadIdx.x] += sums[threadIdx.x + width];
  }
  return sums[0];
}

/* Each block multiplies `span` elements. */
static __global__ void dot_kernel(int count, int span, const double *x, const double *y, double *partial) {
  const int first = blockIdx.x * span, end = min(first + span, count);
  double products = 0;
  for (int element = first + threadIdx.x; element < end; element += THREADS)
    products = fma(x[element], y[element], products);
  products = block_sum(products);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = products;
}

static __global__ void dot_finish_kernel(int count, const double *partial, double *result) {
  double mine = 0;
  for (int part = 0; part < MG_BLOCKS / THREADS; part++)
    if (part * THREADS + threadIdx.x < count)
      mine += partial[part * THREADS + threadIdx.x];
  const double all = block_sum(mine);
  if (threadIdx.x == 0)
    *result = all;
}

double mg_dot(int count, const double *x, const double *y, double *partial, cudaStream_t stream) {
  const int least = blocks_for(count, MG_BLOCKS), span = least < 8 * THREADS ? 8 * THREADS : least;
  const int blocks = blocks_for(count, span);
  double result;
  dot_kernel<<<blocks, THREADS, 0, stream>>>(count, span, x, y, partial + 1);
  dot_finish_kernel<<<1, THREADS, 0, stream>>>(blocks, partial + 1, partial);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(&result, partial, sizeof result, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return result;
}

static __global__ void combine_kernel(int count, double a, const double *x, double b, double *y) {
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k < count)
    y[k] = a * x[k] + b * y[k];
}

/* y = a·x + b·y */
static void combine(int count, double a, const double *x, double b, double *y, cudaStream_t stream) {
  combine_kernel<<<blocks_for(count, THREADS), THREADS, 0, stream>>>(count, a, x, b, y);
}

/* Keeps the relative residual of iteration k. Returns true to stop. */
static bool keep(mg_control control, int k, double relative) {
  control.history[k] = relative;
  return relative <= control.tolerance || !isfinite(relative) || k >= control.limit;
}
