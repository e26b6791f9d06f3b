/* Products with symmetric and triangular matrices, and updates of one triangle: symm, hemm, trmm, syrk,
 * syr2k, syrkx, herk, her2k, herkx. Then operations on elements: geam, dgmm, tpttr, trttp. */
#include "../cublas/product.h"

template <typename T>
static cublasStatus_t multiply_symmetric(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,
                                         int m, int n, const T *alpha, const T *A, int lda, const T *B,
                                         int ldb, const T *beta, T *C, int ldc, bool hermitian) {
  CHECK_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n;
  CHECK((left || side == CUBLAS_SIDE_RIGHT) && is_triangle(part) && m >= 0 && n >= 0 && alpha && beta);
  CHECK(lda >= at_least_one(size) && ldb >= at_least_one(m) && ldc >= at_least_one(m));
  const viewed<T, symmetric<full<const T>>> a = {
      {{A, lda}, size, ALL_DIAGONALS, part == CUBLAS_FILL_MODE_LOWER, hermitian}};
  const operand<T, T> b = make_operand<T>(product_single(B), ldb, CUBLAS_OP_N);
  const scalar<T> alpha_value = handle_scalar(handle, alpha), beta_value = handle_scalar(handle, beta);
  return left ? product_launch(handle, m, n, m, alpha_value, a, b, beta_value, product_single(C), ldc,
                               product_all, 1)
              : product_launch(handle, m, n, n, alpha_value, b, a, beta_value, product_single(C), ldc,
                               product_all, 1);
}

/* C may be B, so B is copied first. */
template <typename T>
static cublasStatus_t multiply_triangular(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,
                                          cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                                          const T *alpha, const T *A, int lda, const T *B, int ldb, T *C,
                                          int ldc) {
  CHECK_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n;
  CHECK((left || side == CUBLAS_SIDE_RIGHT) && is_triangle(part) && is_operation(op) && m >= 0 && n >= 0);
  CHECK(alpha && lda >= at_least_one(size) && ldb >= at_least_one(m) && ldc >= at_least_one(m));
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (B == C) {
    T *copy = (T *)handle_workspace(handle, sizeof(T) * m * n);
    if (!copy)
      return CUBLAS_STATUS_ALLOC_FAILED;
    if (cudaMemcpy2DAsync(copy, sizeof(T) * m, B, sizeof(T) * ldb, sizeof(T) * m, n, cudaMemcpyDeviceToDevice,
                          handle->stream) != cudaSuccess)
      return CUBLAS_STATUS_EXECUTION_FAILED;
    B = copy;
    ldb = m;
  }
  const viewed<T, triangular<full<const T>>> a = {
      make_triangular(full<const T>{A, lda}, size, ALL_DIAGONALS, part, op, diagonal)};
  const operand<T, T> b = make_operand<T>(product_single(B), ldb, CUBLAS_OP_N);
  const scalar<T> alpha_value = handle_scalar(handle, alpha), zero = handle_constant(T());
  return left ? product_launch(handle, m, n, m, alpha_value, a, b, zero, product_single(C), ldc, product_all,
                               1)
              : product_launch(handle, m, n, n, alpha_value, b, a, zero, product_single(C), ldc, product_all,
                               1);
}

/* One triangle of C = alpha op(A) op(B)^T + beta C, and with a second factor of factor op(B) op(A)^T in addition. With
 * `hermitian` it is op(B)^H. Any transpose in `op` means the one that suits, as in NVIDIA's library. */
