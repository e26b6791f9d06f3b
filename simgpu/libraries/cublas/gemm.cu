/* C = alpha op(A) op(B) + beta C, alone and in batches, in single, double and half precision, and of complex
 * numbers; gemmEx for mixed types. Sums of half precision are kept in single precision. The math mode changes
 * nothing: products are never rounded to TF32. */
#include "../cublas/product.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* The arguments that all of them share. */
struct shape {
  cublasOperation_t opA, opB;
  int m, n, k, lda, ldb, ldc, batches;
  bool is_valid() const {
    return is_operation(opA) && is_operation(opB) && m >= 0 && n >= 0 && k >= 0 && batches >= 0 &&
           batches <= 65535 && lda >= at_least_one(opA == CUBLAS_OP_N ? m : k) &&
           ldb >= at_least_one(opB == CUBLAS_OP_N ? k : n) && ldc >= at_least_one(m);
  }
};

template <typename A, typename I, typename O>
static cublasStatus_t multiply(cublasHandle_t handle, const shape &s, scalar<A> alpha, batch<const I> left,
                               batch<const I> right, scalar<A> beta, batch<O> results) {
  const operand<A, I> l = make_operand<A>(left, s.lda, s.opA), r = make_operand<A>(right, s.ldb, s.opB);
  return product_launch(handle, s.m, s.n, s.k, alpha, l, r, beta, results, s.ldc, product_all, s.batches);
}

#define GEMM(P, T)                                                                                           \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, \
                                 int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,     \
                                 const T *beta, T *C, int ldc) {                                             \
    CHECK_HANDLE(handle);                                                                                    \
    const shape s = {opA, opB, m, n, k, lda, ldb, ldc, 1};                                                   \
    CHECK(s.is_valid() && alpha && beta);                                                                    \
    return multiply(handle, s, handle_scalar(handle, alpha), product_single(A), product_single(B),           \
                    handle_scalar(handle, beta), product_single(C));                                         \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, \
                                        int m, int n, int k, const T *alpha, const T *const A[], int lda,    \
                                        const T *const B[], int ldb, const T *beta, T *const C[], int ldc,   \
                                        int batches) {                                                       \
    CHECK_HANDLE(handle);                                                                                    \
    const shape s = {opA, opB, m, n, k, lda, ldb, ldc, batches};                                             \
    CHECK(s.is_valid() && alpha && beta);                                                                    \
    return multiply<T, T, T>(handle, s, handle_scalar(handle, alpha), {nullptr, A, 0}, {nullptr, B, 0},      \
                             handle_scalar(handle, beta), {nullptr, C, 0});                                  \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,              \
      const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB,        \
      const T *beta, T *C, int ldc, long long strideC, int batches) {                                        \
    CHECK_HANDLE(handle);                                                                                    \
    const shape s = {opA, opB, m, n, k, lda, ldb, ldc, batches};                                             \
    CHECK(s.is_valid() && alpha && beta);                                                                    \
    return multiply<T, T, T>(handle, s, handle_scalar(handle, alpha), {A, nullptr, strideA},                 \
                             {B, nullptr, strideB}, handle_scalar(handle, beta), {C, nullptr, strideC});     \
  }
GEMM(S, float)
GEMM(D, double)
GEMM(C, cuComplex)
GEMM(Z, cuDoubleComplex)

/* Scalars of half precision are known on the host, or read there. */
static cublasStatus_t widen(cublasHandle_t handle, const __half *argument, scalar<float> *wide) {
  __half value;
  const cublasStatus_t status = handle_read(handle, argument, &value, sizeof value);
  if (status == CUBLAS_STATUS_SUCCESS)
    *wide = handle_constant(__half2float(value));
  return status;
}

