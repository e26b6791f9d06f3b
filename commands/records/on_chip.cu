// Sweeps and conjugate gradients on small grids, whose values stay in registers from the first step to the last.
// records.h says what the functions do, README.md why they are fast.
//
// A block holds a tile of the grid and its halo; a warp holds some rows of 128 columns, a lane two places of each
// colour in a row. Neighbours come from registers, from other lanes by shuffles and from other warps through shared
// memory. When the halo is used up, the blocks exchange it through L2, with a barrier of the grid.
#include "on_chip.h"
#include "records.h"

#include "cuda_check.h"

#include <cooperative_groups.h>

enum { RED, BLACK }; // colours
enum { LANES = 32 };
enum { RUNNING = -1 }; // beside pcg_status
enum {
  MOST_COLUMNS = 1024,
  PITCH = 576
}; // PITCH: of a row in the buffers; the last tile reads beyond the grid

template <class T> struct alignas(2 * sizeof(T)) two { T x, y; };

static __device__ __forceinline__ two<float> read(const float *at) {
  const float2 v = __ldcg(reinterpret_cast<const float2 *>(at));
  return {v.x, v.y};
}
static __device__ __forceinline__ two<double> read(const double *at) {
  const double2 v = __ldcg(reinterpret_cast<const double2 *>(at));
  return {v.x, v.y};
}
static __device__ __forceinline__ void write(float *at, two<float> v) {
  __stcg(reinterpret_cast<float2 *>(at), make_float2(v.x, v.y));
}
static __device__ __forceinline__ void write(double *at, two<double> v) {
  __stcg(reinterpret_cast<double2 *>(at), make_double2(v.x, v.y));
}

// How the grid is divided. The halo has the rows of the first and of the last warp, and four columns for each of
// halo_lanes lanes at both ends.
template <int rows, int warps, int halo_lanes> struct tiling {
  enum { ROWS = rows, WARPS = warps, THREADS = warps * LANES, HALO_LANES = halo_lanes };
  enum { HIGH = warps * rows, OWN_HIGH = HIGH - 2 * rows, OWN_WIDE = 2 * (LANES - 2 * halo_lanes) };
  enum { SIDE = HIGH * halo_lanes }; // pairs in a side of a tile
  static_assert(LANES % halo_lanes == 0,
                "lanes of the halo and those that they come from agree modulo halo_lanes");
  static_assert(rows % 2 == 0 && warps >= 3, "row 0 of each warp is even, and a tile has rows of its own");

  __host__ __device__ static int across(int nx) {
    const int beyond = (nx + 1) / 2 - 2 * LANES;
    return 1 + (beyond > 0 ? (beyond + OWN_WIDE - 1) / OWN_WIDE : 0);
  }
  __host__ __device__ static int down(int ny) {
    return 1 + (ny > HIGH ? (ny - HIGH + OWN_HIGH - 1) / OWN_HIGH : 0);
  }
  // Elements of a buffer for one colour: rows at the top and bottom of all tiles, then their sides.
  __host__ __device__ static int row_elements(int ny) { return down(ny) * 2 * ROWS * PITCH; }
  __host__ __device__ static int elements(int nx, int ny) {
    return row_elements(ny) + across(nx) * down(ny) * 2 * SIDE * 2;
  }
};

