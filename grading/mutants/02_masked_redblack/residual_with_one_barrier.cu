// 02/residual: failed: the checks found: residual_with_one_barrier.cu
// The race is the cause, and comes first.
// INSTEAD OF: __syncthreads();
if (width == SUM_THREADS / 2)
  __syncthreads();
// END(0)
