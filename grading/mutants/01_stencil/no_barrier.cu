// 01/tiled: element 35 of shared memory is not written yet: block (0,0,0) thread (3,1,0) writes it at line
// Threads read values that others have not written yet.
// INSTEAD OF: __syncthreads();

// END(0)
