// Lab 01: the discrete Laplacian. stencil.h specifies what each function does.
#include "stencil.h"

#include "cuda_check.h"

inline int blocks_for(int points, int points_per_block) {
  return (points + points_per_block - 1) / points_per_block;
}

enum { SCALE_THREADS = 256 };

// One thread per element.
__global__ void scale_kernel(int count, float factor, const float *x, float *y) {
  // TODO(7): find the index of this thread's element; if there is such an element, write it. (about 3 lines)
  // END(7)
}

int scale(int count, float factor, const float *x, float *y) {
  // TODO(7): launch enough blocks of SCALE_THREADS threads for all elements. (about 2 lines)
  return 7;
  // END(7)
}

int csr_assemble(int nx, int ny, double inv_h2, double kappa2, int *row_start, int *column, double *value) {
  // TODO(1): fill the three arrays, row by row. (about 20 lines)
  return 1;
  // END(1)
}

// A u at one interior point. Every kernel calls it, so all of them round alike.
inline __device__ float apply_point(float u, float west, float east, float north, float south, float inv_h2,
                                    float kappa2) {
  float r = 0;
  // TODO(2): the five-point Laplacian, in the order of operations of stencil.h. (1 line)
  // END(2)
  // TODO(4): add the term with kappa2. (1 line)
  // END(4)
  return r;
}

enum { NAIVE_X = 32, NAIVE_Y = 8 };

// One thread per grid point, boundary included.
__global__ void naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
  // END(2)
}

int apply_naive(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
  return 2;
  // END(2)
}

enum { TILE_X = 32, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };

// One thread per interior unknown (my rows, mx columns). A block first loads its tile and a halo
// of one point.
__global__ void tiled_kernel(int mx, int my, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
  // END(3)
}

int apply_tiled(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
  return 3;
  // END(3)
}

// TODO(5): constants, a lane's part of one row, and its load. (about 30 lines)
// END(5)

// TODO(5): the store of a row, and four results from three rows. (about 29 lines)
// END(5)

// TODO(5): the kernel. (about 22 lines)
// END(5)

int apply_marching(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(5): launch it; take care when nx is not a multiple of four. (about 7 lines)
  return 5;
  // END(5)
}

// The host's side of one application: device memory, transfers, errors.
int apply_host(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
  return 6;
  // END(6)
}
