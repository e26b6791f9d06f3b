/* The LU factorisation of a matrix by one block of threads, for getrfBatched and for the panels of cuSOLVER's getrf. */
#pragma once

#include "../cublas/matrix.h"

/* The row of column k's greatest element at or below the diagonal, the first of several, by the sum of its
 * parts' sizes as in LAPACK. For all threads. */
template <typename T> __device__ static int find_pivot(const full<T> &A, int m, int k) {
  __shared__ decltype(sum_of_parts(T())) greatest[HANDLE_THREADS];
  __shared__ int row[HANDLE_THREADS];
  const int t = threadIdx.x;
  greatest[t] = -1;
  row[t] = k;
  for (int i = k + t; i < m; i += HANDLE_THREADS)
    if (sum_of_parts(A.at(i, k)) > greatest[t]) {
      greatest[t] = sum_of_parts(A.at(i, k));
      row[t] = i;
    }
  for (int half = HANDLE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if (t < half &&
        (greatest[t + half] > greatest[t] || (greatest[t + half] == greatest[t] && row[t + half] < row[t]))) {
      greatest[t] = greatest[t + half];
      row[t] = row[t + half];
    }
  }
  __syncthreads();
  const int found = row[0];
  __syncthreads();
  return found;
}

template <typename T> __device__ static void swap_rows(const full<T> &A, int columns, int i, int k) {
  for (int j = threadIdx.x; j < columns && i != k; j += blockDim.x) {
    const T value = A.at(i, j);
    A.at(i, j) = A.at(k, j);
    A.at(k, j) = value;
  }
}

/* Factorises m x n elements as LAPACK's getrf. The result is the first column without a pivot, from 1, or 0.
 * Without `pivots`, no rows are swapped. For all threads of a block of HANDLE_THREADS. */
template <typename T, typename P> __device__ static int eliminate(const full<T> &A, int m, int n, P *pivots) {
  int singular = 0;
  for (int k = 0; k < min(m, n); k++) {
    if (pivots) {
      const int pivot = find_pivot(A, m, k);
      if (threadIdx.x == 0)
        pivots[k] = pivot + 1;
      swap_rows(A, n, pivot, k);
      __syncthreads();
    }
    const T diagonal = A.at(k, k);
    if (diagonal == T()) {
      singular = singular ? singular : k + 1;
      continue;
    }
    for (int i = k + 1 + (int)threadIdx.x; i < m; i += HANDLE_THREADS)
      A.at(i, k) /= diagonal;
    __syncthreads();
    const long long rows = m - k - 1, columns = n - k - 1;
    for (long long e = threadIdx.x; e < rows * columns; e += HANDLE_THREADS) {
      const int i = k + 1 + (int)(e % rows), j = k + 1 + (int)(e / rows);
      A.at(i, j) -= A.at(i, k) * A.at(k, j);
    }
    __syncthreads();
  }
  return singular;
}
