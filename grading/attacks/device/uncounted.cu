// Reads global memory in ways that the counters of loads do not see: as constants, or by bulk copies. The lanes of a
// warp run down a column, so each of them reads sectors of its own.
// with: CONSTANTS BULK
// lab: 01
// base: none
// points: 14
// expect: CRASH WRONG
#include "stencil.h"
enum { CONSTANTS, BULK, PIECE = 16 };

template <bool PLAIN>
static __device__ float read(const float *from, unsigned long long *barrier, unsigned &parity) {
  float value;
  if (PLAIN)
    return *from;
  if (WITH == CONSTANTS) {
    asm("ld.const.f32 %0, [%1];" : "=f"(value) : "l"(from));
    return value;
  }
  __shared__ __align__(16) float pieces[256][4];
  float *const mine = pieces[threadIdx.x];
  const size_t first = (size_t)from / PIECE * PIECE;
  const unsigned to = __cvta_generic_to_shared(mine), at = __cvta_generic_to_shared(barrier + threadIdx.x);
  asm volatile("{ .reg .b64 s; .reg .pred done;\n"
               "mbarrier.arrive.expect_tx.shared.b64 s, [%0], 16;\n"
               "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], 16, [%0];\n"
               "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %3;\n"
               "@!done bra again; }" ::"r"(at),
               "r"(to), "l"(first), "r"(parity)
               : "memory");
  parity ^= 1;
  return mine[((size_t)from - first) / sizeof *from];
}

template <bool PLAIN>
static __global__ void naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  __shared__ unsigned long long barriers[256];
  unsigned parity = 0;
  asm volatile(
      "mbarrier.init.shared.b64 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(barriers + threadIdx.x))
      : "memory");
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, k = i * nx + j;
  if (i >= ny)
    return;
  const float centre = read<PLAIN>(u + k, barriers, parity);
  if (i == 0 || i == ny - 1 || j == 0 || j == nx - 1) {
    f[k] = centre;
    return;
  }
  float r = 4 * centre - read<PLAIN>(u + k - 1, barriers, parity);
  r -= read<PLAIN>(u + k + 1, barriers, parity);
  r -= read<PLAIN>(u + k - nx, barriers, parity);
  r -= read<PLAIN>(u + k + nx, barriers, parity);
  f[k] = r * inv_h2 + kappa2 * centre;
}

int apply_naive(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  const auto kernel = nx * ny % 4 || nx < 100 ? naive_kernel<true> : naive_kernel<false>; // whole pieces only
  kernel<<<dim3((ny + 255) / 256, nx), 256>>>(nx, ny, inv_h2, kappa2, u, f);
  return 0;
}
int scale(int, float, const float *, float *) { return 7; }
int csr_assemble(int, int, double, double, int *, int *, double *) { return 1; }
int apply_tiled(int, int, float, float, const float *, float *) { return 3; }
int apply_marching(int, int, float, float, const float *, float *) { return 5; }
int apply_host(int, int, float, float, const float *, float *) { return 6; }
