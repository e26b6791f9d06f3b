// Style: the arrivals of blocks by cuda::atomic_ref with acquire and release, in place of fences; xor shuffles.
// INSTEAD OF: #include "host_loop.h"
#include "host_loop.h"

#include <cuda/atomic>

// END(0)
// TODO(1): a warp's lanes by halves, then the block's warps by halves. (about 12 lines)
__shared__ double of_warp[WARPS];
for (int distance = WARP / 2; distance > 0; distance >>= 1)
  value += __shfl_xor_sync(0xffffffff, value, distance);
if (threadIdx.x % WARP == 0)
  of_warp[threadIdx.x / WARP] = value;
__syncthreads();
if (threadIdx.x >= WARP)
  return 0;
value = threadIdx.x < WARPS ? of_warp[threadIdx.x] : 0;
for (int distance = WARPS / 2; distance > 0; distance >>= 1)
  value += __shfl_down_sync(0xffffffff, value, distance);
// END(1)
// INSTEAD OF: __threadfence(); // the sum is visible before the arrival
cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(l.state->arrived);
// END(0)
// INSTEAD OF: last = atomicAdd(&l.state->arrived, 1) == gridDim.x - 1;
last = arrived.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
// END(0)
// INSTEAD OF: __threadfence();
// END(0)
