// 06/fused: allocates or frees memory 4 times: expected never
// WITH HEADERS
// INSTEAD OF: CUDA_CHECK(cudaGraphLaunch(stretch, stream));
double *spare = device_array<double>(1);
CUDA_CHECK(cudaGraphLaunch(stretch, stream));
CUDA_CHECK(cudaFree(spare));
// END(0)
