// 06/dot: block (0,0,0) thread (32,0,0) writes it at line
// The first warp reads the sums of the others before they are written.
// TODO(1): a warp's lanes by halves, then the block's warps by halves. (about 12 lines)
__shared__ double of_warp[WARPS];
for (int distance = WARP / 2; distance > 0; distance /= 2)
  value += __shfl_down_sync(0xffffffff, value, distance);
if (threadIdx.x % WARP == 0)
  of_warp[threadIdx.x / WARP] = value;
if (threadIdx.x >= WARP)
  return 0;
value = threadIdx.x < WARPS ? of_warp[threadIdx.x] : 0;
for (int distance = WARPS / 2; distance > 0; distance /= 2)
  value += __shfl_down_sync(0xffffffff, value, distance);
// END(1)
