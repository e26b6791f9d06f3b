// 05/sweep: waits for the device
// A synchronisation after each half-sweep.
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
CUDA_CHECK(cudaDeviceSynchronize());
return 0;
// END(1)
