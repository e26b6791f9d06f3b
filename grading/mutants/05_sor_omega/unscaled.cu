// 05/mixed: solve --precision mixed
// The residual goes to float as it is, however small or large.
// TODO(6): one element a thread, to float. (about 3 lines)
const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
if (k < n)
  to[k] = (float)(from[k]);
// END(6)
// TODO(6): one element a thread, in double. (about 3 lines)
const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
if (k < n)
  u[k] += (double)e[k];
// END(6)
