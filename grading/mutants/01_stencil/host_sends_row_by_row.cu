// 01/host: copies to the device: expected at most 16: does one copy send a whole array?
// Each row is a copy of its own.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
for (size_t row = 0; row < (size_t)ny; row++)
  CUDA_CHECK(cudaMemcpy(device_u + row * nx, u + row * nx, nx * sizeof *u, cudaMemcpyHostToDevice));
// END(0)
