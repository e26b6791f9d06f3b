// 01/host: calls leave memory of the host allocated
// A copy of u in memory that is never freed.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
float *copy = new float[nx * ny];
for (int k = 0; k < nx * ny; k++)
  copy[k] = u[k];
CUDA_CHECK(cudaMemcpy(device_u, copy, bytes, cudaMemcpyHostToDevice));
// END(0)
