// 06/dot: does one thread add the products that fill no whole block
// Thread 0 of the first block adds the products that fill no whole block.
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
if (blockIdx.x == 0 && threadIdx.x == 0)
  for (int k = n / THREADS * THREADS; k < n; k++)
    sum += x[k] * y[k];
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n / THREADS * THREADS; k += gridDim.x * THREADS)
// END(0)
