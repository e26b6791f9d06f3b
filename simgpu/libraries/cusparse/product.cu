/* C = alpha op(A) op(B) + beta C with a sparse matrix A. A vector is a matrix with one column. */
#include "../scalar.h"
#include "view.h"

/* Lines of A give rows of C: a group of threads sums up one of them. */
template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    sum_lines(sparse<T> a, scalar<T> alpha, dense<T> b, scalar<T> beta, dense<T> c, long long columns) {
  const T factor = alpha.get(), keep = beta.get();
  const line_range r = a.range();
  for (long long j = blockIdx.y; j < columns; j += gridDim.y) {
    T sum = 0;
    for (long long e = r.first + a.lane(); e < r.last; e += a.lanes())
      sum += a.values[e] * b.at(a.indices[e], j);
    for (int half = a.lanes() / 2; half > 0; half /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, half, a.lanes());
    if (a.lane() == 0 && r.line < a.count) {
      T &to = c.at(r.line, j);
      to = keep == 0 ? factor * sum : factor * sum + keep * to; /* C may hold anything if beta is 0 */
    }
  }
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    scale(scalar<T> beta, dense<T> c, long long rows, long long columns) {
  const T keep = beta.get();
  const long long i = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  for (long long j = blockIdx.y; j < columns && i < rows; j += gridDim.y)
    c.at(i, j) = keep == 0 ? T(0) : keep * c.at(i, j);
}

/* Entries of a line belong to several rows of C: each is added to what other threads add. */
template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    add_entries(sparse<T> a, bool lines_are_rows, scalar<T> alpha, dense<T> b, dense<T> c,
                long long columns) {
  const T factor = alpha.get();
  const line_range r = a.range();
  for (long long j = blockIdx.y; j < columns; j += gridDim.y)
    for (long long e = r.first + a.lane(); e < r.last; e += a.lanes()) {
      const long long i = a.indices[e];
      T &to = c.at(lines_are_rows ? r.line : i, j);
      atomicAdd(&to, factor * a.values[e] * b.at(lines_are_rows ? i : r.line, j));
    }
}

/* Arguments of a product, in any number format. */
struct product {
  cusparseHandle_t handle;
  bool transposed;
  const void *alpha, *beta;
  const cusparseSpMatDescr *a;
  long long rows, columns; /* of C */
};

template <typename T> static cusparseStatus_t run(const product &p, dense<T> b, dense<T> c) {
  if (p.rows == 0 || p.columns == 0)
    return CUSPARSE_STATUS_SUCCESS;
  const bool on_device = p.handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  const scalar<T> alpha = scalar_argument(on_device, (const T *)p.alpha),
                  beta = scalar_argument(on_device, (const T *)p.beta);
  const sparse<T> a = view_sparse<T>(p.a);
  const dim3 grid = view_grid(a, p.columns);
  const cudaStream_t stream = p.handle->stream;
  const bool lines_are_rows = a.by_columns == p.transposed; /* of C */
  if (a.compressed && lines_are_rows) {
    sum_lines<<<grid, SPARSE_THREADS, 0, stream>>>(a, alpha, b, beta, c, p.columns);
  } else {
    scale<<<dim3(view_blocks(p.rows), grid.y), SPARSE_THREADS, 0, stream>>>(beta, c, p.rows, p.columns);
    add_entries<<<grid, SPARSE_THREADS, 0, stream>>>(a, lines_are_rows, alpha, b, c, p.columns);
  }
  return sparse_launched();
}

static bool is_operation(cusparseOperation_t op) {
  return op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
static bool is_transposed(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }

/* An algorithm for another format is refused. */
static bool suits(cusparseSpMVAlg_t algorithm, const cusparseSpMatDescr *a) {
  if (algorithm == CUSPARSE_SPMV_CSR_ALG1 || algorithm == CUSPARSE_SPMV_CSR_ALG2)
    return sparse_is_compressed(a);
  if (algorithm == CUSPARSE_SPMV_COO_ALG1 || algorithm == CUSPARSE_SPMV_COO_ALG2)
    return a->format == CUSPARSE_FORMAT_COO;
  return algorithm == CUSPARSE_SPMV_ALG_DEFAULT;
}
static bool suits(cusparseSpMMAlg_t algorithm, const cusparseSpMatDescr *a) {
  if (algorithm == CUSPARSE_SPMM_CSR_ALG1 || algorithm == CUSPARSE_SPMM_CSR_ALG2 ||
      algorithm == CUSPARSE_SPMM_CSR_ALG3)
    return sparse_is_compressed(a);
  if (algorithm >= CUSPARSE_SPMM_COO_ALG1 && algorithm <= CUSPARSE_SPMM_COO_ALG4)
    return a->format == CUSPARSE_FORMAT_COO;
  return algorithm == CUSPARSE_SPMM_ALG_DEFAULT;
}

/* What both kinds of product check; D is the type of a dense descriptor. */
template <typename D, typename ALGORITHM>
static cusparseStatus_t check(const char *function, const product &p, cusparseOperation_t op, const D *b,
                              const D *c, cudaDataType type, ALGORITHM algorithm) {
  CHECK(p.handle);
  CHECK(p.alpha && p.beta && is_operation(op));
  CHECK(p.a && b && c);
  if (p.a->type != type || b->type != type || c->type != type)
    return sparse_lacks_type(function);
  CHECK(suits(algorithm, p.a));
  CHECK(op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE); /* the numbers are real */
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t check_vector(const char *function, product *p, cusparseOperation_t op,
                                     const cusparseDnVecDescr *x, const cusparseDnVecDescr *y,
                                     cudaDataType type, cusparseSpMVAlg_t algorithm) {
  const cusparseStatus_t status = check(function, *p, op, x, y, type, algorithm);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  p->transposed = is_transposed(op);
  p->rows = y->size, p->columns = 1;
  CHECK(y->size == (p->transposed ? p->a->columns : p->a->rows));
  CHECK(x->size == (p->transposed ? p->a->rows : p->a->columns));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t *size) {
  product p = {handle, false, alpha, beta, a, 0, 0};
  CHECK(size);
  *size = 0;
  return check_vector(__func__, &p, op, x, y, type, algorithm);
}

/* There is nothing to prepare. */
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *) {
  product p = {handle, false, alpha, beta, a, 0, 0};
  return check_vector(__func__, &p, op, x, y, type, algorithm);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                              void *) {
  product p = {handle, false, alpha, beta, a, 0, 0};
  const cusparseStatus_t status = check_vector(__func__, &p, op, x, y, type, algorithm);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  return type == CUDA_R_64F ? run<double>(p, {(double *)x->values, 1, 0}, {(double *)y->values, 1, 0})
                            : run<float>(p, {(float *)x->values, 1, 0}, {(float *)y->values, 1, 0});
}

static cusparseStatus_t check_matrix(const char *function, product *p, cusparseOperation_t op,
                                     cusparseOperation_t opB, const cusparseDnMatDescr *b,
                                     const cusparseDnMatDescr *c, cudaDataType type,
                                     cusparseSpMMAlg_t algorithm) {
  const cusparseStatus_t status = check(function, *p, op, b, c, type, algorithm);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  CHECK(is_operation(opB));
  CHECK(opB != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  p->transposed = is_transposed(op);
  p->rows = c->rows, p->columns = c->columns;
  const bool turned = is_transposed(opB);
  CHECK(c->rows == (p->transposed ? p->a->columns : p->a->rows));
  CHECK((turned ? b->columns : b->rows) == (p->transposed ? p->a->rows : p->a->columns));
  CHECK((turned ? b->rows : b->columns) == c->columns);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t algorithm, size_t *size) {
  product p = {handle, false, alpha, beta, a, 0, 0};
  CHECK(size);
  *size = 0;
  return check_matrix(__func__, &p, op, opB, b, c, type, algorithm);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t algorithm, void *) {
  product p = {handle, false, alpha, beta, a, 0, 0};
  return check_matrix(__func__, &p, op, opB, b, c, type, algorithm);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *) {
  product p = {handle, false, alpha, beta, a, 0, 0};
  const cusparseStatus_t status = check_matrix(__func__, &p, op, opB, b, c, type, algorithm);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  const bool turned = is_transposed(opB);
  return type == CUDA_R_64F ? run(p, view_dense<double>(b, turned), view_dense<double>(c, false))
                            : run(p, view_dense<float>(b, turned), view_dense<float>(c, false));
}
