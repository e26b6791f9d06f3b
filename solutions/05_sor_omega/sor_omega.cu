// Lab 05: over-relaxation, and finding omega. sor_omega.h specifies what each function does.
#include "sor_omega.h"

#include "host_norms.h"
#include "host_residuals.h"
#include "pack.h"

#include <math.h>

// Part 1. The dense baseline.

__global__ void sequential_kernel(int n, const double *a, const double *b, double omega, int sweeps,
                                  double *x) {
  // TODO(1): all sweeps over all unknowns, by one thread. (about 7 lines)
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int j = 0; j < n; j++)
        if (j != i)
          s -= a[i * n + j] * x[j];
      x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
    }
  // END(1)
}

int sor_sequential(int n, const double *a, const double *b, double omega, int sweeps, double *x) {
  // TODO(1): launch sequential_kernel. (2 lines)
  sequential_kernel<<<1, 1>>>(n, a, b, omega, sweeps, x);
  return 0;
  // END(1)
}

// The half-sweep, first with a thread for each point of a colour, in blocks of 8 rows of 32 points, from row 1 on.

enum { SWEEP_X = 32, SWEEP_Y = 8 };

// width: points of a thread. A layer of blocks for each colour: blockIdx.z.
static dim3 blocks_of(const sor_grid *g, int width, int colours) {
  return dim3(blocks_for(g->pitch, SWEEP_X * width), blocks_for(g->ny - 2, SWEEP_Y), colours);
}

inline __device__ int index_of(const sor_grid &g, int colour, int i, int jh) {
  return colour * g.ny * g.pitch + i * g.pitch + jh;
}

// False at the boundary and beyond it. i is at least 1.
inline __device__ bool is_unknown(const sor_grid &g, int colour, int i, int jh) {
  const int shift = (i + colour) & 1; // without a shift, jh = 0 is the boundary
  return i < g.ny - 1 && 0 < jh + shift && jh < (g.nx - shift) >> 1;
}

// sum of sor_omega.h for the point of compressed index jh
template <class Real>
static __device__ Real sum_of(const sor_grid &g, int colour, int i, int jh, const Real *h2f, const Real *u) {
  Real sum = 0;
  // TODO(1): west is at k, east at k + 1 of the other colour; without a shift, at k - 1 and k. (about 4 lines)
  const int k = index_of(g, 1 - colour, i, jh), shift = (i + colour) & 1;
  sum = ((u[k + shift - 1] + u[k + shift]) + u[k - g.pitch]) + u[k + g.pitch];
  sum += h2f[index_of(g, colour, i, jh)];
  // END(1)
  return sum;
}

template <class Real>
__global__ void point_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): keep·u + omega·u_GS at unknown points. (about 6 lines)
  const int jh = blockIdx.x * SWEEP_X + threadIdx.x, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
  const int k = index_of(g, colour, i, jh);
  if (is_unknown(g, colour, i, jh)) {
    const Real sum = sum_of(g, colour, i, jh, h2f, u);
    u[k] = keep * u[k] + omega * (sum * (Real)g.inv_diagonal);
  }
  // END(1)
}

// Second step: a thread owns a pack of neighbouring points, so that loads and stores have 16 bytes.

// sum of sor_omega.h for the points of a pack from jh on; meaningless where is_unknown is false.
template <class Real>
static __device__ pack<Real> sums(const sor_grid &g, int colour, int i, int jh, const Real *h2f,
                                  const Real *u) {
  pack<Real> sum = {};
  // TODO(1): west and east of all points are WIDTH + 1 elements of the other colour. (about 14 lines)
  constexpr int WIDTH = pack<Real>::WIDTH;
  const int half = g.ny * g.pitch, k = i * g.pitch + jh;
  const Real *other = u + (1 - colour) * half;
  const bool shifted = (i + colour) & 1; // west is at k, east at k + 1; otherwise at k - 1 and k
  const pack<Real> centre = load(other + k), north = load(other + k - g.pitch),
                   south = load(other + k + g.pitch);
  const pack<Real> source = load(h2f + colour * half + k);
  const Real edge = other[shifted ? k + WIDTH : k - 1];
  for (int m = 0; m < WIDTH; m++) {
    const Real before = m > 0 ? centre.at[m - 1] : edge, after = m < WIDTH - 1 ? centre.at[m + 1] : edge;
    const Real west = shifted ? centre.at[m] : before, east = shifted ? after : centre.at[m];
    sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + source.at[m];
  }
  // END(1)
  return sum;
}

