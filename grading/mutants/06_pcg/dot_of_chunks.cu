// 06/dot_copy: sectors of global memory per element
// 06/dot: passes
// Correct, but each thread adds neighbouring elements, so that the lanes of a warp are far apart.
// INSTEAD OF: for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
const int threads = gridDim.x * THREADS, chunk = (n + threads - 1) / threads;
const int from = (blockIdx.x * THREADS + threadIdx.x) * chunk;
for (int k = from; k < from + chunk && k < n; k++)
// END(0)
