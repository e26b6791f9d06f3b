/* C = alpha (op(A) op(B)) o spy(C) + beta C with dense A and B: only the elements that the sparse matrix C stores. */
#include "view.h"

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS)
    sample(scalar<T> alpha, dense<T> all_a, dense<T> all_b, scalar<T> beta, sparse<T> all_c, long long inner,
           int batches) {
  for (int z = blockIdx.z; z < batches; z += gridDim.z) {
    const dense<T> a = all_a.of_batch(z), b = all_b.of_batch(z);
    const sparse<T> c = all_c.of_batch(z);
    const line_range r = c.range();
    for (long long e = c.begin(r); e < r.last; e += c.next(r)) {
      const place p = c.at(r, e);
      T sum = {};
      for (long long k = 0; k < inner; k++)
        sum += a.get(r.line, k) * b.get(k, p.index);
      c.values[p.position] = combine(alpha.get(), sum, beta.get(), c.values[p.position]);
    }
  }
}

static cusparseStatus_t check(const char *function, cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha, const cusparseDnMatDescr *a,
                              const cusparseDnMatDescr *b, const void *beta, const cusparseSpMatDescr *c,
                              cudaDataType type, cusparseSDDMMAlg_t algorithm) {
  CHECK(handle);
  CHECK(alpha && beta && a && b && c && algorithm == CUSPARSE_SDDMM_ALG_DEFAULT);
  CHECK(sparse_is_operation(opA) && sparse_is_operation(opB));
  if (a->type != type || b->type != type || c->type != type || !sparse_is_type(type))
    return sparse_lacks_type(function);
  CHECK_SUPPORTED(c->format == CUSPARSE_FORMAT_CSR || c->format == CUSPARSE_FORMAT_BSR);
  CHECK_SUPPORTED(!sparse_conjugates(opA) && !sparse_conjugates(opB));
  const bool turned_a = sparse_turns(opA), turned_b = sparse_turns(opB);
  CHECK((turned_a ? a->columns : a->rows) == c->rows && (turned_b ? b->rows : b->columns) == c->columns);
  CHECK((turned_a ? a->rows : a->columns) == (turned_b ? b->columns : b->rows));
  /* One A or B serves the whole batch. */
  CHECK((a->batches == 1 || a->batches == c->batches) && (b->batches == 1 || b->batches == c->batches));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t algorithm, size_t *size) {
  CHECK(size);
  *size = 0;
  return check(__func__, handle, opA, opB, alpha, a, b, beta, c, type, algorithm);
}

/* There is nothing to prepare. */
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t algorithm, void *) {
  return check(__func__, handle, opA, opB, alpha, a, b, beta, c, type, algorithm);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                               cusparseSDDMMAlg_t algorithm, void *) {
  CHECK_SUCCESS(check(__func__, handle, opA, opB, alpha, a, b, beta, c, type, algorithm));
  return sparse_with_type(type, [&](auto number) {
    using T = decltype(number);
    const sparse<T> to = view_sparse<T>(c);
    sample<<<view_grid(to, 1, c->batches), SPARSE_THREADS, 0, handle->stream>>>(
        sparse_scalar<T>(handle, alpha), view_dense<T>(a, opA), view_dense<T>(b, opB),
        sparse_scalar<T>(handle, beta), to, sparse_turns(opA) ? a->rows : a->columns, c->batches);
    return sparse_launched();
  });
}
