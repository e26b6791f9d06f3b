// Lab 06: conjugate gradients with an SSOR preconditioner. pcg.h specifies what each function does.
#include "pcg.h"

#include "cuda_check.h"

#include <math.h>

inline int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

template <class T> static T *device_array(int count) {
  T *array;
  CUDA_CHECK(cudaMalloc((void **)&array, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(array, 0, count * sizeof(T)));
  return array;
}

// Sums.

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

// Places. A thread owns two neighbouring points of a colour, 16 bytes of each array; a block owns tiles of 8
// rows of 64 points.

enum { RED, BLACK };

struct alignas(16) pair {
  double at[2];
};

inline __device__ pair load(const double *p) { return *reinterpret_cast<const pair *>(p); }
inline __device__ void store(double *p, pair values) { *reinterpret_cast<pair *>(p) = values; }

// Row i, an interior one, and compressed indices jh and jh + 1 of a colour.
struct place {
  int i, jh, colour;
};

enum { TILE_X = 64, TILE_Y = THREADS / WARP, LOOP_BLOCKS = 1056 };

// Tiles of the interior rows of one or two colours.
struct tiles {
  int across, down, colours;
};
static tiles tiles_of(const pcg_grid *g, int colours) {
  return {blocks_for(g->pitch, TILE_X), blocks_for(g->ny - 2, TILE_Y), colours};
}
inline __host__ __device__ int tiles_count(tiles t) { return t.across * t.down * t.colours; }

// This thread's place in a tile, of colour `first` or a later one; false when the tile extends past the grid
// there.
inline __device__ bool find_place(const pcg_grid &g, tiles t, int tile, int first, place *p) {
  const int row_of_tiles = tile / t.across;
  p->jh = (tile % t.across) * TILE_X + 2 * (threadIdx.x % WARP);
  p->i = 1 + row_of_tiles % t.down * TILE_Y + threadIdx.x / WARP;
  p->colour = first + row_of_tiles / t.down;
  return p->jh < g.pitch && p->i < g.ny - 1;
}

// The index of a place in a grid function.
inline __device__ int index_of(const pcg_grid &g, place p) {
  return (p.colour * g.ny + p.i) * g.pitch + p.jh;
}

inline __device__ bool is_unknown(const pcg_grid &g, place p, int m) {
  const int jh = p.jh + m, shift = (p.i + p.colour) & 1; // without a shift, jh = 0 is the boundary
  return 0 < jh + shift && jh < (g.nx - shift) >> 1;
}

// The west and east neighbours of the m-th point of a place. They are among three adjacent elements of the
// other colour: a pair, and the edge element, which comes before the pair or, when shifted, after it.
inline __device__ double west_of(pair row, double edge, bool shifted, int m) {
  return shifted ? row.at[m] : m == 0 ? edge : row.at[0];
}
inline __device__ double east_of(pair row, double edge, bool shifted, int m) {
  return shifted ? (m == 0 ? row.at[1] : edge) : row.at[m];
}

// Input of the stencils, by element: a grid function in memory, a multiple of one, or r + beta·p.
struct stored {
  const double *x;
  __device__ pair two(int k) const { return load(x + k); }
  __device__ double one(int k) const { return x[k]; }
};
struct scaled {
  double s;
  const double *x;
  __device__ double one(int k) const { return s * x[k]; }
  __device__ pair two(int k) const {
    const pair v = load(x + k);
    return {{s * v.at[0], s * v.at[1]}};
  }
};
struct combined {
  const double *r, *p;
  double beta;
  __device__ double one(int k) const { return r[k] + beta * p[k]; }
  __device__ pair two(int k) const {
    const pair a = load(r + k), b = load(p + k);
    return {{a.at[0] + beta * b.at[0], a.at[1] + beta * b.at[1]}};
  }
};

// ((west + east) + north) + south of the points of a place; meaningless where is_unknown is false.
template <class Source> static __device__ pair neighbours(const pcg_grid &g, place p, const Source &x) {
  pair sum = {};
  // TODO(2): west and east of both points are three elements of the other colour. (about 8 lines)
  const bool shifted = (p.i + p.colour) & 1;
  const int k = index_of(g, {p.i, p.jh, 1 - p.colour});
  const pair centre = x.two(k), north = x.two(k - g.pitch), south = x.two(k + g.pitch);
  const double edge = x.one(shifted ? k + 2 : k - 1);
  for (int m = 0; m < 2; m++)
    sum.at[m] =
        ((west_of(centre, edge, shifted, m) + east_of(centre, edge, shifted, m)) + north.at[m]) + south.at[m];
  // END(2)
  return sum;
}

// Calls work(place) for the places of this block's tiles and adds what it returns.
template <class Work>
static __device__ double over_places(const pcg_grid &g, tiles t, int first, const Work &work) {
  double sum = 0;
  place p;
  for (int tile = blockIdx.x; tile < tiles_count(t); tile += gridDim.x)
    if (find_place(g, t, tile, first, &p))
      sum += work(p);
  return sum;
}
template <class Work>
static __device__ void for_places(const pcg_grid &g, tiles t, int first, const Work &work) {
  over_places(g, t, first, [=](place p) {
    work(p);
    return 0;
  });
}

// CG and PCG, driven by the host.

// q = A p
__global__ void apply_kernel(pcg_grid g, tiles t, const double *p, double *q) {
  // TODO(2): diagonal times p minus its neighbours; zero at boundary and padding. (about 8 lines)
  for_places(g, t, RED, [=](place at) {
    const int k = index_of(g, at);
    const pair own = load(p + k), sum = neighbours(g, at, stored{p});
    pair result;
    for (int m = 0; m < 2; m++)
      result.at[m] = is_unknown(g, at, m) ? g.diagonal * own.at[m] - sum.at[m] : 0;
    store(q + k, result);
  });
  // END(2)
}

// r = h2f − A u
__global__ void residual_kernel(pcg_grid g, tiles t, const double *h2f, const double *u, double *r) {
  // TODO(2): like apply_kernel; add sum and h2f first, then subtract the diagonal's product. (about 8 lines)
  for_places(g, t, RED, [=](place at) {
    const int k = index_of(g, at);
    const pair own = load(u + k), source = load(h2f + k), sum = neighbours(g, at, stored{u});
    pair result;
    for (int m = 0; m < 2; m++)
      result.at[m] = is_unknown(g, at, m) ? (sum.at[m] + source.at[m]) - g.diagonal * own.at[m] : 0;
    store(r + k, result);
  });
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

// One solve: its arguments, and what all solvers need.
struct solve {
  const pcg_grid *g;
  const double *h2f;
  double *u;
  pcg_control control;
  pcg_result *result;
  int n;                 // elements of a grid function
  double *r;             // device
  double *partial, *sum; // device, of host_dot
  double f_norm;
};

// *value = x·y, on the host.
static int host_dot(const solve *s, const double *x, const double *y, double *value) {
  const int part = s->control.dot(s->n, x, y, s->partial, s->sum);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(value, s->sum, sizeof *value, cudaMemcpyDeviceToHost));
  return part;
}

static int residual(const solve *s) {
  // TODO(2): launch residual_kernel, a block for each tile of both colours. (about 3 lines)
  const tiles t = tiles_of(s->g, 2);
  residual_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, s->h2f, s->u, s->r);
  return 0;
  // END(2)
}

