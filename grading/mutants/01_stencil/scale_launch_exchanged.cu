// 01/scale: in <<<blocks, threads>>>, the threads of a block come second: are the two exchanged?
// With blockDim in the kernel the values are right, until ⌈count/256⌉ exceeds 1024.
// INSTEAD OF: const int k = blockIdx.x * SCALE_THREADS + threadIdx.x;
const int k = blockIdx.x * blockDim.x + threadIdx.x;
// END(7)
// INSTEAD OF: scale_kernel<<<blocks_for(count, SCALE_THREADS), SCALE_THREADS>>>(count, factor, x, y);
scale_kernel<<<SCALE_THREADS, blocks_for(count, SCALE_THREADS)>>>(count, factor, x, y);
// END(7)
