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
  const int jh = blockIdx.x * POINT_X + threadIdx.x;
  const int i = blockIdx.y * POINT_Y + threadIdx.y;
  if (i >= ny || jh >= pitch)
    return;
  const int j = 2 * jh, k = i * pitch + jh;
  const float even = j < nx ? u[i * nx + j] : 0;
  const float odd = j + 1 < nx ? u[i * nx + j + 1] : 0;
  red[k] = i & 1 ? odd : even;
  black[k] = i & 1 ? even : odd;
  // END(1)
}

__global__ void unpack_kernel(int nx, int ny, int pitch, const float *red, const float *black, float *u) {
  // TODO(1): the inverse of pack_kernel. (about 9 lines)
  const int jh = blockIdx.x * POINT_X + threadIdx.x;
  const int i = blockIdx.y * POINT_Y + threadIdx.y;
  if (i >= ny || jh >= pitch)
    return;
  const int j = 2 * jh, k = i * pitch + jh;
  if (j < nx)
    u[i * nx + j] = i & 1 ? black[k] : red[k];
  if (j + 1 < nx)
    u[i * nx + j + 1] = i & 1 ? red[k] : black[k];
  // END(1)
}

int split_pack(int nx, int ny, int pitch, const float *u, float *red, float *black) {
  // TODO(1): launch a thread for every place (i, jh), padding included. (about 4 lines)
  const dim3 block(POINT_X, POINT_Y);
  const dim3 grid(blocks_for(pitch, POINT_X), blocks_for(ny, POINT_Y));
  pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
  return 0;
  // END(1)
}

int split_unpack(int nx, int ny, int pitch, const float *red, const float *black, float *u) {
  // TODO(1): launch it. (about 4 lines)
  const dim3 block(POINT_X, POINT_Y);
  const dim3 grid(blocks_for(pitch, POINT_X), blocks_for(ny, POINT_Y));
  unpack_kernel<<<grid, block>>>(nx, ny, pitch, red, black, u);
  return 0;
  // END(1)
}

// --- one point per thread ---

// One point's new value. Every kernel calls it, so all of them round alike.
inline __device__ float gs_point(float west, float east, float north, float south, float h2f) {
  float u = 0;
  // TODO(2): in the order of operations of split_layout.h. (1 line)
  u = (west + east + north + south + h2f) * 0.25f;
  // END(2)
  return u;
}

// The place of the west neighbour in the other colour's array; the east one follows it.
inline __host__ __device__ int left_index(int i, int jh, int colour, int pitch) {
  int left = 0;
  // TODO(2): without a branch. (1 line)
  left = i * pitch + jh - 1 + ((i + colour) & 1);
  // END(2)
  return left;
}

int split_left(int ny, int pitch, int colour, int *left) {
  // TODO(2): for every place. (about 4 lines)
  for (int i = 0; i < ny; i++)
    for (int jh = 0; jh < pitch; jh++)
      left[i * pitch + jh] = left_index(i, jh, colour, pitch);
  return 0;
  // END(2)
}

__global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
                                  float *u) {
  // TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
  const int jh = blockIdx.x * POINT_X + threadIdx.x;
  const int i = blockIdx.y * POINT_Y + threadIdx.y + 1;
  const int j = 2 * jh + ((i + colour) & 1);
  if (i >= ny - 1 || j == 0 || j >= nx - 1)
    return;
  const int k = i * pitch + jh, left = left_index(i, jh, colour, pitch);
  u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
  // END(2)
}

int gs_split_half_sweep(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
                        float *u) {
  // TODO(2): launch it. (about 4 lines)
  const dim3 block(POINT_X, POINT_Y);
  const dim3 grid(blocks_for((nx + 1) / 2, POINT_X), blocks_for(ny - 2, POINT_Y));
  half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
  return 0;
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
  fifth = odd ? __shfl_down_sync(0xffffffff, centre.x, 1) : __shfl_up_sync(0xffffffff, centre.w, 1);
  // END(3)
  return fifth;
}

