// 03/sweep: there are enough blocks
// INSTEAD OF: const int jh = blockIdx.x * blockDim.x + threadIdx.x;
const int jh = threadIdx.x;
// END(3)
