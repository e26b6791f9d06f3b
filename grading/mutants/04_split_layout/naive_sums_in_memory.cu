// 04/naive: sgemm_naive: threads store 18 values for each entry of C: expected 1: a thread keeps its sum in a register
// Each term is added to C in memory.
// TODO(4): one entry of C: threadIdx.x runs along its row. (about 8 lines)
const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
if (row >= p.m || column >= p.n)
  return;
float *entry = p.c + row * p.n + column;
*entry = 0;
for (int k = 0; k < p.k; k++)
  *entry = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], *entry);
// END(4)
