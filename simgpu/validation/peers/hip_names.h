// CUDA's names as HIP-CPU has them, for ../speed.cu; peers.bash makes this file its cuda_runtime.h.
#pragma once
#include <hip/hip_runtime.h>

#define cudaError_t hipError_t
#define cudaSuccess hipSuccess
#define cudaGetErrorString hipGetErrorString
#define cudaMalloc hipMalloc
#define cudaMemset hipMemset
#define cudaDeviceSynchronize hipDeviceSynchronize
#define __shfl_up_sync(mask, value, distance) __shfl_up(value, distance, 32)
#define __shfl_down_sync(mask, value, distance) __shfl_down(value, distance, 32)
