// 01/host: there is no device memory for u, and the program continued: expected CUDA_CHECK around each call
// Errors are ignored.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t bytes = (size_t)nx * ny * sizeof *u;
float *device_u, *device_f;
cudaMalloc((void **)&device_u, bytes);
cudaMalloc((void **)&device_f, bytes);
cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice);
const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost);
cudaFree(device_u);
cudaFree(device_f);
return part;
// END(6)
