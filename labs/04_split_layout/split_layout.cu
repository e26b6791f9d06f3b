// Lab 04: one array per colour, wide loads, tiles. split_layout.h specifies what each function does.
#include "split_layout.h"

#include <cuda_pipeline.h>

enum { RED, BLACK }; // colours

inline int blocks_for(int points, int points_per_block) {
  return (points + points_per_block - 1) / points_per_block;
}

// --- between the layouts ---

enum { POINT_X = 32, POINT_Y = 8 }; // a block's threads, one place (i, jh) each

// Columns 2 jh and 2 jh + 1 of row i: one is red, one is black.
__global__ void pack_kernel(int nx, int ny, int pitch, const float *u, float *red, float *black) {
  // TODO(1): read both columns, 0 past the row's end; write both colours. (about 9 lines)
  // END(1)
}

__global__ void unpack_kernel(int nx, int ny, int pitch, const float *red, const float *black, float *u) {
  // TODO(1): the inverse of pack_kernel. (about 9 lines)
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

// --- one point per thread ---

// One point's new value. Every kernel calls it, so all of them round alike.
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

// --- four points per thread ---

enum { LANES = 32, FOUR = 4, WARP_POINTS = LANES * FOUR, FLOAT4_Y = 8 };

inline __device__ float4 load_four(const float *p) { return *reinterpret_cast<const float4 *>(p); }
inline __device__ void store_four(float *p, float4 v) { *reinterpret_cast<float4 *>(p) = v; }

// Four points read five values of the other colour from their own row. This is the value that the lane's
// float4 lacks: the one after it if odd, which is (i + colour) & 1, is 1, and the one before it if odd is 0.
// The lane at that end of the warp gets its own value back.
inline __device__ float fifth_of(float4 centre, int odd) {
  float fifth = 0;
  // TODO(3): ask the neighbouring lane; all 32 lanes take part. (1 line)
  // END(3)
  return fifth;
}

// New values of four points, from the other colour at the same indices in rows i, i-1, i+1, and
// the fifth value.
inline __device__ float4 gs_four(int odd, float fifth, float4 centre, float4 north, float4 south,
                                 float4 h2f) {
  float4 u = {};
  // TODO(3): west and east are centre, and centre moved by one place; gs_point four times. (about 6 lines)
  // END(3)
  return u;
}

__global__ void float4_kernel(int nx, int ny, int pitch, int colour, const float *__restrict__ h2f,
                              const float *__restrict__ other, float *__restrict__ u) {
  // TODO(3): load four points; the lane at the end also loads its fifth value; then store. (about 24 lines)
  // END(3)
}

int gs_split_float4(int nx, int ny, int pitch, int colour, const float *h2f, const float *other, float *u) {
  // TODO(3): launch it. (about 4 lines)
  return 3;
  // END(3)
}

// --- a matrix product, an entry per thread ---

struct product {
  int m, n, k;
  const float *a, *b;
  float *c;
};

enum { NAIVE = 16 }; // a block's threads: NAIVE x NAIVE

__global__ void naive_kernel(product p) {
  // TODO(4): one entry of C: threadIdx.x runs along its row. (about 8 lines)
  // END(4)
}

int sgemm_naive(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(4): launch a thread for every entry of C. (about 4 lines)
  return 4;
  // END(4)
}

// --- tiles of a matrix product ---

// A block computes a TILE x TILE tile of C from tiles of A, TILE_K wide, and of B, TILE_K high. Its 256
// threads have two roles. As movers, each loads one float4 of each tile. As 16 x 16 calculators, each owns 8
// x 8 entries of C. THEORY.md draws both.
enum { TILE = 128, TILE_K = 8, TILE_THREADS = 256, CALCULATORS = 16, HALF_TILE = TILE / 2 };

// Extra floats per row of A's tile.
constexpr int padding() {
  int floats = 0;
  // TODO(4): a multiple of four that puts the movers' 32 stores into different banks. (1 line)
  // END(4)
  return floats;
}

// A is transposed, so that a calculator reads both tiles at a fixed k.
struct tiles {
  float a[TILE_K][TILE + padding()], b[TILE_K][TILE];
};

// A thread's places within the tiles. As a mover: the row and the first column of its four entries. As a calculator:
// the first row and column of C's tile that it owns; it owns four from there, and four half a tile further on.
struct places {
  int a_row, a_column, b_row, b_column, c_row, c_column;
};
inline __device__ places my_places() {
  places me = {};
  // TODO(4): the pictures of the mover and the calculator in THEORY.md. (6 lines)
  // END(4)
  return me;
}

// Entries (row, column) to (row, column + 3) of a matrix, 0 past its end. ALIGNED: the length of a
// row is a multiple of four.
template <bool ALIGNED>
inline __device__ float4 load_entries(const float *matrix, int rows, int columns, int row, int column) {
  float4 v = {};
  // TODO(4): one float4, or four floats. (about 9 lines)
  // END(4)
  return v;
}

// A mover's four entries of A become four of a column.
inline __device__ void put_a(tiles &tiles, const places &me, float4 v) {
  // TODO(4): into columns a_row of four rows. (4 lines)
  // END(4)
}

// sums += the calculator's part of the product of the tiles.
inline __device__ void calculate(const tiles &tiles, const places &me, float (&sums)[8][8]) {
  // TODO(4): for each k eight entries of each tile and 64 fmaf, all loops unrolled. (about 14 lines)
  // END(4)
}

template <bool ALIGNED>
inline __device__ void store_sums(const product &p, const places &me, const float (&sums)[8][8]) {
  // TODO(4): eight rows of two times four entries; none outside C. (about 16 lines)
  // END(4)
}

template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) tile_kernel(product p) {
  // TODO(4): tile by tile: put, barrier, load the next, calculate, barrier; then store. (about 16 lines)
  // END(4)
}

int sgemm_tile(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(4): launch it; take care when the length of a row is not a multiple of four. (about 7 lines)
  return 4;
  // END(4)
}

// cp.async copies a tile of B from global to shared memory without registers. A must be transposed on the
// way, so it passes through registers.
template <bool ALIGNED>
inline __device__ void copy_b(const product &p, const places &me, int k, tiles &tiles) {
  // TODO(5): the mover's four entries, by __pipeline_memcpy_async; 0 past B's end. (about 9 lines)
  // END(5)
}

template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) pipelined_kernel(product p) {
  // TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
  // END(5)
}

int sgemm_pipelined(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(5): launch it. (about 7 lines)
  return 5;
  // END(5)
}

// --- T sweeps in one pass ---

// TODO(6): the arrays; for T sweeps, the lanes of the halo, the places of a warp and the rows in use. (about 29 lines)
// END(6)

// TODO(6): a lane's four places, the rows that it stores, and its boundary points. (about 28 lines)
// END(6)

// TODO(6): request row i of h2f and u by cp.async; each lane copies for itself. (about 20 lines)
// END(6)

// TODO(6): one step: every half-sweep updates its row. (about 30 lines)
// END(6)

// TODO(6): the kernel walks down its rows, two steps per turn. (about 30 lines)
// END(6)

// TODO(6): as many blocks as the device holds at once. (about 14 lines)
// END(6)

int gs_fused(int nx, int ny, int pitch, int sweeps, const float *h2f_red, const float *h2f_black,
             const float *red, const float *black, float *red_out, float *black_out) {
  // TODO(6): launch it; the number of sweeps is a template parameter. (about 6 lines)
  return 6;
  // END(6)
}
