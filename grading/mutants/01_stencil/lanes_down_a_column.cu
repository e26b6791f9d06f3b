// 01/naive_sectors: the lanes of a warp access 8 separate pieces of memory
// at: apply_point(
// Correct, but neighbouring threads go down a column.
// INSTEAD OF: const int j = blockIdx.x * NAIVE_X + threadIdx.x;
const int t = threadIdx.y * NAIVE_X + threadIdx.x, j = blockIdx.x * NAIVE_X + t / NAIVE_Y;
// END(0)
// INSTEAD OF: const int i = blockIdx.y * NAIVE_Y + threadIdx.y;
const int i = blockIdx.y * NAIVE_Y + t % NAIVE_Y;
// END(0)
