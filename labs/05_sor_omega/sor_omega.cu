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
  // END(1)
}

int sor_sequential(int n, const double *a, const double *b, double omega, int sweeps, double *x) {
  // TODO(1): launch sequential_kernel. (2 lines)
  return 1;
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
  // END(1)
  return sum;
}

template <class Real>
__global__ void point_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): keep·u + omega·u_GS at unknown points. (about 6 lines)
  // END(1)
}

// Second step: a thread owns a pack of neighbouring points, so that loads and stores have 16 bytes.

// sum of sor_omega.h for the points of a pack from jh on; meaningless where is_unknown is false.
template <class Real>
static __device__ pack<Real> sums(const sor_grid &g, int colour, int i, int jh, const Real *h2f,
                                  const Real *u) {
  pack<Real> sum = {};
  // TODO(1): west and east of all points are WIDTH + 1 elements of the other colour. (about 14 lines)
  // END(1)
  return sum;
}

template <class Real>
__global__ void half_sweep_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
  // END(1)
}

template <class Real>
static int half_sweep(const sor_grid *g, double omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
  return 1;
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
  return 2;
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
  // END(3)
}

// Power iteration for any `step` that applies B² to x. x: n elements, the starting vector. An estimate follows
// every `stretch` steps.
template <class Step>
static int power_iteration(int n, double *x, int stretch, Step step, radius_control control,
                           radius_result *result) {
  // TODO(3): stretches of steps, norms around the last step of each, until the limit settles. (about 30 lines)
  return 3;
  // END(3)
}

int jacobi_radius_grid(const struct sor_grid *g, struct radius_control control,
                       struct radius_result *result) {
  // TODO(3): B² is a sweep with ω = 1 and f = 0. (about 10 lines)
  return 3;
  // END(3)
}

// y = B x, one thread per row.
__global__ void jacobi_csr_kernel(int rows, const int *row_start, const int *column, const double *value,
                                  const double *x, double *y) {
  // TODO(3): minus the sum of the row's off-diagonal terms, divided by its diagonal element. (about 10 lines)
  // END(3)
}

int jacobi_radius_csr(int rows, const int *row_start, const int *column, const double *value,
                      struct radius_control control, struct radius_result *result) {
  // TODO(3): apply B twice, from x to y and back. (about 12 lines)
  return 3;
  // END(3)
}

// Part 4: residual and solver.

// h²r at interior points; h2r is zero elsewhere.
__global__ void residual_kernel(sor_grid g, const double *h2f, const double *u, double *h2r) {
  // TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
  // END(4)
}

static int residual(const sor_grid *g, const double *h2f, const double *u, double *h2r) {
  // TODO(4): launch residual_kernel on the interior rows of both colours. (about 3 lines)
  return 4;
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
  return 4;
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
  return 5;
  // END(5)
}

// Part 6: mixed precision.

// to = from/norm, rounded to float.
__global__ void narrow_kernel(int n, double norm, const double *from, float *to) {
  // TODO(6): one element per thread, to float. (about 3 lines)
  // END(6)
}

// u = u + norm·e
__global__ void correct_kernel(int n, double norm, const float *e, double *u) {
  // TODO(6): one element per thread, in double. (about 3 lines)
  // END(6)
}

// The correction of u by `count` sweeps in float. norm: ‖h2r‖
inline int correct(const sor_grid *g, double omega, int count, double norm, const double *h2r, float *source,
                   float *e, double *u) {
  // TODO(6): narrow, sweep from e = 0, correct. (about 9 lines)
  return 6;
  // END(6)
}

static int mixed_loop(const sor_grid *g, double omega, const double *h2f, double *u, double *h2r,
                      float *source, float *e, norms *q, progress *p) {
  // TODO(6): residual, norm, correct, until progress_add returns true. (about 9 lines)
  return 6;
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