static cublasStatus_t multiply_halves(cublasHandle_t handle, const shape &s, const __half *alpha,
                                      batch<const __half> left, batch<const __half> right, const __half *beta,
                                      batch<__half> results) {
  CHECK_HANDLE(handle);
  CHECK(s.is_valid());
  scalar<float> a, b;
  cublasStatus_t status = widen(handle, alpha, &a);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = widen(handle, beta, &b);
  return status == CUBLAS_STATUS_SUCCESS ? multiply(handle, s, a, left, right, b, results) : status;
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const __half *alpha, const __half *A, int lda, const __half *B, int ldb,
                           const __half *beta, __half *C, int ldc) {
  return multiply_halves(handle, {opA, opB, m, n, k, lda, ldb, ldc, 1}, alpha, product_single(A),
                         product_single(B), beta, product_single(C));
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                  int n, int k, const __half *alpha, const __half *const A[], int lda,
                                  const __half *const B[], int ldb, const __half *beta, __half *const C[],
                                  int ldc, int batches) {
  return multiply_halves(handle, {opA, opB, m, n, k, lda, ldb, ldc, batches}, alpha, {nullptr, A, 0},
                         {nullptr, B, 0}, beta, {nullptr, C, 0});
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const __half *alpha, const __half *A, int lda,
                                         long long strideA, const __half *B, int ldb, long long strideB,
                                         const __half *beta, __half *C, int ldc, long long strideC,
                                         int batches) {
  return multiply_halves(handle, {opA, opB, m, n, k, lda, ldb, ldc, batches}, alpha, {A, nullptr, strideA},
                         {B, nullptr, strideB}, beta, {C, nullptr, strideC});
}

/* Untyped operands of the ...Ex functions, for one combination of types. */
struct untyped {
  const void *A, *B, *alpha, *beta;
  void *C;
  const void *const *As, *const *Bs;
  void *const *Cs;
  long long strideA, strideB, strideC;
};

template <typename A, typename I, typename O>
static cublasStatus_t multiply_untyped(cublasHandle_t handle, const shape &s, const untyped &u) {
  return multiply<A, I, O>(handle, s, handle_scalar(handle, (const A *)u.alpha),
                           {(const I *)u.A, (const I *const *)u.As, u.strideA},
                           {(const I *)u.B, (const I *const *)u.Bs, u.strideB},
                           handle_scalar(handle, (const A *)u.beta), {(O *)u.C, (O *const *)u.Cs, u.strideC});
}

/* Emulated products are computed in the precision that they emulate. */
#if CUBLAS_VER_MAJOR >= 13
static const int EMULATED_32F = CUBLAS_COMPUTE_32F_EMULATED_16BFX9,
                 EMULATED_64F = CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT;
#else
static const int EMULATED_32F = -1, EMULATED_64F = -1;
#endif

static bool is_single(cublasComputeType_t type) {
  return type == CUBLAS_COMPUTE_32F || type == CUBLAS_COMPUTE_32F_PEDANTIC ||
         type == CUBLAS_COMPUTE_32F_FAST_16F || type == CUBLAS_COMPUTE_32F_FAST_16BF ||
         type == CUBLAS_COMPUTE_32F_FAST_TF32 || type == EMULATED_32F;
}

static bool is_double(cublasComputeType_t type) {
  return type == CUBLAS_COMPUTE_64F || type == CUBLAS_COMPUTE_64F_PEDANTIC || type == EMULATED_64F;
}

static cublasStatus_t multiply_untyped_halves(cublasHandle_t handle, const shape &s, const untyped &u) {
  return multiply_halves(handle, s, (const __half *)u.alpha,
                         {(const __half *)u.A, (const __half *const *)u.As, u.strideA},
                         {(const __half *)u.B, (const __half *const *)u.Bs, u.strideB},
                         (const __half *)u.beta, {(__half *)u.C, (__half *const *)u.Cs, u.strideC});
}

