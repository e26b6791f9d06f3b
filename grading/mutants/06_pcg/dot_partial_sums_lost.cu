// 06/dot: dot of 2098386 elements: expected
// One partial sum a thread, though there may be more than 256.
// TODO(1): one block adds the partial sums. (about 5 lines)
double sum = 0;
if (threadIdx.x < blocks)
  sum = partial[threadIdx.x];
sum = block_sum(sum);
if (threadIdx.x == 0)
  *result = sum;
// END(1)
