// Kernels for a part of a grid; several.h specifies what each function does. Compiled without contraction, so that
// every kernel rounds alike.
#include "several.h"

#include "cuda_check.h"
#include "pair.h"

enum { RED, BLACK, WARP = 32, WARPS = 8, THREADS = WARP * WARPS };

static int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

struct several_rows several_all(const several_part *p) {
  return {p->first, p->rows, 0, p->rows};
}
struct several_rows several_border(const several_part *p, int depth) {
  const int count = p->rows < 2 * depth ? p->rows : 2 * depth;
  return {p->first, depth, p->rows - count, count};
}
struct several_rows several_interior(const several_part *p, int depth) {
  const int count = p->rows > 2 * depth ? p->rows - 2 * depth : 0;
  return {p->first + depth, count, 0, count};
}
inline __device__ int row_of(several_rows rows, int n) {
  return rows.begin + n + (n < rows.half ? 0 : rows.gap);
}

inline __device__ int index_of(const several_part &p, int i, int jh) {
  return (i - p.first + SEVERAL_HALO) * p.pitch + jh;
}
inline __device__ bool is_inside(const several_part &p, int colour, int i, int jh) {
  const int j = 2 * jh + ((i + colour) & 1);
  return 0 < i && i < p.ny - 1 && 0 < j && j < p.nx - 1;
}

// --- numbers and checksums ---

