/* The interface with 64-bit sizes, and types that are known at run time: cusolverDnXpotrf, Xgetrf, Xgeqrf,
 * Xsyevd, Xgesvd, Xtrtri and so on. Sizes beyond 32 bits are refused. No function needs space on the host. */
#include "eigen.h"
#include "singular.h"

#include <stdlib.h>

struct cusolverDnParams {
  cusolverAlgMode_t algorithms[CUSOLVERDN_POTRF + 2]; /* kept, and without effect */
};

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  CHECK(params);
  *params = (cusolverDnParams_t)calloc(1, sizeof **params);
  return *params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  free(params);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
  CHECK(params && function >= CUSOLVERDN_GETRF && function <= CUSOLVERDN_POTRF + 1);
  params->algorithms[function] = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

static bool fits(int64_t size) { return size >= 0 && size <= INT_MAX; }
template <typename... SIZES> static bool fits(int64_t size, SIZES... others) {
  return fits(size) && fits(others...);
}

/* The real type of the parts. */
static cudaDataType real_type(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

static cusolverStatus_t sizes(long long elements, size_t element, size_t *on_device, size_t *on_host) {
  CHECK(on_device && on_host);
  *on_device = (size_t)(elements > 1 ? elements : 1) * element;
  *on_host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

/* --- factorisations --- */

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t,
                                             int64_t, cudaDataType type, const void *, int64_t,
                                             cudaDataType compute, size_t *on_device, size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(type == compute);
  return with_type(type, [=](auto zero) { return sizes(1, sizeof zero, on_device, on_host); });
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t part,
                                  int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType compute,
                                  void *, size_t, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(type == compute && fits(n, lda));
  return with_type(type, [=](auto zero) {
    return cholesky_factorise(handle, part, (int)n, (decltype(zero) *)A, (int)lda, info);
  });
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t part,
                                  int64_t n, int64_t sides, cudaDataType type, const void *A, int64_t lda,
                                  cudaDataType typeB, void *B, int64_t ldb, int *info) {
  CHECK_HANDLE(handle);
  CHECK(type == typeB && fits(n, sides, lda, ldb));
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return cholesky_solve(handle, part, (int)n, (int)sides, (const T *)A, (int)lda, (T *)B, (int)ldb, info);
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t, int64_t,
                                             cudaDataType type, const void *, int64_t, cudaDataType compute,
                                             size_t *on_device, size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(type == compute);
  return with_type(type, [=](auto zero) { return sizes(1, sizeof zero, on_device, on_host); });
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, int64_t *pivots,
                                  cudaDataType compute, void *, size_t, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(type == compute && fits(m, n, lda));
  return with_type(type, [=](auto zero) {
    return lu_factorise(handle, (int)m, (int)n, (decltype(zero) *)A, (int)lda, pivots, info);
  });
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasOperation_t op,
                                  int64_t n, int64_t sides, cudaDataType type, const void *A, int64_t lda,
                                  const int64_t *pivots, cudaDataType typeB, void *B, int64_t ldb,
                                  int *info) {
  CHECK_HANDLE(handle);
  CHECK(type == typeB && fits(n, sides, lda, ldb));
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return lu_solve(handle, op, (int)n, (int)sides, (const T *)A, (int)lda, pivots, (T *)B, (int)ldb, info);
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t, int64_t,
                                             cudaDataType type, const void *, int64_t, cudaDataType typeTau,
                                             const void *, cudaDataType compute, size_t *on_device,
                                             size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(type == compute && type == typeTau);
  return with_type(type, [=](auto zero) { return sizes(1, sizeof zero, on_device, on_host); });
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void *A, int64_t lda, cudaDataType typeTau, void *tau,
                                  cudaDataType compute, void *, size_t, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(type == compute && type == typeTau && fits(m, n, lda) && lda >= at_least_one((int)m));
  if (m == 0 || n == 0)
    cudaMemsetAsync(info, 0, sizeof *info, handle->stream);
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return qr_factorise<T>(handle, 1, (int)m, (int)n, {(T *)A, lda, 0}, (T *)tau, info);
  });
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, cublasDiagType_t,
                                             int64_t n, cudaDataType type, void *, int64_t, size_t *on_device,
                                             size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(fits(n));
  return with_type(type, [=](auto zero) { return sizes(n * n, sizeof zero, on_device, on_host); });
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t part, cublasDiagType_t diagonal,
                                  int64_t n, cudaDataType type, void *A, int64_t lda, void *work, size_t size,
                                  void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(fits(n, lda));
  return with_type(type, [=](auto zero) {
    CHECK(size >= n * n * sizeof zero);
    return triangle_invert(handle, part, diagonal, (int)n, (decltype(zero) *)A, (int)lda,
                           (decltype(zero) *)work, info);
  });
}

