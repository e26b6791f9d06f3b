// 06/fused_copy: does one thread add the sums of all blocks
// 06/reduced_copy: does one thread add the sums of all blocks
// Thread 0 of the last block adds the sums of all blocks.
// INSTEAD OF: for (unsigned k = threadIdx.x; k < gridDim.x; k += THREADS)
for (unsigned k = threadIdx.x ? gridDim.x : 0; k < gridDim.x; k++)
// END(0)
