// The interface of cublas.h, from before handles: level 1 to 3 in single and double precision, and products of complex
// matrices. Scalars are passed by value and returned; errors are kept for cublasGetError.
#include <cublas.h>

#include <cctype>

static cublasHandle_t handle;
static cublasStatus_t error = CUBLAS_STATUS_SUCCESS;

static void note(cublasStatus_t status) {
  if (status)
    error = status;
}

// The handle, which begins on the first use if the program did not call cublasInit.
static cublasHandle_t own() {
  if (!handle)
    note(cublasCreate_v2(&handle));
  return handle;
}

static bool is(char given, char letter) { return tolower(given) == letter; }
static cublasOperation_t operation(char c) {
  return is(c, 't') ? CUBLAS_OP_T : is(c, 'c') ? CUBLAS_OP_C : CUBLAS_OP_N;
}
static cublasFillMode_t part(char c) { return is(c, 'l') ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER; }
static cublasDiagType_t diagonal(char c) { return is(c, 'u') ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }
static cublasSideMode_t side_of(char c) { return is(c, 'r') ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT; }

extern "C" {

cublasStatus_t cublasInit() {
  own();
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasShutdown() {
  const cublasStatus_t status = handle ? cublasDestroy_v2(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
  handle = nullptr;
  return status;
}

cublasStatus_t cublasGetError() {
  const cublasStatus_t last = error;
  error = CUBLAS_STATUS_SUCCESS;
  return last;
}

cublasStatus_t cublasGetVersion(int *version) { return cublasGetVersion_v2(own(), version); }

cublasStatus_t cublasAlloc(int n, int size, void **device) {
  if (n <= 0 || size <= 0 || !device)
    return CUBLAS_STATUS_INVALID_VALUE;
  return cudaMalloc(device, (size_t)n * size) ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasFree(void *device) {
  return cudaFree(device) ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream) { return cublasSetStream_v2(own(), stream); }

#define REDUCTIONS(T, t, real)                                                                               \
  T cublas##t##dot(int n, const T *x, int dx, const T *y, int dy) {                                          \
    T result = 0;                                                                                            \
    note(cublas##t##dot_v2(own(), n, x, dx, y, dy, &result));                                                \
    return result;                                                                                           \
  }                                                                                                          \
  T cublas##t##nrm2(int n, const T *x, int dx) {                                                             \
    T result = 0;                                                                                            \
    note(cublas##t##nrm2_v2(own(), n, x, dx, &result));                                                      \
    return result;                                                                                           \
  }                                                                                                          \
  T cublas##t##asum(int n, const T *x, int dx) {                                                             \
    T result = 0;                                                                                            \
    note(cublas##t##asum_v2(own(), n, x, dx, &result));                                                      \
    return result;                                                                                           \
  }                                                                                                          \
  int cublasI##real##amax(int n, const T *x, int dx) {                                                       \
    int result = 0;                                                                                          \
    note(cublasI##real##amax_v2(own(), n, x, dx, &result));                                                  \
    return result;                                                                                           \
  }                                                                                                          \
  int cublasI##real##amin(int n, const T *x, int dx) {                                                       \
    int result = 0;                                                                                          \
    note(cublasI##real##amin_v2(own(), n, x, dx, &result));                                                  \
    return result;                                                                                           \
  }
REDUCTIONS(float, S, s)
REDUCTIONS(double, D, d)

#define VECTORS(T, t)                                                                                        \
  void cublas##t##scal(int n, T alpha, T *x, int dx) { note(cublas##t##scal_v2(own(), n, &alpha, x, dx)); }  \
  void cublas##t##axpy(int n, T alpha, const T *x, int dx, T *y, int dy) {                                   \
    note(cublas##t##axpy_v2(own(), n, &alpha, x, dx, y, dy));                                                \
  }                                                                                                          \
  void cublas##t##copy(int n, const T *x, int dx, T *y, int dy) {                                            \
    note(cublas##t##copy_v2(own(), n, x, dx, y, dy));                                                        \
  }                                                                                                          \
  void cublas##t##swap(int n, T *x, int dx, T *y, int dy) {                                                  \
    note(cublas##t##swap_v2(own(), n, x, dx, y, dy));                                                        \
  }                                                                                                          \
  void cublas##t##gemm(char a_op, char b_op, int m, int n, int k, T alpha, const T *a, int lda, const T *b,  \
                       int ldb, T beta, T *c, int ldc) {                                                     \
    note(cublas##t##gemm_v2(own(), operation(a_op), operation(b_op), m, n, k, &alpha, a, lda, b, ldb, &beta, \
                            c, ldc));                                                                        \
  }
VECTORS(float, S)
VECTORS(double, D)
VECTORS(cuComplex, C)
VECTORS(cuDoubleComplex, Z)

#define MATRICES(T, t)                                                                                       \
  void cublas##t##rot(int n, T *x, int dx, T *y, int dy, T cosine, T sine) {                                 \
    note(cublas##t##rot_v2(own(), n, x, dx, y, dy, &cosine, &sine));                                         \
  }                                                                                                          \
  void cublas##t##gemv(char op, int m, int n, T alpha, const T *a, int lda, const T *x, int dx, T beta,      \
                       T *y, int dy) {                                                                       \
    note(cublas##t##gemv_v2(own(), operation(op), m, n, &alpha, a, lda, x, dx, &beta, y, dy));               \
  }                                                                                                          \
  void cublas##t##symv(char uplo, int n, T alpha, const T *a, int lda, const T *x, int dx, T beta, T *y,     \
                       int dy) {                                                                             \
    note(cublas##t##symv_v2(own(), part(uplo), n, &alpha, a, lda, x, dx, &beta, y, dy));                     \
  }                                                                                                          \
  void cublas##t##trmv(char uplo, char op, char diag, int n, const T *a, int lda, T *x, int dx) {            \
    note(cublas##t##trmv_v2(own(), part(uplo), operation(op), diagonal(diag), n, a, lda, x, dx));            \
  }                                                                                                          \
  void cublas##t##trsv(char uplo, char op, char diag, int n, const T *a, int lda, T *x, int dx) {            \
    note(cublas##t##trsv_v2(own(), part(uplo), operation(op), diagonal(diag), n, a, lda, x, dx));            \
  }                                                                                                          \
  void cublas##t##ger(int m, int n, T alpha, const T *x, int dx, const T *y, int dy, T *a, int lda) {        \
    note(cublas##t##ger_v2(own(), m, n, &alpha, x, dx, y, dy, a, lda));                                      \
  }                                                                                                          \
  void cublas##t##syr(char uplo, int n, T alpha, const T *x, int dx, T *a, int lda) {                        \
    note(cublas##t##syr_v2(own(), part(uplo), n, &alpha, x, dx, a, lda));                                    \
  }                                                                                                          \
  void cublas##t##symm(char side, char uplo, int m, int n, T alpha, const T *a, int lda, const T *b,         \
                       int ldb, T beta, T *c, int ldc) {                                                     \
    note(cublas##t##symm_v2(own(), side_of(side), part(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc)); \
  }                                                                                                          \
  void cublas##t##syrk(char uplo, char op, int n, int k, T alpha, const T *a, int lda, T beta, T *c,         \
                       int ldc) {                                                                            \
    note(cublas##t##syrk_v2(own(), part(uplo), operation(op), n, k, &alpha, a, lda, &beta, c, ldc));         \
  }                                                                                                          \
  void cublas##t##syr2k(char uplo, char op, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, \
                        T beta, T *c, int ldc) {                                                             \
    note(                                                                                                    \
        cublas##t##syr2k_v2(own(), part(uplo), operation(op), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)); \
  }                                                                                                          \
  void cublas##t##trmm(char side, char uplo, char op, char diag, int m, int n, T alpha, const T *a, int lda, \
                       T *b, int ldb) {                                                                      \
    note(cublas##t##trmm_v2(own(), side_of(side), part(uplo), operation(op), diagonal(diag), m, n, &alpha,   \
                            a, lda, b, ldb, b, ldb));                                                        \
  }                                                                                                          \
  void cublas##t##trsm(char side, char uplo, char op, char diag, int m, int n, T alpha, const T *a, int lda, \
                       T *b, int ldb) {                                                                      \
    note(cublas##t##trsm_v2(own(), side_of(side), part(uplo), operation(op), diagonal(diag), m, n, &alpha,   \
                            a, lda, b, ldb));                                                                \
  }
MATRICES(float, S)
MATRICES(double, D)
}