// Computes the norm of h2f. *go_on is false if it is zero or not finite; then the result is complete.
static int solve_open(solve *s, bool *go_on) {
  double square;
  s->n = pcg_elements(s->g);
  s->partial = device_array<double>(PCG_DOT_BLOCKS);
  s->sum = device_array<double>(1);
  s->r = device_array<double>(s->n);
  *s->result = {PCG_CONVERGED, 0, 0};
  if (const int part = host_dot(s, s->h2f, s->h2f, &square))
    return part;
  s->f_norm = sqrt(square);
  *go_on = isfinite(square) && square > 0;
  if (square == 0) {
    CUDA_CHECK(cudaMemset(s->u, 0, s->n * sizeof *s->u));
    if (s->control.history)
      s->control.history[0] = 0;
  } else if (!isfinite(square)) {
    s->result->status = PCG_NOT_FINITE;
    s->result->relative_residual = NAN;
  }
  return 0;
}

// Computes the residual of u anew.
static int solve_close(solve *s) {
  double square = 0;
  int part = 0;
  if (s->f_norm > 0 && isfinite(s->f_norm)) {
    part = residual(s);
    part = part ? part : host_dot(s, s->r, s->r, &square);
    s->result->relative_residual = sqrt(square) / s->f_norm;
  }
  return part;
}