// New values of four points, from the other colour at the same indices in rows i, i-1, i+1, and
// the fifth value.
inline __device__ float4 gs_four(int odd, float fifth, float4 centre, float4 north, float4 south,
                                 float4 h2f) {
  float4 u = {};
  // TODO(3): west and east are centre, and centre moved by one place; gs_point four times. (about 6 lines)
  const float4 west = odd ? centre : make_float4(fifth, centre.x, centre.y, centre.z);
  const float4 east = odd ? make_float4(centre.y, centre.z, centre.w, fifth) : centre;
  u.x = gs_point(west.x, east.x, north.x, south.x, h2f.x);
  u.y = gs_point(west.y, east.y, north.y, south.y, h2f.y);
  u.z = gs_point(west.z, east.z, north.z, south.z, h2f.z);
  u.w = gs_point(west.w, east.w, north.w, south.w, h2f.w);
  // END(3)
  return u;
}

__global__ void float4_kernel(int nx, int ny, int pitch, int colour, const float *__restrict__ h2f,
                              const float *__restrict__ other, float *__restrict__ u) {
  // TODO(3): load four points; the lane at the end also loads its fifth value; then store. (about 24 lines)
  const int jh = (blockIdx.x * LANES + threadIdx.x) * FOUR;
  const int i = blockIdx.y * FLOAT4_Y + threadIdx.y + 1;
  if (i >= ny - 1)
    return; // a warp is within one row, so all its lanes return
  const int odd = (i + colour) & 1;
  const int k = i * pitch + min(jh, pitch - FOUR); // lanes beyond the row take part in the shuffle
  const float4 centre = load_four(other + k);
  const float4 north = load_four(other + k - pitch), south = load_four(other + k + pitch);
  float fifth = fifth_of(centre, odd);
  if (threadIdx.x == (odd ? LANES - 1 : 0))
    fifth = other[odd ? k + FOUR : k - 1];
  const float4 v = gs_four(odd, fifth, centre, north, south, load_four(h2f + k));

  const int j = 2 * jh + odd;
  if (0 < j && j + 2 * (FOUR - 1) < nx - 1) {
    store_four(u + k, v);
  } else {
    const float values[FOUR] = {v.x, v.y, v.z, v.w};
    for (int n = 0; n < FOUR; n++)
      if (0 < j + 2 * n && j + 2 * n < nx - 1)
        u[k + n] = values[n];
  }
  // END(3)
}

int gs_split_float4(int nx, int ny, int pitch, int colour, const float *h2f, const float *other, float *u) {
  // TODO(3): launch it. (about 4 lines)
  const dim3 block(LANES, FLOAT4_Y);
  const dim3 grid(blocks_for((nx + 1) / 2, WARP_POINTS), blocks_for(ny - 2, FLOAT4_Y));
  float4_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
  return 0;
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
  const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
  if (row >= p.m || column >= p.n)
    return;
  float sum = 0;
  for (int k = 0; k < p.k; k++)
    sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
  p.c[row * p.n + column] = sum;
  // END(4)
}

int sgemm_naive(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(4): launch a thread for every entry of C. (about 4 lines)
  const dim3 block(NAIVE, NAIVE), grid(blocks_for(n, NAIVE), blocks_for(m, NAIVE));
  naive_kernel<<<grid, block>>>({m, n, k, a, b, c});
  return 0;
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
  floats = FOUR;
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
  me.a_row = threadIdx.x / 2; // neighbouring threads share a row
  me.a_column = threadIdx.x % 2 * FOUR;
  me.b_row = threadIdx.x / LANES; // a warp has one row
  me.b_column = threadIdx.x % LANES * FOUR;
  me.c_row = threadIdx.x / CALCULATORS * FOUR;
  me.c_column = threadIdx.x % CALCULATORS * FOUR; // neighbouring threads read neighbouring 16 bytes
  // END(4)
  return me;
}

