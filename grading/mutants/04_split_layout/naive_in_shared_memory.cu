// 04/naive: without shared memory
// The sums are in shared memory.
// TODO(4): one entry of C: threadIdx.x runs along its row. (about 8 lines)
__shared__ float sums[NAIVE][NAIVE];
const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
if (row >= p.m || column >= p.n)
  return;
float &sum = sums[threadIdx.y][threadIdx.x];
sum = 0;
for (int k = 0; k < p.k; k++)
  sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
p.c[row * p.n + column] = sum;
// END(4)
