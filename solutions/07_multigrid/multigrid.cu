// Lab 07: multigrid. multigrid.h specifies what each function does; smoother.h and cg_vectors.h have what no
// part asks about.
#include "multigrid.h"

#include "cg_vectors.h"
#include "smoother.h"

// Part 1: the residual.

// A u at the interior point with index k.
inline __device__ double product(int n, int k, const double *u) {
  double value = 0;
  // TODO(1): 4u minus the four neighbours. (1 line)
  value = 4 * u[k] - (u[k - 1] + u[k + 1] + u[k - n] + u[k + n]);
  // END(1)
  return value;
}

__global__ void residual_kernel(int n, const double *h2f, const double *u, double *r) {
  // TODO(1): find this thread's point; if it is interior, set r there. (about 4 lines)
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (is_interior(n, i, j))
    r[i * n + j] = h2f[i * n + j] - product(n, i * n + j, u);
  // END(1)
}

int mg_residual(int n, const double *h2f, const double *u, double *r, cudaStream_t stream) {
  // TODO(1): launch it in the stream, as smoother.h does. (2 lines)
  residual_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, h2f, u, r);
  return 0;
  // END(1)
}

// Part 2: the residual on its way down. One thread per point of the coarse level, which has m points per side.
__global__ void restrict_kernel(int n, int m, const double *r, double *coarse_h2f) {
  // TODO(2): the nine points of r around the thread's coarse point, with their weights. (about 8 lines)
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (!is_interior(m, i, j))
    return;
  const int k = 2 * i * n + 2 * j;
  const double edges = r[k - 1] + r[k + 1] + r[k - n] + r[k + n];
  const double corners = r[k - n - 1] + r[k - n + 1] + r[k + n - 1] + r[k + n + 1];
  coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
  // END(2)
}

int mg_restrict(int n, const double *r, double *coarse_h2f, cudaStream_t stream) {
  // TODO(2): launch it for the points of the coarse level. (3 lines)
  const int m = n / 2 + 1;
  restrict_kernel<<<grid_for(m), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, m, r, coarse_h2f);
  return 0;
  // END(2)
}

// Part 3: the correction on its way up. One thread per point of the fine level, which has n points per side.
__global__ void prolong_kernel(int n, int m, const double *coarse_u, double *u) {
  // TODO(3): add the average of the coarse points that lie around this thread's point. (about 8 lines)
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (!is_interior(n, i, j))
    return;
  // where i is even, both are the same row
  const double *above = coarse_u + i / 2 * m, *below = coarse_u + (i + 1) / 2 * m;
  const int left = j / 2, right = (j + 1) / 2;
  u[i * n + j] += (above[left] + above[right] + below[left] + below[right]) / 4;
  // END(3)
}

int mg_prolong(int n, const double *coarse_u, double *u, cudaStream_t stream) {
  // TODO(3): launch it for the points of the fine level. (2 lines)
  prolong_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, n / 2 + 1, coarse_u, u);
  return 0;
  // END(3)
}

// Part 4: the cycle.
int mg_cycle(const struct mg_level *level, int count, int after, cudaStream_t stream) {
  // TODO(4): 3 x 3 points, or: sweep, residual, restrict, cycle below, prolong, sweep. (about 19 lines)
  const int n = level->n;
  double *h2f = level->h2f, *u = level->u;
  half_sweep(n, MG_RED, h2f, u, stream);
  if (count == 1)
    return 0;
  const mg_level *below = level + 1;
  half_sweep(n, MG_BLACK, h2f, u, stream);
  if (const int part = mg_residual(n, h2f, u, level->r, stream))
    return part;
  if (const int part = mg_restrict(n, level->r, below->h2f, stream))
    return part;
  cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
  if (const int part = mg_cycle(below, count - 1, after, stream))
    return part;
  if (const int part = mg_prolong(n, below->u, u, stream))
    return part;
  half_sweep(n, after, h2f, u, stream);
  half_sweep(n, 1 - after, h2f, u, stream);
  return 0;
  // END(4)
}

// Part 5: conjugate gradients.

// q = A p
__global__ void product_kernel(int n, const double *p, double *q) {
  const int j = blockIdx.x * BLOCK_X + threadIdx.x;
  const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (is_interior(n, i, j))
    q[i * n + j] = product(n, i * n + j, p);
}

// z = M⁻¹r for level[0], or nothing if count is 0.
inline int precondition(const struct mg_level *level, int count, cudaStream_t stream) {
  if (count == 0)
    return 0;
  // TODO(5): one cycle from u = 0. (2 lines)
  cudaMemsetAsync(level->u, 0, level->n * level->n * sizeof *level->u, stream);
  return mg_cycle(level, count, MG_BLACK, stream);
  // END(5)
}

int mg_cg(const struct mg_level *level, int count, struct mg_vectors v, struct mg_control control,
          int *iterations, cudaStream_t stream) {
  // TODO(5): the loop of lab 06 with mg_dot, keep, precondition, combine and product_kernel. (about 19 lines)
  const int n = level->n, points = n * n;
  const double *z = count > 0 ? level->u : level->h2f;
  double *r = level->h2f;
  const double f_norm = sqrt(mg_dot(points, r, r, v.partial, stream));
  double rho_old = 1;
  for (int k = 0;; k++) {
    *iterations = k;
    if (keep(control, k, sqrt(mg_dot(points, r, r, v.partial, stream)) / f_norm))
      return 0;
    if (const int part = precondition(level, count, stream))
      return part;
    const double rho = mg_dot(points, r, z, v.partial, stream);
    combine(points, 1, z, k > 0 ? rho / rho_old : 0, v.p, stream); // p = z + beta p
    product_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, v.p, v.q);
    const double alpha = rho / mg_dot(points, v.p, v.q, v.partial, stream);
    combine(points, alpha, v.p, 1, v.x, stream); // x = x + alpha p
    combine(points, -alpha, v.q, 1, r, stream);  // r = r − alpha A p
    rho_old = rho;
  }
  // END(5)
}
