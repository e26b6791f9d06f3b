// 01/host: the kernel fails while it runs, and the program continued: expected CUDA_CHECK around each call
// cudaGetLastError after a launch does not see what happens while the kernel runs.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t bytes = (size_t)nx * ny * sizeof *u;
float *device_u, *device_f;
CUDA_CHECK(cudaMalloc((void **)&device_u, bytes));
CUDA_CHECK(cudaMalloc((void **)&device_f, bytes));
CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
CUDA_CHECK(cudaGetLastError());
cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost);
cudaFree(device_u);
cudaFree(device_f);
return part;
// END(6)
