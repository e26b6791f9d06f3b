/* Singular values: gesvd, gesvdj, gesvdjBatched, gesvdaStridedBatched. */
#include "singular.h"

static bool is_job(char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }

template <typename T>
cusolverStatus_t gesvd_run(cusolverDnHandle_t handle, char jobu, char jobvt, int m, int n, T *A, int lda,
                           real_of<T> *S, T *U, int ldu, T *VT, int ldvt, T *work, long long size,
                           int *info) {
  CHECK_HANDLE(handle);
  const bool has_u = jobu == 'A' || jobu == 'S', has_v = jobvt == 'A' || jobvt == 'S';
  CHECK(is_job(jobu) && is_job(jobvt) && !(jobu == 'O' && jobvt == 'O') && n >= 0 && m >= n);
  CHECK(lda >= at_least_one(m) && ldu >= (has_u ? at_least_one(m) : 1) &&
        ldvt >= (has_v ? at_least_one(n) : 1) && size >= svd_tall_size<T>(m, n));
  const stack<T> matrix = {A, lda, 0}, none = {nullptr, 0, 0};
  return svd_tall(handle,
                  {m, n, 1, n, jobu == 'A' ? m : n, matrix, S, 0,
                   has_u         ? stack<T>{U, ldu, 0}
                   : jobu == 'O' ? matrix
                                 : none,
                   has_v          ? stack<T>{VT, ldvt, 0}
                   : jobvt == 'O' ? matrix
                                  : none,
                   true, info},
                  work);
}

static bool is_mode(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_VECTOR || mode == CUSOLVER_EIG_MODE_NOVECTOR;
}

template <typename T>
cusolverStatus_t economy_run(cusolverDnHandle_t handle, cusolverEigMode_t mode, bool econ, int m, int n, T *A,
                             int lda, real_of<T> *S, T *U, int ldu, T *V, int ldv, T *work, long long size,
                             int *info, jacobi_settings *settings) {
  CHECK_HANDLE(handle);
  const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
  CHECK(is_mode(mode) && m >= 0 && n >= 0 && lda >= at_least_one(m) &&
        ldu >= (vectors ? at_least_one(m) : 1) && ldv >= (vectors ? at_least_one(n) : 1));
  CHECK(size >= svd_size<T>(m, n));
  return svd_run(handle,
                 svd_economy<T>(vectors, econ, m, n, {A, lda, 0}, S, {U, ldu, 0}, {V, ldv, 0}, 1, info), work,
                 settings);
}

enum { BATCHED_LARGEST = 32, MOST_BATCHES = 65535 };

template <typename T>
static cusolverStatus_t gesvdj_batched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, T *A,
                                       int lda, real_of<T> *S, T *U, int ldu, T *V, int ldv, T *work,
                                       int size, int *info, gesvdjInfo_t settings, int batches) {
  CHECK_HANDLE(handle);
  CHECK(settings && is_mode(mode) && m >= 0 && m <= BATCHED_LARGEST && n >= 0 && n <= BATCHED_LARGEST);
  CHECK(batches >= 0 && batches <= MOST_BATCHES && lda >= at_least_one(m) && ldu >= at_least_one(m) &&
        ldv >= at_least_one(n) && size >= svd_size<T>(m, n, batches));
  settings->after_batch = true;
  jacobi_settings local = *settings;
  const svd_job<T> job =
      svd_economy<T>(mode == CUSOLVER_EIG_MODE_VECTOR, false, m, n, {A, lda, (long long)lda * n}, S,
                     {U, ldu, (long long)ldu * m}, {V, ldv, (long long)ldv * n}, batches, info);
  return svd_run(handle, job, work, &local);
}

