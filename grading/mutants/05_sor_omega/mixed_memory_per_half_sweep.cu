// 05/mixed: sor_solve_mixed: allocates or frees memory
// The sweeps in float alone allocate and free.
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
double *spare = sizeof(Real) == sizeof(float) ? device_array<double>(1) : NULL;
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
CUDA_CHECK(cudaFree(spare));
// END(0)
