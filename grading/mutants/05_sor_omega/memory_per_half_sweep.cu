// 05/sweep: sor_half_sweep: allocates or frees memory 16 times in 8 half-sweeps: expected never
// cudaFree waits for the device.
// INSTEAD OF: half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
Real *spare = device_array<Real>(1);
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
CUDA_CHECK(cudaFree(spare));
// END(0)