static void solve_free(solve *s) {
  for (double *array : {s->r, s->partial, s->sum})
    CUDA_CHECK(cudaFree(array));
}

// Opens, calls loop(&s) unless there is nothing to do, closes.
template <class Loop>
static int run_solve(const pcg_grid *g, const double *h2f, double *u, pcg_control control, pcg_result *result,
                     Loop loop) {
  solve s = {g, h2f, u, control, result};
  bool go_on = false;
  int part = solve_open(&s, &go_on);
  if (!part && go_on)
    part = loop(&s);
  if (!part)
    part = solve_close(&s);
  solve_free(&s);
  return part;
}

// Records r·r after an iteration, or before the first. Returns true to stop.
static bool solve_add(solve *s, double square) {
  pcg_result *result = s->result;
  const double relative = sqrt(square) / s->f_norm;
  if (s->control.history)
    s->control.history[result->iterations] = relative;
  result->status = relative <= s->control.tolerance ? PCG_CONVERGED
                   : isfinite(relative)             ? PCG_LIMIT
                                                    : PCG_NOT_FINITE;
  return result->status != PCG_LIMIT || result->iterations >= s->control.limit;
}

// Returns false if a number that must be positive is not, and sets the status.
inline bool is_positive(solve *s, double value) {
  if (!(value > 0 && isfinite(value)))
    s->result->status = isfinite(value) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
  return value > 0 && isfinite(value);
}

// q = A p with the matrix. A block multiplies the entries of its 256 rows in the order of memory, so that neighbouring
// threads read neighbouring entries; then each thread adds the products of one row.
enum { ROW_ENTRIES = 5 };

__global__ void csr_kernel(pcg_csr a, const double *p, double *q) {
  __shared__ double product[ROW_ENTRIES * THREADS];
  const int first_row = blockIdx.x * THREADS, rows = min(THREADS, a.rows - first_row);
  const int *start = a.row_start + first_row;
  const int t = threadIdx.x;
  const int first = start[0], count = start[rows] - first;
  for (int e = t; e < count; e += THREADS)
    product[e] = a.value[first + e] * p[a.column[first + e]];
  __syncthreads();
  if (t >= rows)
    return;
  double row_sum = 0;
  for (int e = start[t] - first; e < start[t + 1] - first; e++)
    row_sum += product[e];
  q[first_row + t] = row_sum;
}

// q = A p, by the matrix if there is one.
inline void multiply(const solve *s, const double *p, double *q) {
  const pcg_csr *a = s->control.matrix;
  const tiles t = tiles_of(s->g, 2);
  if (a)
    csr_kernel<<<blocks_for(a->rows, THREADS), THREADS>>>(*a, p, q);
  else
    apply_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, p, q);
}

