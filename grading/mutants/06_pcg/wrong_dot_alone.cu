// 06/dot: dot of 257 elements
// 06/cg: counts when 06/dot passes
// 06/bits: counts when 06/cg passes
// The stride of a thread is one too long. The solvers are right.
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS + 1)
// END(0)
