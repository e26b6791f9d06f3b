/* Triangular systems: trsv, tbsv, tpsv, trsm, trsmBatched. */
#include "../cublas/matrix.h"

/* Right-hand sides, a block each: the first vector, and the strides between elements and between vectors. */
template <typename T> struct sides {
  T *data;
  T *const *batch; /* addresses, or NULL: blockIdx.y chooses */
  long long element, next;
  __device__ T *get(int which) const { return (batch ? batch[blockIdx.y] : data) + which * next; }
};

/* Solves op(A) x = alpha b in place. After each unknown is known, all threads remove it from the other rows. */
template <typename T, typename M>
__global__ void solve(int n, M matrix, const T *const *batch, scalar<T> alpha, sides<T> b) {
  const T a = alpha.get();
  T *x = b.get(blockIdx.x);
  if (batch)
    matrix.stored.data = batch[blockIdx.y];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i * b.element] *= a;
  for (int step = 0; step < n; step++) {
    const int j = matrix.lower ? step : n - 1 - step;
    __syncthreads();
    if (threadIdx.x == 0 && !matrix.unit)
      x[j * b.element] /= matrix.at(j, j);
    __syncthreads();
    const T known = x[j * b.element];
    const int end = matrix.lower ? min(n - 1, j + matrix.width) : j - 1;
    const int begin = matrix.lower ? j + 1 : max(0, j - matrix.width);
    for (int i = begin + (int)threadIdx.x; i <= end; i += blockDim.x)
      x[i * b.element] -= matrix.at(i, j) * known;
  }
}

template <typename T, typename S>
static cublasStatus_t solve_vector(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                   cublasDiagType_t diagonal, int n, int width, S stored, T *x, int incx) {
  CHECK(is_triangle(part) && is_operation(op) && n >= 0 && incx != 0);
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  T *first = incx > 0 ? x : x - (long long)(n - 1) * incx;
  const sides<T> b = {first, nullptr, incx, 0};
  solve<T><<<1, HANDLE_THREADS, 0, handle->stream>>>(n, make_triangular(stored, n, width, part, op, diagonal),
                                                     nullptr, handle_constant(one<T>()), b);
  return handle_launched();
}

/* From the right, X op(A) = B: each row of X solves op(A)^T x = b. The transpose of A^H is A's conjugate. */
template <typename T>
static cublasStatus_t solve_matrix(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,
                                   cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                                   const T *alpha, const T *A, const T *const *A_batch, int lda, T *B,
                                   T *const *B_batch, int ldb, int batches) {
  CHECK_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  CHECK((left || side == CUBLAS_SIDE_RIGHT) && is_triangle(part) && is_operation(op));
  CHECK(m >= 0 && n >= 0 && batches >= 0 && lda >= at_least_one(left ? m : n) && ldb >= at_least_one(m));
  CHECK(alpha);
  if (m == 0 || n == 0 || batches == 0)
    return CUBLAS_STATUS_SUCCESS;
  const int unknowns = left ? m : n;
  const cublasOperation_t turned = left ? op : op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
  const sides<T> b = {B, B_batch, left ? 1 : ldb, left ? ldb : 1};
  const full<const T> stored = {A, lda};
  auto matrix = make_triangular(stored, unknowns, ALL_DIAGONALS, part, turned, diagonal);
  matrix.conjugated = op == CUBLAS_OP_C;
  solve<T><<<dim3(left ? n : m, batches), HANDLE_THREADS, 0, handle->stream>>>(
      unknowns, matrix, A_batch, handle_scalar(handle, alpha), b);
  return handle_launched();
}

#define SOLVERS(P, T)                                                                                        \
  cublasStatus_t cublas##P##trsv(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,         \
                                 cublasDiagType_t diagonal, int n, const T *A, int lda, T *x, int incx) {    \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(lda >= at_least_one(n));                                                                           \
    return solve_vector(handle, part, op, diagonal, n, ALL_DIAGONALS, full<const T>{A, lda}, x, incx);       \
  }                                                                                                          \
  cublasStatus_t cublas##P##tbsv(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,         \
                                 cublasDiagType_t diagonal, int n, int k, const T *A, int lda, T *x,         \
                                 int incx) {                                                                 \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(k >= 0 && lda >= k + 1);                                                                           \
    return solve_vector(handle, part, op, diagonal, n, k,                                                    \
                        banded<const T>{A, lda, part == CUBLAS_FILL_MODE_LOWER ? 0 : k}, x, incx);           \
  }                                                                                                          \
  cublasStatus_t cublas##P##tpsv(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,         \
                                 cublasDiagType_t diagonal, int n, const T *A, T *x, int incx) {             \
    CHECK_HANDLE(handle);                                                                                    \
    return solve_vector(handle, part, op, diagonal, n, ALL_DIAGONALS,                                        \
                        packed<const T>{A, n, part == CUBLAS_FILL_MODE_LOWER}, x, incx);                     \
  }                                                                                                          \
  cublasStatus_t cublas##P##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,        \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,              \
                                 const T *alpha, const T *A, int lda, T *B, int ldb) {                       \
    return solve_matrix<T>(handle, side, part, op, diagonal, m, n, alpha, A, nullptr, lda, B, nullptr, ldb,  \
                           1);                                                                               \
  }                                                                                                          \
  cublasStatus_t cublas##P##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, \
                                        cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,       \
                                        const T *alpha, const T *const A[], int lda, T *const B[], int ldb,  \
                                        int batches) {                                                       \
    return solve_matrix<T>(handle, side, part, op, diagonal, m, n, alpha, nullptr, A, lda, nullptr, B, ldb,  \
                           batches);                                                                         \
  }
SOLVERS(S, float)
SOLVERS(D, double)
SOLVERS(C, cuComplex)
SOLVERS(Z, cuDoubleComplex)
