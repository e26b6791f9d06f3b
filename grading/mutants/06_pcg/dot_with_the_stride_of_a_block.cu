// 06/dot: 2048 elements are right, and 4096 are not: is the stride of a thread's loop that of the whole grid
// Right for one block.
// TODO(1): a thread's products, then the block's. (about 5 lines)
double sum = 0;
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += THREADS)
  sum += x[k] * y[k];
sum = block_sum(sum);
if (threadIdx.x == 0)
  partial[blockIdx.x] = sum;
// END(1)
