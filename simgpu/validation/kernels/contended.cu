// Loops that wait or retry. The number of iterations depends on timing, so only results are compared, not counters.
#include "harness.h"

// The largest float by compare-and-swap.
__global__ void contended_maximum(int n, const float *x, unsigned *most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned old = 0, seen; // a guess; the first exchange returns the true value
  do {
    seen = old;
    if (__uint_as_float(seen) >= x[i])
      break;
    old = atomicCAS(most, seen, __float_as_uint(x[i]));
  } while (old != seen);
}

// A product modulo a prime.
__global__ void contended_product(int n, const unsigned *x, unsigned long long *product) {
  __shared__ unsigned long long own;
  if (threadIdx.x == 0)
    own = 1;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long old = 1, seen;
    do {
      seen = old;
      old = atomicCAS(&own, seen, seen * x[i] % 4294967291u);
    } while (old != seen);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned long long old = 1, seen;
    do {
      seen = old;
      old = atomicCAS(product, seen, seen * own % 4294967291u);
    } while (old != seen);
  }
}

// A lock that one thread of each block takes.
__global__ void contended_lock(int *lock, volatile int *account) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      continue;
    __threadfence();
    account[0] += blockIdx.x;
    account[1] ^= blockIdx.x * 77;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Blocks take numbers, and each waits for the sum of its predecessor: S. Yan, G. Long, Y. Zhang,
// "StreamScan", PPoPP 2013.
__global__ void chained_scan(const int *x, int *y, int *next, volatile int *sums, volatile int *ready) {
  __shared__ int block, before;
  int t = threadIdx.x;
  if (t == 0)
    block = atomicAdd(next, 1);
  __syncthreads();
  int sum = x[block * 32 + t];
  for (int step = 1; step < 32; step *= 2) {
    int left = __shfl_up_sync(~0u, sum, step);
    sum += t >= step ? left : 0;
  }
  if (t == 31) {
    if (block > 0)
      while (!ready[block - 1])
        continue;
    __threadfence();
    before = block > 0 ? sums[block - 1] : 0;
    sums[block] = before + sum;
    __threadfence();
    ready[block] = 1;
  }
  __syncwarp();
  y[block * 32 + t] = before + sum;
}

TEST(contended_maximum) {
  Array<float> x(1000, 1, 1e6f);
  Array<unsigned> most(1);
  contended_maximum<<<8, 128>>>(1000, x, most);
  check(most, [&](int) {
    float most = x[0];
    for (int i = 1; i < 1000; i++)
      most = fmaxf(most, x[i]);
    unsigned bits;
    memcpy(&bits, &most, sizeof bits);
    return bits;
  });
}
TEST(contended_product) {
  Array<unsigned> x(500, 1, 1000000);
  Array<unsigned long long> product(1, [](int) { return 1; });
  contended_product<<<3, 64>>>(500, x, product);
  check(product, [&](int) {
    unsigned long long value = 1;
    for (int i = 0; i < 500; i++)
      value = value * x[i] % 4294967291u;
    return value;
  });
}
TEST(contended_lock) {
  Array<int> lock(1), account(2);
  contended_lock<<<40, 32>>>(lock, account);
  int mixed = 0;
  for (int block = 0; block < 40; block++)
    mixed ^= block * 77;
  check(account, [&](int k) { return k == 0 ? 39 * 40 / 2 : mixed; });
}
TEST(chained_scan) {
  Array<int> x(50 * 32, -100, 100), y(x.count), next(1), sums(50), ready(50);
  chained_scan<<<50, 32>>>(x, y, next, sums, ready);
  int sum = 0;
  check(y, [&](int i) { return sum += x[i]; });
}