// The iteration. precondition() makes z from s->r; for plain CG z is s->r itself. p, q: grid functions, p
// zero.
template <class Precondition>
static int iterate(solve *s, const double *z, double *p, double *q, Precondition precondition) {
  // TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
  const int blocks = blocks_for(s->n, THREADS);
  double square, rho, rho_old = 1, curvature;
  if (const int part = residual(s))
    return part;
  for (;; s->result->iterations++) {
    int part = host_dot(s, s->r, s->r, &square);
    if (part || solve_add(s, square))
      return part;
    part = precondition();                           // z = M⁻¹r
    part = part ? part : host_dot(s, s->r, z, &rho); // rho = r·z
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
  return run_solve(g, h2f, u, control, result, [](solve *s) {
    double *p = device_array<double>(s->n), *q = device_array<double>(s->n);
    const int part = iterate(s, s->r, p, q, [] { return 0; });
    CUDA_CHECK(cudaFree(p));
    CUDA_CHECK(cudaFree(q));
    return part;
  });
}

// z = s·r + c·neighbours at the points of a colour; the neighbours are values of `other`.
template <class Other>
__global__ void ssor_kernel(pcg_grid g, tiles t, int colour, double s, double c, const double *r, Other other,
                            double *z) {
  // TODO(3): zero at boundary and padding. (about 8 lines)
  for_places(g, t, colour, [=](place at) {
    const int k = index_of(g, at);
    const pair own = load(r + k), sum = neighbours(g, at, other);
    pair result;
    for (int m = 0; m < 2; m++)
      result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
    store(z + k, result);
  });
  // END(3)
}

int ssor_apply(const struct pcg_grid *g, double omega, const double *r, double *z) {
  // TODO(3): black from s·r, then red from z. (about 5 lines)
  const double s = omega * (2 - omega) / g->diagonal, c = omega / g->diagonal;
  const tiles t = tiles_of(g, 1);
  ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
  ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
  return 0;
  // END(3)
}

int pcg_solve(const struct pcg_grid *g, double omega, const double *h2f, double *u,
              struct pcg_control control, struct pcg_result *result) {
  return run_solve(g, h2f, u, control, result, [=](solve *s) {
    // TODO(4): iterate, with ssor_apply. (about 5 lines)
    double *z = device_array<double>(s->n), *p = device_array<double>(s->n), *q = device_array<double>(s->n);
    const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->r, z); });
    for (double *array : {z, p, q})
      CUDA_CHECK(cudaFree(array));
    return part;
    // END(4)
  });
}

// The loop without the host.

enum { RUNNING = -1 };

// In device memory. The last block of a kernel to arrive changes it; the next kernel reads it.
struct loop_state {
  double rho, alpha, beta;
  double enough; // r·r at which to stop
  int iteration, limit, status;
  unsigned arrived;
};

// Data that the kernels of a loop share. The vectors are those of the operator.
struct loop {
  tiles t;
  double *u, *r, *p0, *p1; // after an even number of iterations the last direction is p0, else p1
  double *partial;         // one for each block
  loop_state *state;
  double *squares; // r·r after iteration n at (n − 1) % check_every
  int check_every;
};

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
template <class Operator> __global__ void direction_kernel(Operator a, loop l) {
  // TODO(5): do nothing unless the state is RUNNING. (about 18 lines)
  loop_state *s = l.state;
  if (s->status != RUNNING)
    return;
  const bool odd = s->iteration % 2;
  const combined direction = {l.r, odd ? l.p1 : l.p0, s->beta};
  double *next = odd ? l.p0 : l.p1, curvature;
  const double sum = over_places(a.g, l.t, Operator::FIRST, [=](place at) {
    const int k = a.index(at);
    const pair p = direction.two(k), q = a.apply(at, p, direction);
    store(next + k, p);
    return (is_unknown(a.g, at, 0) ? p.at[0] * q.at[0] : 0) +
           (is_unknown(a.g, at, 1) ? p.at[1] * q.at[1] : 0);
  });
  if (!grid_sum(l, sum, &curvature))
    return;
  if (!(curvature > 0 && isfinite(curvature)))
    s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
  s->alpha = s->rho / curvature;
  // END(5)
}

