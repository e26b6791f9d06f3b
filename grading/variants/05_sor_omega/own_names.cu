// Style: own kernel names; nothing else differs.
// clang-format off
// INSTEAD OF: __global__ void half_sweep_kernel(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
__global__ void relax(sor_grid g, Real keep, Real omega, int colour, const Real *h2f, Real *u) {
// END(0)
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
  relax<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
// END(0)
// INSTEAD OF: __global__ void residual_kernel(sor_grid g, const double *h2f, const double *u, double *h2r) {
  __global__ void defect(sor_grid g, const double *h2f, const double *u, double *h2r) {
// END(0)
// INSTEAD OF: residual_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
    defect<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
// END(0)
