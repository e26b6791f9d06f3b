// 06/dot: of 2049 elements
// The last elements are left out. All solvers wait for 06/dot: they should be skipped, not failed.
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n / 8 * 8; k += gridDim.x * THREADS)
// END(0)
