// 05/mixed: mixed
// The correction is added in float.
// TODO(6): one element a thread, in double. (about 3 lines)
const int k = blockIdx.x * SUM_THREADS + threadIdx.x;
if (k < n)
  u[k] = (float)u[k] + (float)norm * e[k];
// END(6)
