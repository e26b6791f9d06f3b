// 01/host: values are wrong
// cudaMemcpy gets a number of elements where it expects bytes.
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t points = (size_t)nx * ny;
float *device_u, *device_f;
CUDA_CHECK(cudaMalloc((void **)&device_u, points * sizeof *u));
CUDA_CHECK(cudaMalloc((void **)&device_f, points * sizeof *u));
CUDA_CHECK(cudaMemcpy(device_u, u, points, cudaMemcpyHostToDevice));
const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
CUDA_CHECK(cudaGetLastError());
CUDA_CHECK(cudaMemcpy(f, device_f, points * sizeof *f, cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaFree(device_u));
CUDA_CHECK(cudaFree(device_f));
return part;
// END(6)
