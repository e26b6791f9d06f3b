// Lab 06: conjugate gradients with an SSOR preconditioner. pcg.h specifies what each function does; host_solve.h and
// host_loop.h do what no part asks about; pair.h belongs to part 5.
#include "pcg.h"

#include "host_loop.h"
#include "host_solve.h"
#include "pair.h"

// Part 1: sums.

enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, DOT_SPAN = 2048 };

// The sum over a block, in thread 0. A second call in the same kernel needs a barrier before it.
inline __device__ double block_sum(double value) {
  // TODO(1): a warp's lanes by halves, then the block's warps by halves. (about 12 lines)
  __shared__ double of_warp[WARPS];
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  if (threadIdx.x % WARP == 0)
    of_warp[threadIdx.x / WARP] = value;
  __syncthreads();
  if (threadIdx.x >= WARP)
    return 0;
  value = threadIdx.x < WARPS ? of_warp[threadIdx.x] : 0;
  for (int distance = WARPS / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  // END(1)
  return value;
}

__global__ void dot_kernel(int n, const double *x, const double *y, double *partial) {
  // TODO(1): a thread's products, then the block's. (about 5 lines)
  double sum = 0;
  for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
    sum += x[k] * y[k];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
  // END(1)
}

__global__ void dot_finish_kernel(int blocks, const double *partial, double *result) {
  // TODO(1): one block adds the partial sums. (about 5 lines)
  double sum = 0;
  for (int k = threadIdx.x; k < blocks; k += THREADS)
    sum += partial[k];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    *result = sum;
  // END(1)
}

int pcg_dot(int n, const double *x, const double *y, double *partial, double *result) {
  // TODO(1): launch both. (about 5 lines)
  const int most = blocks_for(n, DOT_SPAN), blocks = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
  dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
  dot_finish_kernel<<<1, THREADS>>>(blocks, partial, result);
  return 0;
  // END(1)
}

// Part 2: CG. A thread for each point of a colour, in blocks of 8 rows of 32 points, from row 1 on.

enum { RED, BLACK };

// A layer of blocks for each colour: blockIdx.z.
static dim3 blocks_of(const pcg_grid *g, int colours) {
  return dim3(blocks_for(g->pitch, WARP), blocks_for(g->ny - 2, WARPS), colours);
}

inline __device__ int index_of(const pcg_grid &g, int colour, int i, int jh) {
  return (colour * g.ny + i) * g.pitch + jh;
}

// False at the boundary and beyond it. i is at least 1.
inline __device__ bool is_unknown(const pcg_grid &g, int colour, int i, int jh) {
  const int shift = (i + colour) & 1; // without a shift, jh = 0 is the boundary
  return i < g.ny - 1 && 0 < jh + shift && jh < (g.nx - shift) >> 1;
}

// ((west + east) + north) + south of a point, all in the other colour and each times factor.
inline __device__ double neighbours(const pcg_grid &g, int colour, int i, int jh, double factor,
                                    const double *x) {
  double sum = 0;
  // TODO(2): as in lab 05. (about 4 lines)
  const int k = index_of(g, 1 - colour, i, jh), shift = (i + colour) & 1;
  const double west = factor * x[k + shift - 1], east = factor * x[k + shift];
  sum = ((west + east) + factor * x[k - g.pitch]) + factor * x[k + g.pitch];
  // END(2)
  return sum;
}

// q = A p
__global__ void apply_kernel(pcg_grid g, const double *p, double *q) {
  // TODO(2): at unknown points, diagonal times p minus its neighbours. (about 5 lines)
  const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
  const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
  if (is_unknown(g, colour, i, jh))
    q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
  // END(2)
}

// r = h2f − A u
__global__ void residual_kernel(pcg_grid g, const double *h2f, const double *u, double *r) {
  // TODO(2): add neighbours and h2f first, then subtract the diagonal's product. (about 5 lines)
  const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
  const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
  if (is_unknown(g, colour, i, jh))
    r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - g.diagonal * u[k];
  // END(2)
}

// y = y + alpha·x
__global__ void axpy_kernel(int n, double alpha, const double *x, double *y) {
  // TODO(2): one element per thread. (about 3 lines)
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k < n)
    y[k] += alpha * x[k];
  // END(2)
}

// y = x + beta·y
__global__ void xpay_kernel(int n, const double *x, double beta, double *y) {
  // TODO(2): one element per thread. (about 3 lines)
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k < n)
    y[k] = x[k] + beta * y[k];
  // END(2)
}

static int residual(const solve *s) {
  // TODO(2): launch residual_kernel on both colours. (2 lines)
  residual_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, s->h2f, s->u, s->r);
  return 0;
  // END(2)
}