// Entries (row, column) to (row, column + 3) of a matrix, 0 past its end. ALIGNED: the length of a
// row is a multiple of four.
template <bool ALIGNED>
inline __device__ float4 load_entries(const float *matrix, int rows, int columns, int row, int column) {
  float4 v = {};
  // TODO(4): one float4, or four floats. (about 9 lines)
  const float *p = matrix + row * columns + column;
  if (row < rows && ALIGNED && column < columns)
    v = load_four(p);
  if (row < rows && !ALIGNED) {
    v.x = column < columns ? p[0] : 0;
    v.y = column + 1 < columns ? p[1] : 0;
    v.z = column + 2 < columns ? p[2] : 0;
    v.w = column + 3 < columns ? p[3] : 0;
  }
  // END(4)
  return v;
}

// A mover's four entries of A become four of a column.
inline __device__ void put_a(tiles &tiles, const places &me, float4 v) {
  // TODO(4): into columns a_row of four rows. (4 lines)
  tiles.a[me.a_column][me.a_row] = v.x;
  tiles.a[me.a_column + 1][me.a_row] = v.y;
  tiles.a[me.a_column + 2][me.a_row] = v.z;
  tiles.a[me.a_column + 3][me.a_row] = v.w;
  // END(4)
}

// sums += the calculator's part of the product of the tiles.
inline __device__ void calculate(const tiles &tiles, const places &me, float (&sums)[8][8]) {
  // TODO(4): for each k eight entries of each tile and 64 fmaf, all loops unrolled. (about 14 lines)
#pragma unroll
  for (int k = 0; k < TILE_K; k++) {
    float a[8], b[8];
    store_four(a, load_four(&tiles.a[k][me.c_row]));
    store_four(a + FOUR, load_four(&tiles.a[k][me.c_row + HALF_TILE]));
    store_four(b, load_four(&tiles.b[k][me.c_column]));
    store_four(b + FOUR, load_four(&tiles.b[k][me.c_column + HALF_TILE]));
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
      for (int c = 0; c < 8; c++)
        sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
  }
  // END(4)
}

template <bool ALIGNED>
inline __device__ void store_sums(const product &p, const places &me, const float (&sums)[8][8]) {
  // TODO(4): eight rows of two times four entries; none outside C. (about 16 lines)
#pragma unroll
  for (int r = 0; r < 8; r++)
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const int row = blockIdx.y * TILE + me.c_row + r % FOUR + r / FOUR * HALF_TILE;
      const int column = blockIdx.x * TILE + me.c_column + half * HALF_TILE;
      if (row >= p.m)
        continue;
      const float *values = &sums[r][half * FOUR];
      if (ALIGNED && column < p.n)
        store_four(p.c + row * p.n + column, load_four(values));
      for (int n = 0; !ALIGNED && n < FOUR; n++)
        if (column + n < p.n)
          p.c[row * p.n + column + n] = values[n];
    }
  // END(4)
}

template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) tile_kernel(product p) {
  // TODO(4): tile by tile: put, barrier, load the next, calculate, barrier; then store. (about 16 lines)
  __shared__ tiles tiles;
  const places me = my_places();
  const int row = blockIdx.y * TILE + me.a_row, column = blockIdx.x * TILE + me.b_column;
  float sums[8][8] = {};
  float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, me.a_column);
  float4 b = load_entries<ALIGNED>(p.b, p.k, p.n, me.b_row, column);
  for (int k = 0; k < p.k; k += TILE_K) {
    put_a(tiles, me, a);
    store_four(&tiles.b[me.b_row][me.b_column], b);
    __syncthreads();
    a = load_entries<ALIGNED>(p.a, p.m, p.k, row,
                              k + TILE_K + me.a_column); // in flight while this tile is used
    b = load_entries<ALIGNED>(p.b, p.k, p.n, k + TILE_K + me.b_row, column);
    calculate(tiles, me, sums);
    __syncthreads();
  }
  store_sums<ALIGNED>(p, me, sums);
  // END(4)
}

