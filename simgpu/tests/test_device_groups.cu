// Cooperative groups larger than a warp: they communicate through shared memory that no kernel declares.
// Compares with sums done on the host; prints the first difference and exits 1 if there is one.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { BLOCKS = 2, THREADS = 512, TILE = 128, TILES = THREADS / TILE, ROUNDS = 3 };

// out: BLOCKS x ROUNDS x TILES. Rounds reuse the same memory.
__global__ void tile_sums(int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<TILE>(block);
  for (int round = 0; round < ROUNDS; round++) {
    int sum = cg::reduce(tile, int(block.thread_rank()) + round, cg::plus<int>());
    if (tile.thread_rank() == TILE - 1)
      out[(blockIdx.x * ROUNDS + round) * TILES + tile.meta_group_rank()] = sum;
    tile.sync();
  }
}

static int expected(int round, int tile) {
  int sum = 0;
  for (int t = tile * TILE; t < (tile + 1) * TILE; t++)
    sum += t + round;
  return sum;
}

int main() {
  int *device, sums[BLOCKS][ROUNDS][TILES];
  cudaMalloc(&device, sizeof sums);
  tile_sums<<<BLOCKS, THREADS>>>(device);
  cudaError_t error = cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost);
  if (error) {
    printf("device_groups: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int b = 0; b < BLOCKS; b++)
    for (int r = 0; r < ROUNDS; r++)
      for (int t = 0; t < TILES; t++)
        if (sums[b][r][t] != expected(r, t)) {
          printf("block %d round %d tile %d: %d, expected %d\n", b, r, t, sums[b][r][t], expected(r, t));
          return 1;
        }
  return 0;
}