// q = A p, by the matrix if there is one.
static void multiply(const solve *s, const double *p, double *q) {
  if (s->control.matrix)
    csr_multiply(s->control.matrix, p, q);
  else
    apply_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, p, q);
}

// The iteration. omega: of the preconditioner; 0: none, and z is s->r itself. p, q: grid functions, zero.
static int iterate(solve *s, double omega, double *z, double *p, double *q) {
  // TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
  const int blocks = blocks_for(s->n, THREADS);
  double square, rho, rho_old = 1, curvature;
  if (const int part = residual(s))
    return part;
  for (;; s->result->iterations++) {
    int part = host_dot(s, s->r, s->r, &square);
    if (part || solve_add(s, square))
      return part;
    part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0; // z = M⁻¹r
    part = part ? part : host_dot(s, s->r, z, &rho);         // rho = r·z
    if (part || !is_positive(s, rho))
      return part;
    const double beta = s->result->iterations ? rho / rho_old : 0;
    xpay_kernel<<<blocks, THREADS>>>(s->n, z, beta, p); // p = z + beta p
    multiply(s, p, q);
    part = host_dot(s, p, q, &curvature);
    if (part || !is_positive(s, curvature))
      return part;
    const double alpha = rho / curvature;
    axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, p, s->u);  // u = u + alpha p
    axpy_kernel<<<blocks, THREADS>>>(s->n, -alpha, q, s->r); // r = r − alpha A p
    rho_old = rho;
  }
  // END(2)
}

int cg_solve(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
             struct pcg_result *result) {
  solve s;
  int part = solve_open(&s, g, h2f, u, control, result);
  if (s.runs) {
    double *p = device_array<double>(s.n), *q = device_array<double>(s.n);
    part = iterate(&s, 0, s.r, p, q);
    CUDA_CHECK(cudaFree(p));
    CUDA_CHECK(cudaFree(q));
  }
  return solve_close(&s, part);
}

// Part 3: z = s·r + c·(neighbours of factor·x) at the points of a colour.
__global__ void ssor_kernel(pcg_grid g, int colour, double s, double c, const double *r, double factor,
                            const double *x, double *z) {
  // TODO(3): at unknown points. (about 5 lines)
  const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
  const int k = index_of(g, colour, i, jh);
  if (is_unknown(g, colour, i, jh))
    z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
  // END(3)
}

int ssor_apply(const struct pcg_grid *g, double omega, const double *r, double *z) {
  // TODO(3): black from s·r, then red from z. (about 5 lines)
  const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
  const dim3 blocks = blocks_of(g, 1), threads(WARP, WARPS);
  ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
  ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
  return 0;
  // END(3)
}

// Part 4.
static int iterate_with(solve *s, double omega) {
  // TODO(4): like cg_solve between opening and closing, with omega and a grid function z. (about 5 lines)
  double *z = device_array<double>(s->n), *p = device_array<double>(s->n), *q = device_array<double>(s->n);
  const int part = iterate(s, omega, z, p, q);
  for (double *array : {z, p, q})
    CUDA_CHECK(cudaFree(array));
  return part;
  // END(4)
}

int pcg_solve(const struct pcg_grid *g, double omega, const double *h2f, double *u,
              struct pcg_control control, struct pcg_result *result) {
  solve s;
  const int part = solve_open(&s, g, h2f, u, control, result);
  return solve_close(&s, s.runs ? iterate_with(&s, omega) : part);
}

// Part 5: the loop without the host. A thread owns two neighbouring points of a colour, 16 bytes of each array.

// An input of the products: p, or r + beta·p.
struct input {
  const double *p;
  bool is_sum;
  const double *r;
  double beta;
};
inline __device__ double one(input x, int k) { return x.is_sum ? x.r[k] + x.beta * x.p[k] : x.p[k]; }
inline __device__ pair two(input x, int k) {
  if (!x.is_sum)
    return load(x.p + k);
  const pair r = load(x.r + k), p = load(x.p + k);
  return {{r.at[0] + x.beta * p.at[0], r.at[1] + x.beta * p.at[1]}};
}

// The points (i, jh) and (i, jh + 1) of a colour, at k and k + 1 in the vectors of the loop.
struct place {
  int colour, i, jh, k;
};

// This thread's place in a tile; false if the tile extends past the grid there. REDUCED: of black points alone, part 6.
template <bool REDUCED>
static __device__ bool find_place(const pcg_grid &g, const loop &l, int tile, place *p) {
  const int row_of_tiles = tile / l.across;
  p->jh = tile % l.across * TILE_X + 2 * (threadIdx.x % WARP);
  p->i = 1 + row_of_tiles % l.down * TILE_Y + threadIdx.x / WARP;
  p->colour = (REDUCED ? BLACK : RED) + row_of_tiles / l.down;
  p->k = index_of(g, REDUCED ? 0 : p->colour, p->i, p->jh);
  return p->jh < g.pitch && p->i < g.ny - 1;
}