// u = u + alpha·p, r = r − alpha·Ap, r·r; then beta and the status
template <class Operator> __global__ void update_kernel(Operator a, loop l) {
  // TODO(5): do nothing unless the state is RUNNING. (about 28 lines)
  loop_state *s = l.state;
  if (s->status != RUNNING)
    return;
  const stored direction = {s->iteration % 2 ? l.p0 : l.p1};
  const double alpha = s->alpha;
  double square;
  const double sum = over_places(a.g, l.t, Operator::FIRST, [=](place at) {
    const int k = a.index(at);
    const pair p = direction.two(k), q = a.apply(at, p, direction);
    pair u = load(l.u + k), r = load(l.r + k);
    for (int m = 0; m < 2; m++) {
      u.at[m] += alpha * p.at[m];
      r.at[m] = is_unknown(a.g, at, m) ? r.at[m] - alpha * q.at[m] : 0;
    }
    store(l.u + k, u);
    store(l.r + k, r);
    return r.at[0] * r.at[0] + r.at[1] * r.at[1];
  });
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

// A on all points.
struct full_operator {
  pcg_grid g;
  enum { FIRST = RED, COLOURS = 2 };

  __device__ int index(place at) const { return index_of(g, at); }

  // A x at a place, where x is own.
  template <class Source> __device__ pair apply(place at, pair own, const Source &x) const {
    // TODO(5): diagonal times own minus neighbours. (2 lines)
    const pair sum = neighbours(g, at, x);
    return {{g.diagonal * own.at[0] - sum.at[0], g.diagonal * own.at[1] - sum.at[1]}};
    // END(5)
  }
};

// Rows i − 1 and i − 2 of the black points, or rows i + 1 and i + 2: what reduced_operator reads of them. If the first
// of them is the boundary, it reads neither.
struct outer_rows {
  pair near, far;
  double edge; // beside near: before the pair or, when shifted, after it
};
template <class Source>
static __device__ outer_rows outer_of(const Source &x, bool inside, int k, int pitch, bool shifted) {
  if (!inside)
    return {};
  return {x.two(k + pitch), x.two(k + 2 * pitch), x.one(k + pitch + (shifted ? 2 : -1))};
}

// S on the black points; vectors are the black halves of grid functions.
struct reduced_operator {
  pcg_grid g;
  double inv_diagonal;
  enum { FIRST = BLACK, COLOURS = 1 };

  __device__ int index(place at) const { return at.i * g.pitch + at.jh; }

  template <class Source> __device__ pair apply(place at, pair own, const Source &x) const {
    // TODO(6): nine points of x, through the four red ones between. (about 22 lines)
    const bool shifted = (at.i + BLACK) & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 2;
    const int k = index(at);
    const outer_rows north = outer_of(x, north_inside, k, -g.pitch, shifted);
    const outer_rows south = outer_of(x, south_inside, k, g.pitch, shifted);
    const double before = x.one(k - 1), after = x.one(k + 2);
    pair result;
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
    return result;
    // END(6)
  }
};

// The host's copy of a loop's state and squares after a stretch, in pinned memory.
enum { VIEWS = 2 };
struct view {
  loop_state *state;
  double *squares;
  cudaEvent_t arrived;
};

static view view_open(int check_every) {
  view v;
  CUDA_CHECK(cudaMallocHost((void **)&v.state, sizeof *v.state));
  CUDA_CHECK(cudaMallocHost((void **)&v.squares, check_every * sizeof *v.squares));
  CUDA_CHECK(cudaEventCreateWithFlags(&v.arrived, cudaEventDisableTiming));
  return v;
}

static void view_close(view *v) {
  CUDA_CHECK(cudaFreeHost(v->state));
  CUDA_CHECK(cudaFreeHost(v->squares));
  CUDA_CHECK(cudaEventDestroy(v->arrived));
}

static void view_queue(view *v, const loop &l, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(v->state, l.state, sizeof *v->state, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaMemcpyAsync(v->squares, l.squares, l.check_every * sizeof *v->squares,
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaEventRecord(v->arrived, stream));
}

// check_every iterations as a graph.
template <class Operator>
static int capture_stretch(const Operator &a, const loop &l, cudaStream_t stream, cudaGraphExec_t *stretch) {
  // TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 13 lines)
  const int tile_count = tiles_count(l.t), blocks = tile_count < LOOP_BLOCKS ? tile_count : LOOP_BLOCKS;
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int n = 0; n < l.check_every; n++) {
    direction_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
    update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
  }
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return 0;
  // END(5)
}

// Records the results of a stretch. Returns false when the loop has ended.
static bool solve_look(solve *s, const view *v) {
  const int before = s->result->iterations, limit = s->control.limit; // history has room for no more
  const int done = v->state->iteration < limit ? v->state->iteration : limit;
  while (s->result->iterations < done) {
    s->result->iterations++;
    if (s->control.history)
      s->control.history[s->result->iterations] =
          sqrt(v->squares[s->result->iterations - 1 - before]) / s->f_norm;
  }
  if (v->state->status != RUNNING)
    s->result->status = (pcg_status)v->state->status;
  return v->state->status == RUNNING;
}

// Runs stretches. While one runs, the host reads the state after the previous one.
static void run_stretches(solve *s, const loop &l, cudaStream_t stream, cudaGraphExec_t stretch) {
  view views[VIEWS] = {view_open(l.check_every), view_open(l.check_every)};
  bool running = true;
  for (int n = 0; running; n++) {
    CUDA_CHECK(cudaGraphLaunch(stretch, stream));
    view_queue(&views[n % VIEWS], l, stream);
    if (n == 0)
      continue;
    const view *last = &views[(n - 1) % VIEWS];
    CUDA_CHECK(cudaEventSynchronize(last->arrived));
    running = solve_look(s, last);
  }
  CUDA_CHECK(cudaStreamSynchronize(stream));
  for (view &v : views)
    view_close(&v);
}

// The loop on the vectors of an operator: u and the residual r, n elements each. s->result is ready for r·r.
template <class Operator>
static int loop_solve(solve *s, const Operator &a, int n, double *u, double *r, double square) {
  loop l = {tiles_of(s->g, Operator::COLOURS), u, r, device_array<double>(n), device_array<double>(n)};
  const double goal = s->control.tolerance * s->f_norm;
  const loop_state start = {square, 0, 0, goal * goal, 0, s->control.limit, RUNNING, 0};
  cudaStream_t stream;
  cudaGraphExec_t stretch;
  l.partial = device_array<double>(LOOP_BLOCKS);
  l.state = device_array<loop_state>(1);
  l.squares = device_array<double>(s->control.check_every);
  l.check_every = s->control.check_every;
  CUDA_CHECK(cudaMemcpy(l.state, &start, sizeof start, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaStreamCreate(&stream));
  const int part = capture_stretch(a, l, stream, &stretch);
  if (!part) {
    run_stretches(s, l, stream, stretch);
    CUDA_CHECK(cudaGraphExecDestroy(stretch));
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
  for (double *array : {l.p0, l.p1, l.partial, l.squares})
    CUDA_CHECK(cudaFree(array));
  CUDA_CHECK(cudaFree(l.state));
  return part;
}

int cg_solve_fused(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
                   struct pcg_result *result) {
  return run_solve(g, h2f, u, control, result, [=](solve *s) {
    double square = 0;
    int part = residual(s);
    part = part ? part : host_dot(s, s->r, s->r, &square);
    return part || solve_add(s, square) ? part : loop_solve(s, full_operator{*g}, s->n, u, s->r, square);
  });
}

// Red points from black ones: u_r = (sum of neighbours + h2f)/diagonal
__global__ void red_kernel(pcg_grid g, tiles t, const double *h2f, double *u) {
  // TODO(6): like ssor_kernel, with a division. (about 8 lines)
  for_places(g, t, RED, [=](place at) {
    const int k = index_of(g, at);
    const pair source = load(h2f + k), sum = neighbours(g, at, stored{u});
    pair result;
    for (int m = 0; m < 2; m++)
      result.at[m] = is_unknown(g, at, m) ? (sum.at[m] + source.at[m]) / g.diagonal : 0;
    store(u + k, result);
  });
  // END(6)
}

static int solve_red(const solve *s) {
  // TODO(6): launch red_kernel. (about 3 lines)
  const tiles t = tiles_of(s->g, 1);
  red_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, s->h2f, s->u);
  return 0;
  // END(6)
}

int reduced_cg(const struct pcg_grid *g, const double *h2f, double *u, struct pcg_control control,
               struct pcg_result *result) {
  return run_solve(g, h2f, u, control, result, [=](solve *s) {
    const int half = s->n / 2;
    double square = 0;
    int part = solve_red(s);
    part = part ? part : residual(s); // at red points it is rounding error, which is discarded
    CUDA_CHECK(cudaMemset(s->r, 0, half * sizeof *s->r));
    part = part ? part : host_dot(s, s->r, s->r, &square);
    if (part || solve_add(s, square))
      return part;
    part = loop_solve(s, reduced_operator{*g, 1 / g->diagonal}, half, u + half, s->r + half, square);
    return part ? part : solve_red(s);
  });
}
