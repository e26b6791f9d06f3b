/* The handle, and what every function of the library needs: checks, scalars and launches. */
#pragma once

#include "complex.h"

#include "../scalar.h"

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  cublasMath_t math_mode;
  cublasAtomicsMode_t atomics_mode;
  int sm_count;
  struct {
    int strategy, special_values, mantissa_control, most_bits, bit_offset;
    int *bit_count;
  } emulation;     /* kept, and without effect: products have the precision that is emulated */
  void *workspace; /* device memory for partial results and copies */
  size_t workspace_size;
};

/* Device memory of at least `size` bytes, valid until the next call; NULL if there is none. */
void *handle_workspace(cublasHandle_t handle, size_t size);

/* The status after a launch. */
static inline cublasStatus_t handle_launched(void) {
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* Gives the result in device memory to the caller: for a host pointer, this waits for the stream. */
cublasStatus_t handle_deliver(cublasHandle_t handle, void *to, const void *from, size_t size);

template <typename T> scalar<T> handle_scalar(cublasHandle_t handle, const T *argument) {
  return scalar_argument(handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE, argument);
}

/* The value of a scalar argument; for an address in device memory, this waits for the stream. */
cublasStatus_t handle_read(cublasHandle_t handle, const void *argument, void *value, size_t size);

template <typename T> scalar<T> handle_constant(T value) { return {nullptr, value}; }

#define CHECK_HANDLE(handle)                                                                                 \
  if (!(handle))                                                                                             \
  return CUBLAS_STATUS_NOT_INITIALIZED
#define CHECK(condition)                                                                                     \
  if (!(condition))                                                                                          \
  return CUBLAS_STATUS_INVALID_VALUE

enum { HANDLE_THREADS = 256 };

/* Blocks of HANDLE_THREADS threads for n elements, which the kernel visits in a grid-stride loop. */
static inline unsigned handle_blocks(long long n) {
  const long long blocks = (n + HANDLE_THREADS - 1) / HANDLE_THREADS;
  return blocks < 1 ? 1 : blocks > 65535 ? 65535 : (unsigned)blocks;
}

/* Element i of a vector: a negative stride runs from the other end. */
template <typename T> struct vector {
  T *data;
  int n, stride;
  __device__ T &operator[](int i) const { return data[(long long)(stride > 0 ? i : i - (n - 1)) * stride]; }
};

static inline int at_least_one(int n) { return n > 1 ? n : 1; }
static inline bool is_operation(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }
static inline bool is_triangle(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_LOWER || part == CUBLAS_FILL_MODE_UPPER;
}
