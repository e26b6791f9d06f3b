/* Solves op(A) y = alpha x with a triangle of a CSR matrix. One warp takes the rows in order: an analysis is not needed. */
#include "../scalar.h"
#include "view.h"

#include <stdlib.h>

enum { WARP = 32 };

struct cusparseSpSVDescr {
  bool analysed;
};

template <typename T> struct triangle {
  sparse<T> a;
  bool lower, unit;
  __device__ bool has(long long row, long long column) const { return lower ? column < row : column > row; }
  /* The row's element on the diagonal, for all lanes; 0 if none is stored. */
  __device__ T diagonal(long long row) const {
    T found = 0;
    for (long long e = a.lines[row] + threadIdx.x; e < a.lines[row + 1]; e += WARP)
      if (a.indices[e] == row)
        found = a.values[e];
    for (int half = WARP / 2; half; half /= 2)
      found += __shfl_xor_sync(0xffffffff, found, half);
    return unit ? T(1) : found;
  }
};

/* Row i needs the unknowns before it. */
template <typename T> __global__ void solve_rows(triangle<T> t, scalar<T> alpha, const T *x, T *y) {
  const long long n = t.a.count;
  for (long long step = 0; step < n; step++) {
    const long long i = t.lower ? step : n - 1 - step;
    T sum = 0;
    for (long long e = t.a.lines[i] + threadIdx.x; e < t.a.lines[i + 1]; e += WARP)
      if (t.has(i, t.a.indices[e]))
        sum += t.a.values[e] * y[t.a.indices[e]];
    for (int half = WARP / 2; half; half /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, half);
    const T pivot = t.diagonal(i);
    if (threadIdx.x == 0)
      y[i] = (alpha.get() * x[i] - sum) / pivot;
    __syncwarp();
  }
}

/* With the transpose, row i holds the coefficients of unknown i in the other equations. */
template <typename T> __global__ void solve_columns(triangle<T> t, scalar<T> alpha, const T *x, T *y) {
  const long long n = t.a.count;
  for (long long i = threadIdx.x; i < n; i += WARP)
    y[i] = alpha.get() * x[i];
  __syncwarp();
  for (long long step = 0; step < n; step++) {
    const long long i = t.lower ? n - 1 - step : step;
    const T pivot = t.diagonal(i), known = y[i] / pivot;
    __syncwarp();
    if (threadIdx.x == 0)
      y[i] = known;
    for (long long e = t.a.lines[i] + threadIdx.x; e < t.a.lines[i + 1]; e += WARP)
      if (t.has(i, t.a.indices[e]))
        y[t.a.indices[e]] -= t.a.values[e] * known;
    __syncwarp();
  }
}

template <typename T>
static cusparseStatus_t solve(cusparseHandle_t handle, bool transposed, const void *alpha,
                              const cusparseSpMatDescr *a, const void *x, void *y) {
  const triangle<T> t = {view_sparse<T>(a), a->fill == CUSPARSE_FILL_MODE_LOWER,
                         a->diagonal == CUSPARSE_DIAG_TYPE_UNIT};
  const scalar<T> factor =
      scalar_argument(handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE, (const T *)alpha);
  if (transposed)
    solve_columns<T><<<1, WARP, 0, handle->stream>>>(t, factor, (const T *)x, (T *)y);
  else
    solve_rows<T><<<1, WARP, 0, handle->stream>>>(t, factor, (const T *)x, (T *)y);
  return sparse_launched();
}

static cusparseStatus_t check(const char *function, cusparseHandle_t handle, cusparseOperation_t op,
                              const void *alpha, const cusparseSpMatDescr *a, const cusparseDnVecDescr *x,
                              const cusparseDnVecDescr *y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                              const cusparseSpSVDescr *system) {
  CHECK(handle);
  CHECK(alpha && a && x && y && system && algorithm == CUSPARSE_SPSV_ALG_DEFAULT);
  CHECK(op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_TRANSPOSE);
  if (a->type != type || x->type != type || y->type != type)
    return sparse_lacks_type(function);
  CHECK(a->rows == a->columns && x->size == a->rows && y->size == a->rows);
  CHECK_SUPPORTED(a->format == CUSPARSE_FORMAT_CSR);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *system) {
  CHECK(system);
  *system = (cusparseSpSVDescr_t)calloc(1, sizeof **system);
  return *system ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t system) {
  free(system);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t system,
                                         size_t *size) {
  CHECK(size);
  *size = 0;
  return check(__func__, handle, op, alpha, a, x, y, type, algorithm, system);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t system, void *) {
  const cusparseStatus_t status = check(__func__, handle, op, alpha, a, x, y, type, algorithm, system);
  if (status == CUSPARSE_STATUS_SUCCESS)
    system->analysed = true;
  return status;
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t system) {
  const cusparseStatus_t status = check(__func__, handle, op, alpha, a, x, y, type, algorithm, system);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  CHECK_STATUS(system->analysed, CUSPARSE_STATUS_NOT_INITIALIZED);
  if (a->rows == 0)
    return CUSPARSE_STATUS_SUCCESS;
  const bool transposed = op == CUSPARSE_OPERATION_TRANSPOSE;
  return type == CUDA_R_64F ? solve<double>(handle, transposed, alpha, a, x->values, y->values)
                            : solve<float>(handle, transposed, alpha, a, x->values, y->values);
}
