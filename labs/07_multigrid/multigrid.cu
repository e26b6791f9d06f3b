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
  // END(1)
  return value;
}

__global__ void residual_kernel(int n, const double *h2f, const double *u, double *r) {
  // TODO(1): find this thread's point; if it is interior, set r there. (about 4 lines)
  // END(1)
}

int mg_residual(int n, const double *h2f, const double *u, double *r, cudaStream_t stream) {
  // TODO(1): launch it in the stream, as smoother.h does. (2 lines)
  return 1;
  // END(1)
}

// Part 2: the residual on its way down. One thread per point of the coarse level, which has m points per side.
__global__ void restrict_kernel(int n, int m, const double *r, double *coarse_h2f) {
  // TODO(2): the nine points of r around the thread's coarse point, with their weights. (about 8 lines)
  // END(2)
}

int mg_restrict(int n, const double *r, double *coarse_h2f, cudaStream_t stream) {
  // TODO(2): launch it for the points of the coarse level. (3 lines)
  return 2;
  // END(2)
}

// Part 3: the correction on its way up. One thread per point of the fine level, which has n points per side.
__global__ void prolong_kernel(int n, int m, const double *coarse_u, double *u) {
  // TODO(3): add the average of the coarse points that lie around this thread's point. (about 8 lines)
  // END(3)
}

int mg_prolong(int n, const double *coarse_u, double *u, cudaStream_t stream) {
  // TODO(3): launch it for the points of the fine level. (2 lines)
  return 3;
  // END(3)
}

// Part 4: the cycle.
int mg_cycle(const struct mg_level *level, int count, int after, cudaStream_t stream) {
  // TODO(4): 3 x 3 points, or: sweep, residual, restrict, cycle below, prolong, sweep. (about 19 lines)
  return 4;
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
  return 5;
  // END(5)
}

int mg_cg(const struct mg_level *level, int count, struct mg_vectors v, struct mg_control control,
          int *iterations, cudaStream_t stream) {
  // TODO(5): the loop of lab 06 with mg_dot, keep, precondition, combine and product_kernel. (about 19 lines)
  return 5;
  // END(5)
}
