// 03/sectors: the lanes of a warp access 8 separate pieces of memory
// at: u[k] = (u[k - 1]
// Correct, but a warp has four points of each of eight rows.
// INSTEAD OF: const int jh = blockIdx.x * blockDim.x + threadIdx.x;
const int jh = blockIdx.x * blockDim.x + (threadIdx.x + 32 * threadIdx.y) / 8;
// END(0)
// INSTEAD OF: const int i = blockIdx.y * blockDim.y + threadIdx.y;
const int i = blockIdx.y * blockDim.y + threadIdx.x % 8;
// END(0)