template <class Real>
__global__ void half_sweep_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
  constexpr int WIDTH = pack<Real>::WIDTH;
  const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
  if (i >= g.ny - 1 || jh >= g.pitch)
    return;
  Real *own = u + index_of(g, colour, i, jh);
  const Real inv_diagonal = (Real)g.inv_diagonal;
  const pack<Real> sum = sums(g, colour, i, jh, h2f, u);
  pack<Real> value = load(own);
  for (int m = 0; m < WIDTH; m++)
    value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
                                                   : value.at[m];
  store(own, value);
  // END(1)
}

template <class Real>
static int half_sweep(const sor_grid *g, double omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
  const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
  half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
  return 0;
  // END(1)
}

int sor_half_sweep(const struct sor_grid *g, double omega, int colour, const double *h2f, double *u) {
  return half_sweep(g, omega, colour, h2f, u);
}

// count sweeps, red then black.
template <class Real>
static int sweeps(const sor_grid *g, double omega, int count, const Real *h2f, Real *u) {
  for (int n = 0; n < 2 * count; n++)
    if (const int part = half_sweep(g, omega, n % 2, h2f, u))
      return part;
  CUDA_CHECK(cudaGetLastError());
  return 0;
}

// Part 2.
int omega_optimal(double rho, double *omega) {
  // TODO(2): Young's formula. (2 lines)
  *omega = 2 / (1 + sqrt((1 - rho) * (1 + rho)));
  return 0;
  // END(2)
}

// Part 3: power iteration.

// The starting vector is positive, as the leading eigenvector of such matrices is, and it has no symmetry
// that could hide an eigenvector.
static __device__ double start_value(unsigned k) { return 1 + (k * 2654435761u >> 8) * 0x1p-24; }

__global__ void start_kernel(int n, double *x) {
  const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
  if (k < n)
    x[k] = start_value(k);
}

// At interior points; u is zero elsewhere, as f = 0 requires.
__global__ void start_on_grid_kernel(sor_grid g, double *u) {
  const int jh = blockIdx.x * SWEEP_X + threadIdx.x, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
  const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
  if (is_unknown(g, colour, i, jh))
    u[k] = start_value(k);
}

__global__ void scale_kernel(int n, double factor, double *x) {
  const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
  if (k < n)
    x[k] *= factor;
}

// The last three estimates of ρ, equally spaced in applications of B².
struct estimates {
  double rho[3];
  double limit; // extrapolated
  int count;    // of all estimates
  int settled;  // successive limits that were close to the one before
};

inline void estimates_add(estimates *e, double rho, double tolerance) {
  // TODO(3): keep three estimates; their limit by Aitken, and whether it is close to the last. (about 10 lines)
  e->rho[0] = e->rho[1], e->rho[1] = e->rho[2], e->rho[2] = rho;
  if (++e->count < 3)
    return;
  const double step = e->rho[2] - e->rho[1], ratio = step / (e->rho[1] - e->rho[0]);
  const double limit = fabs(ratio) < 1 ? rho + step * ratio / (1 - ratio) : rho;
  // Rounding leaves an error of about 1e-16 in each estimate, however long the iteration runs.
  const bool close = fabs(limit - e->limit) <= tolerance * fabs(1 - limit) + 1e-15 * limit;
  e->settled = close ? e->settled + 1 : 0;
  e->limit = limit;
  // END(3)
}

// Power iteration for any `step` that applies B² to x. x: n elements, the starting vector. An estimate follows
// every `stretch` steps.
template <class Step>
static int power_iteration(int n, double *x, int stretch, Step step, radius_control control,
                           radius_result *result) {
  // TODO(3): stretches of steps, norms around the last step of each, until the limit settles. (about 30 lines)
  norms q = norms_open();
  estimates e = {};
  *result = {SOR_LIMIT, 0, 0};
  int part = 0;
  while (e.settled < 2 && result->applications + stretch <= control.limit && !part) {
    for (int m = 0; m < stretch && !part; m++) {
      if (m == stretch - 1)
        norms_queue(&q, 0, n, x);
      part = step();
    }
    norms_queue(&q, 1, n, x);
    const double before = norms_wait(&q, 0), after = norms_wait(&q, 1);
    result->applications += stretch;
    if (!isfinite(before) || !isfinite(after)) {
      result->status = SOR_NOT_FINITE;
      break;
    }
    if (after == 0) { // B² has only the eigenvalue 0
      result->status = SOR_CONVERGED;
      break;
    }
    estimates_add(&e, sqrt(after / before), control.tolerance);
    result->rho = e.count < 3 ? e.rho[2] : e.limit;
    scale_kernel<<<blocks_for(n, SUM_THREADS), SUM_THREADS>>>(n, 1 / after, x);
    CUDA_CHECK(cudaGetLastError());
  }
  if (e.settled >= 2)
    result->status = SOR_CONVERGED;
  norms_close(&q);
  return part;
  // END(3)
}

