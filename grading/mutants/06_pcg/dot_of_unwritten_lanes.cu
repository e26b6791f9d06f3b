// 06/dot: uninitialised read
// 06/cg: passes
// 06/pcg: passes
// The last step adds the sums of 32 warps, of which 24 do not exist. The solvers of the host's loop are right.
// TODO(1): a warp's lanes by halves, then the block's warps by halves. (about 12 lines)
__shared__ double of_warp[WARP];
for (int distance = WARP / 2; distance > 0; distance /= 2)
  value += __shfl_down_sync(0xffffffff, value, distance);
if (threadIdx.x % WARP == 0)
  of_warp[threadIdx.x / WARP] = value;
__syncthreads();
if (threadIdx.x >= WARP)
  return 0;
value = of_warp[threadIdx.x];
for (int distance = WARP / 2; distance > 0; distance /= 2)
  value += __shfl_down_sync(0xffffffff, value, distance);
// END(1)
