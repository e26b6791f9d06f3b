// Lab 05: over-relaxation, and finding omega. sor_omega.h specifies what each function does.
#include "sor_omega.h"

#include "cuda_check.h"

#include <math.h>

inline int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

template <class T> static T *device_array(int count) {
  T *array;
  CUDA_CHECK(cudaMalloc((void **)&array, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(array, 0, count * sizeof(T)));
  return array;
}

// Sums of squares. Element k belongs to thread k mod (threads of the launch), which adds its terms in
// ascending order. Of each block, thread t < 32 adds the sums of threads t + 32, t + 64, … to its own, and
// thread 0 adds these 32 sums. The blocks' sums are added in the same way. The result does not depend on
// the order in which the blocks run.

enum { SUM_THREADS = 256, SUM_BLOCKS = 1024, SUM_SPAN = 2048, SUM_FIRST = 32 };

inline int sum_blocks(int n) {
  const int blocks = blocks_for(n, SUM_SPAN);
  return blocks < SUM_BLOCKS ? blocks : SUM_BLOCKS;
}

// *total = the sum of this block's terms.
template <class Term> static __device__ void add_terms(int n, Term term, double *total) {
  __shared__ double sum[SUM_THREADS];
  const int t = threadIdx.x;
  sum[t] = 0;
  for (int k = blockIdx.x * SUM_THREADS + t; k < n; k += gridDim.x * SUM_THREADS)
    sum[t] += term(k);
  __syncthreads();
  if (t < SUM_FIRST)
    for (int other = t + SUM_FIRST; other < SUM_THREADS; other += SUM_FIRST)
      sum[t] += sum[other];
  __syncthreads();
  if (t > 0)
    return;
  double all = 0;
  for (int first = 0; first < SUM_FIRST; first++)
    all += sum[first];
  *total = all;
}

__global__ void squares_kernel(int n, const double *x, double *partial) {
  add_terms(
      n, [=](int k) { return x[k] * x[k]; }, partial + blockIdx.x);
}

__global__ void squares_finish_kernel(int blocks, const double *partial, double *result) {
  add_terms(
      blocks, [=](int k) { return partial[k]; }, result);
}

// *result = x·x. partial: work space of SUM_BLOCKS doubles. All arrays are in device memory.
static void sor_squares(int n, const double *x, double *partial, double *result) {
  squares_kernel<<<sum_blocks(n), SUM_THREADS>>>(n, x, partial);
  squares_finish_kernel<<<1, SUM_THREADS>>>(sum_blocks(n), partial, result);
  CUDA_CHECK(cudaGetLastError());
}

// Norms in flight to the host. norms_queue queues the computation and the copy, and returns at once.
// norms_wait returns when that norm has arrived, whatever was queued after it.

enum { NORM_SLOTS = 2 };

struct norms {
  double *partial, *sum; // device
  double *arrived;       // pinned host memory: only a copy to such memory is asynchronous
  cudaEvent_t event[NORM_SLOTS];
};

static norms norms_open() {
  norms q;
  q.partial = device_array<double>(SUM_BLOCKS);
  q.sum = device_array<double>(NORM_SLOTS);
  CUDA_CHECK(cudaMallocHost((void **)&q.arrived, NORM_SLOTS * sizeof(double)));
  for (cudaEvent_t &event : q.event)
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return q;
}

static void norms_close(norms *q) {
  CUDA_CHECK(cudaFree(q->partial));
  CUDA_CHECK(cudaFree(q->sum));
  CUDA_CHECK(cudaFreeHost(q->arrived));
  for (cudaEvent_t event : q->event)
    CUDA_CHECK(cudaEventDestroy(event));
}

static void norms_queue(norms *q, int slot, int n, const double *x) {
  sor_squares(n, x, q->partial, q->sum + slot);
  CUDA_CHECK(cudaMemcpyAsync(q->arrived + slot, q->sum + slot, sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaEventRecord(q->event[slot]));
}

static double norms_wait(norms *q, int slot) {
  CUDA_CHECK(cudaEventSynchronize(q->event[slot]));
  return sqrt(q->arrived[slot]);
}

static double norm_now(norms *q, int n, const double *x) {
  norms_queue(q, 0, n, x);
  return norms_wait(q, 0);
}

// The dense baseline.

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

// The half-sweep. A thread owns as many neighbouring points of a colour as 16 bytes hold: two in double, four
// in float.

template <class Real> struct alignas(16) pack {
  enum { WIDTH = 16 / sizeof(Real) };
  Real at[WIDTH];
};

template <class Real> static __device__ pack<Real> load(const Real *p) {
  return *reinterpret_cast<const pack<Real> *>(p);
}
template <class Real> static __device__ void store(Real *p, const pack<Real> &values) {
  *reinterpret_cast<pack<Real> *>(p) = values;
}

// A thread's points: row i, compressed indices jh, jh + 1, … of a colour.
struct place {
  int i, jh, colour;
};

enum { SWEEP_X = 32, SWEEP_Y = 8 };

template <class Real> static __device__ place this_place(int first_row, int colour) {
  const int x = blockIdx.x * SWEEP_X + threadIdx.x, y = blockIdx.y * SWEEP_Y + threadIdx.y;
  return {first_row + y, x * pack<Real>::WIDTH, colour};
}

template <class Real> static dim3 blocks_of_places(const sor_grid *g, int rows, int colours) {
  return dim3(blocks_for(g->pitch, SWEEP_X * pack<Real>::WIDTH), blocks_for(rows, SWEEP_Y), colours);
}

// True if the m-th point of a place is an unknown: neither boundary nor padding.
static __device__ bool is_unknown(const sor_grid &g, place p, int m) {
  const int jh = p.jh + m, shift = (p.i + p.colour) & 1; // without a shift, jh = 0 is the boundary
  return 0 < p.i && p.i < g.ny - 1 && 0 < jh + shift && jh < (g.nx - shift) >> 1;
}

// sum of sor_omega.h for the points of a place in an interior row; meaningless where is_unknown is false.
template <class Real>
static __device__ pack<Real> sums(const sor_grid &g, place p, const Real *h2f, const Real *u) {
  pack<Real> sum = {};
  // TODO(1): west and east of all points are WIDTH + 1 elements of the other colour. (about 14 lines)
  // END(1)
  return sum;
}

template <class Real>
__global__ void half_sweep_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 9 lines)
  // END(1)
}

