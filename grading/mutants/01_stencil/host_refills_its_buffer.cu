// 01/host: or changes it before it has waited for the copy that reads it
// Two parts of u go through one pinned buffer, and nothing waits for the first copy.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
const int first = nx * ny / 2, parts[] = {0, first, nx *ny};
float *buffer;
CUDA_CHECK(cudaMallocHost((void **)&buffer, bytes));
for (int n = 0; n < 2; n++) {
  const int count = parts[n + 1] - parts[n];
  for (int k = 0; k < count; k++)
    buffer[k] = u[parts[n] + k];
  CUDA_CHECK(cudaMemcpyAsync(device_u + parts[n], buffer, count * sizeof *u, cudaMemcpyHostToDevice));
}
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaFree(device_u));
CUDA_CHECK(cudaFree(device_u));
CUDA_CHECK(cudaFreeHost(buffer));
// END(0)
