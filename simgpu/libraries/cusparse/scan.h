/* Counts to offsets, by one block. */
#pragma once

#include "view.h"

/* Makes n counts the offsets of n lines, and of their end; both may be the same array. */
template <typename I>
__global__ void __launch_bounds__(SPARSE_THREADS) count_to_offsets(const I *counts, I *offsets, long long n) {
  __shared__ I sums[SPARSE_THREADS];
  const long long part = (n + SPARSE_THREADS - 1) / SPARSE_THREADS, first = min(n, threadIdx.x * part);
  const long long last = min(n, first + part);
  I sum = 0;
  for (long long i = first; i < last; i++)
    sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  I offset = 0;
  for (int before = 0; before < (int)threadIdx.x; before++)
    offset += sums[before];
  for (long long i = first; i < last; i++) {
    const I entries = counts[i];
    offsets[i] = offset;
    offset += entries;
  }
  if (threadIdx.x == SPARSE_THREADS - 1)
    offsets[n] = offset;
}