int sgemm_tile(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(4): launch it; take care when the length of a row is not a multiple of four. (about 7 lines)
  const product p = {m, n, k, a, b, c};
  const dim3 grid(blocks_for(n, TILE), blocks_for(m, TILE));
  if (n % FOUR == 0 && k % FOUR == 0)
    tile_kernel<true><<<grid, TILE_THREADS>>>(p);
  else
    tile_kernel<false><<<grid, TILE_THREADS>>>(p);
  return 0;
  // END(4)
}

// cp.async copies a tile of B from global to shared memory without registers. A must be transposed on the
// way, so it passes through registers.
template <bool ALIGNED>
inline __device__ void copy_b(const product &p, const places &me, int k, tiles &tiles) {
  // TODO(5): the mover's four entries, by __pipeline_memcpy_async; 0 past B's end. (about 9 lines)
  const int row = k + me.b_row, column = blockIdx.x * TILE + me.b_column;
  enum { STEP = ALIGNED ? FOUR : 1 }; // floats per copy
  for (int n = 0; n < FOUR; n += STEP) {
    const bool inside = row < p.k && column + n < p.n;
    const size_t bytes = STEP * sizeof(float);
    __pipeline_memcpy_async(&tiles.b[me.b_row][me.b_column + n], inside ? p.b + row * p.n + column + n : p.b,
                            bytes, inside ? 0 : bytes);
  }
  __pipeline_commit();
  // END(5)
}

template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) pipelined_kernel(product p) {
  // TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
  __shared__ tiles tiles[2];
  const places me = my_places();
  const int row = blockIdx.y * TILE + me.a_row;
  float sums[8][8] = {};
  copy_b<ALIGNED>(p, me, 0, tiles[0]);
  put_a(tiles[0], me, load_entries<ALIGNED>(p.a, p.m, p.k, row, me.a_column));
  __pipeline_wait_prior(0);
  __syncthreads();
#pragma unroll 2
  for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
    copy_b<ALIGNED>(p, me, k + TILE_K, tiles[!now]);
    const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column);
    calculate(tiles[now], me, sums);
    put_a(tiles[!now], me, a);
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  store_sums<ALIGNED>(p, me, sums);
  // END(5)
}

int sgemm_pipelined(int m, int n, int k, const float *a, const float *b, float *c) {
  // TODO(5): launch it. (about 7 lines)
  const product p = {m, n, k, a, b, c};
  const dim3 grid(blocks_for(n, TILE), blocks_for(m, TILE));
  if (n % FOUR == 0 && k % FOUR == 0)
    pipelined_kernel<true><<<grid, TILE_THREADS>>>(p);
  else
    pipelined_kernel<false><<<grid, TILE_THREADS>>>(p);
  return 0;
  // END(5)
}

// --- T sweeps in one pass ---

// TODO(6): the arrays; for T sweeps, the lanes of the halo, the places of a warp and the rows in use. (about 29 lines)
struct fused_arrays {
  int nx, ny, pitch;
  const float *h2f[2], *u[2]; // by colour
  float *out[2];
};

// A block is one warp. It owns a strip of OWN places of each colour and some of its rows. It walks down these
// rows once, with all half-sweeps at the same time: at step s, half-sweep k updates row s - k. Its input is then
// ready: rows s-k-1 to s-k+1 of the other colour after half-sweep k-1. The warp does not know the values beyond
// its strip and rows, so each half-sweep makes one more column and row at the ends wrong. Two warps compute
// these points, and the one with the correct values stores them.
template <int SWEEPS> struct fused {
  enum { HALVES = 2 * SWEEPS, HALO = (SWEEPS + FOUR - 1) / FOUR }; // HALO: lanes at each end
  enum { OWN = (LANES - 2 * HALO) * FOUR };
  enum { AHEAD = 1 }; // rows in flight from memory, besides the one that the step waits for
  enum { U_ROWS = 4, H2F_ROWS = SWEEPS < 8 ? 16 : 32 };
  static_assert(AHEAD + 2 <= U_ROWS && HALVES + AHEAD + 1 <= H2F_ROWS, "a row is replaced while in use");
};

