// 05/sweep: launches in a half-sweep: expected one
// Each row has a launch of its own.
// clang-format off
// INSTEAD OF: __global__ void half_sweep_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
__global__ void half_sweep_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u,
                                  int i) {
// END(0)
// INSTEAD OF: const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH;
// END(0)
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
for (int i = 1; i < g->ny - 1; i++)
  half_sweep_kernel<Real><<<blocks_for(g->pitch, SWEEP_X * pack<Real>::WIDTH), SWEEP_X>>>(
      *g, (Real)(1 - omega), (Real)omega, colour, h2f, u, i);
return 0;
// END(1)
