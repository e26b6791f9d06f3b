// 05/sweep: calls leave memory of the host allocated
// 05/solve: passes
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
volatile double *factor = new double[2];
factor[0] = omega;
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)factor[0], colour, h2f, u);
// END(1)
