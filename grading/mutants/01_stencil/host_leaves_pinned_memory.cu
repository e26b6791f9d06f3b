// 01/host: arrays of pinned memory in 16 calls are never freed
// The copies go through pinned memory, which stays.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
float *pinned;
CUDA_CHECK(cudaMallocHost((void **)&pinned, bytes));
for (int k = 0; k < nx * ny; k++)
  pinned[k] = u[k];
CUDA_CHECK(cudaMemcpy(device_u, pinned, bytes, cudaMemcpyHostToDevice));
// END(0)
