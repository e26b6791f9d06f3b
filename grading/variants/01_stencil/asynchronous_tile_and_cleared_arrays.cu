// Style: cp.async fills the tile, and the host clears the arrays that it allocates.
// INSTEAD OF: #include "cuda_check.h"
#include "cuda_check.h"
#include <cuda_pipeline.h>
// END(0)
// INSTEAD OF: patch[row][column] = stored ? u[i * mx + j] : 0;
__pipeline_memcpy_async(&patch[row][column], stored ? u + i *mx + j : u, 4, stored ? 0 : 4);
// END(0)
// INSTEAD OF: const int x = threadIdx.x + 1, y = threadIdx.y + 1;
__pipeline_commit();
__pipeline_wait_prior(0);
__syncthreads();
const int x = threadIdx.x + 1, y = threadIdx.y + 1;
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
CUDA_CHECK(cudaMemset(device_u, 0, bytes));
CUDA_CHECK(cudaMemset(device_f, 0, bytes));
CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
// END(0)
