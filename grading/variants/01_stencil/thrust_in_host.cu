// Style: apply_host by Thrust's vectors, which fill their memory by kernels of their own and throw an error.
// INSTEAD OF: #include "cuda_check.h"
#include "cuda_check.h"
#include <thrust/copy.h>
#include <thrust/device_vector.h>
// END(0)
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
const size_t points = (size_t)nx * ny;
thrust::device_vector<float> device_u(u, u + points), device_f(points);
const int part = apply_naive(nx, ny, inv_h2, kappa2, thrust::raw_pointer_cast(device_u.data()),
                             thrust::raw_pointer_cast(device_f.data()));
CUDA_CHECK(cudaGetLastError());
thrust::copy(device_f.begin(), device_f.end(), f);
return part;
// END(6)