inline __device__ unsigned long long mixed(unsigned long long x) { // splitmix64
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

template <typename T>
static __global__ void fill_kernel(several_part p, int colour, several_boundary boundary, unsigned seed,
                                   double scale, T *array) {
  const int jh = blockIdx.x * WARP + threadIdx.x, l = blockIdx.y * WARPS + threadIdx.y;
  const int i = l + p.first - SEVERAL_HALO, j = 2 * jh + ((i + colour) & 1);
  if (l >= p.rows + 2 * SEVERAL_HALO || jh >= p.pitch)
    return;
  const bool exists = 0 <= i && i < p.ny && j < p.nx;
  const bool is_set = boundary == SEVERAL_NUMBERS ? exists : is_inside(p, colour, i, jh);
  const unsigned long long bits =
      mixed((((unsigned long long)seed << 32) + (unsigned)i) * 0x9e3779b97f4a7c15ull + (unsigned)j);
  const double number = seed ? scale * ((double)(bits >> 11) * 0x1p-52 - 1) : scale;
  array[l * p.pitch + jh] = is_set ? (T)number : 0;
}

template <typename T>
static void fill(const several_part *p, int colour, several_boundary boundary, unsigned seed, double scale,
                 T *array) {
  const dim3 blocks(blocks_for(p->pitch, WARP), blocks_for(p->rows + 2 * SEVERAL_HALO, WARPS));
  fill_kernel<<<blocks, dim3(WARP, WARPS)>>>(*p, colour, boundary, seed, scale, array);
}
void several_fill_float(const several_part *p, int colour, several_boundary boundary, unsigned seed,
                        double scale, float *array) {
  fill(p, colour, boundary, seed, scale, array);
}
void several_fill_double(const several_part *p, int colour, several_boundary boundary, unsigned seed,
                         double scale, double *array) {
  fill(p, colour, boundary, seed, scale, array);
}

static __global__ void checksum_kernel(several_part p, int colour, int size, const void *array,
                                       unsigned long long *sum) {
  const int i = p.first + blockIdx.x;
  unsigned long long mine = 0;
  for (int jh = threadIdx.x; jh < p.pitch; jh += THREADS) {
    const int k = index_of(p, i, jh);
    const unsigned long long bits =
        size == sizeof(float) ? ((const unsigned *)array)[k] : ((const unsigned long long *)array)[k];
    if (2 * jh + ((i + colour) & 1) < p.nx)
      mine += mixed(bits + mixed(((unsigned long long)(2 * i + colour) << 32) + (unsigned)jh));
  }
  atomicAdd(sum, mine);
}
void several_checksum(const several_part *p, int colour, int size, const void *array,
                      unsigned long long *sum) {
  checksum_kernel<<<p->rows, THREADS>>>(*p, colour, size, array, sum);
}

// --- sweeps: lab 04's kernel with four points per thread, on chosen rows ---

enum { FOUR = 4 };

inline __device__ float point(float west, float east, float north, float south, float h2f) {
  return (west + east + north + south + h2f) * 0.25f;
}

static __global__ void half_sweep_kernel(several_part p, several_rows rows, int colour,
                                         const float *__restrict__ h2f, const float *__restrict__ other,
                                         float *__restrict__ u) {
  const int jh = (blockIdx.x * WARP + threadIdx.x) * FOUR, n = blockIdx.y * WARPS + threadIdx.y;
  if (n >= rows.count || jh >= p.pitch)
    return;
  const int i = row_of(rows, n), k = index_of(p, i, jh), odd = (i + colour) & 1, j = 2 * jh + odd;
  const float4 c = *(const float4 *)(other + k), north = *(const float4 *)(other + k - p.pitch);
  const float4 south = *(const float4 *)(other + k + p.pitch), f = *(const float4 *)(h2f + k);
  const float edge = other[odd ? k + FOUR : k - 1]; // the neighbouring thread has it, too: a hit in L1
  const float values[FOUR] = {
      odd ? point(c.x, c.y, north.x, south.x, f.x) : point(edge, c.x, north.x, south.x, f.x),
      odd ? point(c.y, c.z, north.y, south.y, f.y) : point(c.x, c.y, north.y, south.y, f.y),
      odd ? point(c.z, c.w, north.z, south.z, f.z) : point(c.y, c.z, north.z, south.z, f.z),
      odd ? point(c.w, edge, north.w, south.w, f.w) : point(c.z, c.w, north.w, south.w, f.w)};
  if (0 < j && j + 2 * (FOUR - 1) < p.nx - 1) {
    *(float4 *)(u + k) = make_float4(values[0], values[1], values[2], values[3]);
    return;
  }
  for (int m = 0; m < FOUR; m++)
    if (0 < j + 2 * m && j + 2 * m < p.nx - 1)
      u[k + m] = values[m];
}

void several_half_sweep(const several_part *p, several_rows rows, int colour, const float *h2f,
                        const float *other, float *u, cudaStream_t stream) {
  const dim3 blocks(blocks_for(p->pitch, WARP * FOUR), blocks_for(rows.count, WARPS));
  if (rows.count > 0)
    half_sweep_kernel<<<blocks, dim3(WARP, WARPS), 0, stream>>>(*p, rows, colour, h2f, other, u);
}

// --- conjugate gradients ---

// ((west + east) + north) + south of a point, all in the other colour
inline __device__ double neighbours(const several_part &p, int colour, int i, int jh, const double *x) {
  const int k = index_of(p, i, jh), odd = (i + colour) & 1;
  return ((x[k + odd - 1] + x[k + odd]) + x[k - p.pitch]) + x[k + p.pitch];
}

static __global__ void red_kernel(several_part p, several_cg cg) {
  const int jh = blockIdx.x * WARP + threadIdx.x, n = blockIdx.y * WARPS + threadIdx.y;
  const int i = p.first - 1 + n, k = index_of(p, i, jh);
  if (n < p.rows + 2 && is_inside(p, RED, i, jh))
    cg.u[RED][k] = (neighbours(p, RED, i, jh, cg.u[BLACK]) + cg.h2f[RED][k]) / cg.diagonal;
}
void several_red(const several_part *p, const several_cg *cg, cudaStream_t stream) {
  const dim3 blocks(blocks_for(p->pitch, WARP), blocks_for(p->rows + 2, WARPS));
  red_kernel<<<blocks, dim3(WARP, WARPS), 0, stream>>>(*p, *cg);
}

static __global__ void residual_kernel(several_part p, several_cg cg) {
  const int jh = blockIdx.x * WARP + threadIdx.x, n = blockIdx.y * WARPS + threadIdx.y;
  const int i = p.first + n, k = index_of(p, i, jh);
  if (n < p.rows && is_inside(p, BLACK, i, jh))
    cg.r[k] = fma(-cg.diagonal, cg.u[BLACK][k], neighbours(p, BLACK, i, jh, cg.u[RED]) + cg.h2f[BLACK][k]);
}
void several_residual(const several_part *p, const several_cg *cg, cudaStream_t stream) {
  const dim3 blocks(blocks_for(p->pitch, WARP), blocks_for(p->rows, WARPS));
  residual_kernel<<<blocks, dim3(WARP, WARPS), 0, stream>>>(*p, *cg);
}

// The sum over a warp's lanes, in all of them.
inline __device__ double warp_sum(double value) {
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffff, value, distance);
  return value;
}

