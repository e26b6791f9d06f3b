// 06/dot: elements are left out
// The stride of a thread is one too long. All solvers wait for 06/dot: they should be skipped, not failed.
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS + 1)
// END(0)
