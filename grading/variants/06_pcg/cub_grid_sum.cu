// Style: the sums of the fused loop by cub::BlockReduce, in an order of their own that is fixed; blocks
// chosen by occupancy.
// INSTEAD OF: #include "host_solve.h"
#include "host_solve.h"

#include <cub/block/block_reduce.cuh>
// END(0)
// TODO(5): publish the block's sum, count arrivals, let the last block add. (about 16 lines)
typedef cub::BlockReduce<double, THREADS, cub::BLOCK_REDUCE_WARP_REDUCTIONS> reduce;
__shared__ typename reduce::TempStorage storage;
__shared__ unsigned ticket;
value = reduce(storage).Sum(value);
if (threadIdx.x == 0) {
  l.partial[blockIdx.x] = value;
  __threadfence();
  ticket = atomicInc(&l.state->arrived, gridDim.x - 1); // zero again after the last one
}
__syncthreads();
if (ticket != gridDim.x - 1)
  return false;
__threadfence();
const volatile double *partial = l.partial;
value = 0;
for (unsigned k = threadIdx.x; k < gridDim.x; k += THREADS)
  value += partial[k];
*total = reduce(storage).Sum(value);
return threadIdx.x == 0;
// END(5)
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
int device, processors, fit = 1;
CUDA_CHECK(cudaGetDevice(&device));
CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, update_kernel<REDUCED>, THREADS, 0));
const int blocks = min(min(l.tiles, processors *fit), (int)LOOP_BLOCKS);
cudaGraph_t graph;
CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
for (int n = 0; n < l.check_every; n++) {
  direction_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
  update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
}
CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(5)