// A thread's share of a tile.
template <class S> struct share {
  int nx, ny, pitch;
  int lane, warp, strip, part; // strip, part: of the tile
  int row, jh;                 // its first row and place; they may lie outside the grid
  bool own_rows, own_columns;
  bool left, right; // it has columns of the halo
  bool border;      // points of the warp are on the boundary or outside the grid
  unsigned places;  // bits 0, 1: on the boundary where j = 2 jh; 2, 3: where j = 2 jh + 1

  __device__ share(int nx, int ny, int pitch) : nx(nx), ny(ny), pitch(pitch) {
    const int across = S::across(nx), down = S::down(ny);
    lane = threadIdx.x % LANES;
    warp = threadIdx.x / LANES;
    strip = blockIdx.x % across;
    part = blockIdx.x / across;
    row = part * S::OWN_HIGH + warp * S::ROWS;
    jh = strip * S::OWN_WIDE + 2 * lane;
    left = strip > 0 && lane < S::HALO_LANES;
    right = strip < across - 1 && lane >= LANES - S::HALO_LANES;
    own_columns = !left && !right && jh < pitch;
    own_rows = (part == 0 || warp > 0) && (part == down - 1 || warp < S::WARPS - 1);
    border = strip == 0 || strip == across - 1 || row <= 0 || row + S::ROWS >= ny;
    places = 0;
    for (int n = 0; n < 4; n++) {
      const int j = 2 * (jh + n % 2) + n / 2;
      places |= (unsigned)(j == 0 || j >= nx - 1) << n;
    }
  }
  __device__ __forceinline__ int at(int r) const { return min(row + r, ny - 1) * pitch + min(jh, pitch - 2); }
  __device__ __forceinline__ bool owns(int r) const { return own_rows && own_columns && row + r < ny; }
  // Bits 0 and 1: the places of row r that are no unknowns. odd: (r + colour) & 1
  __device__ __forceinline__ unsigned fixed(int r, bool odd) const {
    return row + r <= 0 || row + r >= ny - 1 ? 3 : odd ? places >> 2 : places & 3;
  }
};

// The first and the last row of each warp, by colour.
template <class S, class T> struct edges { two<T> top[2][S::WARPS][LANES], bottom[2][S::WARPS][LANES]; };

template <class S, class T>
static __device__ __forceinline__ void publish(edges<S, T> &e, int colour, const two<T> (&mine)[S::ROWS]) {
  e.top[colour][threadIdx.x / LANES][threadIdx.x % LANES] = mine[0];
  e.bottom[colour][threadIdx.x / LANES][threadIdx.x % LANES] = mine[S::ROWS - 1];
}

// For each row, update(r, odd, sum): sum is ((west + east) + north) + south at the places of the other colour than
// `from`. Rows outside the tile count as copies of its first and last row; only the halo sees them.
template <class S, class T, class F>
static __device__ __forceinline__ void for_rows(const edges<S, T> &e, int from, const two<T> (&c)[S::ROWS],
                                                F update) {
  const int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
  two<T> north = warp > 0 ? e.bottom[from][warp - 1][lane] : c[0];
  const two<T> below = warp < S::WARPS - 1 ? e.top[from][warp + 1][lane] : c[S::ROWS - 1];
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const bool odd = (r + !from) & 1;
    const two<T> south = r + 1 < S::ROWS ? c[r + 1] : below;
    const T third = odd ? __shfl_down_sync(~0u, c[r].x, 1) : __shfl_up_sync(~0u, c[r].y, 1);
    update(r, odd,
           two<T>{((odd ? c[r].x + c[r].y : third + c[r].x) + north.x) + south.x,
                  ((odd ? c[r].y + third : c[r].x + c[r].y) + north.y) + south.y});
    north = c[r];
  }
}

// The buffer's rows for the tiles above or below, and its columns for the tile at a side (0: left, 1: right).
template <class S, class T>
static __device__ __forceinline__ T *halo_row(const share<S> &me, T *buffer, int part, bool bottom) {
  return buffer + (part * 2 + bottom) * (S::ROWS * PITCH) + me.jh;
}
template <class S, class T>
static __device__ __forceinline__ T *halo_side(const share<S> &me, T *buffer, int block, bool side,
                                               int lane) {
  return buffer + S::row_elements(me.ny) +
         2 * ((block * 2 + side) * S::SIDE + me.warp * (S::ROWS * S::HALO_LANES) + lane);
}

