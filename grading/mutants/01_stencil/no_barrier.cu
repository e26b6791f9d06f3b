// 01/tiled: the checks found: no_barrier.cu:
// Threads read values that others have not written yet.
// INSTEAD OF: __syncthreads();

// END(0)
