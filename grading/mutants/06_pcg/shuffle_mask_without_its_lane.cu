// 06/dot: does not name lane
// All 32 lanes call a shuffle whose mask names the first 16 alone: undefined, since a mask must name its caller.
// TODO(1): a warp's lanes by halves, then the block's warps by halves. (about 12 lines)
__shared__ double of_warp[WARPS];
for (int distance = WARP / 2; distance > 0; distance /= 2)
  value += __shfl_down_sync(0xffff, value, distance);
if (threadIdx.x % WARP == 0)
  of_warp[threadIdx.x / WARP] = value;
__syncthreads();
if (threadIdx.x >= WARP)
  return 0;
value = threadIdx.x < WARPS ? of_warp[threadIdx.x] : 0;
for (int distance = WARPS / 2; distance > 0; distance /= 2)
  value += __shfl_down_sync(0xff, value, distance);
// END(1)
