// cuBLASXt (cublasXt.h): products, symmetric updates and triangular solves of matrices in the memory of the host or of
// the device. Matrices of the host are copied to the device as a whole, so they must fit there together.
#include <cublasXt.h>
#include <cublas_v2.h>

#include <climits>
#include <new>

struct cublasXtContext {
  cublasHandle_t handle;
  int block;
  cublasXtPinnedMemMode_t pinning;
};

// A matrix as the device sees it, column by column: in place, or a copy that goes back at the end if it is a result.
template <class T> struct Matrix {
  T *const given, *device;
  const size_t rows, columns, lead;
  bool is_copy = false, failed = false;
  Matrix(const T *given, size_t rows, size_t columns, size_t lead)
      : given(const_cast<T *>(given)), device(this->given), rows(rows), columns(columns), lead(lead) {
    cudaPointerAttributes at;
    if (rows == 0 || columns == 0)
      return;
    if (lead < rows || !given || cudaPointerGetAttributes(&at, given)) {
      failed = true;
      return;
    }
    if (at.type == cudaMemoryTypeDevice || at.type == cudaMemoryTypeManaged)
      return;
    failed = cudaMalloc(&device, lead * columns * sizeof(T)) != cudaSuccess;
    is_copy = !failed;
    failed = failed || copy(device, given, cudaMemcpyHostToDevice);
  }
  Matrix(const Matrix &) = delete;
  ~Matrix() {
    if (is_copy)
      cudaFree(device);
  }
  bool copy(T *to, const T *from, cudaMemcpyKind kind) const { // true: it failed
    return cudaMemcpy2D(to, lead * sizeof(T), from, lead * sizeof(T), rows * sizeof(T), columns, kind) !=
           cudaSuccess;
  }
  bool bring_back() const { return is_copy && copy(given, device, cudaMemcpyDeviceToHost); }
};

// Afterwards the result is where the caller has it.
template <class T> static cublasStatus_t finish(cublasStatus_t status, const Matrix<T> &result) {
  if (!status && (cudaDeviceSynchronize() || result.bring_back()))
    status = CUBLAS_STATUS_EXECUTION_FAILED;
  return status;
}

static bool fits(size_t a, size_t b = 0, size_t c = 0) {
  return a <= INT_MAX && b <= INT_MAX && c <= INT_MAX;
}

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t *xt) {
  if (!xt)
    return CUBLAS_STATUS_INVALID_VALUE;
  *xt = new (std::nothrow) cublasXtContext{nullptr, 2048, CUBLASXT_PINNING_DISABLED};
  return *xt ? cublasCreate_v2(&(*xt)->handle) : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t xt) {
  const cublasStatus_t status = xt ? cublasDestroy_v2(xt->handle) : CUBLAS_STATUS_NOT_INITIALIZED;
  delete xt;
  return status;
}

