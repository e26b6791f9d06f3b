// Lab 04: one array per colour, wide loads, tiles. split_layout.h says what each function promises.
#include "split_layout.h"

#include <cuda_pipeline.h>

enum { RED, BLACK }; // colours

inline int blocks_for(int points, int points_per_block) {
  return (points + points_per_block - 1) / points_per_block;
}

// --- between the layouts ---

enum { POINT_X = 32, POINT_Y = 8 }; // threads of a block with one place (i, jh) each

// Columns 2 jh and 2 jh + 1 of row i: one is red, one is black.
__global__ void pack_kernel(int nx, int ny, int pitch, const float *u, float *red, float *black) {
  // TODO(1): read both columns, 0 beyond the row's end; write both colours. (about 9 lines)
  // END(1)
}

__global__ void unpack_kernel(int nx, int ny, int pitch, const float *red, const float *black, float *u) {
  // TODO(1): the way back. (about 9 lines)
  // END(1)
}

int split_pack(int nx, int ny, int pitch, const float *u, float *red, float *black) {
  // TODO(1): launch a thread for every place (i, jh), padding included. (about 4 lines)
  return 1;
  // END(1)
}

int split_unpack(int nx, int ny, int pitch, const float *red, const float *black, float *u) {
  // TODO(1): launch it. (about 4 lines)
  return 1;
  // END(1)
}

// --- one point a thread ---

// One point's new value. Every kernel calls it, so that all of them round alike.
inline __device__ float gs_point(float west, float east, float north, float south, float h2f) {
  float u = 0;
  // TODO(2): in the order of operations of split_layout.h. (1 line)
  // END(2)
  return u;
}

// The place of the west neighbour in the other colour's array; the east one follows it.
inline __host__ __device__ int left_index(int i, int jh, int colour, int pitch) {
  int left = 0;
  // TODO(2): without a branch. (1 line)
  // END(2)
  return left;
}

int split_left(int ny, int pitch, int colour, int *left) {
  // TODO(2): for every place. (about 4 lines)
  return 2;
  // END(2)
}

__global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
                                  float *u) {
  // TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
  // END(2)
}

int gs_split_half_sweep(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
                        float *u) {
  // TODO(2): launch it. (about 4 lines)
  return 2;
  // END(2)
}

// --- four points a thread ---

// TODO(3): constants, helpers and kernel of the float4 version. (about 50 lines)
// END(3)

int gs_split_float4(int nx, int ny, int pitch, int colour, const float *h2f, const float *other, float *u) {
  // TODO(3): launch it. (about 4 lines)
  return 3;
  // END(3)
}

// --- T sweeps in one pass ---

// --- tiles of a matrix product ---

// A block makes a TILE x TILE tile of C from tiles of A and B that are TILE_K wide and high. Its 256 threads
// are movers, one float4 of each tile a thread, and calculators: 16 x 16 threads, each 8 x 8 entries of C.
enum { TILE = 128, TILE_K = 8, TILE_THREADS = 256, CALCULATORS = 16, HALF_TILE = TILE / 2 };

struct product {
  int m, n, k;
  const float *a, *b;
  float *c;
};

// TODO(4): tiles, mover, calculator and kernel. (about 75 lines)
// END(4)

int sgemm_tile(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(4): launch it; rows that are no multiples of four need care. (about 7 lines)
  return 4;
  // END(4)
}

// TODO(5): the mover with cp.async, and the kernel with two tiles in turn. (about 35 lines)
// END(5)

int sgemm_pipelined(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(5): launch it. (about 7 lines)
  return 5;
  // END(5)
}

// --- T sweeps in one pass ---

// TODO(6): constants, helpers and kernel of the fused version. (about 120 lines)
// END(6)

int gs_fused(int nx, int ny, int pitch, int sweeps, const float *h2f_red, const float *h2f_black,
             const float *red, const float *black, float *red_out, float *black_out) {
  // TODO(6): launch it; the number of sweeps is a template parameter. (about 6 lines)
  return 6;
  // END(6)
}