// The rows in use, from their request until the last half-sweep has read them; row i is at i modulo the number
// of rows. Each lane reads only what it copied itself, so no barrier is needed.
template <int SWEEPS> struct fused_rows {
  float4 u[2][fused<SWEEPS>::U_ROWS][LANES], h2f[2][fused<SWEEPS>::H2F_ROWS][LANES];
};
// END(6)

// TODO(6): a lane's four places, the rows that it stores, and its boundary points. (about 28 lines)
// A lane's four places and its rows.
struct fused_share {
  int jh;
  int first_i, last_i;  // rows that the lane stores, last_i excluded: none at the ends of the strip
  bool edge;            // the warp has points of the first or last column
  unsigned boundary[2]; // bit n: place n is such a point, in rows with j = 2 jh, and 2 jh + 1
};

template <int SWEEPS>
static __device__ fused_share fused_share_make(const fused_arrays &a, int rows_per_block) {
  typedef fused<SWEEPS> F;
  const int lane = threadIdx.x, warp_jh = blockIdx.x * F::OWN - F::HALO * FOUR;
  fused_share me;
  me.jh = warp_jh + lane * FOUR;
  me.first_i = blockIdx.y * rows_per_block;
  const bool own = F::HALO <= lane && lane < LANES - F::HALO && me.jh < a.pitch;
  me.last_i = own ? min(me.first_i + rows_per_block, a.ny) : me.first_i;
  me.edge = warp_jh <= 0 || a.nx - 1 < 2 * (warp_jh + WARP_POINTS);
  for (int odd = 0; odd < 2; odd++) {
    me.boundary[odd] = 0;
    for (int n = 0; n < FOUR; n++) {
      const int j = 2 * (me.jh + n) + odd;
      me.boundary[odd] |= (unsigned)(j == 0 || j == a.nx - 1) << n;
    }
  }
  return me;
}
// END(6)

// TODO(6): request row i of h2f and u by cp.async; each lane copies for itself. (about 20 lines)
// Requests row i. Rows and places outside the arrays repeat their edge; these values have no effect.
template <int SWEEPS>
static __device__ void fused_fetch(const fused_arrays &a, const fused_share &me, fused_rows<SWEEPS> &rows,
                                   int i) {
  typedef fused<SWEEPS> F;
  const int lane = threadIdx.x;
  const int k = min(max(i, 0), a.ny - 1) * a.pitch + min(max(me.jh, 0), a.pitch - FOUR);
  const int u_row = i & (F::U_ROWS - 1), h2f_row = i & (F::H2F_ROWS - 1);
  __pipeline_memcpy_async(&rows.h2f[RED][h2f_row][lane], a.h2f[RED] + k, sizeof(float4));
  __pipeline_memcpy_async(&rows.h2f[BLACK][h2f_row][lane], a.h2f[BLACK] + k, sizeof(float4));
  __pipeline_memcpy_async(&rows.u[BLACK][u_row][lane], a.u[BLACK] + k, sizeof(float4));
  if (me.edge || i <= 0 || i >= a.ny - 1) // the first half-sweep replaces all other red points unread
    __pipeline_memcpy_async(&rows.u[RED][u_row][lane], a.u[RED] + k, sizeof(float4));
  __pipeline_commit();
}
// END(6)

// TODO(6): one step: every half-sweep updates its row. (about 30 lines)
static __device__ float4 select_four(unsigned bits, float4 a, float4 b) {
  return make_float4(bits & 1 ? a.x : b.x, bits & 2 ? a.y : b.y, bits & 4 ? a.z : b.z, bits & 8 ? a.w : b.w);
}

