// 04/naive: out-of-bounds
// Threads beyond C compute, too.
// INSTEAD OF: const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
p.m = p.n = 1 << 20;
// END(0)
