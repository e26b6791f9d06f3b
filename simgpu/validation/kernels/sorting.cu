// Sorting and merging.
#include "harness.h"

#include <algorithm>

enum { N = 500 };

// K. E. Batcher, "Sorting networks and their applications", AFIPS 1968: in shared memory, padded to a power of two.
__global__ void bitonic_shared(int n, int *x) {
  extern __shared__ int keys[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  keys[t] = i < n ? x[i] : INT32_MAX;
  for (int size = 2; size <= blockDim.x; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      int other = t ^ step;
      if (other > t && (keys[t] > keys[other]) == ((t & size) == 0)) {
        int swap = keys[t];
        keys[t] = keys[other];
        keys[other] = swap;
      }
    }
  __syncthreads();
  if (i < n)
    x[i] = keys[t];
}

// One step of the same network in global memory, with 64-bit keys.
__global__ void bitonic_step(long long *keys, int size, int step) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, other = t ^ step;
  if (other <= t)
    return;
  long long a = keys[t], b = keys[other];
  if ((a > b) == ((t & size) == 0)) {
    keys[t] = b;
    keys[other] = a;
  }
}

__global__ void odd_even(float *x) {
  int n = blockDim.x * 2 - 1, t = threadIdx.x;
  for (int phase = 0; phase < n; phase++) {
    int i = 2 * t + (phase & 1);
    if (i + 1 < n && x[i] > x[i + 1]) {
      float swap = x[i];
      x[i] = x[i + 1];
      x[i + 1] = swap;
    }
    __syncthreads();
  }
}

// Each key counts the keys before it.
__global__ void rank_sort(int n, const short *x, short *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
  if (i >= n)
    return;
  for (int k = 0; k < n; k++)
    rank += x[k] < x[i] || (x[k] == x[i] && k < i);
  y[rank] = x[i];
}

// Least significant bit first, one bit at a time; votes count the zeros before a key.
__global__ void radix_sort(unsigned *x) {
  __shared__ unsigned keys[256];
  __shared__ int zeros[8];
  int t = threadIdx.x, warp = t / 32;
  unsigned key = x[t];
  for (int bit = 0; bit < 32; bit++) {
    bool zero = !(key >> bit & 1);
    unsigned vote = __ballot_sync(~0u, zero);
    if (t % 32 == 0)
      zeros[warp] = __popc(vote);
    __syncthreads();
    int before = __popc(vote & ((1u << t % 32) - 1)), total = 0;
    for (int w = 0; w < 8; w++) {
      before += w < warp ? zeros[w] : 0;
      total += zeros[w];
    }
    keys[zero ? before : total + t - before] = key;
    __syncthreads();
    key = keys[t];
  }
  x[t] = key;
}

// Each thread finds its share of the result by bisection: O. Green, R. McColl, D. Bader, "GPU merge path", ICS 2012.
__global__ void merge_path(int na, const int *a, int nb, const int *b, int *c, int per_thread) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  if (first >= na + nb)
    return;
  int low = first > nb ? first - nb : 0, high = first < na ? first : na;
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] <= b[first - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  int i = low, j = first - low;
  for (int k = first; k < first + per_thread && k < na + nb; k++)
    c[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}

// The number of elements below each query.
__global__ void lower_bound(int n, const double *sorted, int queries, const double *query, int *found) {
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < queries; q += gridDim.x * blockDim.x) {
    int low = 0, high = n;
    while (low < high) {
      int middle = (low + high) >> 1;
      if (sorted[middle] < query[q])
        low = middle + 1;
      else
        high = middle;
    }
    found[q] = low;
  }
}

// The elements [first, last) of x in order, to be freed with delete[].
template <class T> static T *sorted(const Array<T> &x, int first, int last) {
  T *y = new T[last - first];
  std::copy(&x[first], &x[last], y);
  std::sort(y, y + (last - first));
  return y;
}
template <class T> static void check_sorted(const Array<T> &result, const Array<T> &x) {
  T *wanted = sorted(x, 0, x.count);
  check(result, [&](int i) { return wanted[i]; });
  delete[] wanted;
}

TEST(bitonic_shared) {
  Array<int> x(N, -1000, 1000);
  bitonic_shared<<<1, 512, 512 * sizeof(int)>>>(N, x);
  check_sorted(x, x);
}
TEST(bitonic_global) {
  Array<long long> x(256, INT64_MIN, INT64_MAX);
  for (int size = 2; size <= x.count; size *= 2)
    for (int step = size / 2; step > 0; step /= 2)
      bitonic_step<<<4, 64>>>(x, size, step);
  check_sorted(x, x);
}
TEST(odd_even) {
  Array<float> x(149, -1, 1);
  odd_even<<<1, 75>>>(x);
  check_sorted(x, x);
}
TEST(rank_sort) {
  Array<short> x(N, -100, 100), y(N);
  rank_sort<<<ceil_div(N, 96), 96>>>(N, x, y);
  check_sorted(y, x);
}
TEST(radix_sort) {
  Array<unsigned> x(256, 0, UINT32_MAX);
  radix_sort<<<1, 256>>>(x);
  check_sorted(x, x);
}
TEST(merge_path) {
  Array<int> x(N, -300, 300), y(N);
  int *a = sorted(x, 0, 200), *b = sorted(x, 200, N);
  Array<int> left(200, [&](int i) { return a[i]; }), right(300, [&](int i) { return b[i]; });
  merge_path<<<3, 32>>>(200, left, 300, right, y, 7);
  check_sorted(y, x);
  delete[] a;
  delete[] b;
}
TEST(lower_bound) {
  Array<double> x(N, [](int i) { return i * i * 1e-3; }), query(300, -10, 300);
  Array<int> found(300);
  lower_bound<<<2, 64>>>(N, x, 300, query, found);
  check(found, [&](int q) { return (int)(std::lower_bound(&x[0], &x[0] + N, query[q]) - &x[0]); });
}
