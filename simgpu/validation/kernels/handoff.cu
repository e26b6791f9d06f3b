// Data passed within a block with cuda::barrier and cuda::pipeline instead of __syncthreads().
#include "harness.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <utility>

typedef cuda::barrier<cuda::thread_scope_block> Barrier;
enum { THREADS = 96, N = 10 * THREADS + 13 };
#pragma nv_diag_suppress static_var_with_dynamic_init

// All threads arrive, do other work, and then wait: Hillis and Steele's scan of a block.
__global__ void barrier_scan(int n, const int *x, int *r) {
  __shared__ int sums[2][THREADS];
  __shared__ Barrier all;
  int t = threadIdx.x, i = blockIdx.x * THREADS + t, from = 0;
  if (t == 0)
    init(&all, THREADS);
  sums[0][t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < THREADS; step *= 2, from ^= 1) {
    sums[from ^ 1][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0);
    Barrier::arrival_token token = all.arrive();
    all.wait(std::move(token));
  }
  if (i < n)
    r[i] = sums[from][t];
}
TEST(barrier_scan) {
  Array<int> x(N, -100, 100), r(N);
  barrier_scan<<<ceil_div(N, THREADS), THREADS>>>(N, x, r);
  check(r, [&](int i) {
    int sum = 0;
    for (int k = i / THREADS * THREADS; k <= i; k++)
      sum += x[k];
    return sum;
  });
}

// Warp 0 produces and the others consume, with two buffers in flight; each has a "filled" and an "emptied" barrier.
__global__ void produce_consume(int n, const int *x, int *r) {
  enum { CHUNK = 32 };
  __shared__ int buffers[2][CHUNK];
  __shared__ Barrier filled[2], emptied[2];
  int t = threadIdx.x, chunks = (n + CHUNK - 1) / CHUNK;
  if (t < 2) {
    init(&filled[t], THREADS);
    init(&emptied[t], THREADS);
  }
  __syncthreads();
  if (t < CHUNK) {
    for (int k = 0; k < chunks; k++) {
      if (k >= 2)
        emptied[k % 2].arrive_and_wait();
      buffers[k % 2][t] = k * CHUNK + t < n ? 3 * x[k * CHUNK + t] : 0;
      (void)filled[k % 2].arrive();
    }
  } else {
    for (int k = 0; k < chunks; k++) {
      filled[k % 2].arrive_and_wait();
      int j = (t * 7 + k) % CHUNK, at = k * CHUNK + j;
      if (t < 2 * CHUNK ? j % 2 == 0 : j % 2 == 1)
        if (at < n)
          atomicAdd(&r[at], buffers[k % 2][j] + 1);
      if (k + 2 < chunks)
        (void)emptied[k % 2].arrive();
    }
  }
}
TEST(produce_consume) {
  Array<int> x(250, -100, 100), r(250);
  produce_consume<<<1, THREADS>>>(250, x, r);
  check(r, [&](int i) { return 3 * x[i] + 1; });
}

// Copies that signal the barrier; one thread drops out early.
__global__ void copied_tile(int n, const int *x, int *r) {
  __shared__ int tile[THREADS];
  __shared__ Barrier arrived;
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  if (t == 0)
    init(&arrived, THREADS);
  __syncthreads();
  if (i < n)
    cuda::memcpy_async(&tile[t], &x[i], sizeof(int), arrived);
  arrived.arrive_and_wait();
  if (t == THREADS - 1) {
    arrived.arrive_and_drop();
    return;
  }
  int first = blockIdx.x * THREADS, count = min(THREADS, n - first);
  int value = t < count ? tile[count - 1 - t] : 0;
  arrived.arrive_and_wait();
  tile[t] = 2 * value;
  arrived.arrive_and_wait();
  if (i < n)
    r[i] = tile[t] + tile[t / 2];
}
TEST(copied_tile) {
  Array<int> x(N, -100, 100), r(N);
  copied_tile<<<ceil_div(N, THREADS), THREADS>>>(N, x, r);
  check(r, [&](int i) {
    int first = i / THREADS * THREADS, t = i - first, count = N - first < THREADS ? N - first : THREADS;
    return t == THREADS - 1 ? 0 : 2 * (x[first + count - 1 - t] + x[first + count - 1 - t / 2]);
  });
}

// A two-stage pipeline of the block: the next tile is loaded while this one is used.
__global__ void pipelined(int tiles, const int *x, int *r) {
  __shared__ int stage[2][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int t = threadIdx.x, sum = 0;
  for (int next = 0, k = 0; k < tiles; k++) {
    for (; next < tiles && next < k + 2; next++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[next % 2], x + next * THREADS, sizeof(int) * THREADS, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += stage[k % 2][(t + k) % THREADS] * (k + 1);
    pipeline.consumer_release();
  }
  r[t] = sum;
}
TEST(pipelined) {
  enum { TILES = 7 };
  Array<int> x(TILES * THREADS, -100, 100), r(THREADS);
  pipelined<<<1, THREADS>>>((int)TILES, x, r);
  check(r, [&](int t) {
    int sum = 0;
    for (int k = 0; k < TILES; k++)
      sum += x[k * THREADS + (t + k) % THREADS] * (k + 1);
    return sum;
  });
}
