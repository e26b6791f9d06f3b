// 05/sweep: may run at the same time as an earlier launch of another stream
// 05/solve: passes
// Nothing orders the two colours.
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
static cudaStream_t own;
if (!own)
  CUDA_CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
half_sweep_kernel<Real>
    <<<blocks, threads, 0, colour ? own : 0>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
