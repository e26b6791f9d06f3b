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
  value = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
  // END(1)
  return value;
}

inline __device__ bool is_interior(int nx, int ny, int i, int j) {
  return 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
}

__global__ void inplace_naive_kernel(int nx, int ny, const float *h2f, float *u) {
  // TODO(1): find this thread's point; if it is interior, replace u by its step. (about 4 lines)
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (is_interior(nx, ny, i, j))
    u[i * nx + j] = gs_point(nx, i * nx + j, h2f, u);
  // END(1)
}

int gs_inplace_naive(int nx, int ny, const float *h2f, float *u) {
  // TODO(1): launch it. (2 lines)
  inplace_naive_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u);
  return 0;
  // END(1)
}

__global__ void masked_kernel(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(2): the same for the interior points of one colour only. (about 4 lines)
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
    u[i * nx + j] = gs_point(nx, i * nx + j, h2f, u);
  // END(2)
}

int gs_masked_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(2): launch it. (2 lines)
  masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
  return 0;
  // END(2)
}

int gs_sweep(int nx, int ny, const float *h2f, float *u) {
  // TODO(3): red, then black. (about 3 lines)
  const int part = gs_masked_half_sweep(nx, ny, 0, h2f, u);
  return part ? part : gs_masked_half_sweep(nx, ny, 1, h2f, u);
  // END(3)
}

enum { SUM_THREADS = 128 };

// One block per interior row i: row_sums[i-1] = sum of r² over the row's interior points.
__global__ void residual_kernel(int nx, double inv_h2, const float *f, const float *u, double *row_sums) {
  // TODO(3): each thread adds every SUM_THREADS-th column; then add their sums in pairs. (about 17 lines)
  __shared__ double partial[SUM_THREADS];
  const int i = blockIdx.x + 1, thread = threadIdx.x;
  double sum = 0;
  for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
    const int k = i * nx + j;
    const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
    const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
    sum += r * r;
  }
  partial[thread] = sum;
  for (int width = SUM_THREADS / 2; width > 0; width /= 2) {
    __syncthreads();
    if (thread < width)
      partial[thread] += partial[thread + width];
  }
  if (thread == 0)
    row_sums[i - 1] = partial[0];
  // END(3)
}

int residual_norm(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
                  double *norm) {
  // TODO(3): launch it, copy the rows' sums to the host, add them there in row order. (about 9 lines)
  const int rows = ny - 2;
  residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
  double *sums = (double *)malloc(rows * sizeof *sums), total = 0;
  CUDA_CHECK(cudaMemcpy(sums, row_sums, rows * sizeof *sums, cudaMemcpyDeviceToHost));
  for (int row = 0; row < rows; row++)
    total += sums[row];
  free(sums);
  *norm = sqrt(total);
  return 0;
  // END(3)
}

__global__ void jacobi_kernel(int nx, int ny, const float *h2f, const float *u, float *next) {
  // TODO(4): like the kernel of part 1, but write to next. (about 4 lines)
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (is_interior(nx, ny, i, j))
    next[i * nx + j] = gs_point(nx, i * nx + j, h2f, u);
  // END(4)
}

int jacobi_sweep(int nx, int ny, const float *h2f, const float *u, float *next) {
  // TODO(4): launch it. (2 lines)
  jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
  return 0;
  // END(4)
}
