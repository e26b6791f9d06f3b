// 06/dot: sum depends on
// 06/bits: --method cg: two runs have different residuals
// The blocks add in their order of arrival.
// INSTEAD OF: partial[blockIdx.x] = sum;
atomicAdd(partial, sum);
// END(1)
// TODO(1): launch both. (about 5 lines)
const int most = blocks_for(n, DOT_SPAN), blocks = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
CUDA_CHECK(cudaMemsetAsync(partial, 0, sizeof *partial));
dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
dot_finish_kernel<<<1, THREADS>>>(1, partial, result);
return 0;
// END(1)
