// 06/fused: launches per iteration: expected 2
// A third kernel follows every fourth iteration.
// INSTEAD OF: update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
if (n % 4 == 3)
  idle_kernel<<<blocks, THREADS, 0, stream>>>();
// END(0)
// INSTEAD OF: // check_every iterations as a graph.
__global__ void idle_kernel() {}
// END(0)
