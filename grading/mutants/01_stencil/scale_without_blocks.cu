// 01/scale: it was never written: are there enough blocks, and does the index use blockIdx and threadIdx?
// All blocks write the first elements.
// INSTEAD OF: const int k = blockIdx.x * SCALE_THREADS + threadIdx.x;
const int k = threadIdx.x;
// END(7)