// A x at a place, where x is own.
inline __device__ pair full_product(const pcg_grid &g, place at, pair own, input x) {
  pair result = own;
  // TODO(5): like apply_kernel, from three pairs of the other colour and the edge element. (about 9 lines)
  const bool shifted = (at.i + at.colour) & 1;
  const int k = index_of(g, 1 - at.colour, at.i, at.jh);
  const pair centre = two(x, k), north = two(x, k - g.pitch), south = two(x, k + g.pitch);
  const double edge = one(x, shifted ? k + 2 : k - 1);
  for (int m = 0; m < 2; m++) {
    const double west = west_of(centre, edge, shifted, m), east = east_of(centre, edge, shifted, m);
    result.at[m] = g.diagonal * own.at[m] - (((west + east) + north.at[m]) + south.at[m]);
  }
  // END(5)
  return result;
}

// Part 6: of the black points in rows i − 1 and i − 2, or i + 1 and i + 2, what reduced_product reads.
struct outer_rows {
  pair near, far;
  double edge; // beside near: before the pair or, when shifted, after it
};
inline __device__ outer_rows outer_of(input x, bool inside, int k, int pitch, bool shifted) {
  if (!inside)
    return {};
  return {two(x, k + pitch), two(x, k + 2 * pitch), one(x, k + pitch + (shifted ? 2 : -1))};
}

// S x at a place of black points, where x is own.
inline __device__ pair reduced_product(const pcg_grid &g, double inv_diagonal, place at, pair own, input x) {
  pair result = own;
  // TODO(6): nine points of x, through the four red ones between. (about 20 lines)
  const bool shifted = (at.i + BLACK) & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 2;
  const outer_rows north = outer_of(x, north_inside, at.k, -g.pitch, shifted);
  const outer_rows south = outer_of(x, south_inside, at.k, g.pitch, shifted);
  const double before = one(x, at.k - 1), after = one(x, at.k + 2);
  for (int m = 0; m < 2; m++) {
    const int j = 2 * (at.jh + m) + shifted;
    const double northwest = west_of(north.near, north.edge, shifted, m),
                 northeast = east_of(north.near, north.edge, shifted, m);
    const double southwest = west_of(south.near, south.edge, shifted, m),
                 southeast = east_of(south.near, south.edge, shifted, m);
    const double west2 = m == 0 ? before : own.at[0], east2 = m == 0 ? own.at[1] : after;
    const double centre = own.at[m];
    const double west = j > 1 ? ((west2 + centre) + northwest) + southwest : 0;
    const double east = j < g.nx - 2 ? ((centre + east2) + northeast) + southeast : 0;
    const double above = north_inside ? ((northwest + northeast) + north.far.at[m]) + centre : 0;
    const double below = south_inside ? ((southwest + southeast) + centre) + south.far.at[m] : 0;
    result.at[m] = g.diagonal * centre - inv_diagonal * (((west + east) + above) + below);
  }
  // END(6)
  return result;
}

template <bool REDUCED>
static __device__ pair product(const pcg_grid &g, const loop &l, place at, pair own, input x) {
  return REDUCED ? reduced_product(g, l.inv_diagonal, at, own, x) : full_product(g, at, own, x);
}