template <typename T>
static cublasStatus_t update_triangle(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                      int n, int k, scalar<T> alpha, const scalar<T> *second, const T *A,
                                      int lda, const T *B, int ldb, scalar<T> beta, T *C, int ldc,
                                      bool hermitian) {
  const int rows = at_least_one(op == CUBLAS_OP_N ? n : k);
  CHECK(is_triangle(part) && is_operation(op) && n >= 0 && k >= 0);
  CHECK(lda >= rows && ldb >= rows && ldc >= at_least_one(n));
  const cublasOperation_t transpose = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T,
                          turned = op != CUBLAS_OP_N ? CUBLAS_OP_N : transpose;
  if (op != CUBLAS_OP_N)
    op = transpose;
  const operand<T, T> a = make_operand<T>(product_single(A), lda, op),
                      b = make_operand<T>(product_single(B), ldb, op),
                      a_turned = make_operand<T>(product_single(A), lda, turned),
                      b_turned = make_operand<T>(product_single(B), ldb, turned);
  const product_part triangle = product_triangle(part);
  cublasStatus_t status =
      product_launch(handle, n, n, k, alpha, a, b_turned, beta, product_single(C), ldc, triangle, 1);
  if (second && status == CUBLAS_STATUS_SUCCESS)
    status = product_launch(handle, n, n, k, *second, b, a_turned, handle_constant(one<T>()),
                            product_single(C), ldc, triangle, 1);
  return status;
}

template <typename T>
static cublasStatus_t update_symmetric(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                       int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,
                                       const T *beta, T *C, int ldc, bool both) {
  CHECK_HANDLE(handle);
  CHECK(alpha && beta);
  const scalar<T> factor = handle_scalar(handle, alpha);
  return update_triangle(handle, part, op, n, k, factor, both ? &factor : nullptr, A, lda, B, ldb,
                         handle_scalar(handle, beta), C, ldc, false);
}

template <typename T> __global__ void clear_imaginary(int n, T *C, long long ldc) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    C[i + i * ldc].y = 0;
}

/* beta is real, and so is the diagonal of C. F: the type of alpha. */
template <typename F, typename T, typename R>
static cublasStatus_t update_hermitian(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                       int n, int k, const F *alpha, const T *A, int lda, const T *B, int ldb,
                                       const R *beta, T *C, int ldc, bool both) {
  CHECK_HANDLE(handle);
  T a = T(), b = T();
  cublasStatus_t status = handle_read(handle, alpha, &a, sizeof(F));
  if (status == CUBLAS_STATUS_SUCCESS)
    status = handle_read(handle, beta, &b.x, sizeof b.x);
  const scalar<T> second = handle_constant(conjugate(a));
  if (status == CUBLAS_STATUS_SUCCESS)
    status = update_triangle(handle, part, op, n, k, handle_constant(a), both ? &second : nullptr, A, lda, B,
                             ldb, handle_constant(b), C, ldc, true);
  if (status != CUBLAS_STATUS_SUCCESS || n == 0)
    return status;
  clear_imaginary<<<handle_blocks(n), HANDLE_THREADS, 0, handle->stream>>>(n, C, ldc);
  return handle_launched();
}

#define HERMITIAN(P, T, R)                                                                                   \
  cublasStatus_t cublas##P##hemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, int m, \
                                 int n, const T *alpha, const T *A, int lda, const T *B, int ldb,            \
                                 const T *beta, T *C, int ldc) {                                             \
    return multiply_symmetric(handle, side, part, m, n, alpha, A, lda, B, ldb, beta, C, ldc, true);          \
  }                                                                                                          \
  cublasStatus_t cublas##P##herk(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n,  \
                                 int k, const R *alpha, const T *A, int lda, const R *beta, T *C, int ldc) { \
    return update_hermitian(handle, part, op, n, k, alpha, A, lda, A, lda, beta, C, ldc, false);             \
  }                                                                                                          \
  cublasStatus_t cublas##P##her2k(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n, \
                                  int k, const T *alpha, const T *A, int lda, const T *B, int ldb,           \
                                  const R *beta, T *C, int ldc) {                                            \
    return update_hermitian(handle, part, op, n, k, alpha, A, lda, B, ldb, beta, C, ldc, true);              \
  }                                                                                                          \
  cublasStatus_t cublas##P##herkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n, \
                                  int k, const T *alpha, const T *A, int lda, const T *B, int ldb,           \
                                  const R *beta, T *C, int ldc) {                                            \
    return update_hermitian(handle, part, op, n, k, alpha, A, lda, B, ldb, beta, C, ldc, false);             \
  }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)

