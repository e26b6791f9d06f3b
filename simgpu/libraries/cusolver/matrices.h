/* Batches of matrices, and kernels that copy them. blockIdx.y chooses a matrix of a batch. */
#pragma once

#include "../cublas/lu.h"
#include "numbers.h"

#include <type_traits>

/* Matrices at a distance from each other. */
template <typename T> struct stack {
  T *data;
  long long ld, distance;
  __device__ full<T> get() const { return {data + blockIdx.y * distance, ld}; }
  template <typename C,
            typename = std::enable_if_t<std::is_same<C, const T>::value && !std::is_const<T>::value>>
  operator stack<C>() const {
    return {data, ld, distance};
  }
};

#define FOR_ELEMENTS(i, j, m, n)                                                                             \
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < (long long)(m) * (n);             \
       e += (long long)gridDim.x * blockDim.x)                                                               \
    if (const int i = (int)(e % (m)), j = (int)(e / (m)); true)

/* Writes an m x n matrix: `from`, or the adjoint of `from`. */
template <typename T>
__global__ void copy_matrix(stack<const T> from, int m, int n, stack<T> to, bool adjoint) {
  const full<const T> A = from.get();
  const full<T> B = to.get();
  FOR_ELEMENTS(i, j, m, n)
    B.at(i, j) = adjoint ? conjugate(A.at(j, i)) : A.at(i, j);
}

template <typename T> __global__ void set_identity(stack<T> matrices, int m, int n) {
  const full<T> A = matrices.get();
  FOR_ELEMENTS(i, j, m, n)
    set_real(A.at(i, j), i == j);
}

/* One triangle, with or without its diagonal; nothing if *info says that the factorisation failed. */
template <typename T>
__global__ void copy_triangle(full<const T> from, int n, bool lower, bool diagonal, full<T> to,
                              const int *info) {
  if (*info)
    return;
  FOR_ELEMENTS(i, j, n, n)
    if (i == j ? diagonal : (i > j) == lower)
      to.at(i, j) = from.at(i, j);
}

/* A grid for elements of each matrix of a batch. */
static inline dim3 elements_of(long long count, int batches = 1) {
  return dim3(handle_blocks(count), batches);
}
