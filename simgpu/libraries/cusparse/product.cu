/* C = alpha op(A) op(B) + beta C with a sparse matrix A. A vector is a matrix with one column. S is the type
 * of the elements, and T the type of sums. */
#include "view.h"

template <typename S, typename T> struct factors {
  sparse<S> a;
  bool conjugated; /* A */
  dense<S> b, c;
  scalar<T> alpha, beta;
  long long rows, columns; /* of C */
  int batches;
  __device__ factors of_batch(int z) const {
    return {a.of_batch(z), conjugated, b.of_batch(z), c.of_batch(z), alpha, beta, rows, columns, batches};
  }
  __device__ T term(const place &p, long long row_of_b, long long column) const {
    return conjugate_if(conjugated, widen(a.values[p.position])) * b.get(row_of_b, column);
  }
};

/* Lines of A give rows of C: a group of threads sums up one of them. IS_PLAIN: lines hold entries only. */
template <bool IS_PLAIN, typename S, typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) sum_lines(factors<S, T> all) {
  const T alpha = all.alpha.get(), beta = all.beta.get();
  for (int z = blockIdx.z; z < all.batches; z += gridDim.z) {
    const factors<S, T> f = all.of_batch(z);
    const line_range r = f.a.range();
    for (long long j = blockIdx.y; j < f.columns; j += gridDim.y) {
      T sum = {};
      const long long step = IS_PLAIN ? f.a.lanes() : f.a.next(r);
      for (long long e = f.a.begin(r); e < r.last; e += step) {
        const place p = IS_PLAIN ? place{f.a.indices[e], e} : f.a.at(r, e);
        if (IS_PLAIN || p.index >= 0)
          sum += f.term(p, p.index, j);
      }
      for (int half = f.a.lanes() / 2; half > 0; half /= 2)
        sum += shuffle_down(sum, half); /* only the group's first lane keeps a sum of its own group */
      if (f.a.lane() == 0 && r.line < f.a.count)
        store(f.c.at(r.line, j), combine(alpha, sum, beta, widen(f.c.at(r.line, j))));
    }
  }
}

template <typename S, typename T> __global__ void __launch_bounds__(SPARSE_THREADS) scale(factors<S, T> all) {
  const T beta = all.beta.get();
  const long long i = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  for (int z = blockIdx.z; z < all.batches; z += gridDim.z) {
    const dense<S> c = all.c.of_batch(z);
    for (long long j = blockIdx.y; j < all.columns && i < all.rows; j += gridDim.y)
      store(c.at(i, j), combine(beta, T{}, beta, widen(c.at(i, j))));
  }
}

/* Entries of a line belong to several rows of C: each is added to what other threads add. */
template <typename S, typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) add_entries(factors<S, T> all, bool lines_are_rows) {
  const T alpha = all.alpha.get();
  for (int z = blockIdx.z; z < all.batches; z += gridDim.z) {
    const factors<S, T> f = all.of_batch(z);
    const line_range r = f.a.range();
    for (long long j = blockIdx.y; j < f.columns; j += gridDim.y)
      for (long long e = f.a.begin(r); e < r.last; e += f.a.next(r)) {
        const place p = f.a.at(r, e);
        if (p.index >= 0)
          add_to(f.c.at(lines_are_rows ? r.line : p.index, j),
                 alpha * f.term(p, lines_are_rows ? p.index : r.line, j));
      }
  }
}

/* Arguments of a product, in any number format. */
struct product {
  cusparseHandle_t handle;
  cusparseOperation_t op;
  const void *alpha, *beta;
  const cusparseSpMatDescr *a;
  long long rows, columns; /* of C */
  int batches;
};

template <typename S, typename T>
static cusparseStatus_t run(const product &p, const dense<S> &b, const dense<S> &c) {
  if (p.rows == 0 || p.columns == 0)
    return CUSPARSE_STATUS_SUCCESS;
  const factors<S, T> f = {view_sparse<S>(p.a),
                           sparse_conjugates(p.op),
                           b,
                           c,
                           sparse_scalar<T>(p.handle, p.alpha),
                           sparse_scalar<T>(p.handle, p.beta),
                           p.rows,
                           p.columns,
                           p.batches};
  const dim3 grid = view_grid(f.a, p.columns, p.batches);
  const cudaStream_t stream = p.handle->stream;
  const bool lines_are_rows = f.a.by_columns == sparse_turns(p.op); /* of C */
  if (f.a.format != CUSPARSE_FORMAT_COO && lines_are_rows) {
    if (sparse_is_compressed(p.a))
      sum_lines<true><<<grid, SPARSE_THREADS, 0, stream>>>(f);
    else
      sum_lines<false><<<grid, SPARSE_THREADS, 0, stream>>>(f);
  } else if constexpr (sizeof(S) == sizeof(T)) {
    scale<<<dim3(view_blocks(p.rows), grid.y, grid.z), SPARSE_THREADS, 0, stream>>>(f);
    add_entries<<<grid, SPARSE_THREADS, 0, stream>>>(f, lines_are_rows);
  } else {
    return CUSPARSE_STATUS_NOT_SUPPORTED; /* sums in 16 bits would be wrong */
  }
  return sparse_launched();
}

