// Atomic operations whose outcome does not depend on their order.
#include "harness.h"

enum { N = 3000, BINS = 37 };

__global__ void histogram_global(int n, const unsigned char *x, unsigned *bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[x[i]], 1);
}

__global__ void histogram_shared(int n, const unsigned char *x, unsigned *bins) {
  __shared__ unsigned own[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    own[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[x[i]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    atomicAdd(&bins[bin], own[bin]);
}

// Lanes with the same bin elect one of them.
__global__ void histogram_matched(int n, const unsigned char *x, unsigned *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bin = i < n ? x[i] : -1;
  unsigned peers = __match_any_sync(~0u, bin);
  if (bin >= 0 && __ffs(peers) - 1 == threadIdx.x % 32)
    atomicAdd(&bins[bin], __popc(peers));
}

// Each thread has a column of byte counters; then they are summed.
__global__ void histogram_private(int n, const unsigned char *x, unsigned *bins) {
  __shared__ unsigned char counters[BINS][64];
  int t = threadIdx.x;
  for (int bin = 0; bin < BINS; bin++)
    counters[bin][t] = 0;
  for (int i = t; i < n; i += 64)
    counters[x[i]][t]++;
  __syncthreads();
  if (t >= BINS)
    return;
  unsigned sum = 0;
  for (int k = 0; k < 64; k++)
    sum += counters[t][k];
  bins[t] = sum;
}

// result[0] is the minimum, result[1] the maximum.
template <class T> __global__ void atomic_extrema(int n, const T *x, T *result) {
  __shared__ T least, greatest;
  if (threadIdx.x == 0) {
    least = x[0];
    greatest = x[0];
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMin(&least, x[i]);
    atomicMax(&greatest, x[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicMin(&result[0], least);
    atomicMax(&result[1], greatest);
  }
}

// result: and, or, xor of all elements.
template <class T> __global__ void atomic_bits(int n, const T *x, T *result) {
  __shared__ T own[3];
  if (threadIdx.x < 3)
    own[threadIdx.x] = threadIdx.x == 0 ? ~T(0) : T(0);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAnd(&own[0], x[i] | T(0xff));
    atomicOr(&own[1], x[i] & T(0xff0f));
    atomicXor(&own[2], x[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAnd(&result[0], own[0]);
    atomicOr(&result[1], own[1]);
    atomicXor(&result[2], own[2]);
  }
}

__global__ void atomic_wrap(unsigned *up, unsigned *down) {
  atomicInc(up, 6);
  atomicDec(down, 6);
  __shared__ unsigned ticket;
  if (threadIdx.x == 0)
    ticket = 5;
  __syncthreads();
  atomicInc(&ticket, 9);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    up[1] = ticket;
}

// Each cell has one owner, which sees every old value.
__global__ void atomic_exchange(int n, int *cell, int *old) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  old[3 * i] = atomicExch(&cell[i], i);
  old[3 * i + 1] = atomicCAS(&cell[i], i, -i);
  old[3 * i + 2] = atomicCAS(&cell[i], 12345, 7);
}

// Every ticket is drawn exactly once, by any thread.
__global__ void atomic_tickets(int n, int *next, int *drawn) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n)
    drawn[atomicAdd(next, 1)]++;
}

// Sums of small integers are exact in any order.
template <class T> __global__ void atomic_real(int n, const int *x, T *sums) {
  __shared__ T own[2];
  if (threadIdx.x < 2)
    own[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&own[i & 1], T(x[i]));
    atomicAdd(&sums[x[i] & 7], T(x[i]) / 8);
  }
  __syncthreads();
  if (threadIdx.x < 2)
    atomicAdd(&sums[8 + threadIdx.x], own[threadIdx.x]);
}

__global__ void atomic_scatter(int n, const unsigned *target, const unsigned long long *x,
                               unsigned long long *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3)
    atomicAdd(&sums[target[i]], x[i]);
}

static void test_histogram(void (*kernel)(int, const unsigned char *, unsigned *), int grid, int block) {
  Array<unsigned char> x(N, 0, BINS - 1);
  Array<unsigned> bins(BINS);
  kernel<<<grid, block>>>(N, x, bins);
  check(bins, [&](int bin) {
    unsigned count = 0;
    for (int i = 0; i < N; i++)
      count += x[i] == bin;
    return count;
  });
}
TEST(histogram_global) { test_histogram(histogram_global, 5, 100); }
TEST(histogram_shared) { test_histogram(histogram_shared, 3, 96); }
TEST(histogram_matched) { test_histogram(histogram_matched, ceil_div(N, 128), 128); }
TEST(histogram_private) { test_histogram(histogram_private, 1, 64); }

template <class T> static void test_extrema(T low, T high) {
  Array<T> x(N, low, high), result(2, [&](int) { return x[5]; });
  atomic_extrema<T><<<ceil_div(N, 160), 160>>>(N, x, result);
  check(result, [&](int k) {
    T extremum = x[0];
    for (int i = 1; i < N; i++)
      extremum = (x[i] < extremum) == (k == 0) ? x[i] : extremum;
    return extremum;
  });
}
TEST(atomic_extrema_int) { test_extrema<int>(-1000000, 1000000); }
TEST(atomic_extrema_unsigned) { test_extrema<unsigned>(5, UINT32_MAX - 5); }
TEST(atomic_extrema_long) { test_extrema<long long>(INT64_MIN / 2, INT64_MAX / 2); }
TEST(atomic_extrema_unsigned_long) { test_extrema<unsigned long long>(5, UINT64_MAX - 5); }

template <class T> static void test_bits() {
  Array<T> x(N, 0, T(-1)), result(3, [](int k) { return k == 0 ? ~T(0) : T(0); });
  atomic_bits<T><<<ceil_div(N, 96), 96>>>(N, x, result);
  check(result, [&](int k) {
    T value = result[k];
    for (int i = 0; i < N; i++)
      value = k == 0 ? value & (x[i] | T(0xff)) : k == 1 ? value | (x[i] & T(0xff0f)) : value ^ x[i];
    return value;
  });
}
TEST(atomic_bits) { test_bits<unsigned>(); }
TEST(atomic_bits_long) { test_bits<unsigned long long>(); }

TEST(atomic_wrap) {
  Array<unsigned> up(2), down(1, [](int) { return 100; });
  atomic_wrap<<<3, 67>>>(up, down);
  check(up, [&](int k) { return k == 0 ? 3 * 67 % 7 : (5 + 67) % 10; });
  check(down, [&](int) { return 6 - (3 * 67 - 1) % 7; });
}
TEST(atomic_exchange) {
  Array<int> cell(100, 100000, 200000), old(300);
  atomic_exchange<<<2, 64>>>(100, cell, old);
  check(cell, [&](int i) { return -i; });
  check(old, [&](int k) { return k % 3 == 0 ? cell[k / 3] : k % 3 == 1 ? k / 3 : -(k / 3); });
}
TEST(atomic_tickets) {
  Array<int> next(1), drawn(N);
  atomic_tickets<<<ceil_div(N, 256), 256>>>(N, next, drawn);
  check(drawn, [](int) { return 1; });
}

template <class T> static void test_real() {
  Array<int> x(N, -1000, 1000);
  Array<T> sums(10);
  atomic_real<T><<<ceil_div(N, 128), 128>>>(N, x, sums);
  check(sums, [&](int k) {
    T sum = 0;
    for (int i = 0; i < N; i++)
      sum += k < 8 ? ((x[i] & 7) == k ? T(x[i]) / 8 : 0) : i % 2 == k - 8 ? T(x[i]) : 0;
    return sum;
  });
}
TEST(atomic_float) { test_real<float>(); }
TEST(atomic_double) { test_real<double>(); }
TEST(atomic_scatter) {
  Array<unsigned> target(N, 0, 19);
  Array<unsigned long long> x(N, 0, UINT64_MAX), sums(20);
  atomic_scatter<<<ceil_div(N, 96), 96>>>(N, target, x, sums);
  check(sums, [&](int k) {
    unsigned long long sum = 0;
    for (int i = 0; i < N; i++)
      sum += target[i] == k && i % 3 ? x[i] : 0;
    return sum;
  });
}
