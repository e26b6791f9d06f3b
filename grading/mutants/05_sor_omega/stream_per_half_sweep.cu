// 05/sweep: may run at the same time as an earlier launch of another stream
// 05/solve: passes
// Each half-sweep creates a stream and forgets it.
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
cudaStream_t own;
CUDA_CHECK(cudaStreamCreate(&own));
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
half_sweep_kernel<Real><<<blocks, threads, 0, own>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