int jacobi_radius_grid(const struct sor_grid *g, struct radius_control control,
                       struct radius_result *result) {
  // TODO(3): B² is a sweep with ω = 1 and f = 0. (about 10 lines)
  const int n = sor_elements(g), longest = g->nx > g->ny ? g->nx : g->ny;
  double *h2f = device_array<double>(n), *u = device_array<double>(n);
  start_on_grid_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, u);
  const auto step = [=] { return sweeps(g, 1.0, 1, h2f, u); };
  const int part = power_iteration(n, u, 8 + longest / 8, step, control, result);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  return part;
  // END(3)
}

// y = B x, one thread per row.
__global__ void jacobi_csr_kernel(int rows, const int *row_start, const int *column, const double *value,
                                  const double *x, double *y) {
  // TODO(3): minus the sum of the row's off-diagonal terms, divided by its diagonal element. (about 10 lines)
  const int row = blockIdx.x * SUM_THREADS + threadIdx.x;
  if (row >= rows)
    return;
  double diagonal = 0, sum = 0;
  for (int e = row_start[row]; e < row_start[row + 1]; e++)
    if (column[e] == row)
      diagonal = value[e];
    else
      sum -= value[e] * x[column[e]];
  y[row] = sum / diagonal;
  // END(3)
}

int jacobi_radius_csr(int rows, const int *row_start, const int *column, const double *value,
                      struct radius_control control, struct radius_result *result) {
  // TODO(3): apply B twice, from x to y and back. (about 12 lines)
  double *x = device_array<double>(rows), *y = device_array<double>(rows);
  start_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, x);
  const auto apply = [=](const double *from, double *to) {
    jacobi_csr_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
                                                                      to);
    CUDA_CHECK(cudaGetLastError());
  };
  const auto step = [=] {
    apply(x, y);
    apply(y, x);
    return 0;
  };
  const int part = power_iteration(rows, x, 8 + (int)sqrt(rows) / 8, step, control, result);
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  return part;
  // END(3)
}

// Part 4: residual and solver.

// h²r at interior points; h2r is zero elsewhere.
__global__ void residual_kernel(sor_grid g, const double *h2f, const double *u, double *h2r) {
  // TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
  const int jh = blockIdx.x * SWEEP_X + threadIdx.x, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
  const int colour = blockIdx.z, k = index_of(g, colour, i, jh);
  if (is_unknown(g, colour, i, jh))
    h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
  // END(4)
}

static int residual(const sor_grid *g, const double *h2f, const double *u, double *h2r) {
  // TODO(4): launch residual_kernel on the interior rows of both colours. (about 3 lines)
  residual_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
  CUDA_CHECK(cudaGetLastError());
  return 0;
  // END(4)
}

// Queues the sweeps from residual number c - 1 to number c, that residual and its norm, in slot c % 2.
inline int queue_stretch(const sor_grid *g, double omega, const double *h2f, double *u, double *h2r,
                         const sor_control &control, norms *q, int c) {
  const int count = c > 0 ? sweeps_before(control, c) - sweeps_before(control, c - 1) : 0;
  int part = sweeps(g, omega, count, h2f, u);
  if (!part)
    part = residual(g, h2f, u, h2r);
  if (!part)
    norms_queue(q, c % NORM_SLOTS, sor_elements(g), h2r);
  return part;
}

static int solve_loop(const sor_grid *g, double omega, const double *h2f, double *u, double *h2r, norms *q,
                      progress *p) {
  // TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
  const int last = blocks_for(p->control.limit, p->control.check_every);
  bool done = false;
  for (int c = 0, queued = 0;; c++) {
    const int ahead = c == 0 || done || c == last ? c : c + 1;
    for (; queued <= ahead; queued++)
      if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, queued))
        return part;
    done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
    if (done && queued == c + 1)
      return 0;
  }
  // END(4)
}