// Step s. ODD is its parity, and that of i + colour in every half-sweep. seen[k]: the last two rows of the other
// colour that half-sweep k has read; row s-k-1 is at ODD.
template <int SWEEPS, int ODD>
static __device__ void fused_step(const fused_arrays &a, const fused_share &me,
                                  const fused_rows<SWEEPS> &rows, int s, float4 (&seen)[2 * SWEEPS][2]) {
  typedef fused<SWEEPS> F;
  const int lane = threadIdx.x;
  float4 south = rows.u[BLACK][(s + 1) & (F::U_ROWS - 1)][lane];
  float4 old = rows.u[RED][s & (F::U_ROWS - 1)][lane];
#pragma unroll
  for (int k = 0; k < F::HALVES; k++) {
    const int i = s - k, colour = k & 1;
    const float4 north = seen[k][ODD], centre = seen[k][!ODD];
    const float4 h2f = rows.h2f[colour][i & (F::H2F_ROWS - 1)][lane];
    const float4 v = gs_four(ODD, fifth_of(centre, ODD), centre, north, south, h2f);
    const unsigned boundary = i <= 0 || i >= a.ny - 1 ? 15 : me.boundary[ODD];
    seen[k][ODD] = south;
    south = select_four(boundary, old, v);
    old = north; // the values that the next half-sweep replaces
    if (k >= F::HALVES - 2 && me.first_i <= i && i < me.last_i)
      store_four(a.out[colour] + i * a.pitch + me.jh, south);
  }
}
// END(6)

// TODO(6): the kernel walks down its rows, two steps per turn. (about 30 lines)
template <int SWEEPS> static __device__ void fused_clear(fused_rows<SWEEPS> &rows) {
  float4 *const all = &rows.u[0][0][0];
  for (int n = threadIdx.x; n < (int)(sizeof rows / sizeof *all); n += LANES)
    all[n] = make_float4(0, 0, 0, 0);
  __syncwarp();
}

// rows_per_block: even.
template <int SWEEPS>
__global__ void __launch_bounds__(LANES) fused_kernel(fused_arrays a, int rows_per_block) {
  typedef fused<SWEEPS> F;
  __shared__ fused_rows<SWEEPS> rows;
  const fused_share me = fused_share_make<SWEEPS>(a, rows_per_block);
  const int start = me.first_i - F::HALVES - 2; // even
  const int end = min(me.first_i + rows_per_block, a.ny) + F::HALVES - 1;
  float4 seen[F::HALVES][2] = {};
  fused_clear<SWEEPS>(rows);
  for (int i = start; i <= start + F::AHEAD; i++)
    fused_fetch<SWEEPS>(a, me, rows, i);
  for (int s = start; s < end; s += 2) {
    fused_fetch<SWEEPS>(a, me, rows, s + 1 + F::AHEAD);
    __pipeline_wait_prior(F::AHEAD);
    fused_step<SWEEPS, 0>(a, me, rows, s, seen);
    fused_fetch<SWEEPS>(a, me, rows, s + 2 + F::AHEAD);
    __pipeline_wait_prior(F::AHEAD);
    fused_step<SWEEPS, 1>(a, me, rows, s + 1, seen);
  }
}
// END(6)

// TODO(6): as many blocks as the device holds at once. (about 14 lines)
// As many blocks as the device holds at once, so that all of them end together and few rows
// are computed twice.
template <int SWEEPS> static void fused_launch(const fused_arrays &a) {
  int device = 0, multiprocessors = 1, blocks = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fused_kernel<SWEEPS>, LANES, 0);
  const int strips = blocks_for(a.pitch, fused<SWEEPS>::OWN),
            parts = max(1, multiprocessors * blocks / strips);
  const int rows = max(4 * SWEEPS, (blocks_for(a.ny, parts) + 1) / 2 * 2);
  fused_kernel<SWEEPS><<<dim3(strips, blocks_for(a.ny, rows)), LANES>>>(a, rows);
}
// END(6)

int gs_fused(int nx, int ny, int pitch, int sweeps, const float *h2f_red, const float *h2f_black,
             const float *red, const float *black, float *red_out, float *black_out) {
  // TODO(6): launch it; the number of sweeps is a template parameter. (about 6 lines)
  static void (*const launch[FUSED_MAX])(const fused_arrays &) = {
      fused_launch<1>, fused_launch<2>, fused_launch<3>, fused_launch<4>,
      fused_launch<5>, fused_launch<6>, fused_launch<7>, fused_launch<8>};
  launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
  return 0;
  // END(6)
}