// A row has SEVERAL_SUMS segments of whole tiles, and a sum for each. A warp does one, or some after the other: the
// bits do not depend on it.
enum { TILE = 2 * WARP, ENOUGH_BLOCKS = 1056 };

inline __device__ int segment_start(const several_part &p, int segment) {
  const int tiles = (p.pitch + TILE - 1) / TILE, each = (tiles + SEVERAL_SUMS - 1) / SEVERAL_SUMS;
  return min(segment * each * TILE, p.pitch);
}

// Blocks of eight rows; beside each other, as many as make the GPU busy, and at most one for each segment.
static dim3 row_blocks(int rows) {
  const int down = blocks_for(rows, WARPS);
  int across = 1;
  while (across < SEVERAL_SUMS && across * down < ENOUGH_BLOCKS)
    across *= 2;
  return dim3(across, down);
}

// sum = work(jh, sum) for the pairs of a row in each of the block's segments; then stores the sums.
template <class W>
inline __device__ void for_segments(const several_part &p, bool has_sum, double *sums, W work) {
  const int each = SEVERAL_SUMS / gridDim.x, first = blockIdx.x * each;
  for (int s = first; s < first + each; s++) {
    double sum = 0;
    for (int jh = segment_start(p, s) + 2 * threadIdx.x; jh < segment_start(p, s + 1); jh += TILE)
      sum = work(jh, sum);
    sum = warp_sum(sum);
    if (has_sum && threadIdx.x == 0)
      sums[s] = sum;
  }
}

static __global__ void squares_kernel(several_part p, const double *x, double *sums) {
  const int n = blockIdx.y * WARPS + threadIdx.y;
  if (n >= p.rows)
    return;
  for_segments(p, true, sums + n * SEVERAL_SUMS, [&](int jh, double sum) {
    const pair value = load(x + index_of(p, p.first + n, jh));
    return fma(value.at[1], value.at[1], fma(value.at[0], value.at[0], sum));
  });
}
void several_squares(const several_part *p, const double *x, double *sums, cudaStream_t stream) {
  squares_kernel<<<row_blocks(p->rows), dim3(WARP, WARPS), 0, stream>>>(*p, x, sums);
}

// An input of the product: p, or r + beta p.
struct input {
  const double *p, *r;
  double beta;
};
inline __device__ double one(input x, int k) { return x.r ? fma(x.beta, x.p[k], x.r[k]) : x.p[k]; }
inline __device__ pair two(input x, int k) {
  const pair p = load(x.p + k);
  if (!x.r)
    return p;
  const pair r = load(x.r + k);
  return {{fma(x.beta, p.at[0], r.at[0]), fma(x.beta, p.at[1], r.at[1])}};
}