// Every device does the same work here, so one of them does it all.
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t xt, int count, int devices[]) {
  int all = 0;
  if (!xt || count < 1 || !devices || cudaGetDeviceCount(&all))
    return CUBLAS_STATUS_INVALID_VALUE;
  for (int n = 0; n < count; n++)
    if (devices[n] < 0 || devices[n] >= all)
      return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetNumBoards(int count, int[], int *boards) {
  return *boards = count, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtMaxBoards(int *boards) { return *boards = 2, CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t xt, int block) {
  if (!xt || block <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  xt->block = block;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t xt, int *block) {
  if (!xt || !block)
    return CUBLAS_STATUS_INVALID_VALUE;
  *block = xt->block;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t xt, cublasXtPinnedMemMode_t *mode) {
  return *mode = xt->pinning, CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t xt, cublasXtPinnedMemMode_t mode) {
  return xt->pinning = mode, CUBLAS_STATUS_SUCCESS;
}

// What the processor's own BLAS would do is done here.
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, void *) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, float) {
  return CUBLAS_STATUS_SUCCESS;
}

#define PRODUCTS(T, t)                                                                                       \
  cublasStatus_t cublasXt##t##gemm(cublasXtHandle_t xt, cublasOperation_t a_op, cublasOperation_t b_op,      \
                                   size_t m, size_t n, size_t k, const T *alpha, const T *a, size_t lda,     \
                                   const T *b, size_t ldb, const T *beta, T *c, size_t ldc) {                \
    if (!xt || !alpha || !beta || !fits(m, n, k) || !fits(lda, ldb, ldc))                                    \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    const Matrix<T> x(a, a_op ? k : m, a_op ? m : k, lda), y(b, b_op ? n : k, b_op ? k : n, ldb),            \
        z(c, m, n, ldc);                                                                                     \
    if (x.failed || y.failed || z.failed)                                                                    \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    return finish(cublas##t##gemm_v2(xt->handle, a_op, b_op, (int)m, (int)n, (int)k, alpha, x.device,        \
                                     (int)lda, y.device, (int)ldb, beta, z.device, (int)ldc),                \
                  z);                                                                                        \
  }                                                                                                          \
  cublasStatus_t cublasXt##t##symm(cublasXtHandle_t xt, cublasSideMode_t side, cublasFillMode_t part,        \
                                   size_t m, size_t n, const T *alpha, const T *a, size_t lda, const T *b,   \
                                   size_t ldb, const T *beta, T *c, size_t ldc) {                            \
    const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                                   \
    if (!xt || !alpha || !beta || !fits(m, n) || !fits(lda, ldb, ldc))                                       \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    const Matrix<T> x(a, order, order, lda), y(b, m, n, ldb), z(c, m, n, ldc);                               \
    if (x.failed || y.failed || z.failed)                                                                    \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    return finish(cublas##t##symm_v2(xt->handle, side, part, (int)m, (int)n, alpha, x.device, (int)lda,      \
                                     y.device, (int)ldb, beta, z.device, (int)ldc),                          \
                  z);                                                                                        \
  }                                                                                                          \
  cublasStatus_t cublasXt##t##syrk(cublasXtHandle_t xt, cublasFillMode_t part, cublasOperation_t op,         \
                                   size_t n, size_t k, const T *alpha, const T *a, size_t lda,               \
                                   const T *beta, T *c, size_t ldc) {                                        \
    if (!xt || !alpha || !beta || !fits(n, k) || !fits(lda, ldc))                                            \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    const Matrix<T> x(a, op ? k : n, op ? n : k, lda), z(c, n, n, ldc);                                      \
    if (x.failed || z.failed)                                                                                \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    return finish(cublas##t##syrk_v2(xt->handle, part, op, (int)n, (int)k, alpha, x.device, (int)lda, beta,  \
                                     z.device, (int)ldc),                                                    \
                  z);                                                                                        \
  }                                                                                                          \
  cublasStatus_t cublasXt##t##trsm(cublasXtHandle_t xt, cublasSideMode_t side, cublasFillMode_t part,        \
                                   cublasOperation_t op, cublasDiagType_t diagonal, size_t m, size_t n,      \
                                   const T *alpha, const T *a, size_t lda, T *b, size_t ldb) {               \
    const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                                   \
    if (!xt || !alpha || !fits(m, n) || !fits(lda, ldb))                                                     \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    const Matrix<T> x(a, order, order, lda), z(b, m, n, ldb);                                                \
    if (x.failed || z.failed)                                                                                \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                    \
    return finish(cublas##t##trsm_v2(xt->handle, side, part, op, diagonal, (int)m, (int)n, alpha, x.device,  \
                                     (int)lda, z.device, (int)ldb),                                          \
                  z);                                                                                        \
  }
PRODUCTS(float, S)
PRODUCTS(double, D)
PRODUCTS(cuComplex, C)
PRODUCTS(cuDoubleComplex, Z)
}
