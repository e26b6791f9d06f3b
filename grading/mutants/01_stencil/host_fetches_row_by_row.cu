// 01/host: each copy to the host waits: does one copy fetch a whole array?
// Each row is a copy of its own.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
for (size_t row = 0; row < (size_t)ny; row++)
  CUDA_CHECK(cudaMemcpy(f + row * nx, device_f + row * nx, nx * sizeof *f, cudaMemcpyDeviceToHost));
// END(0)
