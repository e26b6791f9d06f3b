// Errors in clusters, and correct exchanges that look similar. argv[1]: the case. test_device_cluster_errors.c looks
// for lines by their mark.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// Deadlocks

__global__ void __cluster_dims__(2, 1, 1) crossed(int *r) {
  if (cg::this_cluster().block_rank() == 1 && threadIdx.x >= 32)
    __syncthreads(); // HERE crossed_other
  else
    cg::this_cluster().sync(); // HERE crossed
  *r = 1;
}

__global__ void crossed_alone(int *r) {
  if (threadIdx.x >= 32)
    __syncthreads(); // HERE alone_other
  else
    cg::this_cluster().sync(); // HERE alone
  *r = 1;
}

__global__ void __cluster_dims__(2, 1, 1) half_warp(int *r) {
  if (cg::this_cluster().block_rank() == 0 || threadIdx.x % 2)
    cg::this_cluster().sync(); // HERE half
  r[threadIdx.x] = 1;
}

// Nobody sets the flag of the second block.
__global__ void __cluster_dims__(2, 1, 1) spinning(int *r) {
  if (cg::this_cluster().block_rank() == 1)
    while (*(volatile int *)r == 0) // HERE spin
      continue;
  cg::this_cluster().sync();
}

// Exited blocks

__global__ void __cluster_dims__(4, 1, 1) exited(int *r) {
  __shared__ int x;
  const cg::cluster_group cluster = cg::this_cluster();
  x = cluster.block_rank();
  cluster.sync();
  if (cluster.block_rank() % 2)
    return;
  cluster.sync();
  r[cluster.block_rank()] = *cluster.map_shared_rank(&x, 3); // HERE exited
}
__global__ void __cluster_dims__(2, 1, 1) no_last_sync(int *r) {
  __shared__ int x;
  const cg::cluster_group cluster = cg::this_cluster();
  x = threadIdx.x;
  cluster.sync();
  const unsigned other = 1 - cluster.block_rank();
  atomicAdd(cluster.map_shared_rank(&x, other), 1); // HERE last
}

__global__ void __cluster_dims__(2, 1, 1) far(int *r) {
  __shared__ int x[4];
  x[threadIdx.x % 4] = 0;
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (cluster.block_rank() == 0)
    *r = cluster.map_shared_rank(x, 1)[threadIdx.x + 3]; // HERE far
  cluster.sync();
}

// Races and uninitialised reads. FIRST, LAST: whether there is a cluster's barrier before and after the exchange.

template <bool FIRST, bool LAST> __global__ void __cluster_dims__(2, 1, 1) exchange(int *r) {
  __shared__ int x[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  x[t] = 10 * rank + t + 1; // HERE exchange_write
  if (FIRST)
    cluster.sync();
  else
    __syncthreads();
  r[64 * (blockIdx.x / 2) + 32 * rank + t] = cluster.map_shared_rank(x, 1 - rank)[t]; // HERE exchange_read
  if (LAST)
    cluster.sync();
  else
    __syncthreads();
  x[t] = 0; // HERE exchange_reset
  cluster.sync();
}

// Both blocks write to the first one.
__global__ void __cluster_dims__(2, 1, 1) both_write(int *r) {
  __shared__ int x[32];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.map_shared_rank(x, 0)[threadIdx.x] = cluster.block_rank() + 1; // HERE both
  cluster.sync();
  r[threadIdx.x] = x[threadIdx.x % 32];
}

// Reads between arrival and wait are not ordered with writes before the other's arrival.
template <bool EARLY> __global__ void __cluster_dims__(2, 1, 1) apart(int *r) {
  __shared__ int x[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  x[t] = t; // HERE apart_write
  auto token = cluster.barrier_arrive();
  int v = 0;
  if (EARLY)
    v = cluster.map_shared_rank(x, 1 - rank)[t]; // HERE apart_read
  cluster.barrier_wait(std::move(token));
  if (!EARLY)
    v = cluster.map_shared_rank(x, 1 - rank)[t];
  cluster.sync();
  r[32 * rank + t] = v;
}

// One block writes all of the other's shared memory, but for one word.
template <int WORDS> __global__ void __cluster_dims__(2, 1, 1) pushed(int *r) {
  __shared__ int x[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned t = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0 && t < WORDS)
    cluster.map_shared_rank(x, 1)[t] = t;
  cluster.sync();
  if (cluster.block_rank() == 1)
    r[t] = x[t]; // HERE pushed_read
}

// The first block reads what the other has not written.
__global__ void __cluster_dims__(2, 1, 1) pulled(int *r) {
  __shared__ int x[32];
  const cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() == 0)
    x[threadIdx.x] = 1;
  cluster.sync();
  r[threadIdx.x] = cluster.map_shared_rank(x, 1)[threadIdx.x]; // HERE pulled
  cluster.sync();
}

// Through global memory, ordered by the cluster's barrier.
__global__ void __cluster_dims__(4, 1, 1) by_global(int *r) {
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.thread_rank(), n = cluster.num_threads();
  int *x = r + n * (blockIdx.x / 4), v;
  x[rank] = rank;
  for (int k = 0; k < 3; k++) {
    cluster.sync();
    v = x[n - 1 - rank];
    cluster.sync();
    x[rank] = v;
  }
}

int main(int argc, char **argv) {
  struct Case {
    const char *name;
    void (*kernel)(int *);
    int blocks, threads;
  };
  const Case cases[] = {
      {"crossed", crossed, 4, 64},
      {"crossed alone", crossed_alone, 2, 64},
      {"half of a warp", half_warp, 2, 32},
      {"spinning", spinning, 2, 32},
      {"exited", exited, 4, 32},
      {"no last sync", no_last_sync, 2, 32},
      {"far", far, 2, 2},
      {"exchange", exchange<true, true>, 6, 32},
      {"exchange without first sync", exchange<false, true>, 2, 32},
      {"exchange without last sync", exchange<true, false>, 2, 32},
      {"both write", both_write, 2, 32},
      {"apart", apart<false>, 2, 32},
      {"apart, too early", apart<true>, 2, 32},
      {"pushed", pushed<32>, 2, 32},
      {"pushed in part", pushed<31>, 2, 32},
      {"pulled", pulled, 2, 32},
      {"by global memory", by_global, 8, 40},
  };
  for (const Case &c : cases)
    if (argc == 2 && strcmp(argv[1], c.name) == 0) {
      int *r;
      cudaMalloc(&r, 1024 * sizeof *r);
      cudaMemset(r, 0, 1024 * sizeof *r);
      c.kernel<<<c.blocks, c.threads>>>(r);
      printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
      cudaFree(r);
      return 7;
    }
  fprintf(stderr, "usage: device_clusters CASE\n");
  return 2;
}
