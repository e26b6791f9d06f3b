/* Lab 07, given: lab 02's half-sweep of red-black Gauss-Seidel in double, one thread per point of the grid. */
#pragma once

enum { BLOCK_X = 32, BLOCK_Y = 8 };

inline int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

/* One thread per point of n x n, boundary included, in blocks of BLOCK_X x BLOCK_Y threads. */
inline dim3 grid_for(int n) { return dim3(blocks_for(n, BLOCK_X), blocks_for(n, BLOCK_Y)); }

inline __device__ bool is_interior(int n, int i, int j) { return 0 < i && i < n - 1 && 0 < j && j < n - 1; }

/* The step of Gauss-Seidel at the interior point with index k. */
inline __device__ double relaxed(int n, int k, const double *h2f, const double *u) {
  return (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] + h2f[k]) * 0.25;
}

static __global__ void half_sweep_kernel(int n, int colour, const double *h2f, double *u) {
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (is_interior(n, i, j) && ((i + j) & 1) == colour)
    u[i * n + j] = relaxed(n, i * n + j, h2f, u);
}

/* Replaces u at the points of one colour. */
static void half_sweep(int n, int colour, const double *h2f, double *u, cudaStream_t stream) {
  half_sweep_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, colour, h2f, u);
}
