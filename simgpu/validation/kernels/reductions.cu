// Reductions and scans, from the naive version to the fastest.
#include "harness.h"

enum { N = 1000 };

// Interleaved, sequential: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
__global__ void reduce_interleaved(int n, const int *x, int *sums) {
  extern __shared__ int part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0 && t + step < blockDim.x)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void reduce_strided(int n, const int *x, int *sums) {
  extern __shared__ int part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    int at = 2 * step * t;
    if (at + step < blockDim.x)
      part[at] += part[at + step];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void reduce_sequential(int n, const int *x, int *sums) {
  extern __shared__ int part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
    __syncthreads();
    if (t < left / 2)
      part[t] += part[t + (left + 1) / 2];
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

template <int BLOCK>
__global__ void __launch_bounds__(BLOCK) reduce_unrolled(int n, const int *x, int *sums) {
  __shared__ volatile int part[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  part[t] = (i < n ? x[i] : 0) + (i + BLOCK < n ? x[i + BLOCK] : 0);
  __syncthreads();
#pragma unroll
  for (int step = BLOCK / 2; step >= 32; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t >= 32)
    return;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    int other = part[t + step];
    __syncwarp();
    part[t] += other;
    __syncwarp();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

__device__ int warp_sum(int value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(~0u, value, step);
  return value;
}

__global__ void reduce_shuffle(int n, const int *x, int *sums) {
  __shared__ int of_warp[32];
  int t = threadIdx.x, sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  sum = warp_sum(sum);
  if (t % 32 == 0)
    of_warp[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = warp_sum(t < blockDim.x / 32 ? of_warp[t] : 0);
    if (t == 0)
      sums[blockIdx.x] = sum;
  }
}

__global__ void reduce_atomic(int n, const int *x, unsigned long long *total) {
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0)
    of_block = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&of_block, (unsigned long long)x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, of_block);
}

// The block that finishes last adds the partial sums of the others.
__device__ unsigned arrived = 0;
__global__ void reduce_last_block(int n, const int *x, int *sums, int *total) {
  __shared__ bool last;
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = warp_sum(i < n ? x[i] : 0);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  sum = 0;
  for (int block = threadIdx.x; block < gridDim.x; block += 32)
    sum += ((volatile int *)sums)[block];
  sum = warp_sum(sum);
  if (threadIdx.x == 0)
    *total = sum;
}

__global__ void reduce_extrema(int n, const float *x, float *extrema) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float low = i < n ? x[i] : NAN, high = low; // fminf and fmaxf ignore NaN
  for (int step = 16; step > 0; step /= 2) {
    low = fminf(low, __shfl_xor_sync(~0u, low, step));
    high = fmaxf(high, __shfl_xor_sync(~0u, high, step));
  }
  if (threadIdx.x == 0) {
    extrema[2 * blockIdx.x] = low;
    extrema[2 * blockIdx.x + 1] = high;
  }
}

__global__ void reduce_dot(int n, const double *x, const double *y, double *sums) {
  __shared__ double part[96];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i] * y[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = part[threadIdx.x] + part[threadIdx.x + 32] + part[threadIdx.x + 64];
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 0)
      sums[blockIdx.x] = sum;
  }
}

static int sum_of(const Array<int> &x, int first, int count) {
  int sum = 0;
  for (int i = first; i < first + count && i < x.count; i++)
    sum += x[i];
  return sum;
}

typedef void reduction(int n, const int *x, int *sums);
static void test_blocks(reduction *kernel, int block, int per_block, size_t shared) {
  Array<int> x(N, -100, 100), sums(ceil_div(N, per_block));
  kernel<<<sums.count, block, shared>>>(N, x, sums);
  check(sums, [&](int b) { return sum_of(x, b * per_block, per_block); });
}

TEST(reduce_interleaved) {
  test_blocks(reduce_interleaved, 128, 128, 128 * sizeof(int));
  test_blocks(reduce_interleaved, 77, 77, 77 * sizeof(int));
}
TEST(reduce_strided) { test_blocks(reduce_strided, 128, 128, 128 * sizeof(int)); }
TEST(reduce_sequential) {
  test_blocks(reduce_sequential, 128, 128, 128 * sizeof(int));
  test_blocks(reduce_sequential, 77, 77, 77 * sizeof(int));
}
TEST(reduce_unrolled) {
  test_blocks(reduce_unrolled<64>, 64, 128, 0);
  test_blocks(reduce_unrolled<256>, 256, 512, 0);
}
TEST(reduce_shuffle) {
  Array<int> x(N, -100, 100), sums(1);
  reduce_shuffle<<<1, 192>>>(N, x, sums);
  check(sums, [&](int) { return sum_of(x, 0, N); });
}
TEST(reduce_atomic) {
  Array<int> x(N, -100, 100);
  Array<unsigned long long> total(1);
  reduce_atomic<<<ceil_div(N, 96), 96>>>(N, x, total);
  check(total, [&](int) { return (unsigned long long)sum_of(x, 0, N); });
}
TEST(reduce_last_block) {
  Array<int> x(N, -100, 100), sums(ceil_div(N, 32)), total(1);
  reduce_last_block<<<sums.count, 32>>>(N, x, sums, total);
  check(total, [&](int) { return sum_of(x, 0, N); });
}
TEST(reduce_extrema) {
  Array<float> x(N, -1e10f, 1e10f), extrema(2 * ceil_div(N, 32));
  reduce_extrema<<<extrema.count / 2, 32>>>(N, x, extrema);
  check(extrema, [&](int k) {
    float extremum = x[k / 2 * 32];
    for (int i = k / 2 * 32; i < (k / 2 + 1) * 32 && i < N; i++)
      extremum = k % 2 ? fmaxf(extremum, x[i]) : fminf(extremum, x[i]);
    return extremum;
  });
}
TEST(reduce_dot) {
  Array<double> x(N, -1, 1), y(N, -1, 1), sums(3);
  reduce_dot<<<3, 96>>>(N, x, y, sums);
  check_near(sums, N * 0x1p-52, [&](int b) {
    double sum = 0;
    for (int i = 0; i < N; i++)
      sum += i / 96 % 3 == b ? x[i] * y[i] : 0;
    return sum;
  });
}

