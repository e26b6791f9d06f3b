// 06/dot: expected
// 06/fused: passes
// 06/reduced: passes
// One partial sum a thread, though there may be more than 256.
// INSTEAD OF: for (int k = threadIdx.x; k < blocks; k += THREADS)
if (threadIdx.x < blocks)
  sum = partial[threadIdx.x];
// END(1)
// INSTEAD OF: sum += partial[k];
// END(1)
