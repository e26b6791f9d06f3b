/* Eigenvalues of symmetric and Hermitian matrices, and of pairs of them. */
#pragma once

#include "jacobi.h"

/* The arguments that syevd, syevdx, syevj, sygvd, sygvdx and sygvj share. */
template <typename T> struct eigen_problem {
  cusolverEigMode_t mode;
  cublasFillMode_t part;
  int n;
  T *A;
  int lda;
  real_of<T> *values;
  int *info;
  cusolverEigRange_t range =
      CUSOLVER_EIG_RANGE_ALL; /* values in (lower, upper], or number first to last from 1 */
  real_of<T> lower = 0, upper = 0;
  long long first = 0, last = 0;
  jacobi_settings *settings = nullptr;
  bool is_valid() const;
};

/* `count`: the number of values in the range, on the host; NULL for all. `size`: of the work space, in elements. */
template <typename T>
cusolverStatus_t eigen_solve(cusolverDnHandle_t handle, const eigen_problem<T> &p, T *work, long long size,
                             long long *count = nullptr);
