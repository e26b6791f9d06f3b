// 05/sweep: sor_half_sweep: 2 launches in a half-sweep: expected one
// A second kernel after each half-sweep does nothing that is needed.
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
if (g->nx < SOR_MIN)
  return 0;
half_sweep_kernel<Real><<<1, threads>>>(*g, (Real)1, (Real)0, colour, h2f, u);
// END(0)
