// 06/dot: it is the sum over the first 1 of the 8 elements of each thread: does each thread loop over its elements?
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
if (int k = blockIdx.x * THREADS + threadIdx.x; k < n)
// END(1)
