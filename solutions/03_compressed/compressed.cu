// Lab 03: one thread per point of one colour. compressed.h specifies what each function does.
#include "compressed.h"

inline int blocks_for(int points, int points_per_block) {
  return (points + points_per_block - 1) / points_per_block;
}

// The column, in row i, of the point of a colour with compressed index jh.
inline __device__ int compressed_j(int i, int jh, int colour) {
  int j = 0;
  // TODO(1): from the parities of row and colour, without a branch. (1 line)
  j = 2 * jh + ((i + colour) & 1);
  // END(1)
  return j;
}

// One block per row.
__global__ void columns_kernel(int width, int colour, int *columns) {
  const int i = blockIdx.x;
  for (int jh = threadIdx.x; jh < width; jh += blockDim.x)
    columns[i * width + jh] = compressed_j(i, jh, colour);
}

int compressed_columns(int nx, int ny, int colour, int *columns) {
  // TODO(1): launch columns_kernel with 32 threads per block and the width that compressed.h states. (2 lines)
  columns_kernel<<<ny, 32>>>(blocks_for(nx, 2), colour, columns);
  return 0;
  // END(1)
}

int launch_geometry(int nx, int ny, int block[2], int grid[2]) {
  // TODO(2): blocks of 256 threads, 32 along the row; round the number of blocks up. (about 5 lines)
  block[0] = 32;
  block[1] = 8;
  grid[0] = blocks_for(blocks_for(nx, 2), block[0]);
  grid[1] = blocks_for(ny, block[1]);
  return 0;
  // END(2)
}

__global__ void compressed_kernel(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
  const int jh = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = compressed_j(i, jh, colour), k = i * nx + j;
  if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
    u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
  // END(3)
}

int gs_compressed_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(3): launch it with launch_geometry's blocks; if that returns a part, return it. (about 6 lines)
  int block[2], grid[2];
  if (const int part = launch_geometry(nx, ny, block, grid))
    return part;
  compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
  return 0;
  // END(3)
}

// --- few warps that walk along rows ---

enum { LANES = 32, WALK_WARPS = 2 }; // WALK_WARPS: warps of a block

// The bound lets ptxas use more registers, so that it keeps the loads together.
__global__ void __launch_bounds__(LANES *WALK_WARPS, 1)
    walk_kernel(int nx, int ny, int colour, const float *h2f, float *u) {
  // TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
  // the values of all of them before you compute the first. (about 24 lines)
  enum { POINTS = 4 };
  for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
    for (int first = threadIdx.x; first < nx / 2; first += LANES * POINTS) {
      float west[POINTS], east[POINTS], north[POINTS], south[POINTS], source[POINTS];
#pragma unroll
      for (int n = 0; n < POINTS; n++) { // a point past the last one loads what the last one loads
        const int k = i * nx + compressed_j(i, min(first + n * LANES, nx / 2 - 1), colour);
        west[n] = u[k - 1];
        east[n] = u[k + 1];
        north[n] = u[k - nx];
        south[n] = u[k + nx];
        source[n] = h2f[k];
      }
#pragma unroll
      for (int n = 0; n < POINTS; n++) {
        const int j = compressed_j(i, first + n * LANES, colour);
        if (0 < j && j < nx - 1)
          u[i * nx + j] = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
      }
    }
  // END(4)
}

int gs_walk_half_sweep(int nx, int ny, int colour, int blocks, const float *h2f, float *u) {
  // TODO(4): launch it with this number of blocks, of LANES × WALK_WARPS threads. (2 lines)
  walk_kernel<<<blocks, dim3(LANES, WALK_WARPS)>>>(nx, ny, colour, h2f, u);
  return 0;
  // END(4)
}
