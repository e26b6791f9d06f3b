/* Eigenvalues and singular values of batches by Jacobi's one-sided method: the drivers that all functions share. */
#pragma once

#include "handle.h"

/* Settings of gesvdj and syevj, and what the last call found. */
struct jacobi_settings {
  double tolerance; /* at most the machine's accuracy: that accuracy */
  int most_sweeps;
  bool unsorted;    /* kept, and without effect: results are always sorted */
  bool after_batch; /* results are those of several matrices */
  int sweeps;
  double residual;
};
struct syevjInfo : jacobi_settings {};
struct gesvdjInfo : jacobi_settings {};
enum { MOST_SWEEPS = 100 };

/* All eigenvalues in ascending order, and with `vectors` the eigenvectors in place of A; A holds one triangle. */
template <typename T> struct eigen_job {
  bool vectors, lower;
  int n, batches;
  stack<T> A;
  real_of<T> *values; /* n for each matrix */
  int *info;
};
template <typename T> long long eigen_size(long long n, int batches = 1);
template <typename T>
cusolverStatus_t eigen_run(cusolverDnHandle_t handle, const eigen_job<T> &job, T *work,
                           jacobi_settings *settings = nullptr);

/* The greatest `kept` singular values in descending order, with as many columns of V. U has `columns` columns, at least
 * `kept`. U or V with the address NULL is not computed. V can be stored as its adjoint. A is overwritten. */
template <typename T> struct svd_job {
  int m, n, batches, kept, columns;
  stack<T> A;
  real_of<T> *values;
  long long next_values; /* from a matrix to the next */
  stack<T> U, V;
  bool adjoint_V;
  int *info;
};

/* tall: of matrices with at least as many rows as columns. The other one transposes a wide matrix.
 * `residuals`: the norm of A - U S V' for each matrix, on the host, or NULL. */
template <typename T> long long svd_tall_size(long long m, long long n, int batches = 1);
template <typename T>
cusolverStatus_t svd_tall(cusolverDnHandle_t handle, const svd_job<T> &job, T *work,
                          jacobi_settings *settings = nullptr, double *residuals = nullptr);
template <typename T> long long svd_size(long long m, long long n, int batches = 1);
template <typename T>
cusolverStatus_t svd_run(cusolverDnHandle_t handle, const svd_job<T> &job, T *work,
                         jacobi_settings *settings = nullptr, double *residuals = nullptr);

/* The job of gesvdj and its kin: all singular values, and U and V in full or, with `econ`, their first columns. */
template <typename T>
svd_job<T> svd_economy(bool vectors, bool econ, int m, int n, stack<T> A, real_of<T> *values, stack<T> U,
                       stack<T> V, int batches, int *info) {
  const int least = m < n ? m : n;
  if (!vectors)
    U.data = V.data = nullptr;
  return {m, n, batches, least, econ ? least : m > n ? m : n, A, values, least, U, V, false, info};
}