/* The products by three real ones (3m) are ordinary ones here. */
#define RANK_K(name, function, F)                                                                            \
  cublasStatus_t cublas##name(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n,     \
                              int k, const F *alpha, const void *A, cudaDataType typeA, int lda,             \
                              const F *beta, void *C, cudaDataType typeC, int ldc) {                         \
    CHECK_HANDLE(handle);                                                                                    \
    if (typeA != CUDA_C_32F || typeC != CUDA_C_32F)                                                          \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                                                    \
    return function(handle, part, op, n, k, alpha, (const cuComplex *)A, lda, beta, (cuComplex *)C, ldc);    \
  }
RANK_K(CsyrkEx, cublasCsyrk, cuComplex)
RANK_K(Csyrk3mEx, cublasCsyrk, cuComplex)
RANK_K(CherkEx, cublasCherk, float)
RANK_K(Cherk3mEx, cublasCherk, float)

template <typename T>
__device__ T element(const T *A, long long ld, cublasOperation_t op, long long i, long long j) {
  return conjugate_if(op == CUBLAS_OP_C, op == CUBLAS_OP_N ? A[i + j * ld] : A[j + i * ld]);
}

/* C = alpha op(A) + beta op(B). A matrix with the factor 0 is not read, and C may be A or B. */
template <typename T>
__global__ void add(int m, int n, scalar<T> alpha, const T *A, long long lda, cublasOperation_t opA,
                    scalar<T> beta, const T *B, long long ldb, cublasOperation_t opB, T *C, long long ldc) {
  const T a = alpha.get(), b = beta.get();
  const long long count = (long long)m * n;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count;
       e += (long long)gridDim.x * blockDim.x) {
    const long long i = e % m, j = e / m;
    const T left = a == T() ? T() : a * element(A, lda, opA, i, j);
    const T right = b == T() ? T() : b * element(B, ldb, opB, i, j);
    C[i + j * ldc] = left + right;
  }
}

/* C = diag(x) A or A diag(x). */
template <typename T>
__global__ void scale(int m, int n, bool left, const T *A, long long lda, vector<const T> x, T *C,
                      long long ldc) {
  const long long count = (long long)m * n;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count;
       e += (long long)gridDim.x * blockDim.x) {
    const int i = (int)(e % m), j = (int)(e / m);
    C[i + j * ldc] = A[i + j * lda] * x[left ? i : j];
  }
}

