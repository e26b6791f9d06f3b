// 01/tiled_copy: a block waits at 3.0 barriers for each tile
// Three barriers, where one is enough and two would be allowed.
// INSTEAD OF: __syncthreads();
for (int n = 0; n < 3; n++)
  __syncthreads();
// END(0)
