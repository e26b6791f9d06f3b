// 01/tiled_copy: waits at 5.0 barriers
// Five barriers where one is enough.
// INSTEAD OF: __syncthreads();
for (int n = 0; n < 5; n++)
  __syncthreads();
// END(0)