static cublasStatus_t multiply_types(cublasHandle_t handle, const shape &s, const untyped &u,
                                     cudaDataType typeA, cudaDataType typeB, cudaDataType typeC,
                                     cublasComputeType_t compute) {
  CHECK_HANDLE(handle);
  CHECK(s.is_valid() && u.alpha && u.beta);
  if (typeA != typeB)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (is_double(compute))
    return typeA != typeC        ? CUBLAS_STATUS_NOT_SUPPORTED
           : typeA == CUDA_R_64F ? multiply_untyped<double, double, double>(handle, s, u)
           : typeA == CUDA_C_64F
               ? multiply_untyped<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(handle, s, u)
               : CUBLAS_STATUS_NOT_SUPPORTED;
  if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC)
    return typeA == CUDA_R_16F && typeC == CUDA_R_16F ? multiply_untyped_halves(handle, s, u)
                                                      : CUBLAS_STATUS_NOT_SUPPORTED;
  if (compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC)
    return typeA == CUDA_R_8I && typeC == CUDA_R_32I ? multiply_untyped<int, signed char, int>(handle, s, u)
                                                     : CUBLAS_STATUS_NOT_SUPPORTED;
  if (!is_single(compute))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (typeA == CUDA_R_32F && typeC == CUDA_R_32F)
    return multiply_untyped<float, float, float>(handle, s, u);
  if (typeA == CUDA_C_32F && typeC == CUDA_C_32F)
    return multiply_untyped<cuComplex, cuComplex, cuComplex>(handle, s, u);
  if (typeA == CUDA_R_16F && typeC == CUDA_R_16F)
    return multiply_untyped<float, __half, __half>(handle, s, u);
  if (typeA == CUDA_R_16F && typeC == CUDA_R_32F)
    return multiply_untyped<float, __half, float>(handle, s, u);
  if (typeA == CUDA_R_16BF && typeC == CUDA_R_16BF)
    return multiply_untyped<float, __nv_bfloat16, __nv_bfloat16>(handle, s, u);
  if (typeA == CUDA_R_16BF && typeC == CUDA_R_32F)
    return multiply_untyped<float, __nv_bfloat16, float>(handle, s, u);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                            int k, const void *alpha, const void *A, cudaDataType typeA, int lda,
                            const void *B, cudaDataType typeB, int ldb, const void *beta, void *C,
                            cudaDataType typeC, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  const shape s = {opA, opB, m, n, k, lda, ldb, ldc, 1};
  const untyped u = {A, B, alpha, beta, C, nullptr, nullptr, nullptr, 0, 0, 0};
  return multiply_types(handle, s, u, typeA, typeB, typeC, compute);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                             int n, int k, const float *alpha, const void *A, cudaDataType typeA, int lda,
                             const void *B, cudaDataType typeB, int ldb, const float *beta, void *C,
                             cudaDataType typeC, int ldc) {
  return cublasGemmEx(handle, opA, opB, m, n, k, alpha, A, typeA, lda, B, typeB, ldb, beta, C, typeC, ldc,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                   int n, int k, const void *alpha, const void *const A[], cudaDataType typeA,
                                   int lda, const void *const B[], cudaDataType typeB, int ldb,
                                   const void *beta, void *const C[], cudaDataType typeC, int ldc,
                                   int batches, cublasComputeType_t compute, cublasGemmAlgo_t) {
  const shape s = {opA, opB, m, n, k, lda, ldb, ldc, batches};
  const untyped u = {nullptr, nullptr, alpha, beta, nullptr, A, B, C, 0, 0, 0};
  return multiply_types(handle, s, u, typeA, typeB, typeC, compute);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                          int m, int n, int k, const void *alpha, const void *A,
                                          cudaDataType typeA, int lda, long long strideA, const void *B,
                                          cudaDataType typeB, int ldb, long long strideB, const void *beta,
                                          void *C, cudaDataType typeC, int ldc, long long strideC,
                                          int batches, cublasComputeType_t compute, cublasGemmAlgo_t) {
  const shape s = {opA, opB, m, n, k, lda, ldb, ldc, batches};
  const untyped u = {A, B, alpha, beta, C, nullptr, nullptr, nullptr, strideA, strideB, strideC};
  return multiply_types(handle, s, u, typeA, typeB, typeC, compute);
}

/* --- by three real products (3m), which are ordinary products here --- */

#define GEMM3M(P, T)                                                                                         \
  cublasStatus_t cublas##P##gemm3m(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,      \
                                   int m, int n, int k, const T *alpha, const T *A, int lda, const T *B,     \
                                   int ldb, const T *beta, T *C, int ldc) {                                  \
    return cublas##P##gemm(handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                  \
  }
GEMM3M(C, cuComplex)
GEMM3M(Z, cuDoubleComplex)