// Scans. W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 1986; G. E. Blelloch, "Prefix sums and
// their applications", CMU 1990.
__global__ void scan_hillis_steele(const int *x, int *y) {
  extern __shared__ int buffers[];
  int n = blockDim.x, t = threadIdx.x, *from = buffers, *to = buffers + n;
  from[t] = x[blockIdx.x * n + t];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    to[t] = t >= step ? from[t] + from[t - step] : from[t];
    __syncthreads();
    int *swap = from;
    from = to;
    to = swap;
  }
  y[blockIdx.x * n + t] = from[t];
}

__device__ int padded(int i) { return i + i / 32; }

// Exclusive scan; each thread has two elements, and padding avoids bank conflicts.
__global__ void scan_blelloch(const int *x, int *y) {
  extern __shared__ int tree[];
  int n = 2 * blockDim.x, t = threadIdx.x, first = blockIdx.x * n, step = 1;
  tree[padded(t)] = x[first + t];
  tree[padded(t + n / 2)] = x[first + t + n / 2];
  for (int nodes = n / 2; nodes > 0; nodes /= 2, step *= 2) {
    __syncthreads();
    if (t < nodes)
      tree[padded(step * (2 * t + 2) - 1)] += tree[padded(step * (2 * t + 1) - 1)];
  }
  if (t == 0)
    tree[padded(n - 1)] = 0;
  for (int nodes = 1; nodes < n; nodes *= 2) {
    step /= 2;
    __syncthreads();
    if (t < nodes) {
      int left = padded(step * (2 * t + 1) - 1), right = padded(step * (2 * t + 2) - 1), sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  __syncthreads();
  y[first + t] = tree[padded(t)];
  y[first + t + n / 2] = tree[padded(t + n / 2)];
}

struct Sum {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct Maximum {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <class Operation> __global__ void scan_warp(int n, Operation operation, const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = i < n ? x[i] : 0;
  for (int step = 1; step < 32; step *= 2) {
    int before = __shfl_up_sync(~0u, value, step);
    if (lane >= step)
      value = operation(before, value);
  }
  if (i < n)
    y[i] = value;
}

__global__ void scan_carry(int n, const int *sums, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, carry = 0;
  for (int warp = 0; warp < i / 32; warp++)
    carry += sums[warp * 32 + 31];
  if (i < n)
    y[i] = sums[i] + carry;
}

// The positive elements, in order, and their number.
__global__ void compact(int n, const int *x, int *y, int *count) {
  __shared__ int offset[33];
  int t = threadIdx.x, value = t < n ? x[t] : 0;
  unsigned keep = __ballot_sync(~0u, value > 0);
  if (t % 32 == 0)
    offset[t / 32 + 1] = __popc(keep);
  __syncthreads();
  if (t == 0) {
    offset[0] = 0;
    for (int warp = 0; warp < blockDim.x / 32; warp++)
      offset[warp + 1] += offset[warp];
    *count = offset[blockDim.x / 32];
  }
  __syncthreads();
  if (value > 0)
    y[offset[t / 32] + __popc(keep & ((1u << t % 32) - 1))] = value;
}

TEST(scan_hillis_steele) {
  Array<int> x(5 * 100, -100, 100), y(x.count);
  scan_hillis_steele<<<5, 100, 200 * sizeof(int)>>>(x, y);
  check(y, [&](int i) { return sum_of(x, i / 100 * 100, i % 100 + 1); });
}
TEST(scan_blelloch) {
  Array<int> x(3 * 256, -100, 100), y(x.count);
  scan_blelloch<<<3, 128, 264 * sizeof(int)>>>(x, y);
  check(y, [&](int i) { return sum_of(x, i / 256 * 256, i % 256); });
}
TEST(scan_maximum) {
  Array<int> x(N, -100, 100), y(N);
  scan_warp<<<ceil_div(N, 96), 96>>>(N, Maximum(), x.device, y.device);
  check(y, [&](int i) {
    int most = x[i];
    for (int k = i / 32 * 32; k < i; k++)
      most = Maximum()(most, x[k]);
    return most;
  });
}
TEST(scan_two_kernels) {
  Array<int> x(N, -100, 100), partial(N), y(N);
  scan_warp<<<ceil_div(N, 128), 128>>>(N, Sum(), x.device, partial.device);
  scan_carry<<<ceil_div(N, 128), 128>>>(N, partial, y);
  check(y, [&](int i) { return sum_of(x, 0, i + 1); });
}
TEST(compact) {
  Array<int> x(500, -100, 100), y(500), count(1);
  compact<<<1, 512>>>(500, x, y, count);
  int kept[500] = {0}, n = 0;
  for (int i = 0; i < 500; i++)
    if (x[i] > 0)
      kept[n++] = x[i];
  check(y, [&](int i) { return kept[i]; });
  check(count, [&](int) { return n; });
}
