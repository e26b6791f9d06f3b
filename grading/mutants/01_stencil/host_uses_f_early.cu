// 01/host: uses pinned or managed memory
// The copy back is asynchronous, and the host does not wait for it.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
float *pinned;
CUDA_CHECK(cudaMallocHost((void **)&pinned, bytes));
CUDA_CHECK(cudaMemcpyAsync(pinned, device_f, bytes, cudaMemcpyDeviceToHost));
for (int k = 0; k < nx * ny; k++)
  f[k] = pinned[k];
CUDA_CHECK(cudaFreeHost(pinned));
// END(0)
