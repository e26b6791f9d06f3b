// Style: the host copies both arrays in parts; other variants copy them at once.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
const int step = blocks_for(ny, 12); // rows of a part
for (int i = 0; i < ny; i += step)
  CUDA_CHECK(cudaMemcpy(device_u + i * nx, u + i * nx, sizeof *u *nx *min(step, ny - i), cudaMemcpyDefault));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
for (int i = 0; i < ny; i += step)
  CUDA_CHECK(cudaMemcpy(f + i * nx, device_f + i * nx, sizeof *f *nx *min(step, ny - i), cudaMemcpyDefault));
// END(0)