int sor_solve(const struct sor_grid *g, double omega, const double *h2f, double *u,
              struct sor_control control, struct sor_result *result) {
  norms q = norms_open();
  double *h2r = device_array<double>(sor_elements(g));
  progress p = {control, 0, {}};
  const int part = progress_start(&p, g, &q, h2f, u) ? solve_loop(g, omega, h2f, u, h2r, &q, &p) : 0;
  *result = p.result;
  CUDA_CHECK(cudaFree(h2r));
  norms_close(&q);
  return part;
}

// Part 5.
int convergence_study(const struct sor_grid *g, int count, const double *omega, const double *h2f,
                      int sweep_count, double *history) {
  // TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
  const int n = sor_elements(g);
  double *u = device_array<double>(n), *h2r = device_array<double>(n);
  double *partial = device_array<double>(SUM_BLOCKS),
         *sums_of_squares = device_array<double>(sweep_count + 1);
  int part = 0;
  for (int o = 0; o < count && !part; o++) {
    double *row = history + (size_t)o * (sweep_count + 1);
    CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
    sor_squares(n, h2f, partial, sums_of_squares); // the residual of u = 0
    for (int m = 1; m <= sweep_count && !part; m++) {
      part = sweeps(g, omega[o], 1, h2f, u);
      part = part ? part : residual(g, h2f, u, h2r);
      sor_squares(n, h2r, partial, sums_of_squares + m);
    }
    CUDA_CHECK(cudaMemcpy(row, sums_of_squares, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost));
    const double f_norm = sqrt(row[0]);
    for (int m = 0; m <= sweep_count; m++)
      row[m] = sqrt(row[m]) / f_norm;
  }
  for (double *array : {u, h2r, partial, sums_of_squares})
    CUDA_CHECK(cudaFree(array));
  return part;
  // END(5)
}

// Part 6: mixed precision.

// to = from/norm, rounded to float.
__global__ void narrow_kernel(int n, double norm, const double *from, float *to) {
  // TODO(6): one element per thread, to float. (about 3 lines)
  const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
  if (k < n)
    to[k] = (float)(from[k] / norm);
  // END(6)
}

// u = u + norm·e
__global__ void correct_kernel(int n, double norm, const float *e, double *u) {
  // TODO(6): one element per thread, in double. (about 3 lines)
  const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
  if (k < n)
    u[k] += norm * (double)e[k];
  // END(6)
}

// The correction of u by `count` sweeps in float. norm: ‖h2r‖
inline int correct(const sor_grid *g, double omega, int count, double norm, const double *h2r, float *source,
                   float *e, double *u) {
  // TODO(6): narrow, sweep from e = 0, correct. (about 9 lines)
  const int n = sor_elements(g), blocks = blocks_for(n, SUM_THREADS);
  narrow_kernel<<<blocks, SUM_THREADS>>>(n, norm, h2r, source);
  CUDA_CHECK(cudaMemsetAsync(e, 0, n * sizeof *e));
  const int part = sweeps(g, omega, count, source, e);
  correct_kernel<<<blocks, SUM_THREADS>>>(n, norm, e, u);
  CUDA_CHECK(cudaGetLastError());
  return part;
  // END(6)
}

static int mixed_loop(const sor_grid *g, double omega, const double *h2f, double *u, double *h2r,
                      float *source, float *e, norms *q, progress *p) {
  // TODO(6): residual, norm, correct, until progress_add returns true. (about 9 lines)
  for (int c = 0;; c++) {
    if (const int part = residual(g, h2f, u, h2r))
      return part;
    const double norm = norm_now(q, sor_elements(g), h2r);
    if (progress_add(p, norm))
      return 0;
    const int count = sweeps_before(p->control, c + 1) - sweeps_before(p->control, c);
    if (const int part = correct(g, omega, count, norm, h2r, source, e, u))
      return part;
  }
  // END(6)
}

int sor_solve_mixed(const struct sor_grid *g, double omega, const double *h2f, double *u,
                    struct sor_control control, struct sor_result *result) {
  const int n = sor_elements(g);
  norms q = norms_open();
  double *h2r = device_array<double>(n);
  float *source = device_array<float>(n), *e = device_array<float>(n);
  progress p = {control, 0, {}};
  const int part =
      progress_start(&p, g, &q, h2f, u) ? mixed_loop(g, omega, h2f, u, h2r, source, e, &q, &p) : 0;
  *result = p.result;
  CUDA_CHECK(cudaFree(h2r));
  CUDA_CHECK(cudaFree(source));
  CUDA_CHECK(cudaFree(e));
  norms_close(&q);
  return part;
}