/* --- eigenvalues --- */

static bool are_types(cudaDataType type, cudaDataType values, cudaDataType compute) {
  return type == compute && values == real_type(type);
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t n, cudaDataType type, const void *,
                                             int64_t, cudaDataType typeW, const void *, cudaDataType compute,
                                             size_t *on_device, size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeW, compute) && fits(n));
  return with_type(
      type, [=](auto zero) { return sizes(eigen_size<decltype(zero)>(n), sizeof zero, on_device, on_host); });
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t mode,
                                  cublasFillMode_t part, int64_t n, cudaDataType type, void *A, int64_t lda,
                                  cudaDataType typeW, void *W, cudaDataType compute, void *work, size_t size,
                                  void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeW, compute) && fits(n, lda));
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return eigen_solve<T>(handle, {mode, part, (int)n, (T *)A, (int)lda, (real_of<T> *)W, info}, (T *)work,
                          size / sizeof(T));
  });
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t mode, cusolverEigRange_t,
                                              cublasFillMode_t part, int64_t n, cudaDataType type,
                                              const void *A, int64_t lda, void *, void *, int64_t, int64_t,
                                              int64_t *, cudaDataType typeW, const void *W,
                                              cudaDataType compute, size_t *on_device, size_t *on_host) {
  return cusolverDnXsyevd_bufferSize(handle, params, mode, part, n, type, A, lda, typeW, W, compute,
                                     on_device, on_host);
}

cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t mode,
                                   cusolverEigRange_t range, cublasFillMode_t part, int64_t n,
                                   cudaDataType type, void *A, int64_t lda, void *lower, void *upper,
                                   int64_t first, int64_t last, int64_t *count, cudaDataType typeW, void *W,
                                   cudaDataType compute, void *work, size_t size, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeW, compute) && fits(n, lda) && count);
  CHECK(range != CUSOLVER_EIG_RANGE_V || (lower && upper));
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    typedef real_of<T> R;
    eigen_problem<T> p = {mode, part, (int)n, (T *)A, (int)lda, (R *)W, info, range};
    if (range == CUSOLVER_EIG_RANGE_V) {
      p.lower = *(const R *)lower;
      p.upper = *(const R *)upper;
    }
    p.first = first;
    p.last = last;
    long long number = 0;
    const cusolverStatus_t status = eigen_solve<T>(handle, p, (T *)work, size / sizeof(T), &number);
    *count = number;
    return status;
  });
}

/* --- singular values --- */

