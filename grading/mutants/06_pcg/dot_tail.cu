// 06/dot: 2048 and 4096 elements are right: are those added that remain
// 06/cg: passes
// 06/reduced: passes
// Each thread adds the same number of products: the remainder of n is lost.
// TODO(1): a thread's products, then the block's. (about 5 lines)
double sum = 0;
const int threads = gridDim.x * THREADS, each = n / threads;
for (int m = 0; m < each; m++) {
  const int k = blockIdx.x * THREADS + threadIdx.x + m * threads;
  sum += x[k] * y[k];
}
sum = block_sum(sum);
if (threadIdx.x == 0)
  partial[blockIdx.x] = sum;
// END(1)