/* The greatest `rank` singular values. */
template <typename T>
static cusolverStatus_t gesvda(cusolverDnHandle_t handle, cusolverEigMode_t mode, int rank, int m, int n,
                               stack<const T> A, real_of<T> *S, long long next_values, stack<T> U, stack<T> V,
                               T *work, int size, int *info, double *residuals, int batches) {
  CHECK_HANDLE(handle);
  const int least = m < n ? m : n;
  const long long count = (long long)m * n * batches;
  CHECK(is_mode(mode) && m >= 0 && n >= 0 && rank >= 0 && rank <= least && batches >= 0 &&
        batches <= MOST_BATCHES);
  CHECK(A.ld >= at_least_one(m) && U.ld >= at_least_one(m) && V.ld >= at_least_one(n) &&
        size >= svd_size<T>(m, n, batches) + count);
  if (mode == CUSOLVER_EIG_MODE_NOVECTOR)
    U.data = V.data = nullptr;
  const stack<T> copy = {work, m, (long long)m * n}; /* A keeps its elements */
  if (count)
    copy_matrix<T>
        <<<elements_of((long long)m * n, batches), HANDLE_THREADS, 0, handle->stream>>>(A, m, n, copy, false);
  return svd_run<T>(handle, {m, n, batches, rank, rank, copy, S, next_values, U, V, false, info},
                    work + count, nullptr, residuals);
}

#define SINGULAR(P, T, R)                                                                                    \
  template cusolverStatus_t gesvd_run<T>(cusolverDnHandle_t, char, char, int, int, T *, int, R *, T *, int,  \
                                         T *, int, T *, long long, int *);                                   \
  template cusolverStatus_t economy_run<T>(cusolverDnHandle_t, cusolverEigMode_t, bool, int, int, T *, int,  \
                                           R *, T *, int, T *, int, T *, long long, int *,                   \
                                           jacobi_settings *);                                               \
  cusolverStatus_t cusolverDn##P##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *size) {     \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(svd_tall_size<T>(m, n), size);                                                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,      \
                                        int m, int n, T *A, int lda, R *S, T *U, int ldu, T *VT, int ldvt,   \
                                        T *work, int size, R *, int *info) {                                 \
    return gesvd_run(handle, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, size, info);              \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int,       \
                                                    int m, int n, const T *, int, const R *, const T *, int, \
                                                    const T *, int, int *size, gesvdjInfo_t) {               \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(svd_size<T>(m, n), size);                                                             \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int econ, int m, \
                                         int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv, T *work,  \
                                         int size, int *info, gesvdjInfo_t settings) {                       \
    CHECK(settings);                                                                                         \
    return economy_run(handle, mode, econ != 0, m, n, A, lda, S, U, ldu, V, ldv, work, size, info,           \
                       settings);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvdjBatched_bufferSize(                                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t, int m, int n, const T *, int, const R *, const T *, int, \
      const T *, int, int *size, gesvdjInfo_t, int batches) {                                                \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(svd_size<T>(m, n, batches), size);                                                    \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvdjBatched(                                                             \
      cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, T *A, int lda, R *S, T *U, int ldu,   \
      T *V, int ldv, T *work, int size, int *info, gesvdjInfo_t settings, int batches) {                     \
    return gesvdj_batched(handle, mode, m, n, A, lda, S, U, ldu, V, ldv, work, size, info, settings,         \
                          batches);                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvdaStridedBatched_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n, const T *, int, long long, const R *, \
      long long, const T *, int, long long, const T *, int, long long, int *size, int batches) {             \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(svd_size<T>(m, n, batches) + (long long)m * n * batches, size);                       \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvdaStridedBatched(                                                      \
      cusolverDnHandle_t handle, cusolverEigMode_t mode, int rank, int m, int n, const T *A, int lda,        \
      long long next_A, R *S, long long next_S, T *U, int ldu, long long next_U, T *V, int ldv,              \
      long long next_V, T *work, int size, int *info, double *residuals, int batches) {                      \
    return gesvda<T>(handle, mode, rank, m, n, {A, lda, next_A}, S, next_S, {U, ldu, next_U},                \
                     {V, ldv, next_V}, work, size, info, residuals, batches);                                \
  }
SINGULAR(S, float, float)
SINGULAR(D, double, double)
SINGULAR(C, cuComplex, float)
SINGULAR(Z, cuDoubleComplex, double)
