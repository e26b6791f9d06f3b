// Writes nothing, a constant, NaN, infinity, or what an earlier run left in device memory.
// with: NOTHING CONSTANT NAN INFINITE OLD
#include "compressed.h"
#define NOTHING 1
#define CONSTANT 2
#define NAN 3
#define INFINITE 4
#define OLD 5
// points: 10
// base: none
__global__ void fill(int count, unsigned bits, unsigned *u) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x)
    u[k] = bits;
}
__global__ void copy(int count, const unsigned *old, unsigned *u) {
  for (int k = threadIdx.x; k < count; k += blockDim.x)
    u[k] = old[k];
}
static void fill_all(int count, void *u) {
  unsigned *old;
  if (WITH == CONSTANT)
    fill<<<8, 256>>>(count, 0, (unsigned *)u);
  if (WITH == NAN)
    fill<<<8, 256>>>(count, 0x7fc00000, (unsigned *)u);
  if (WITH == INFINITE)
    fill<<<8, 256>>>(count, 0x7f800000, (unsigned *)u);
  if (WITH == OLD && cudaMalloc((void **)&old, 4 * count) == cudaSuccess)
    copy<<<1, 256>>>(count, old, (unsigned *)u);
}
int compressed_columns(int nx, int ny, int, int *columns) {
  return fill_all(ny * ((nx + 1) / 2), columns), 0;
}
int launch_geometry(int nx, int ny, int block[2], int grid[2]) {
  block[0] = 32, block[1] = 8;
  grid[0] = ((nx + 1) / 2 + 31) / 32, grid[1] = (ny + 7) / 8;
  return 0;
}
int gs_compressed_half_sweep(int nx, int ny, int, const float *, float *u) { return fill_all(nx * ny, u), 0; }
int gs_walk_half_sweep(int nx, int ny, int, int, const float *, float *u) { return fill_all(nx * ny, u), 0; }
