// Conjugate gradients on the black points, preconditioned by eight sweeps in one pass. records.h says what the
// function does, README.md why it is fast. Vectors are double, the preconditioner is float.
#include "on_chip.h"
#include "records.h"

#include "cuda_check.h"

#include <cmath>

enum { RED, BLACK }; // colours
enum { WARP = 32, THREADS = 512, WARPS = THREADS / WARP, BLOCKS = 528 };
enum { STRETCH = 8 };                    // iterations between two looks of the host
enum { RUNNING = -1 };                   // beside pcg_status
static const double LARGEST_ERROR = 0.7; // of the preconditioner's polynomial, see weights()

// Scalars of the iteration, on the device.
struct scalars {
  double rho, alpha, beta; // rho: r·z
  double square, enough;   // r·r, and the value to reach
  int iteration, limit, status;
  unsigned arrived; // blocks that have added their sums
};

// Vectors have an element for each place of the black half of a grid function.
struct vectors {
  float *z, *r32;            // z: M⁻¹r; r32: r rounded
  double *u, *r, *p, *w, *s; // w: S z; s: S p
};

// Sums over a block, in thread 0.
static __device__ double2 block_sum(double2 value) {
  __shared__ double2 of_warp[WARPS];
  for (int distance = WARP / 2; distance > 0; distance /= 2) {
    value.x += __shfl_down_sync(~0u, value.x, distance);
    value.y += __shfl_down_sync(~0u, value.y, distance);
  }
  if (threadIdx.x % WARP == 0)
    of_warp[threadIdx.x / WARP] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int n = 1; n < WARPS; n++) {
      value.x += of_warp[n].x;
      value.y += of_warp[n].y;
    }
  return value;
}

// Sums over the grid. True in thread 0 of the block that finishes last, where *value is complete.
static __device__ bool grid_sum(double2 *value, double2 *partial, scalars *s) {
  __shared__ bool is_last;
  const double2 sum = block_sum(*value);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&s->arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last)
    return false;
  __threadfence();
  double2 all = make_double2(0, 0);
  for (int block = threadIdx.x; block < gridDim.x; block += THREADS) {
    all.x += partial[block].x;
    all.y += partial[block].y;
  }
  *value = block_sum(all);
  if (threadIdx.x == 0)
    s->arrived = 0;
  return threadIdx.x == 0;
}

// ((west + east) + north) + south of point jh of row i of a colour; x: the values of the other colour.
template <class T>
static __device__ double neighbours(const pcg_grid &g, const T *x, int i, int jh, int colour) {
  const int k = i * g.pitch + jh, east = k + ((i + colour) & 1);
  return (((double)x[east - 1] + x[east]) + x[k - g.pitch]) + x[k + g.pitch];
}

static __device__ bool is_unknown(const pcg_grid &g, int i, int jh, int colour) {
  const int j = 2 * jh + ((i + colour) & 1);
  return 0 < i && i < g.ny - 1 && 0 < j && j < g.nx - 1;
}

// The sum of a red point's neighbours; 0 on the boundary.
static __device__ double around_red(const pcg_grid &g, const float *z, int i, int jh) {
  return is_unknown(g, i, jh, RED) ? neighbours(g, z, i, jh, RED) : 0;
}

// w = S z, and from r·z and z·w the next alpha and beta (Chronopoulos and Gear 1989).
__global__ void __launch_bounds__(THREADS)
    apply_kernel(pcg_grid g, double inv_diagonal, vectors v, double2 *partial, scalars *s) {
  if (s->status != RUNNING)
    return;
  double2 sum = make_double2(0, 0);
  for (int i = 1 + blockIdx.x; i < g.ny - 1; i += gridDim.x)
    for (int jh = threadIdx.x; jh < g.pitch; jh += THREADS) {
      const int k = i * g.pitch + jh;
      if (!is_unknown(g, i, jh, BLACK)) {
        v.z[k] = 0; // padding
        continue;
      }
      const int east = jh + ((i + BLACK) & 1);
      const double z = v.z[k], reds = ((around_red(g, v.z, i, east - 1) + around_red(g, v.z, i, east)) +
                                       around_red(g, v.z, i - 1, jh)) +
                                      around_red(g, v.z, i + 1, jh);
      const double w = g.diagonal * z - inv_diagonal * reds;
      v.w[k] = w;
      sum.x += v.r[k] * z;
      sum.y += z * w;
    }
  if (!grid_sum(&sum, partial, s))
    return;
  s->beta = s->iteration ? sum.x / s->rho : 0;
  s->rho = sum.x;
  s->alpha = sum.x / (sum.y - (s->iteration ? s->beta * sum.x / s->alpha : 0));
  if (!(s->alpha > 0 && isfinite(s->alpha)))
    s->status = isfinite(s->alpha) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
}