// What neighbours need of a colour goes to L2 ...
template <class S, class T>
static __device__ __forceinline__ void send_halo(const share<S> &me, const two<T> (&v)[S::ROWS], T *buffer) {
  const bool to_left = me.lane < 2 * S::HALO_LANES;
  if (me.own_columns && (me.warp == 1 || me.warp == S::WARPS - 2)) {
    T *to = halo_row(me, buffer, me.part, me.warp > 1);
#pragma unroll
    for (int r = 0; r < S::ROWS; r++)
      write(to + r * PITCH, v[r]);
  }
  if (me.own_columns && (to_left || me.lane >= LANES - 2 * S::HALO_LANES)) {
    T *to = halo_side(me, buffer, blockIdx.x, !to_left, me.lane % S::HALO_LANES);
#pragma unroll
    for (int r = 0; r < S::ROWS; r++)
      write(to + 2 * r * S::HALO_LANES, v[r]);
  }
}

// ... and, after a barrier of the grid, the halo comes from there.
template <class S, class T>
static __device__ __forceinline__ void receive_halo(const share<S> &me, two<T> (&v)[S::ROWS], T *buffer) {
  if (!me.own_rows) {
    const T *from = halo_row(me, buffer, me.warp ? me.part + 1 : me.part - 1, me.warp == 0);
#pragma unroll
    for (int r = 0; r < S::ROWS; r++)
      v[r] = read(from + r * PITCH);
  } else if (me.left || me.right) {
    const T *from =
        halo_side(me, buffer, me.left ? blockIdx.x - 1 : blockIdx.x + 1, me.left, me.lane % S::HALO_LANES);
#pragma unroll
    for (int r = 0; r < S::ROWS; r++)
      v[r] = read(from + 2 * r * S::HALO_LANES);
  }
}

template <class S, class T>
static __device__ __forceinline__ void load(const share<S> &me, const T *from, two<T> (&v)[S::ROWS]) {
#pragma unroll
  for (int r = 0; r < S::ROWS; r++)
    v[r] = read(from + me.at(r));
}

template <class S, class T>
static __device__ __forceinline__ void store_own(const share<S> &me, const two<T> (&v)[S::ROWS], T *to) {
#pragma unroll
  for (int r = 0; r < S::ROWS; r++)
    if (me.owns(r))
      write(to + me.at(r), v[r]);
}

// Whether the device holds all tiles at once.
template <class S> static bool fits(int nx, int ny) {
  int device = 0, multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return nx <= MOST_COLUMNS && S::across(nx) * S::down(ny) <= multiprocessors;
}

// The launch, or false if the grid does not fit.
template <class S> static bool launch(const void *kernel, int nx, int ny, void **arguments) {
  if (!fits<S>(nx, ny))
    return false;
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, dim3(S::across(nx) * S::down(ny)), dim3(S::THREADS),
                                         arguments, 0, 0));
  return true;
}

/* --- sweeps --- */

enum { AT_ONCE = 4 }; // sweeps between exchanges; each half-sweep uses up one row and one column of the halo
typedef tiling<2 * AT_ONCE, 12, AT_ONCE / 2> sweep_tiles;

template <int COLOUR>
static __device__ __forceinline__ void
half_sweep(const share<sweep_tiles> &me, edges<sweep_tiles, float> &e, float keep, float gain,
           const two<float> (&h2f)[sweep_tiles::ROWS], const two<float> (&other)[sweep_tiles::ROWS],
           two<float> (&mine)[sweep_tiles::ROWS]) {
  for_rows<sweep_tiles>(e, !COLOUR, other, [&](int r, bool odd, two<float> sum) {
    two<float> v = {keep * mine[r].x + gain * (sum.x + h2f[r].x),
                    keep * mine[r].y + gain * (sum.y + h2f[r].y)};
    if (me.border) {
      const unsigned fixed = me.fixed(r, odd);
      v = {fixed & 1 ? mine[r].x : v.x, fixed & 2 ? mine[r].y : v.y};
    }
    mine[r] = v;
  });
  publish<sweep_tiles>(e, COLOUR, mine);
  __syncthreads();
}

