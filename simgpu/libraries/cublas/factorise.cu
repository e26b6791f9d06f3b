/* LU factorisations of batches, and what follows from them: getrf, getrs, getri and matinv. A block treats one matrix.
 * The triangular systems are those of trsmBatched. */
#include "matrix.h"

template <typename T> struct solver;
template <> struct solver<float> { static constexpr auto run = cublasStrsmBatched; };
template <> struct solver<double> { static constexpr auto run = cublasDtrsmBatched; };

/* The row of column k's greatest element at or below the diagonal, the first of several. For all threads. */
template <typename T> __device__ static int find_pivot(const full<T> &A, int n, int k) {
  __shared__ T greatest[HANDLE_THREADS];
  __shared__ int row[HANDLE_THREADS];
  const int t = threadIdx.x;
  greatest[t] = -1;
  row[t] = k;
  for (int i = k + t; i < n; i += HANDLE_THREADS)
    if (fabs(A.at(i, k)) > greatest[t]) {
      greatest[t] = fabs(A.at(i, k));
      row[t] = i;
    }
  for (int half = HANDLE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if (t < half &&
        (greatest[t + half] > greatest[t] || (greatest[t + half] == greatest[t] && row[t + half] < row[t]))) {
      greatest[t] = greatest[t + half];
      row[t] = row[t + half];
    }
  }
  __syncthreads();
  const int found = row[0];
  __syncthreads();
  return found;
}

template <typename T> __device__ static void swap_rows(const full<T> &A, int columns, int i, int k) {
  for (int j = threadIdx.x; j < columns && i != k; j += blockDim.x) {
    const T value = A.at(i, j);
    A.at(i, j) = A.at(k, j);
    A.at(k, j) = value;
  }
}

/* As LAPACK's getrf: info is the first column without a pivot, from 1, or 0. Without `pivots`, no rows are swapped. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    factorise(int n, T *const *matrices, int ld, int *pivots, int *info) {
  const full<T> A = {matrices[blockIdx.x], ld};
  int singular = 0;
  for (int k = 0; k < n; k++) {
    if (pivots) {
      const int pivot = find_pivot(A, n, k);
      if (threadIdx.x == 0)
        pivots[(long long)blockIdx.x * n + k] = pivot + 1;
      swap_rows(A, n, pivot, k);
      __syncthreads();
    }
    const T diagonal = A.at(k, k);
    if (diagonal == T(0)) {
      singular = singular ? singular : k + 1;
      continue;
    }
    for (int i = k + 1 + (int)threadIdx.x; i < n; i += HANDLE_THREADS)
      A.at(i, k) /= diagonal;
    __syncthreads();
    const long long rest = n - k - 1;
    for (long long e = threadIdx.x; e < rest * rest; e += HANDLE_THREADS) {
      const int i = k + 1 + (int)(e % rest), j = k + 1 + (int)(e / rest);
      A.at(i, j) -= A.at(i, k) * A.at(k, j);
    }
    __syncthreads();
  }
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
    C.at((int)(e % n), (int)(e / n)) = e % n == e / n;
  if (threadIdx.x == 0) {
    const full<const T> A = {factors[blockIdx.x], ld};
    int k = 0;
    while (k < n && A.at(k, k) != T(0))
      k++;
    info[blockIdx.x] = k < n ? k + 1 : 0;
  }
}

template <typename T>
static cublasStatus_t solve_factorised(cublasHandle_t handle, cublasOperation_t op, int n, int sides,
                                       const T *const A[], int lda, const int *pivots, T *const B[], int ldb,
                                       int batches) {
  const T one = 1;
  const bool plain = op == CUBLAS_OP_N;
  const cublasPointerMode_t mode = handle->pointer_mode;
  handle->pointer_mode = CUBLAS_POINTER_MODE_HOST; /* for `one` */
  auto triangle = [&](bool lower) {
    return solver<T>::run(handle, CUBLAS_SIDE_LEFT, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                          op, lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, sides, &one, A, lda, B, ldb,
                          batches);
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