// The row of a pair's neighbours in the same colour: at distance 1, with one element beside the pair, and
// at distance 2.
struct outer {
  pair near, far;
  double edge;
};
inline __device__ outer outer_of(input x, int k, int pitch, bool odd) {
  return {two(x, k + pitch), two(x, k + 2 * pitch), one(x, k + pitch + (odd ? 2 : -1))};
}

// S x at two black points, where x is own: nine points of x, through the four red ones between, as in lab 06. Rows
// outside of the grid are zero.
inline __device__ pair product(const several_part &p, double diagonal, double inv_diagonal, int i, int jh,
                               pair own, input x) {
  const bool odd = (i + BLACK) & 1;
  const int k = index_of(p, i, jh);
  const outer north = outer_of(x, k, -p.pitch, odd), south = outer_of(x, k, p.pitch, odd);
  const double before = one(x, k - 1), after = one(x, k + 2);
  pair result;
  for (int m = 0; m < 2; m++) {
    const int j = 2 * (jh + m) + odd;
    const double northwest = west_of(north.near, north.edge, odd, m),
                 northeast = east_of(north.near, north.edge, odd, m);
    const double southwest = west_of(south.near, south.edge, odd, m),
                 southeast = east_of(south.near, south.edge, odd, m);
    const double west2 = m == 0 ? before : own.at[0], east2 = m == 0 ? own.at[1] : after, centre = own.at[m];
    const double west = j > 1 ? ((west2 + centre) + northwest) + southwest : 0;
    const double east = j < p.nx - 2 ? ((centre + east2) + northeast) + southeast : 0;
    const double above = i > 1 ? ((northwest + northeast) + north.far.at[m]) + centre : 0;
    const double below = i < p.ny - 2 ? ((southwest + southeast) + centre) + south.far.at[m] : 0;
    result.at[m] = fma(diagonal, centre, -inv_diagonal * (((west + east) + above) + below));
  }
  return result;
}

// Rows of the halo get p, too, but have no product.
static __global__ void __launch_bounds__(THREADS, 4) direction_kernel(several_part p, several_cg cg) {
  if (cg.state->status != SEVERAL_RUNNING)
    return;
  const bool odd = cg.state->iteration & 1;
  const input x = {odd ? cg.p[0] : cg.p[1], cg.r, cg.state->beta};
  double *next = odd ? cg.p[1] : cg.p[0];
  const int n = blockIdx.y * WARPS + threadIdx.y - SEVERAL_HALO, i = p.first + n;
  const bool is_own = 0 <= n && n < p.rows;
  if (n >= p.rows + SEVERAL_HALO)
    return;
  for_segments(p, is_own, cg.sums + n * SEVERAL_SUMS, [&](int jh, double sum) {
    const int k = index_of(p, i, jh);
    const pair d = two(x, k);
    store(next + k, d);
    if (!is_own)
      return sum;
    const pair q = product(p, cg.diagonal, cg.inv_diagonal, i, jh, d, x);
    for (int m = 0; m < 2; m++)
      if (is_inside(p, BLACK, i, jh + m))
        sum = fma(d.at[m], q.at[m], sum);
    return sum;
  });
}
void several_direction(const several_part *p, const several_cg *cg, cudaStream_t stream) {
  direction_kernel<<<row_blocks(p->rows + 2 * SEVERAL_HALO), dim3(WARP, WARPS), 0, stream>>>(*p, *cg);
}

