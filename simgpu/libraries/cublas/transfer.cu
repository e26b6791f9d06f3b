/* Vectors and matrices between host and device: cublasSetVector, cublasGetMatrix and their kin. */
#include "handle.h"

static cublasStatus_t copied(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/* Columns of `rows` elements; the strides between columns are in elements. */
static cublasStatus_t copy(int rows, int columns, int size, const void *from, int from_stride, void *to,
                           int to_stride, cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  CHECK(rows >= 0 && columns >= 0 && size > 0 && from_stride > 0 && to_stride > 0);
  CHECK(from_stride >= rows && to_stride >= rows);
  if (rows == 0 || columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  const size_t bytes = size, width = rows * bytes;
  const cudaError_t error = cudaMemcpy2DAsync(to, to_stride * bytes, from, from_stride * bytes, width,
                                              (size_t)columns, kind, stream);
  return copied(error != cudaSuccess || !waits ? error : cudaStreamSynchronize(stream));
}

/* A vector is a matrix of one row. */
#define VECTOR(name, kind)                                                                                   \
  cublasStatus_t cublas##name##Vector(int n, int size, const void *x, int incx, void *y, int incy) {         \
    return copy(1, n, size, x, incx, y, incy, kind, 0, true);                                                \
  }                                                                                                          \
  cublasStatus_t cublas##name##VectorAsync(int n, int size, const void *x, int incx, void *y, int incy,      \
                                           cudaStream_t stream) {                                            \
    return copy(1, n, size, x, incx, y, incy, kind, stream, false);                                          \
  }
VECTOR(Set, cudaMemcpyHostToDevice)
VECTOR(Get, cudaMemcpyDeviceToHost)

#define MATRIX(name, kind)                                                                                   \
  cublasStatus_t cublas##name##Matrix(int rows, int columns, int size, const void *A, int lda, void *B,      \
                                      int ldb) {                                                             \
    return copy(rows, columns, size, A, lda, B, ldb, kind, 0, true);                                         \
  }                                                                                                          \
  cublasStatus_t cublas##name##MatrixAsync(int rows, int columns, int size, const void *A, int lda, void *B, \
                                           int ldb, cudaStream_t stream) {                                   \
    return copy(rows, columns, size, A, lda, B, ldb, kind, stream, false);                                   \
  }
MATRIX(Set, cudaMemcpyHostToDevice)
MATRIX(Get, cudaMemcpyDeviceToHost)