static __device__ double2 load(const double *x, int k) { return reinterpret_cast<const double2 *>(x)[k]; }
static __device__ void store(double *x, int k, double2 value) { reinterpret_cast<double2 *>(x)[k] = value; }

// a + factor·x
static __device__ double2 add(double2 a, double factor, double2 x) {
  return make_double2(a.x + factor * x.x, a.y + factor * x.y);
}

// p = z + beta p, s = w + beta s, u = u + alpha p, r = r - alpha s. pairs: of elements of the vectors
__global__ void __launch_bounds__(THREADS)
    update_kernel(int pairs, vectors v, double2 *partial, scalars *state) {
  if (state->status != RUNNING)
    return;
  const double alpha = state->alpha, beta = state->beta;
  double2 sum = make_double2(0, 0);
  for (int k = blockIdx.x * THREADS + threadIdx.x; k < pairs; k += gridDim.x * THREADS) {
    const float2 z = reinterpret_cast<const float2 *>(v.z)[k];
    const double2 p = add(make_double2(z.x, z.y), beta, load(v.p, k)),
                  s = add(load(v.w, k), beta, load(v.s, k)), r = add(load(v.r, k), -alpha, s);
    store(v.p, k, p);
    store(v.s, k, s);
    store(v.u, k, add(load(v.u, k), alpha, p));
    store(v.r, k, r);
    reinterpret_cast<float2 *>(v.r32)[k] = make_float2(r.x, r.y);
    sum.x += r.x * r.x + r.y * r.y;
  }
  if (!grid_sum(&sum, partial, state))
    return;
  state->square = sum.x;
  state->iteration++;
  if (!isfinite(sum.x))
    state->status = PCG_NOT_FINITE;
  else if (sum.x <= state->enough)
    state->status = PCG_CONVERGED;
  else if (state->iteration >= state->limit)
    state->status = PCG_LIMIT;
}

// u_r = (neighbours + h2f)/diagonal at red points.
static __global__ void red_kernel(pcg_grid g, const double *h2f, double *u) {
  const int half = g.ny * g.pitch, i = blockIdx.x;
  for (int jh = threadIdx.x; jh < g.pitch; jh += blockDim.x)
    if (is_unknown(g, i, jh, RED))
      u[i * g.pitch + jh] = (neighbours(g, u + half, i, jh, RED) + h2f[i * g.pitch + jh]) / g.diagonal;
}

// r = h2f - A u at black points, where u_r is that of red_kernel; then r is the residual of the reduced system.
__global__ void residual_kernel(pcg_grid g, const double *h2f, const double *u, vectors v) {
  const int half = g.ny * g.pitch, i = blockIdx.x;
  for (int jh = threadIdx.x; jh < g.pitch; jh += blockDim.x) {
    const int k = i * g.pitch + jh;
    const bool inside = is_unknown(g, i, jh, BLACK);
    v.r[k] = inside ? (neighbours(g, u, i, jh, BLACK) + h2f[half + k]) - g.diagonal * u[half + k] : 0;
    v.r32[k] = v.r[k];
  }
}

__global__ void square_kernel(int n, const double *x, double2 *partial, scalars *s) {
  double2 sum = make_double2(0, 0);
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    sum.x += x[k] * x[k];
  if (grid_sum(&sum, partial, s))
    s->square = sum.x;
}

// The weights of the cyclic Chebyshev method (Golub and Varga 1961, part I, section 3), whose error after all
// half-sweeps is T(mu/radius)/T(1/radius), T the Chebyshev polynomial of their number, for each eigenvalue mu
// of Jacobi's method. The radius makes 1/T(1/radius) = LARGEST_ERROR. For mu between radius and 1 the error is larger,
// but below 1, so the preconditioner is positive definite on every grid.
static void weights(double omega[2 * RECORDS_SWEEPS]) {
  const int halves = 2 * RECORDS_SWEEPS;
  const double radius = 1 / cosh(acosh(1 / LARGEST_ERROR) / halves);
  for (int n = 0; n < halves; n++)
    omega[n] = n == 0 ? 1 : 1 / (1 - radius * radius * (n == 1 ? 0.5 : omega[n - 1] / 4));
}

struct solve {
  pcg_grid g;
  const double *h2f;
  double *u;
  int half; // elements of a colour
  vectors v;
  float *zeros, *red; // input and output of the sweeps that nobody needs
  double2 *partial;
  scalars *state;
};

