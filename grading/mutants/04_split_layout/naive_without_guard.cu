// 04/naive: directly past the end of the array that the pointer at byte 24 of parameter 1 points to (24 bytes)
// Threads beyond C compute, too.
// INSTEAD OF: const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
p.m = p.n = 1 << 20;
// END(0)
