// 01/naive: there are enough blocks: do the indices use blockIdx, threadIdx and the block's size?
// INSTEAD OF: const int j = blockIdx.x * NAIVE_X + threadIdx.x;
const int j = blockIdx.x * gridDim.x + threadIdx.x;
// END(2)
