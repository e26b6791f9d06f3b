// Style: one kernel for the dot product, whose last block adds the sums; volatile reads without a second fence, as in
// the Programming Guide; one kernel for both updates of a vector; a stream with priority, a graph that is uploaded.
// WITH HEADERS
// TODO(1): launch both. (about 5 lines)
const int most = blocks_for(n, DOT_SPAN), blocks = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
dot_once_kernel<<<blocks, THREADS>>>(n, x, y, partial, result);
return 0;
// END(1)
// INSTEAD OF: enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, DOT_SPAN = 2048 };
enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, DOT_SPAN = 2048 };

__global__ void dot_once_kernel(int n, const double *x, const double *y, volatile double *partial,
                                double *result);
// END(0)
// INSTEAD OF: // Part 2: CG. A thread for each point of a colour, in blocks of 8 rows of 32 points, from row 1 on.
__device__ unsigned dot_arrived;

__global__ void dot_once_kernel(int n, const double *x, const double *y, volatile double *partial,
                                double *result) {
  __shared__ bool last;
  double sum = 0;
  for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS)
    sum += x[k] * y[k];
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&dot_arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  sum = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += THREADS)
    sum += partial[k];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    *result = sum;
}

// Part 2: CG. A thread for each point of a colour, in blocks of 8 rows of 32 points, from row 1 on.
// END(0)
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, p, s->u);  // u = u + alpha p
update_kernel<<<blocks, THREADS>>>(s->n, alpha, p, q, s->u, s->r);
// END(0)
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, -alpha, q, s->r); // r = r − alpha A p
// END(0)
// INSTEAD OF: // y = x + beta·y
__global__ void update_kernel(int n, double alpha, const double *__restrict__ p, const double *__restrict__ q,
                              double *__restrict__ u, double *__restrict__ r) {
  const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n)
    return;
  u[k] = fma(alpha, __ldg(p + k), u[k]);
  r[k] = fma(-alpha, __ldg(q + k), r[k]);
}

// y = x + beta·y
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaStreamCreate(&stream));
int least, greatest;
CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
CUDA_CHECK(cudaDeviceSynchronize());
CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphInstantiateWithFlags(stretch, graph, cudaGraphInstantiateFlagUseNodePriority));
CUDA_CHECK(cudaGraphUpload(*stretch, stream));
// END(0)
