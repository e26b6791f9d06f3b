// Lab 02: parallel Gauss-Seidel, the slow way. masked_redblack.h specifies what each function does.
#include "masked_redblack.h"

#include "cuda_check.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_X = 32, BLOCK_Y = 8 };

inline int blocks_for(int points, int points_per_block) {
  return (points + points_per_block - 1) / points_per_block;
}

// One thread per grid point, boundary included.
inline dim3 grid_for(int nx, int ny) { return dim3(blocks_for(nx, BLOCK_X), blocks_for(ny, BLOCK_Y)); }

// One step of Gauss-Seidel at the interior point with index k. Every kernel calls it, so all of
// them round alike.
inline __device__ float gs_point(int nx, int k, const float *h2f, const float *u) {
  float value = 0;
  // TODO(1): the step, in the order of operations of masked_redblack.h. (1 line)
  // END(1)
  return value;
}

inline __device__ bool is_interior(int nx, int ny, int i, int j) {
  return 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
}

__global__ void inplace_naive_kernel(int nx, int ny, const float *h2f, float *u) {
  // TODO(1): find this thread's point; if it is interior, replace u by its step. (about 4 lines)
  // END(1)
}

int gs_inplace_naive(int nx, int ny, const float *h2f, float *u) {
  // TODO(1): launch it. (2 lines)
  return 1;
  // END(1)
}

__global__ void masked_kernel(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(2): the same for the interior points of one colour only. (about 4 lines)
  // END(2)
}

int gs_masked_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(2): launch it. (2 lines)
  return 2;
  // END(2)
}

int gs_sweep(int nx, int ny, const float *h2f, float *u) {
  // TODO(3): red, then black. (about 3 lines)
  return 3;
  // END(3)
}

enum { SUM_THREADS = 128 };

// One block per interior row i: row_sums[i-1] = sum of r² over the row's interior points.
__global__ void residual_kernel(int nx, double inv_h2, const float *f, const float *u, double *row_sums) {
  // TODO(3): each thread adds every SUM_THREADS-th column; then add their sums in pairs. (about 17 lines)
  // END(3)
}

int residual_norm(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
                  double *norm) {
  // TODO(3): launch it, copy the rows' sums to the host, add them there in row order. (about 9 lines)
  return 3;
  // END(3)
}

__global__ void jacobi_kernel(int nx, int ny, const float *h2f, const float *u, float *next) {
  // TODO(4): like the kernel of part 1, but write to next. (about 4 lines)
  // END(4)
}

int jacobi_sweep(int nx, int ny, const float *h2f, const float *u, float *next) {
  // TODO(4): launch it. (2 lines)
  return 4;
  // END(4)
}
