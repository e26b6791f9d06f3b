// Cooperative groups: tiles, groups of the lanes that came together, and the collective functions on them.
#include "harness.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
enum { THREADS = 96, BLOCKS = 5, N = THREADS * BLOCKS };

template <int TILE> __global__ void tile_sums(const int *x, int *r) {
  const auto tile = cg::tiled_partition<TILE>(cg::this_thread_block());
  const int i = blockIdx.x * THREADS + threadIdx.x;
  r[i] = cg::reduce(tile, x[i], cg::plus<int>());
}
template <int TILE> static void sum_tiles() {
  Array<int> x(N, -1000, 1000), r(N);
  tile_sums<TILE><<<BLOCKS, THREADS>>>(x, r);
  check(r, [&](int i) {
    int sum = 0;
    for (int k = 0; k < TILE; k++)
      sum += x[i / TILE * TILE + k];
    return sum;
  });
}
TEST(tiles_of_4) { sum_tiles<4>(); }
TEST(tiles_of_16) { sum_tiles<16>(); }
TEST(tiles_of_32) { sum_tiles<32>(); }

__global__ void tile_scans(const int *x, int *r) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int i = blockIdx.x * THREADS + threadIdx.x;
  r[i] = cg::inclusive_scan(tile, x[i], cg::plus<int>()) * 1000 +
         cg::exclusive_scan(tile, x[i] % 7, cg::plus<int>());
}
TEST(tile_scans) {
  Array<int> x(N, 0, 1000), r(N);
  tile_scans<<<BLOCKS, THREADS>>>(x, r);
  check(r, [&](int i) {
    int sum = 0, before = 0;
    for (int k = i / 8 * 8; k <= i; k++)
      sum += x[k], before += k < i ? x[k] % 7 : 0;
    return sum * 1000 + before;
  });
}

// The lanes with a positive value take places of one counter together.
__global__ void compaction(const int *x, int *count, int *r) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (x[i] > 0) {
    const auto active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0)
      first = atomicAdd(count, active.size());
    r[i] = (int)active.thread_rank() + 1 + 0 * active.shfl(first, 0);
  }
}
TEST(compaction) {
  Array<int> x(N, -50, 50), count(1), r(N);
  compaction<<<BLOCKS, THREADS>>>(x, count, r);
  check(count, [&](int) {
    int positive = 0;
    for (int i = 0; i < N; i++)
      positive += x[i] > 0;
    return positive;
  });
  check(r, [&](int i) {
    int rank = 0;
    for (int k = i / 32 * 32; k <= i; k++)
      rank += x[k] > 0;
    return x[i] > 0 ? rank : 0;
  });
}

__global__ void labelled(const int *x, int *r) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const auto same = cg::labeled_partition(tile, x[i]);
  r[i] = (int)same.size() * 64 + (int)same.thread_rank();
}
TEST(labelled) {
  Array<int> x(N, 0, 5), r(N);
  labelled<<<BLOCKS, THREADS>>>(x, r);
  check(r, [&](int i) {
    int size = 0, rank = 0;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++)
      size += x[k] == x[i], rank += k < i && x[k] == x[i];
    return size * 64 + rank;
  });
}

__global__ void block_copies(const double *x, double *r) {
  __shared__ double tile[THREADS];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x + blockIdx.x * THREADS, sizeof tile);
  cg::wait(block);
  r[blockIdx.x * THREADS + threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
}
TEST(block_copies) {
  Array<double> x(N, -1, 1), r(N);
  block_copies<<<BLOCKS, THREADS>>>(x, r);
  check(r, [&](int i) { return x[i / THREADS * THREADS + THREADS - 1 - i % THREADS]; });
}

// All blocks wait for each other between the steps of a sum.
__global__ void grid_steps(int *x, int *r) {
  const auto grid = cg::this_grid();
  const int i = (int)grid.thread_rank();
  for (int step = 1; step < N; step *= 2) {
    r[i] = x[i] + (i >= step ? x[i - step] : 0);
    grid.sync();
    x[i] = r[i];
    grid.sync();
  }
}
TEST(grid_steps) {
  Array<int> x(N, -9, 9), r(N);
  int *pointers[] = {x, r};
  void *arguments[] = {&pointers[0], &pointers[1]};
  succeed(cudaLaunchCooperativeKernel((const void *)grid_steps, BLOCKS, THREADS, arguments, 0, 0));
  check(r, [&](int i) {
    int sum = 0;
    for (int k = 0; k <= i; k++)
      sum += x[k];
    return sum;
  });
}