static __global__ void __launch_bounds__(THREADS, 4)
    update_kernel(several_part p, several_rows rows, several_cg cg) {
  if (cg.state->status != SEVERAL_RUNNING)
    return;
  const input x = {cg.state->iteration & 1 ? cg.p[1] : cg.p[0], nullptr, 0};
  const double alpha = cg.state->alpha;
  const int n = blockIdx.y * WARPS + threadIdx.y, i = row_of(rows, n);
  if (n >= rows.count)
    return;
  for_segments(p, true, cg.sums + (i - p.first) * SEVERAL_SUMS, [&](int jh, double sum) {
    const int k = index_of(p, i, jh);
    const pair d = two(x, k), q = product(p, cg.diagonal, cg.inv_diagonal, i, jh, d, x);
    pair u = load(cg.u[BLACK] + k), r = load(cg.r + k);
    for (int m = 0; m < 2; m++) {
      u.at[m] = fma(alpha, d.at[m], u.at[m]);
      r.at[m] = is_inside(p, BLACK, i, jh + m) ? fma(-alpha, q.at[m], r.at[m]) : 0;
      sum = fma(r.at[m], r.at[m], sum);
    }
    store(cg.u[BLACK] + k, u);
    store(cg.r + k, r);
    return sum;
  });
}
void several_update(const several_part *p, several_rows rows, const several_cg *cg, cudaStream_t stream) {
  if (rows.count > 0)
    update_kernel<<<row_blocks(rows.count), dim3(WARP, WARPS), 0, stream>>>(*p, rows, *cg);
}

// --- sums over all rows ---

enum { SUM_THREADS = 1024 };

// In thread 0.
inline __device__ double total_of(several_total t) {
  __shared__ double of_warp[SUM_THREADS / WARP];
  double sum = 0;
  for (int n = threadIdx.x; n < t.rows; n += SUM_THREADS) {
    const double *of_segment = t.numbers + t.place[n] * SEVERAL_SUMS;
    double of_row = of_segment[0];
    for (int s = 1; s < SEVERAL_SUMS; s++)
      of_row += of_segment[s];
    sum += of_row;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % WARP == 0)
    of_warp[threadIdx.x / WARP] = sum;
  __syncthreads();
  return warp_sum(threadIdx.x < SUM_THREADS / WARP ? of_warp[threadIdx.x] : 0);
}

static __global__ void sum_kernel(several_total t, double *result) {
  const double total = total_of(t);
  if (threadIdx.x == 0)
    *result = total;
}
void several_sum(several_total t, double *result, cudaStream_t stream) {
  sum_kernel<<<1, SUM_THREADS, 0, stream>>>(t, result);
}

static __global__ void alpha_kernel(several_total t, several_state *s) {
  if (s->status != SEVERAL_RUNNING)
    return;
  const double curvature = total_of(t);
  if (threadIdx.x > 0)
    return;
  if (!(curvature > 0 && isfinite(curvature)))
    s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
  s->alpha = s->rho / curvature;
}
void several_alpha(several_total t, several_state *state, cudaStream_t stream) {
  alpha_kernel<<<1, SUM_THREADS, 0, stream>>>(t, state);
}

static __global__ void beta_kernel(several_total t, several_state *s) {
  if (s->status != SEVERAL_RUNNING)
    return;
  const double square = total_of(t);
  if (threadIdx.x > 0)
    return;
  s->iteration++;
  s->beta = square / s->rho;
  s->rho = square;
  if (!isfinite(square))
    s->status = PCG_NOT_FINITE;
  else if (square <= s->enough)
    s->status = PCG_CONVERGED;
  else if (s->iteration >= s->limit)
    s->status = PCG_LIMIT;
}
void several_beta(several_total t, several_state *state, cudaStream_t stream) {
  beta_kernel<<<1, SUM_THREADS, 0, stream>>>(t, state);
}

// --- loading ---

void several_load(void) {
  const void *const kernels[] = {
      (const void *)fill_kernel<float>, (const void *)fill_kernel<double>, (const void *)checksum_kernel,
      (const void *)half_sweep_kernel,  (const void *)red_kernel,          (const void *)residual_kernel,
      (const void *)squares_kernel,     (const void *)direction_kernel,    (const void *)update_kernel,
      (const void *)sum_kernel,         (const void *)alpha_kernel,        (const void *)beta_kernel};
  cudaFuncAttributes attributes;
  for (const void *kernel : kernels)
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
}
