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
  // END(1)
  return value;
}

__global__ void dot_kernel(int n, const double *x, const double *y, double *partial) {
  // TODO(1): a thread's products, then the block's. (about 5 lines)
  // END(1)
}

__global__ void dot_finish_kernel(int blocks, const double *partial, double *result) {
  // TODO(1): one block adds the partial sums. (about 5 lines)
  // END(1)
}

int pcg_dot(int n, const double *x, const double *y, double *partial, double *result) {
  // TODO(1): launch both. (about 5 lines)
  return 1;
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
  // END(2)
  return sum;
}

// q = A p
__global__ void apply_kernel(pcg_grid g, const double *p, double *q) {
  // TODO(2): at unknown points, diagonal times p minus its neighbours. (about 5 lines)
  // END(2)
}

// r = h2f − A u
__global__ void residual_kernel(pcg_grid g, const double *h2f, const double *u, double *r) {
  // TODO(2): add neighbours and h2f first, then subtract the diagonal's product. (about 5 lines)
  // END(2)
}

// y = y + alpha·x
__global__ void axpy_kernel(int n, double alpha, const double *x, double *y) {
  // TODO(2): one element per thread. (about 3 lines)
  // END(2)
}

// y = x + beta·y
__global__ void xpay_kernel(int n, const double *x, double beta, double *y) {
  // TODO(2): one element per thread. (about 3 lines)
  // END(2)
}

static int residual(const solve *s) {
  // TODO(2): launch residual_kernel on both colours. (2 lines)
  return 2;
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
  return 2;
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
  // END(3)
}

int ssor_apply(const struct pcg_grid *g, double omega, const double *r, double *z) {
  // TODO(3): black from s·r, then red from z. (about 5 lines)
  return 3;
  // END(3)
}

// Part 4.
static int iterate_with(solve *s, double omega) {
  // TODO(4): like cg_solve between opening and closing, with omega and a grid function z. (about 5 lines)
  return 4;
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
  return false;
  // END(5)
}

// p = r + beta·p, p·Ap; then alpha
template <bool REDUCED> __global__ void direction_kernel(pcg_grid g, loop l) {
  // TODO(5): do nothing unless the state is RUNNING. (about 20 lines)
  // END(5)
}

// u = u + alpha·p, r = r − alpha·Ap, r·r; then beta and the status
template <bool REDUCED> __global__ void update_kernel(pcg_grid g, loop l) {
  // TODO(5): do nothing unless the state is RUNNING. (about 30 lines)
  // END(5)
}

// check_every iterations as a graph.
template <bool REDUCED>
static int capture_stretch(const pcg_grid *g, loop l, cudaStream_t stream, cudaGraphExec_t *stretch) {
  // TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
  return 5;
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
  // END(6)
}

static int solve_red(const solve *s) {
  // TODO(6): launch red_kernel. (2 lines)
  return 6;
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