/* An algorithm for another format is refused. */
static bool suits(cusparseSpMVAlg_t algorithm, const cusparseSpMatDescr *a) {
  switch (algorithm) {
  case CUSPARSE_SPMV_CSR_ALG1:
  case CUSPARSE_SPMV_CSR_ALG2:
    return sparse_is_compressed(a);
  case CUSPARSE_SPMV_COO_ALG1:
  case CUSPARSE_SPMV_COO_ALG2:
    return a->format == CUSPARSE_FORMAT_COO;
  case CUSPARSE_SPMV_SELL_ALG1:
    return a->format == CUSPARSE_FORMAT_SLICED_ELLPACK;
  case CUSPARSE_SPMV_BSR_ALG1:
    return a->format == CUSPARSE_FORMAT_BSR;
  default:
    return algorithm == CUSPARSE_SPMV_ALG_DEFAULT;
  }
}
static bool suits(cusparseSpMMAlg_t algorithm, const cusparseSpMatDescr *a) {
  switch (algorithm) {
  case CUSPARSE_SPMM_CSR_ALG1:
  case CUSPARSE_SPMM_CSR_ALG2:
  case CUSPARSE_SPMM_CSR_ALG3:
    return sparse_is_compressed(a);
  case CUSPARSE_SPMM_COO_ALG1:
  case CUSPARSE_SPMM_COO_ALG2:
  case CUSPARSE_SPMM_COO_ALG3:
  case CUSPARSE_SPMM_COO_ALG4:
    return a->format == CUSPARSE_FORMAT_COO;
  case CUSPARSE_SPMM_BLOCKED_ELL_ALG1:
    return a->format == CUSPARSE_FORMAT_BLOCKED_ELL;
  case CUSPARSE_SPMM_BSR_ALG1:
    return a->format == CUSPARSE_FORMAT_BSR;
  default:
    return algorithm == CUSPARSE_SPMM_ALG_DEFAULT;
  }
}

/* What both kinds of product check; D is the type of a dense descriptor. */
template <typename D, typename ALGORITHM>
static cusparseStatus_t check(const char *function, const product &p, const D *b, const D *c,
                              cudaDataType type, ALGORITHM algorithm) {
  CHECK(p.handle);
  CHECK(p.alpha && p.beta && sparse_is_operation(p.op));
  CHECK(p.a && b && c);
  const bool halves = p.a->type == CUDA_R_16F && type == CUDA_R_32F;
  if ((p.a->type != type && !halves) || b->type != p.a->type || c->type != p.a->type)
    return sparse_lacks_type(function);
  CHECK(suits(algorithm, p.a));
  CHECK(sparse_takes(p.op, type));
  return CUSPARSE_STATUS_SUCCESS;
}

/* Calls f with an element's type and the type of sums. */
template <typename F> static cusparseStatus_t with_types(const product &p, F f) {
  if (p.a->type == CUDA_R_16F)
    return f(__half(), float());
  return sparse_with_type(p.a->type, [&](auto number) { return f(number, number); });
}

static cusparseStatus_t check_vector(const char *function, product *p, const cusparseDnVecDescr *x,
                                     const cusparseDnVecDescr *y, cudaDataType type,
                                     cusparseSpMVAlg_t algorithm) {
  CHECK_SUCCESS(check(function, *p, x, y, type, algorithm));
  CHECK_SUPPORTED(p->a->format != CUSPARSE_FORMAT_BLOCKED_ELL && p->a->batches == 1);
  const bool turned = sparse_turns(p->op);
  p->rows = y->size, p->columns = 1, p->batches = 1;
  CHECK(y->size == (turned ? p->a->columns : p->a->rows));
  CHECK(x->size == (turned ? p->a->rows : p->a->columns));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t *size) {
  product p = {handle, op, alpha, beta, a};
  CHECK(size);
  *size = 0;
  return check_vector(__func__, &p, x, y, type, algorithm);
}

/* There is nothing to prepare. */
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *) {
  product p = {handle, op, alpha, beta, a};
  return check_vector(__func__, &p, x, y, type, algorithm);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                              void *) {
  product p = {handle, op, alpha, beta, a};
  CHECK_SUCCESS(check_vector(__func__, &p, x, y, type, algorithm));
  return with_types(p, [&](auto element, auto sum) {
    using S = decltype(element);
    return run<S, decltype(sum)>(p, view_dense<S>(x), view_dense<S>(y));
  });
}

static cusparseStatus_t check_matrix(const char *function, product *p, cusparseOperation_t opB,
                                     const cusparseDnMatDescr *b, const cusparseDnMatDescr *c,
                                     cudaDataType type, cusparseSpMMAlg_t algorithm) {
  CHECK_SUCCESS(check(function, *p, b, c, type, algorithm));
  CHECK(sparse_takes(opB, type));
  CHECK_SUPPORTED(p->a->format != CUSPARSE_FORMAT_SLICED_ELLPACK);
  const bool turned = sparse_turns(p->op), turned_b = sparse_turns(opB);
  p->rows = c->rows, p->columns = c->columns, p->batches = c->batches;
  CHECK(c->rows == (turned ? p->a->columns : p->a->rows));
  CHECK((turned_b ? b->columns : b->rows) == (turned ? p->a->rows : p->a->columns));
  CHECK((turned_b ? b->rows : b->columns) == c->columns);
  /* One A or B serves the whole batch. */
  CHECK((p->a->batches == 1 || p->a->batches == c->batches) && (b->batches == 1 || b->batches == c->batches));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t algorithm, size_t *size) {
  product p = {handle, op, alpha, beta, a};
  CHECK(size);
  *size = 0;
  return check_matrix(__func__, &p, opB, b, c, type, algorithm);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t algorithm, void *) {
  product p = {handle, op, alpha, beta, a};
  return check_matrix(__func__, &p, opB, b, c, type, algorithm);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *) {
  product p = {handle, op, alpha, beta, a};
  CHECK_SUCCESS(check_matrix(__func__, &p, opB, b, c, type, algorithm));
  return with_types(p, [&](auto element, auto sum) {
    using S = decltype(element);
    return run<S, decltype(sum)>(p, view_dense<S>(b, opB), view_dense<S>(c));
  });
}
