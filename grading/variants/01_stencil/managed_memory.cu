// The host's side in managed memory: the host writes and reads the arrays of the kernel itself.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t bytes = (size_t)nx * ny * sizeof *u;
float *device_u, *device_f;
CUDA_CHECK(cudaMallocManaged((void **)&device_u, bytes));
CUDA_CHECK(cudaMallocManaged((void **)&device_f, bytes));
for (int k = 0; k < nx * ny; k++)
  device_u[k] = u[k];
const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
CUDA_CHECK(cudaGetLastError());
CUDA_CHECK(cudaDeviceSynchronize());
for (int k = 0; k < nx * ny; k++)
  f[k] = device_f[k];
CUDA_CHECK(cudaFree(device_u));
CUDA_CHECK(cudaFree(device_f));
return part;
// END(6)
