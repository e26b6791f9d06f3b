// 01/host: the values are not those of apply_naive: was the result computed on the host
// The kernel runs on all values, but the host computes the result, and the copy goes to an array that nobody reads.
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
float *unread = new float[bytes / sizeof *unread];
CUDA_CHECK(cudaMemcpy(unread, device_f, bytes, cudaMemcpyDeviceToHost));
delete[] unread;
for (int k = 0; k < nx * ny; k++) {
  const int i = k / nx, j = k % nx;
  f[k] = u[k];
  if (0 < i && i < ny - 1 && 0 < j && j < nx - 1) {
    volatile float sum = 4 * u[k] - u[k - 1];
    sum = sum - u[k + 1];
    sum = sum - u[k - nx];
    sum = sum - u[k + nx];
    sum = sum * inv_h2;
    volatile float shift = kappa2 * u[k];
    f[k] = sum + shift;
  }
}
// END(0)
