// 05/mixed: sor_solve_mixed: the threads of a warp read or write addresses far apart
// A thread corrects 64 adjacent elements.
// TODO(6): one element per thread, in double. (about 3 lines)
const int first = (blockIdx.x * SUM_THREADS + threadIdx.x) * 64;
for (int k = first; k < n && k < first + 64; k++)
  u[k] += norm * (double)e[k];
// END(6)
// INSTEAD OF: correct_kernel<<<blocks, SUM_THREADS>>>(n, norm, e, u);
correct_kernel<<<blocks_for(n, 64 * SUM_THREADS), SUM_THREADS>>>(n, norm, e, u);
// END(6)
