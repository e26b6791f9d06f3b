// 06/dot: of 2048 elements, the product of element 2047 is missing
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n - 1; k += gridDim.x * THREADS)
// END(0)