// buffers: four, for both colours of an exchange and of the next
__global__ void __launch_bounds__(sweep_tiles::THREADS, 1)
    sweeps_kernel(records_grid g, float keep, float gain, int sweeps, float *buffers) {
  __shared__ edges<sweep_tiles, float> e;
  const share<sweep_tiles> me(g.nx, g.ny, g.pitch);
  const int elements = sweep_tiles::elements(g.nx, g.ny);
  two<float> red[sweep_tiles::ROWS], black[sweep_tiles::ROWS], h2f_red[sweep_tiles::ROWS],
      h2f_black[sweep_tiles::ROWS];
  load(me, g.u[RED], red);
  load(me, g.u[BLACK], black);
  load(me, g.h2f[RED], h2f_red);
  load(me, g.h2f[BLACK], h2f_black);
  for (int done = 0; done < sweeps; done++) {
    if (done % AT_ONCE == 0) {
      if (done > 0) {
        float *buffer = buffers + done / AT_ONCE % 2 * 2 * elements;
        send_halo(me, red, buffer);
        send_halo(me, black, buffer + elements);
        cooperative_groups::this_grid().sync();
        receive_halo(me, red, buffer);
        receive_halo(me, black, buffer + elements);
      }
      publish<sweep_tiles>(e, BLACK, black);
      __syncthreads();
    }
    half_sweep<RED>(me, e, keep, gain, h2f_red, black, red);
    half_sweep<BLACK>(me, e, keep, gain, h2f_black, red, black);
  }
  store_own(me, red, g.out[RED]);
  store_own(me, black, g.out[BLACK]);
}

size_t records_on_chip_bytes(const records_grid *g) {
  return fits<sweep_tiles>(g->nx, g->ny) ? 4 * sizeof(float) * sweep_tiles::elements(g->nx, g->ny) : 0;
}

bool records_sor_on_chip(const records_grid *g, double diagonal, double omega, int sweeps, float *buffers) {
  records_grid grid = *g;
  float keep = (float)(1 - omega), gain = (float)omega / (float)diagonal;
  void *arguments[] = {&grid, &keep, &gain, &sweeps, &buffers};
  return launch<sweep_tiles>((const void *)sweeps_kernel, g->nx, g->ny, arguments);
}

/* --- conjugate gradients --- */

typedef tiling<4, 8, 1> cg_tiles; // two of the four rows and columns of the halo are used

// Sums over a block, in all threads.
static __device__ two<double> block_sum(two<double> value) {
  __shared__ two<double> of_warp[cg_tiles::WARPS];
  for (int distance = LANES / 2; distance > 0; distance /= 2) {
    value.x += __shfl_xor_sync(~0u, value.x, distance);
    value.y += __shfl_xor_sync(~0u, value.y, distance);
  }
  __syncthreads(); // of_warp may still be read
  if (threadIdx.x % LANES == 0)
    of_warp[threadIdx.x / LANES] = value;
  __syncthreads();
  value = {0, 0};
  for (int n = 0; n < cg_tiles::WARPS; n++)
    value = {value.x + of_warp[n].x, value.y + of_warp[n].y};
  return value;
}

// w = S r: S = diagonal - neighbours (1/diagonal) neighbours, at black points; 0 on the boundary.
static __device__ __forceinline__ void apply(const share<cg_tiles> &me, edges<cg_tiles, double> &e,
                                             double diagonal, const two<double> (&r)[cg_tiles::ROWS],
                                             two<double> (&w)[cg_tiles::ROWS]) {
  const double inverse = 1 / diagonal;
  two<double> red[cg_tiles::ROWS];
  for_rows<cg_tiles>(e, BLACK, r, [&](int n, bool odd, two<double> sum) {
    const unsigned fixed = me.fixed(n, odd);
    red[n] = {fixed & 1 ? 0 : inverse * sum.x, fixed & 2 ? 0 : inverse * sum.y};
  });
  publish<cg_tiles>(e, RED, red);
  __syncthreads();
  for_rows<cg_tiles>(e, RED, red, [&](int n, bool odd, two<double> sum) {
    const unsigned fixed = me.fixed(n, odd);
    w[n] = {fixed & 1 ? 0 : diagonal * r[n].x - sum.x, fixed & 2 ? 0 : diagonal * r[n].y - sum.y};
  });
}