template <class T> static T *device_array(int count) {
  T *array;
  CUDA_CHECK(cudaMalloc((void **)&array, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(array, 0, count * sizeof(T)));
  return array;
}

static solve solve_open(const pcg_grid *g, const double *h2f, double *u) {
  const int half = g->ny * g->pitch;
  solve s = {*g, h2f, u, half};
  for (float **array : {&s.v.z, &s.v.r32, &s.zeros, &s.red})
    *array = device_array<float>(half);
  for (double **array : {&s.v.r, &s.v.p, &s.v.w, &s.v.s})
    *array = device_array<double>(half);
  s.v.u = u + half;
  s.partial = device_array<double2>(BLOCKS);
  s.state = device_array<scalars>(1);
  return s;
}

static void solve_free(const solve *s) {
  for (float *array : {s->v.z, s->v.r32, s->zeros, s->red})
    CUDA_CHECK(cudaFree(array));
  for (double *array : {s->v.r, s->v.p, s->v.w, s->v.s})
    CUDA_CHECK(cudaFree(array));
  CUDA_CHECK(cudaFree(s->partial));
  CUDA_CHECK(cudaFree(s->state));
}

static scalars state_of(const solve *s) {
  scalars state;
  CUDA_CHECK(cudaMemcpy(&state, s->state, sizeof state, cudaMemcpyDeviceToHost));
  return state;
}

// The norm of a vector of n elements.
static double norm(const solve *s, int n, const double *x) {
  square_kernel<<<BLOCKS, THREADS>>>(n, x, s->partial, s->state);
  return sqrt(state_of(s).square);
}

static void residual(const solve *s) {
  red_kernel<<<s->g.ny, THREADS>>>(s->g, s->h2f, s->u);
  residual_kernel<<<s->g.ny, THREADS>>>(s->g, s->h2f, s->u, s->v);
}

static scalars iterate(const solve *s, scalars state) {
  double omega[2 * RECORDS_SWEEPS];
  const records_grid sweeps = {
      s->g.nx, s->g.ny, s->g.pitch, {s->zeros, s->v.r32}, {s->zeros, s->zeros}, {s->red, s->v.z}};
  weights(omega);
  CUDA_CHECK(cudaMemcpy(s->state, &state, sizeof state, cudaMemcpyHostToDevice));
  while (state.status == RUNNING) {
    for (int n = 0; n < STRETCH; n++) {
      records_sor(&sweeps, s->g.diagonal, omega);
      apply_kernel<<<BLOCKS, THREADS>>>(s->g, 1 / s->g.diagonal, s->v, s->partial, s->state);
      update_kernel<<<BLOCKS, THREADS>>>(s->half / 2, s->v, s->partial, s->state);
    }
    CUDA_CHECK(cudaGetLastError());
    state = state_of(s);
  }
  return state;
}

// The iteration in one launch; false if the grid is too large for it.
static bool iterate_on_chip(const solve *s, scalars *state) {
  double *buffers = device_array<double>(on_chip_buffers(&s->g) / sizeof(double));
  on_chip_state *result = device_array<on_chip_state>(1), end = {};
  const bool fits = on_chip_iterate(&s->g, s->v.r, s->v.u, state->enough, state->limit, buffers, result);
  if (fits)
    CUDA_CHECK(cudaMemcpy(&end, result, sizeof end, cudaMemcpyDeviceToHost));
  state->status = end.status;
  state->iteration = end.iterations;
  CUDA_CHECK(cudaFree(buffers));
  CUDA_CHECK(cudaFree(result));
  return fits;
}

static bool solve_system(const pcg_grid *g, const double *h2f, double *u, pcg_control control, bool on_chip,
                         pcg_result *result) {
  const solve s = solve_open(g, h2f, u);
  const double f_norm = norm(&s, 2 * s.half, h2f), goal = control.tolerance * f_norm;
  scalars state = {};
  bool fits = true;
  state.enough = goal * goal;
  state.limit = control.limit;
  residual(&s);
  state.square = pow(norm(&s, s.half, s.v.r), 2);
  state.status = state.square <= state.enough ? (int)PCG_CONVERGED : (int)RUNNING;
  if (on_chip)
    fits = iterate_on_chip(&s, &state);
  else
    state = iterate(&s, state);
  residual(&s);
  *result = {(pcg_status)state.status, state.iteration, norm(&s, s.half, s.v.r) / f_norm};
  solve_free(&s);
  return fits;
}

void records_cg(const pcg_grid *g, const double *h2f, double *u, pcg_control control, pcg_result *result) {
  solve_system(g, h2f, u, control, false, result);
}

bool records_cg_on_chip(const pcg_grid *g, const double *h2f, double *u, pcg_control control,
                        pcg_result *result) {
  return solve_system(g, h2f, u, control, true, result);
}
