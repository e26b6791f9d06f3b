/* Sums, largest and smallest numbers over the ranks. */
#include "clique.h"

enum { MOST_RANKS = 8, THREADS = 256, MOST_BLOCKS = 264 };

struct lists {
  int inputs, outputs;
  const void *from[MOST_RANKS];
  void *to[MOST_RANKS];
};

template <typename T, ncclRedOp_t REDUCTION> __device__ T combine(T a, T b) {
  return REDUCTION == ncclSum ? a + b : REDUCTION == ncclMax ? (a < b ? b : a) : (b < a ? b : a);
}

template <typename T, ncclRedOp_t REDUCTION> __global__ void nccl_reduce_kernel(size_t count, lists l) {
  for (size_t k = blockIdx.x * (size_t)THREADS + threadIdx.x; k < count; k += gridDim.x * (size_t)THREADS) {
    T value = ((const T *)l.from[0])[k];
    for (int rank = 1; rank < l.inputs; rank++)
      value = combine<T, REDUCTION>(value, ((const T *)l.from[rank])[k]);
    for (int n = 0; n < l.outputs; n++)
      ((T *)l.to[n])[k] = value;
  }
}

template <typename T>
static void launch(size_t count, const lists &l, ncclRedOp_t reduction, cudaStream_t stream) {
  const size_t needed = (count + THREADS - 1) / THREADS;
  const int blocks = needed < MOST_BLOCKS ? (int)needed : MOST_BLOCKS;
  if (reduction == ncclSum)
    nccl_reduce_kernel<T, ncclSum><<<blocks, THREADS, 0, stream>>>(count, l);
  else if (reduction == ncclMax)
    nccl_reduce_kernel<T, ncclMax><<<blocks, THREADS, 0, stream>>>(count, l);
  else
    nccl_reduce_kernel<T, ncclMin><<<blocks, THREADS, 0, stream>>>(count, l);
}

cudaError_t reduce_launch(const std::vector<const void *> &from, const std::vector<void *> &to, size_t count,
                          ncclDataType_t type, ncclRedOp_t reduction, cudaStream_t stream) {
  lists l = {(int)from.size(), (int)to.size()};
  for (int rank = 0; rank < l.inputs; rank++)
    l.from[rank] = from[rank];
  for (int n = 0; n < l.outputs; n++)
    l.to[n] = to[n];
  if (type == ncclFloat)
    launch<float>(count, l, reduction, stream);
  else if (type == ncclDouble)
    launch<double>(count, l, reduction, stream);
  else
    launch<int>(count, l, reduction, stream);
  return cudaGetLastError();
}