// x + factor y
static __device__ __forceinline__ two<double> add(two<double> x, double factor, two<double> y) {
  return {x.x + factor * y.x, x.y + factor * y.y};
}

// The method of Chronopoulos and Gear (1989): one barrier of the grid in an iteration, since both products of
// vectors follow w = S r. Each thread updates its part of the halo, too, so that only w is exchanged.
__global__ void __launch_bounds__(cg_tiles::THREADS, 1)
    cg_kernel(pcg_grid g, const double *residual, double *u, double enough, int limit, double *buffers,
              on_chip_state *state) {
  __shared__ edges<cg_tiles, double> e;
  const share<cg_tiles> me(g.nx, g.ny, g.pitch);
  const int elements = cg_tiles::elements(g.nx, g.ny);
  two<double> x[cg_tiles::ROWS], r[cg_tiles::ROWS], p[cg_tiles::ROWS] = {}, s[cg_tiles::ROWS] = {},
                                                    w[cg_tiles::ROWS];
  load(me, u, x);
  load(me, residual, r);
  double rho = 1, alpha = 1;
  int iteration = 0, status = RUNNING;
  for (;; iteration++) {
    double *buffer = buffers + iteration % 2 * (elements + 2 * gridDim.x);
    two<double> *partial = reinterpret_cast<two<double> *>(buffer + elements);
    publish<cg_tiles>(e, BLACK, r);
    __syncthreads();
    apply(me, e, g.diagonal, r, w);
    two<double> sum = {0, 0};
#pragma unroll
    for (int n = 0; n < cg_tiles::ROWS; n++)
      if (me.owns(n))
        sum = {sum.x + r[n].x * r[n].x + r[n].y * r[n].y, sum.y + r[n].x * w[n].x + r[n].y * w[n].y};
    sum = block_sum(sum);
    if (threadIdx.x == 0)
      write(&partial[blockIdx.x].x, sum);
    send_halo(me, w, buffer);
    cooperative_groups::this_grid().sync();
    receive_halo(me, w, buffer);
    sum = block_sum(threadIdx.x < gridDim.x ? read(&partial[threadIdx.x].x) : two<double>{0, 0});
    if (!isfinite(sum.x))
      status = PCG_NOT_FINITE;
    else if (sum.x <= enough)
      status = PCG_CONVERGED;
    else if (iteration >= limit)
      status = PCG_LIMIT;
    const double beta = iteration ? sum.x / rho : 0;
    alpha = sum.x / (sum.y - (iteration ? beta * sum.x / alpha : 0));
    if (status == RUNNING && !(alpha > 0))
      status = PCG_BREAKDOWN;
    if (status != RUNNING)
      break;
    rho = sum.x;
#pragma unroll
    for (int n = 0; n < cg_tiles::ROWS; n++) {
      p[n] = add(r[n], beta, p[n]);
      s[n] = add(w[n], beta, s[n]);
      x[n] = add(x[n], alpha, p[n]);
      r[n] = add(r[n], -alpha, s[n]);
    }
  }
  store_own(me, x, u);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *state = {status, iteration};
}

size_t on_chip_buffers(const pcg_grid *g) {
  const int blocks = cg_tiles::across(g->nx) * cg_tiles::down(g->ny);
  return 2 * (size_t)(cg_tiles::elements(g->nx, g->ny) + 2 * blocks) * sizeof(double);
}

bool on_chip_iterate(const pcg_grid *g, const double *residual, double *u, double enough, int limit,
                     double *buffers, on_chip_state *state) {
  pcg_grid grid = *g;
  void *arguments[] = {&grid, &residual, &u, &enough, &limit, &buffers, &state};
  return launch<cg_tiles>((const void *)cg_kernel, g->nx, g->ny, arguments);
}
