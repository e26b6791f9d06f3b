// 02/residual: volatile does not order the lanes of a warp: __syncwarp() does
// The last warp adds without barriers, by volatile shared memory, as before Volta: nothing orders its lanes.
// clang-format off
// INSTEAD OF: for (int width = SUM_THREADS / 2; width > 0; width /= 2) {
for (int width = SUM_THREADS / 2; width > 32; width /= 2) {
// END(0)
// INSTEAD OF: if (thread == 0)
__syncthreads();
volatile double *last = partial;
for (int width = 32; width > 0 && thread < 32; width /= 2)
  last[thread] = last[thread] + last[thread + width];
if (thread == 0)
// END(0)
