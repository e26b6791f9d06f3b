// 01/host: apply_host: each call leaves 1 allocation of device memory, 256 bytes in all in 4 calls, never freed: expected a cudaFree for each cudaMalloc
// One of the two arrays is not freed.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t bytes = (size_t)nx * ny * sizeof *u;
float *device_u, *device_f;
CUDA_CHECK(cudaMalloc((void **)&device_u, bytes));
CUDA_CHECK(cudaMalloc((void **)&device_f, bytes));
CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
CUDA_CHECK(cudaGetLastError());
CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaFree(device_u));
return part;
// END(6)