// The sum over all blocks, in the order of their numbers. Returns true, and the sum, only in thread 0 of the
// last block that arrives.
inline __device__ bool grid_sum(const loop &l, double value, double *total) {
  // TODO(5): publish the block's sum, count arrivals, let the last block add. (about 16 lines)
  __shared__ bool last;
  value = block_sum(value);
  if (threadIdx.x == 0) {
    l.partial[blockIdx.x] = value;
    __threadfence(); // the sum is visible before the arrival
    last = atomicAdd(&l.state->arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return false;
  __threadfence();
  value = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += THREADS)
    value += __ldcg(l.partial + k);
  *total = block_sum(value);
  if (threadIdx.x == 0)
    l.state->arrived = 0;
  return threadIdx.x == 0;
  // END(5)
}

// p = r + beta·p, p·Ap; then alpha
template <bool REDUCED> __global__ void direction_kernel(pcg_grid g, loop l) {
  // TODO(5): do nothing unless the state is RUNNING. (about 20 lines)
  loop_state *s = l.state;
  if (s->status != RUNNING)
    return;
  const bool odd = s->iteration % 2;
  const input direction = {odd ? l.p1 : l.p0, true, l.r, s->beta};
  double *next = odd ? l.p0 : l.p1, sum = 0, curvature;
  place at;
  for (int tile = blockIdx.x; tile < l.tiles; tile += gridDim.x) {
    if (!find_place<REDUCED>(g, l, tile, &at))
      continue;
    const pair p = two(direction, at.k), q = product<REDUCED>(g, l, at, p, direction);
    store(next + at.k, p);
    sum += (is_unknown(g, at.colour, at.i, at.jh) ? p.at[0] * q.at[0] : 0) +
           (is_unknown(g, at.colour, at.i, at.jh + 1) ? p.at[1] * q.at[1] : 0);
  }
  if (!grid_sum(l, sum, &curvature))
    return;
  if (!(curvature > 0 && isfinite(curvature)))
    s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
  s->alpha = s->rho / curvature;
  // END(5)
}

// u = u + alpha·p, r = r − alpha·Ap, r·r; then beta and the status
template <bool REDUCED> __global__ void update_kernel(pcg_grid g, loop l) {
  // TODO(5): do nothing unless the state is RUNNING. (about 30 lines)
  loop_state *s = l.state;
  if (s->status != RUNNING)
    return;
  const input direction = {s->iteration % 2 ? l.p0 : l.p1, false};
  const double alpha = s->alpha;
  double sum = 0, square;
  place at;
  for (int tile = blockIdx.x; tile < l.tiles; tile += gridDim.x) {
    if (!find_place<REDUCED>(g, l, tile, &at))
      continue;
    const pair p = two(direction, at.k), q = product<REDUCED>(g, l, at, p, direction);
    pair u = load(l.u + at.k), r = load(l.r + at.k);
    for (int m = 0; m < 2; m++) {
      u.at[m] += alpha * p.at[m];
      r.at[m] = is_unknown(g, at.colour, at.i, at.jh + m) ? r.at[m] - alpha * q.at[m] : 0;
    }
    store(l.u + at.k, u);
    store(l.r + at.k, r);
    sum += r.at[0] * r.at[0] + r.at[1] * r.at[1];
  }
  if (!grid_sum(l, sum, &square))
    return;
  l.squares[s->iteration % l.check_every] = square;
  s->iteration++;
  s->beta = square / s->rho;
  s->rho = square;
  if (!isfinite(square))
    s->status = PCG_NOT_FINITE;
  else if (square <= s->enough)
    s->status = PCG_CONVERGED;
  else if (s->iteration >= s->limit)
    s->status = PCG_LIMIT;
  // END(5)
}

// check_every iterations as a graph.
template <bool REDUCED>
static int capture_stretch(const pcg_grid *g, loop l, cudaStream_t stream, cudaGraphExec_t *stretch) {
  // TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
  const int blocks = l.tiles < LOOP_BLOCKS ? l.tiles : LOOP_BLOCKS;
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int n = 0; n < l.check_every; n++) {
    direction_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
    update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
  }
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return 0;
  // END(5)
}

int cg_solve_fused(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
                   struct pcg_result *result) {
  solve s;
  double square = 0;
  int part = solve_open(&s, g, h2f, u, control, result);
  if (s.runs) {
    part = residual(&s);
    part = part ? part : host_dot(&s, s.r, s.r, &square);
    if (!part && !solve_add(&s, square))
      part = loop_solve(&s, 2, u, s.r, square, capture_stretch<false>);
  }
  return solve_close(&s, part);
}

// Part 6: red points from black ones, u_r = (sum of neighbours + h2f)/diagonal
__global__ void red_kernel(pcg_grid g, const double *h2f, double *u) {
  // TODO(6): like ssor_kernel, with a division. (about 5 lines)
  const int jh = blockIdx.x * WARP + threadIdx.x, i = 1 + blockIdx.y * WARPS + threadIdx.y;
  const int k = index_of(g, RED, i, jh);
  if (is_unknown(g, RED, i, jh))
    u[k] = (neighbours(g, RED, i, jh, 1, u) + h2f[k]) / g.diagonal;
  // END(6)
}

static int solve_red(const solve *s) {
  // TODO(6): launch red_kernel. (2 lines)
  red_kernel<<<blocks_of(s->g, 1), dim3(WARP, WARPS)>>>(*s->g, s->h2f, s->u);
  return 0;
  // END(6)
}

int reduced_cg(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
               struct pcg_result *result) {
  solve s;
  double square = 0;
  int part = solve_open(&s, g, h2f, u, control, result);
  if (s.runs) {
    const int half = s.n / 2;
    part = solve_red(&s);
    part = part ? part : residual(&s); // at red points it is rounding error, which is discarded
    CUDA_CHECK(cudaMemset(s.r, 0, half * sizeof *s.r));
    part = part ? part : host_dot(&s, s.r, s.r, &square);
    if (!part && !solve_add(&s, square)) {
      part = loop_solve(&s, 1, u + half, s.r + half, square, capture_stretch<true>);
      part = part ? part : solve_red(&s);
    }
  }
  return solve_close(&s, part);
}
