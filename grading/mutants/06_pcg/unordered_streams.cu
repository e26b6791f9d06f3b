// 06/dot: may run at the same time as an earlier launch of another stream
// 06/ssor: may run at the same time as an earlier launch of another stream
// The second kernel of each function does not wait for the first one.
// INSTEAD OF: dot_finish_kernel<<<1, THREADS>>>(blocks, partial, result);
static cudaStream_t own;
if (!own)
  CUDA_CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
dot_finish_kernel<<<1, THREADS, 0, own>>>(blocks, partial, result);
// END(0)
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
static cudaStream_t own;
if (!own)
  CUDA_CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
ssor_kernel<<<blocks, threads, 0, own>>>(*g, RED, s, c, r, 1, z, z);
// END(0)
