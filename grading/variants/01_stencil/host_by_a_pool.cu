// Style: the host's side by cudaMallocAsync, asynchronous copies and one wait.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t bytes = (size_t)nx * ny * sizeof *u;
float *du, *df;
CUDA_CHECK(cudaMallocAsync((void **)&du, bytes, 0));
CUDA_CHECK(cudaMallocAsync((void **)&df, bytes, 0));
CUDA_CHECK(cudaMemcpyAsync(du, u, bytes, cudaMemcpyHostToDevice, 0));
const int part = apply_naive(nx, ny, inv_h2, kappa2, du, df);
CUDA_CHECK(cudaGetLastError());
CUDA_CHECK(cudaMemcpyAsync(f, df, bytes, cudaMemcpyDeviceToHost, 0));
CUDA_CHECK(cudaFreeAsync(du, 0));
CUDA_CHECK(cudaFreeAsync(df, 0));
CUDA_CHECK(cudaStreamSynchronize(0));
return part;
// END(6)