template <class Real>
static int half_sweep(const sor_grid *g, double omega, int colour, const Real *h2f, Real *u) {
  // TODO(1): launch half_sweep_kernel on the interior rows. (about 4 lines)
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

int omega_optimal(double rho, double *omega) {
  // TODO(2): Young's formula. (2 lines)
  return 2;
  // END(2)
}

// Power iteration.

// The starting vector is positive, as the leading eigenvector of such matrices is, and it has no symmetry
// that could hide an eigenvector.
static __device__ double start_value(unsigned k) { return 1 + (k * 2654435761u >> 8) * 0x1p-24; }

__global__ void start_kernel(int n, double *x) {
  const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
  if (k < n)
    x[k] = start_value(k);
}

// At interior points; zero elsewhere, as f = 0 requires.
__global__ void start_on_grid_kernel(sor_grid g, double *u) {
  const place p = this_place<double>(0, blockIdx.z);
  if (p.i >= g.ny || p.jh >= g.pitch)
    return;
  const int k = p.colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
  pack<double> value;
  for (int m = 0; m < pack<double>::WIDTH; m++)
    value.at[m] = is_unknown(g, p, m) ? start_value(k + m) : 0;
  store(u + k, value);
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

// Residual and solver.

// h²r at interior points, zero elsewhere.
__global__ void residual_kernel(sor_grid g, const double *h2f, const double *u, double *h2r) {
  // TODO(4): both colours: blockIdx.z is the colour; boundary rows too. (about 11 lines)
  // END(4)
}

static int residual(const sor_grid *g, const double *h2f, const double *u, double *h2r) {
  // TODO(4): launch residual_kernel on all rows of both colours. (about 4 lines)
  return 4;
  // END(4)
}

// Progress of a solver.
struct progress {
  sor_control control;
  double f_norm;
  sor_result result;
};

// Sweeps done when residual number c is computed; number 0 is that of the initial guess.
static int sweeps_before(const sor_control &control, int c) {
  return c > control.limit / control.check_every ? control.limit : c * control.check_every;
}

// Records ‖h²r‖, residual number result.checks. Returns true to stop.
static bool progress_add(progress *p, double r_norm) {
  sor_result *result = &p->result;
  result->sweeps = sweeps_before(p->control, result->checks);
  result->relative_residual = r_norm / p->f_norm;
  if (p->control.history)
    p->control.history[result->checks] = result->relative_residual;
  result->checks++;
  const bool met = result->relative_residual <= p->control.tolerance;
  result->reached = !met ? -1 : result->reached < 0 ? result->sweeps : result->reached;
  result->status = met ? SOR_CONVERGED : isfinite(result->relative_residual) ? SOR_LIMIT : SOR_NOT_FINITE;
  return result->status != SOR_LIMIT || result->sweeps >= p->control.limit;
}

// Returns false if h2f is zero: then it sets u to zero and completes the result.
static bool progress_start(progress *p, const sor_grid *g, norms *q, const double *h2f, double *u) {
  const int n = sor_elements(g);
  p->f_norm = norm_now(q, n, h2f);
  p->result.reached = -1;
  if (p->f_norm != 0)
    return true;
  CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
  p->f_norm = 1;
  progress_add(p, 0);
  return false;
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

int convergence_study(const struct sor_grid *g, int count, const double *omega, const double *h2f,
                      int sweep_count, double *history) {
  // TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
  return 5;
  // END(5)
}

// Mixed precision.

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