#define LEVEL3(P, T)                                                                                         \
  cublasStatus_t cublas##P##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, int m, \
                                 int n, const T *alpha, const T *A, int lda, const T *B, int ldb,            \
                                 const T *beta, T *C, int ldc) {                                             \
    return multiply_symmetric(handle, side, part, m, n, alpha, A, lda, B, ldb, beta, C, ldc, false);         \
  }                                                                                                          \
  cublasStatus_t cublas##P##trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,        \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,              \
                                 const T *alpha, const T *A, int lda, const T *B, int ldb, T *C, int ldc) {  \
    return multiply_triangular(handle, side, part, op, diagonal, m, n, alpha, A, lda, B, ldb, C, ldc);       \
  }                                                                                                          \
  cublasStatus_t cublas##P##syrk(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n,  \
                                 int k, const T *alpha, const T *A, int lda, const T *beta, T *C, int ldc) { \
    return update_symmetric(handle, part, op, n, k, alpha, A, lda, A, lda, beta, C, ldc, false);             \
  }                                                                                                          \
  cublasStatus_t cublas##P##syr2k(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n, \
                                  int k, const T *alpha, const T *A, int lda, const T *B, int ldb,           \
                                  const T *beta, T *C, int ldc) {                                            \
    return update_symmetric(handle, part, op, n, k, alpha, A, lda, B, ldb, beta, C, ldc, true);              \
  }                                                                                                          \
  cublasStatus_t cublas##P##syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int n, \
                                  int k, const T *alpha, const T *A, int lda, const T *B, int ldb,           \
                                  const T *beta, T *C, int ldc) {                                            \
    return update_symmetric(handle, part, op, n, k, alpha, A, lda, B, ldb, beta, C, ldc, false);             \
  }                                                                                                          \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, \
                                 int n, const T *alpha, const T *A, int lda, const T *beta, const T *B,      \
                                 int ldb, T *C, int ldc) {                                                   \
    CHECK_HANDLE(handle);                                                                                    \
    const bool turnA = opA != CUBLAS_OP_N, turnB = opB != CUBLAS_OP_N;                                       \
    CHECK(is_operation(opA) && is_operation(opB) && m >= 0 && n >= 0 && alpha && beta);                      \
    CHECK(lda >= at_least_one(turnA ? n : m) && ldb >= at_least_one(turnB ? n : m));                         \
    CHECK(ldc >= at_least_one(m) && (C != A || !turnA) && (C != B || !turnB));                               \
    if (m == 0 || n == 0)                                                                                    \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    add<T><<<handle_blocks((long long)m *n), HANDLE_THREADS, 0, handle->stream>>>(                           \
        m, n, handle_scalar(handle, alpha), A, lda, opA, handle_scalar(handle, beta), B, ldb, opB, C, ldc);  \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *A,     \
                                 int lda, const T *x, int incx, T *C, int ldc) {                             \
    CHECK_HANDLE(handle);                                                                                    \
    const bool left = side == CUBLAS_SIDE_LEFT;                                                              \
    CHECK((left || side == CUBLAS_SIDE_RIGHT) && m >= 0 && n >= 0);                                          \
    CHECK(lda >= at_least_one(m) && ldc >= at_least_one(m));                                                 \
    if (m == 0 || n == 0)                                                                                    \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    scale<T><<<handle_blocks((long long)m *n), HANDLE_THREADS, 0, handle->stream>>>(                         \
        m, n, left, A, lda, {x, left ? m : n, incx}, C, ldc);                                                \
    return handle_launched();                                                                                \
  }
LEVEL3(S, float)
LEVEL3(D, double)
LEVEL3(C, cuComplex)
LEVEL3(Z, cuDoubleComplex)

/* A triangle of a full matrix from a packed one, or the other way round. */
template <typename T, typename F, typename S> __global__ void copy_triangle(int n, bool lower, F from, S to) {
  const long long count = (long long)n * n;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count;
       e += (long long)gridDim.x * blockDim.x) {
    const int i = (int)(e % n), j = (int)(e / n);
    if (lower ? i >= j : i <= j)
      to.at(i, j) = from.at(i, j);
  }
}

template <typename T, typename F, typename S>
static cublasStatus_t repack(cublasHandle_t handle, cublasFillMode_t part, int n, int lda, F from, S to) {
  CHECK_HANDLE(handle);
  CHECK(is_triangle(part) && n >= 0 && lda >= at_least_one(n));
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  copy_triangle<T><<<handle_blocks((long long)n * n), HANDLE_THREADS, 0, handle->stream>>>(
      n, part == CUBLAS_FILL_MODE_LOWER, from, to);
  return handle_launched();
}

#define PACKED(P, T)                                                                                         \
  cublasStatus_t cublas##P##tpttr(cublasHandle_t handle, cublasFillMode_t part, int n, const T *AP, T *A,    \
                                  int lda) {                                                                 \
    return repack<T>(handle, part, n, lda, packed<const T>{AP, n, part == CUBLAS_FILL_MODE_LOWER},           \
                     full<T>{A, lda});                                                                       \
  }                                                                                                          \
  cublasStatus_t cublas##P##trttp(cublasHandle_t handle, cublasFillMode_t part, int n, const T *A, int lda,  \
                                  T *AP) {                                                                   \
    return repack<T>(handle, part, n, lda, full<const T>{A, lda},                                            \
                     packed<T>{AP, n, part == CUBLAS_FILL_MODE_LOWER});                                      \
  }
PACKED(S, float)
PACKED(D, double)
PACKED(C, cuComplex)
PACKED(Z, cuDoubleComplex)