cublasStatus_t cublasCgemm3mBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                    int m, int n, int k, const cuComplex *alpha, const cuComplex *const A[],
                                    int lda, const cuComplex *const B[], int ldb, const cuComplex *beta,
                                    cuComplex *const C[], int ldc, int batches) {
  return cublasCgemmBatched(handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batches);
}

cublasStatus_t cublasCgemm3mStridedBatched(cublasHandle_t handle, cublasOperation_t opA,
                                           cublasOperation_t opB, int m, int n, int k, const cuComplex *alpha,
                                           const cuComplex *A, int lda, long long strideA, const cuComplex *B,
                                           int ldb, long long strideB, const cuComplex *beta, cuComplex *C,
                                           int ldc, long long strideC, int batches) {
  return cublasCgemmStridedBatched(handle, opA, opB, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta,
                                   C, ldc, strideC, batches);
}

#define GEMM_EX(name)                                                                                        \
  cublasStatus_t cublas##name(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,    \
                              int n, int k, const cuComplex *alpha, const void *A, cudaDataType typeA,       \
                              int lda, const void *B, cudaDataType typeB, int ldb, const cuComplex *beta,    \
                              void *C, cudaDataType typeC, int ldc) {                                        \
    if (typeA != CUDA_C_32F)                                                                                 \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                                                    \
    return cublasGemmEx(handle, opA, opB, m, n, k, alpha, A, typeA, lda, B, typeB, ldb, beta, C, typeC, ldc, \
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);                                            \
  }
GEMM_EX(CgemmEx)
GEMM_EX(Cgemm3mEx)

/* --- groups of batches: sizes and factors are on the host, addresses of matrices on the device --- */

cublasStatus_t cublasGemmGroupedBatchedEx(cublasHandle_t handle, const cublasOperation_t opA[],
                                          const cublasOperation_t opB[], const int m[], const int n[],
                                          const int k[], const void *alpha, const void *const A[],
                                          cudaDataType_t typeA, const int lda[], const void *const B[],
                                          cudaDataType_t typeB, const int ldb[], const void *beta,
                                          void *const C[], cudaDataType_t typeC, const int ldc[], int groups,
                                          const int sizes[], cublasComputeType_t compute) {
  CHECK_HANDLE(handle);
  CHECK(groups >= 0 && (groups == 0 || (opA && opB && m && n && k && alpha && lda && ldb && beta && ldc)));
  CHECK(groups == 0 || sizes);
  const cublasPointerMode_t mode = handle->pointer_mode;
  const size_t factor = is_double(compute) ? sizeof(double) : sizeof(float);
  cublasStatus_t status =
      typeA == CUDA_C_32F || typeA == CUDA_C_64F ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
  handle->pointer_mode = CUBLAS_POINTER_MODE_HOST;
  for (int g = 0; g < groups && status == CUBLAS_STATUS_SUCCESS; g++) {
    const shape s = {opA[g], opB[g], m[g], n[g], k[g], lda[g], ldb[g], ldc[g], sizes[g]};
    const untyped u = {
        nullptr, nullptr, (const char *)alpha + g * factor, (const char *)beta + g * factor, nullptr, A,
        B,       C};
    status = multiply_types(handle, s, u, typeA, typeB, typeC, compute);
    A += sizes[g];
    B += sizes[g];
    C += sizes[g];
  }
  handle->pointer_mode = mode;
  return status;
}

#define GROUPED(P, T, type, compute)                                                                         \
  cublasStatus_t cublas##P##gemmGroupedBatched(                                                              \
      cublasHandle_t handle, const cublasOperation_t opA[], const cublasOperation_t opB[], const int m[],    \
      const int n[], const int k[], const T alpha[], const T *const A[], const int lda[],                    \
      const T *const B[], const int ldb[], const T beta[], T *const C[], const int ldc[], int groups,        \
      const int sizes[]) {                                                                                   \
    return cublasGemmGroupedBatchedEx(handle, opA, opB, m, n, k, alpha, (const void *const *)A, type, lda,   \
                                      (const void *const *)B, type, ldb, beta, (void *const *)C, type, ldc,  \
                                      groups, sizes, compute);                                               \
  }
GROUPED(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GROUPED(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
