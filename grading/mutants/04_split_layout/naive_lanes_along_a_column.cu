// 04/naive: sectors per load of a warp: expected at most 4
// The lanes of a warp have entries of 16 rows: the loads of A and the stores are not coalesced.
// INSTEAD OF: const int row = blockIdx.y * NAIVE + threadIdx.y, column = blockIdx.x * NAIVE + threadIdx.x;
const int row = blockIdx.y * NAIVE + threadIdx.x, column = blockIdx.x * NAIVE + threadIdx.y;
// END(0)
