// 06/dot: dot of 2049 elements
// 06/cg: passes
// 06/pcg: passes
// 06/fused: passes
// 06/reduced: passes
// 06/bits: passes
// The stride of a thread is one too long. The solvers are right.
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS + 1)
// END(0)
