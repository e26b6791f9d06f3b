/* Solves op(A) C = alpha op(B) with a triangle of A, for one right-hand side (SpSV) or several (SpSM). */
#include "levels.h"

#include <stdlib.h>

struct cusparseSpSVDescr {
  bool analysed;
  level_schedule schedule;
};
struct cusparseSpSMDescr : cusparseSpSVDescr {};

template <typename T> struct solve_row {
  const T *values;
  bool conjugated, unit;
  level_group group;
  scalar<T> alpha;
  dense<T> b, c;
  long long columns;
  __device__ void operator()(const level_rows &rows, int row) const {
    const int place = rows.diagonal[row];
    const T stored = place < 0 ? T{} : conjugate_if(conjugated, values[place]);
    const T pivot = unit ? one<T>() : stored;
    for (long long j = blockIdx.y; j < columns; j += gridDim.y) {
      T sum = {};
      for (int e = rows.offsets[row] + group.lane(); e < rows.offsets[row + 1]; e += group.threads)
        sum += conjugate_if(conjugated, values[rows.position[e]]) * c.at(rows.columns[e], j);
      sum = group.sum(sum);
      if (group.lane() == 0)
        c.at(row, j) = (alpha.get() * b.get(row, j) - sum) / pivot;
    }
  }
};

template <typename T>
static cusparseStatus_t solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              const cusparseSpMatDescr *a, const dense<T> &b, const dense<T> &c,
                              long long columns, const level_schedule &schedule) {
  const solve_row<T> work = {(const T *)a->values,
                             sparse_conjugates(op),
                             a->diagonal == CUSPARSE_DIAG_TYPE_UNIT,
                             levels_group(a->rows, a->entries),
                             sparse_scalar<T>(handle, alpha),
                             b,
                             c,
                             columns};
  return levels_run(handle->stream, schedule, columns, work);
}

/* D is the type of a dense descriptor. */
template <typename D>
static cusparseStatus_t check(const char *function, cusparseHandle_t handle, cusparseOperation_t op,
                              const void *alpha, const cusparseSpMatDescr *a, const D *b, const D *c,
                              cudaDataType type, bool is_algorithm, const cusparseSpSVDescr *system) {
  CHECK(handle);
  CHECK(alpha && a && b && c && system && is_algorithm);
  CHECK(sparse_takes(op, type));
  if (a->type != type || b->type != type || c->type != type || !sparse_is_type(type))
    return sparse_lacks_type(function);
  CHECK(a->rows == a->columns);
  CHECK_SUPPORTED(a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_COO ||
                  (a->format == CUSPARSE_FORMAT_SLICED_ELLPACK && sizeof(D) == sizeof(cusparseDnVecDescr)));
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t analyse(cusparseHandle_t handle, cusparseOperation_t op, const cusparseSpMatDescr *a,
                                cusparseSpSVDescr *system, void *buffer) {
  CHECK(buffer);
  const bool turned = sparse_turns(op);
  CHECK_SUCCESS(levels_make(handle, {a, turned, (a->fill == CUSPARSE_FILL_MODE_LOWER) != turned}, buffer,
                            &system->schedule));
  system->analysed = true;
  return CUSPARSE_STATUS_SUCCESS;
}

/* Descriptors of both kinds. */
#define SYSTEM(NAME)                                                                                         \
  cusparseStatus_t cusparse##NAME##_createDescr(cusparse##NAME##Descr_t *system) {                           \
    CHECK(system);                                                                                           \
    *system = (cusparse##NAME##Descr_t)calloc(1, sizeof **system);                                           \
    return *system ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;                                 \
  }                                                                                                          \
  cusparseStatus_t cusparse##NAME##_destroyDescr(cusparse##NAME##Descr_t system) {                           \
    if (system)                                                                                              \
      levels_free(&system->schedule);                                                                        \
    free(system);                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }
SYSTEM(SpSV)
SYSTEM(SpSM)

static cusparseStatus_t check_vector(const char *function, cusparseHandle_t handle, cusparseOperation_t op,
                                     const void *alpha, const cusparseSpMatDescr *a,
                                     const cusparseDnVecDescr *x, const cusparseDnVecDescr *y,
                                     cudaDataType type, cusparseSpSVAlg_t algorithm,
                                     const cusparseSpSVDescr *system) {
  CHECK_SUCCESS(
      check(function, handle, op, alpha, a, x, y, type, algorithm == CUSPARSE_SPSV_ALG_DEFAULT, system));
  CHECK(x->size == a->rows && y->size == a->rows);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t system,
                                         size_t *size) {
  CHECK(size);
  CHECK_SUCCESS(check_vector(__func__, handle, op, alpha, a, x, y, type, algorithm, system));
  *size = levels_size(a);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t system, void *buffer) {
  CHECK_SUCCESS(check_vector(__func__, handle, op, alpha, a, x, y, type, algorithm, system));
  return analyse(handle, op, a, system, buffer);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t system) {
  CHECK_SUCCESS(check_vector(__func__, handle, op, alpha, a, x, y, type, algorithm, system));
  CHECK_STATUS(system->analysed, CUSPARSE_STATUS_NOT_INITIALIZED);
  return sparse_with_type(type, [&](auto number) {
    using T = decltype(number);
    return solve(handle, op, alpha, a, view_dense<T>(x), view_dense<T>(y), 1, system->schedule);
  });
}

static cusparseStatus_t check_matrix(const char *function, cusparseHandle_t handle, cusparseOperation_t op,
                                     cusparseOperation_t opB, const void *alpha, const cusparseSpMatDescr *a,
                                     const cusparseDnMatDescr *b, const cusparseDnMatDescr *c,
                                     cudaDataType type, cusparseSpSMAlg_t algorithm,
                                     const cusparseSpSVDescr *system) {
  CHECK_SUCCESS(
      check(function, handle, op, alpha, a, b, c, type, algorithm == CUSPARSE_SPSM_ALG_DEFAULT, system));
  CHECK(sparse_takes(opB, type));
  const bool turned = sparse_turns(opB);
  CHECK(c->rows == a->rows && (turned ? b->columns : b->rows) == a->rows);
  CHECK((turned ? b->rows : b->columns) == c->columns);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t system,
                                         size_t *size) {
  CHECK(size);
  CHECK_SUCCESS(check_matrix(__func__, handle, op, opB, alpha, a, b, c, type, algorithm, system));
  *size = levels_size(a);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       cusparseOperation_t opB, const void *alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t algorithm,
                                       cusparseSpSMDescr_t system, void *buffer) {
  CHECK_SUCCESS(check_matrix(__func__, handle, op, opB, alpha, a, b, c, type, algorithm, system));
  return analyse(handle, op, a, system, buffer);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op, cusparseOperation_t opB,
                                    const void *alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
                                    cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t system) {
  CHECK_SUCCESS(check_matrix(__func__, handle, op, opB, alpha, a, b, c, type, algorithm, system));
  CHECK_STATUS(system->analysed, CUSPARSE_STATUS_NOT_INITIALIZED);
  if (c->columns == 0)
    return CUSPARSE_STATUS_SUCCESS;
  return sparse_with_type(type, [&](auto number) {
    using T = decltype(number);
    return solve(handle, op, alpha, a, view_dense<T>(b, opB), view_dense<T>(c), c->columns, system->schedule);
  });
}