static bool are_types(cudaDataType type, cudaDataType values, cudaDataType left, cudaDataType right,
                      cudaDataType compute) {
  return are_types(type, values, compute) && left == type && right == type;
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, signed char,
                                             signed char, int64_t m, int64_t n, cudaDataType type,
                                             const void *, int64_t, cudaDataType typeS, const void *,
                                             cudaDataType typeU, const void *, int64_t, cudaDataType typeVT,
                                             const void *, int64_t, cudaDataType compute, size_t *on_device,
                                             size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeS, typeU, typeVT, compute) && fits(m, n));
  return with_type(type, [=](auto zero) {
    return sizes(svd_tall_size<decltype(zero)>(m, n), sizeof zero, on_device, on_host);
  });
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType type, void *A,
                                  int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU, void *U,
                                  int64_t ldu, cudaDataType typeVT, void *VT, int64_t ldvt,
                                  cudaDataType compute, void *work, size_t size, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeS, typeU, typeVT, compute) && fits(m, n, lda, ldu, ldvt));
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return gesvd_run<T>(handle, jobu, jobvt, (int)m, (int)n, (T *)A, (int)lda, (real_of<T> *)S, (T *)U,
                        (int)ldu, (T *)VT, (int)ldvt, (T *)work, size / sizeof(T), info);
  });
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                              cusolverEigMode_t, int, int64_t m, int64_t n, cudaDataType type,
                                              const void *, int64_t, cudaDataType typeS, const void *,
                                              cudaDataType typeU, const void *, int64_t, cudaDataType typeV,
                                              const void *, int64_t, cudaDataType compute, size_t *on_device,
                                              size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeS, typeU, typeV, compute) && fits(m, n));
  return with_type(type, [=](auto zero) {
    return sizes(svd_size<decltype(zero)>(m, n), sizeof zero, on_device, on_host);
  });
}

/* The perturbation by which NVIDIA's polar decomposition makes a matrix regular is not needed here, and zero. */
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t mode,
                                   int econ, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                                   cudaDataType typeS, void *S, cudaDataType typeU, void *U, int64_t ldu,
                                   cudaDataType typeV, void *V, int64_t ldv, cudaDataType compute, void *work,
                                   size_t size, void *, size_t, int *info, double *perturbation) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeS, typeU, typeV, compute) && fits(m, n, lda, ldu, ldv) && perturbation);
  *perturbation = 0;
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return economy_run<T>(handle, mode, econ != 0, (int)m, (int)n, (T *)A, (int)lda, (real_of<T> *)S, (T *)U,
                          (int)ldu, (T *)V, (int)ldv, (T *)work, size / sizeof(T), info, nullptr);
  });
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, signed char,
                                              signed char, int64_t m, int64_t n, int64_t, int64_t, int64_t,
                                              cudaDataType type, const void *, int64_t, cudaDataType typeS,
                                              const void *, cudaDataType typeU, const void *, int64_t,
                                              cudaDataType typeV, const void *, int64_t, cudaDataType compute,
                                              size_t *on_device, size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeS, typeU, typeV, compute) && fits(m, n));
  return with_type(type, [=](auto zero) {
    return sizes(svd_size<decltype(zero)>(m, n), sizeof zero, on_device, on_host);
  });
}

/* The greatest k singular values of the full decomposition: oversampling p and iterations are not needed. */
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                   signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p,
                                   int64_t iterations, cudaDataType type, void *A, int64_t lda,
                                   cudaDataType typeS, void *S, cudaDataType typeU, void *U, int64_t ldu,
                                   cudaDataType typeV, void *V, int64_t ldv, cudaDataType compute, void *work,
                                   size_t size, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK(are_types(type, typeS, typeU, typeV, compute) && fits(m, n, k, p, iterations, lda, ldu, ldv));
  CHECK((jobu == 'S' || jobu == 'N') && (jobv == 'S' || jobv == 'N') && k + p <= (m < n ? m : n));
  CHECK(lda >= at_least_one((int)m) && ldu >= (jobu == 'S' ? at_least_one((int)m) : 1) &&
        ldv >= (jobv == 'S' ? at_least_one((int)n) : 1));
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    CHECK((long long)(size / sizeof(T)) >= svd_size<T>(m, n));
    return svd_run<T>(handle,
                      {(int)m,
                       (int)n,
                       1,
                       (int)k,
                       (int)k,
                       {(T *)A, lda, 0},
                       (real_of<T> *)S,
                       0,
                       {jobu == 'S' ? (T *)U : nullptr, ldu, 0},
                       {jobv == 'S' ? (T *)V : nullptr, ldv, 0},
                       false,
                       info},
                      (T *)work);
  });
}
