// Style: a whole file: other kernel names, a kernel for each colour by a template, launched by pointer.
#include "compressed.h"

#include <cuda_runtime.h>

namespace {

struct Shape {
  dim3 block{32, 4}, grid;
  Shape(int nx, int ny) : grid(((nx + 1) / 2 + 31) / 32, (ny + 3) / 4) {}
};

struct Point {
  int row, column;
  __device__ Point(int row, int number, int colour) : row(row), column(number * 2 + ((row + colour) & 1)) {}
  __device__ bool interior(int nx, int ny) const {
    return min(row, column) > 0 && row < ny - 1 && column < nx - 1;
  }
};

__global__ void tabulate(int width, int total, int colour, int *columns) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < total; k += gridDim.x * blockDim.x)
    columns[k] = Point(k / width, k % width, colour).column;
}

template <int COLOUR> __global__ void relax(int nx, int ny, const float *h2f, float *u) {
  const Point at(blockIdx.y * blockDim.y + threadIdx.y, blockIdx.x * blockDim.x + threadIdx.x, COLOUR);
  if (!at.interior(nx, ny))
    return;
  const int k = at.row * nx + at.column;
  u[k] = ((((u[k - 1] + u[k + 1]) + u[k - nx]) + u[k + nx]) + h2f[k]) * 0.25f;
}

// Two rows of points per warp and step instead of several points of a row.
template <int COLOUR> __global__ void stroll(int nx, int ny, const float *h2f, float *u) {
  const int warps = 2 * gridDim.x, warp = 2 * blockIdx.x + threadIdx.y;
  for (int row = 1 + warp; row < ny - 1; row += 2 * warps)
    for (int number = threadIdx.x; number < nx / 2; number += 32) {
      const Point first(row, number, COLOUR), second(min(row + warps, ny - 2), number, COLOUR);
      const int k = first.row * nx + first.column, l = second.row * nx + second.column;
      const float west = u[k - 1], east = u[k + 1], north = u[k - nx], south = u[k + nx], f = h2f[k];
      const float west2 = u[l - 1], east2 = u[l + 1], north2 = u[l - nx], south2 = u[l + nx], f2 = h2f[l];
      if (first.interior(nx, ny))
        u[k] = ((((west + east) + north) + south) + f) * 0.25f;
      if (row + warps < ny - 1 && second.interior(nx, ny))
        u[l] = ((((west2 + east2) + north2) + south2) + f2) * 0.25f;
    }
}

} // namespace

int compressed_columns(int nx, int ny, int colour, int *columns) {
  const int width = (nx + 1) / 2, total = ny * width, blocks = min((total + 127) / 128, 528);
  tabulate<<<blocks, 128>>>(width, total, colour, columns);
  return 0;
}

int launch_geometry(int nx, int ny, int block[2], int grid[2]) {
  const Shape shape(nx, ny);
  block[0] = shape.block.x, block[1] = shape.block.y;
  grid[0] = shape.grid.x, grid[1] = shape.grid.y;
  return 0;
}

int gs_compressed_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  const Shape shape(nx, ny);
  void *arguments[] = {&nx, &ny, &h2f, &u};
  const void *kernel = colour ? (const void *)relax<1> : (const void *)relax<0>;
  cudaLaunchKernel(kernel, shape.grid, shape.block, arguments, 0, 0);
  return 0;
}

int gs_walk_half_sweep(int nx, int ny, int colour, int blocks, const float *h2f, float *u) {
  (colour ? stroll<1> : stroll<0>)<<<blocks, dim3(32, 2)>>>(nx, ny, h2f, u);
  return 0;
}
