// Style: memory in stream order, and a march that loads one row ahead.
// INSTEAD OF: CUDA_CHECK(cudaMalloc((void **)&device_u, bytes));
CUDA_CHECK(cudaMallocAsync((void **)&device_u, bytes, 0));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMalloc((void **)&device_f, bytes));
CUDA_CHECK(cudaMallocAsync((void **)&device_f, bytes, 0));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaFree(device_u));
CUDA_CHECK(cudaFreeAsync(device_u, 0));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaFree(device_f));
CUDA_CHECK(cudaFreeAsync(device_f, 0));
CUDA_CHECK(cudaStreamSynchronize(0));
// END(0)
// INSTEAD OF: enum { MARCH_ROWS = 8, MARCH_STEP = 4 };
enum { MARCH_ROWS = 8, MARCH_STEP = 1 };
// END(0)
