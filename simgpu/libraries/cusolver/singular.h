/* Singular values with the checks of gesvd and of gesvdj. */
#pragma once

#include "jacobi.h"

template <typename T>
cusolverStatus_t gesvd_run(cusolverDnHandle_t handle, char jobu, char jobvt, int m, int n, T *A, int lda,
                           real_of<T> *S, T *U, int ldu, T *VT, int ldvt, T *work, long long size, int *info);
template <typename T>
cusolverStatus_t economy_run(cusolverDnHandle_t handle, cusolverEigMode_t mode, bool econ, int m, int n, T *A,
                             int lda, real_of<T> *S, T *U, int ldu, T *V, int ldv, T *work, long long size,
                             int *info, jacobi_settings *settings);
