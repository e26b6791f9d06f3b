// 01/naive: they were never written, although there are enough blocks: look at the indices and the conditions
// INSTEAD OF: const int j = blockIdx.x * NAIVE_X + threadIdx.x;
const int j = threadIdx.x;
// END(2)
