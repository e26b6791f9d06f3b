/* LU factorisations of batches, and what follows from them: getrf, getrs, getri and matinv. A block treats
 * one matrix. The triangular systems are those of trsmBatched. */
#include "lu.h"

template <typename T> struct solver;
template <> struct solver<float> { static constexpr auto run = cublasStrsmBatched; };
template <> struct solver<double> { static constexpr auto run = cublasDtrsmBatched; };
template <> struct solver<cuComplex> { static constexpr auto run = cublasCtrsmBatched; };
template <> struct solver<cuDoubleComplex> { static constexpr auto run = cublasZtrsmBatched; };

template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    factorise(int n, T *const *matrices, int ld, int *pivots, int *info) {
  const full<T> A = {matrices[blockIdx.x], ld};
  const int singular = eliminate(A, n, n, pivots ? pivots + (long long)blockIdx.x * n : nullptr);
  if (threadIdx.x == 0)
    info[blockIdx.x] = singular;
}

/* Swaps rows as the factorisation did, or back. */
template <typename T>
__global__ void permute(int n, int columns, const int *pivots, T *const *matrices, int ld, bool back) {
  const full<T> B = {matrices[blockIdx.x], ld};
  for (int step = 0; step < n; step++) {
    const int k = back ? n - 1 - step : step;
    swap_rows(B, columns, pivots[(long long)blockIdx.x * n + k] - 1, k); /* a thread keeps its columns */
  }
}

/* The identity in each matrix, and in info the first zero on the diagonal of the factors. */
template <typename T>
__global__ void start_inverse(int n, const T *const *factors, int ld, T *const *inverses, int inverse_ld,
                              int *info) {
  const full<T> C = {inverses[blockIdx.x], inverse_ld};
  for (long long e = threadIdx.x; e < (long long)n * n; e += blockDim.x)
    set_real(C.at((int)(e % n), (int)(e / n)), e % n == e / n);
  if (threadIdx.x == 0) {
    const full<const T> A = {factors[blockIdx.x], ld};
    int k = 0;
    while (k < n && A.at(k, k) != T())
      k++;
    info[blockIdx.x] = k < n ? k + 1 : 0;
  }
}

template <typename T>
static cublasStatus_t solve_factorised(cublasHandle_t handle, cublasOperation_t op, int n, int sides,
                                       const T *const A[], int lda, const int *pivots, T *const B[], int ldb,
                                       int batches) {
  const T plus = one<T>();
  const bool plain = op == CUBLAS_OP_N;
  const cublasPointerMode_t mode = handle->pointer_mode;
  handle->pointer_mode = CUBLAS_POINTER_MODE_HOST; /* for `plus` */
  auto triangle = [&](bool lower) {
    return solver<T>::run(handle, CUBLAS_SIDE_LEFT, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                          op, lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, sides, &plus, A, lda, B,
                          ldb, batches);
  };
  if (pivots && plain)
    permute<T><<<batches, HANDLE_THREADS, 0, handle->stream>>>(n, sides, pivots, B, ldb, false);
  cublasStatus_t status = triangle(plain);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = triangle(!plain);
  if (pivots && !plain)
    permute<T><<<batches, HANDLE_THREADS, 0, handle->stream>>>(n, sides, pivots, B, ldb, true);
  handle->pointer_mode = mode;
  return status == CUBLAS_STATUS_SUCCESS ? handle_launched() : status;
}

template <typename T>
static cublasStatus_t invert_factorised(cublasHandle_t handle, int n, const T *const A[], int lda,
                                        const int *pivots, T *const C[], int ldc, int *info, int batches) {
  start_inverse<T><<<batches, HANDLE_THREADS, 0, handle->stream>>>(n, A, lda, C, ldc, info);
  return solve_factorised(handle, CUBLAS_OP_N, n, n, A, lda, pivots, C, ldc, batches);
}

/* Copies of the matrices in the workspace, and their addresses. */
template <typename T>
__global__ void copy_matrices(int n, const T *const *from, int ld, T *copies, T **addresses) {
  T *to = copies + (long long)blockIdx.x * n * n;
  for (int e = threadIdx.x; e < n * n; e += blockDim.x)
    to[e] = from[blockIdx.x][e % n + (long long)(e / n) * ld];
  if (threadIdx.x == 0)
    addresses[blockIdx.x] = to;
}

template <typename T>
static cublasStatus_t invert(cublasHandle_t handle, int n, const T *const A[], int lda, T *const inverses[],
                             int ld, int *info, int batches) {
  const size_t elements = (size_t)n * n * batches * sizeof(T);
  const size_t addresses = elements + sizeof(void *) - elements % sizeof(void *);
  const size_t pivots = addresses + batches * sizeof(void *);
  char *space = (char *)handle_workspace(handle, pivots + (size_t)n * batches * sizeof(int));
  if (!space)
    return CUBLAS_STATUS_ALLOC_FAILED;
  T **copies = (T **)(space + addresses);
  int *swaps = (int *)(space + pivots);
  copy_matrices<T><<<batches, HANDLE_THREADS, 0, handle->stream>>>(n, A, lda, (T *)space, copies);
  factorise<T><<<batches, HANDLE_THREADS, 0, handle->stream>>>(n, copies, n, swaps, info);
  return invert_factorised(handle, n, (const T *const *)copies, n, swaps, inverses, ld, info, batches);
}

enum { MATINV_LARGEST = 32 };

#define FACTORISATIONS(P, T)                                                                                 \
  cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda, int *pivots,   \
                                         int *info, int batches) {                                           \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(n >= 0 && batches >= 0 && lda >= at_least_one(n));                                                 \
    if (batches == 0)                                                                                        \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    factorise<T><<<batches, HANDLE_THREADS, 0, handle->stream>>>(n, A, lda, pivots, info);                   \
    return handle_launched();                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int sides,      \
                                         const T *const A[], int lda, const int *pivots, T *const B[],       \
                                         int ldb, int *info, int batches) {                                  \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(info);                                                                                             \
    *info = !is_operation(op)       ? -1                                                                     \
            : n < 0                 ? -2                                                                     \
            : sides < 0             ? -3                                                                     \
            : lda < at_least_one(n) ? -5                                                                     \
            : ldb < at_least_one(n) ? -8                                                                     \
            : batches < 0           ? -10                                                                    \
                                    : 0;                                                                               \
    CHECK(*info == 0);                                                                                       \
    if (n == 0 || sides == 0 || batches == 0)                                                                \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    return solve_factorised<T>(handle, op, n, sides, A, lda, pivots, B, ldb, batches);                       \
  }                                                                                                          \
  cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda,          \
                                         const int *pivots, T *const C[], int ldc, int *info, int batches) { \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(n >= 0 && batches >= 0 && lda >= at_least_one(n) && ldc >= at_least_one(n));                       \
    return n && batches ? invert_factorised<T>(handle, n, A, lda, pivots, C, ldc, info, batches)             \
                        : CUBLAS_STATUS_SUCCESS;                                                             \
  }                                                                                                          \
  cublasStatus_t cublas##P##matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda,         \
                                          T *const inverses[], int ld, int *info, int batches) {             \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(n >= 0 && n <= MATINV_LARGEST && batches >= 0 && lda >= at_least_one(n) && ld >= at_least_one(n)); \
    return n && batches ? invert<T>(handle, n, A, lda, inverses, ld, info, batches) : CUBLAS_STATUS_SUCCESS; \
  }
FACTORISATIONS(S, float)
FACTORISATIONS(D, double)
FACTORISATIONS(C, cuComplex)
FACTORISATIONS(Z, cuDoubleComplex)
