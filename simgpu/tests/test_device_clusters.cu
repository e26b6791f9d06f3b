// Thread block clusters and distributed shared memory. Results are compared with those of the host.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

namespace cg = cooperative_groups;

static int failures;
static void expect_int(int line, long long got, long long expected) {
  if (got != expected) {
    fprintf(stderr, "%s:%d: got %lld, expected %lld\n", __FILE__, line, got, expected);
    failures++;
  }
}
#define EXPECT_INT(got, expected) expect_int(__LINE__, got, expected)

template <typename... Parameters, typename... Arguments>
static cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, dim3 cluster, size_t shared,
                          Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <typename T> struct Array {
  std::vector<T> host;
  T *device = nullptr;
  Array(size_t n, T value = T()) : host(n, value) {
    cudaMalloc(&device, n * sizeof(T));
    cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(device); }
  const std::vector<T> &get() {
    EXPECT_INT(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
  }
};

// Special registers

enum { FIELDS = 12 };
__device__ void describe(int *out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned id[3], count[3];
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id[0]));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(id[1]));
  asm("mov.u32 %0, %%clusterid.z;" : "=r"(id[2]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count[0]));
  asm("mov.u32 %0, %%nclusterid.y;" : "=r"(count[1]));
  asm("mov.u32 %0, %%nclusterid.z;" : "=r"(count[2]));
  const dim3 within = cluster.block_index();
  const unsigned values[FIELDS] = {id[0],
                                   id[1],
                                   id[2],
                                   count[0],
                                   count[1],
                                   count[2],
                                   within.x,
                                   within.y,
                                   within.z,
                                   cluster.block_rank(),
                                   cluster.num_blocks(),
                                   cluster.thread_rank()};
  for (int i = 0; i < FIELDS; i++)
    out[block * FIELDS + i] = values[i];
}
__global__ void registers(int *out) { describe(out); }
__global__ void __cluster_dims__(2, 3, 1) own_registers(int *out) { describe(out); }

static void check_registers(Array<int> &out, dim3 g, dim3 c) {
  out.get();
  for (unsigned b = 0; b < g.x * g.y * g.z; b++) {
    const unsigned x = b % g.x, y = b / g.x % g.y, z = b / g.x / g.y,
                   rank = (z % c.z * c.y + y % c.y) * c.x + x % c.x;
    const unsigned expected[FIELDS] = {x / c.x, y / c.y, z / c.z, g.x / c.x, g.y / c.y,       g.z / c.z,
                                       x % c.x, y % c.y, z % c.z, rank,      c.x * c.y * c.z, rank};
    for (int i = 0; i < FIELDS; i++)
      EXPECT_INT(out.host[b * FIELDS + i], expected[i]);
  }
}

static void test_registers() {
  const dim3 grid(4, 6, 2);
  for (dim3 cluster : {dim3(1, 1, 1), dim3(2, 3, 1), dim3(4, 1, 2), dim3(1, 2, 2)}) {
    Array<int> out(4 * 6 * 2 * FIELDS, -1);
    EXPECT_INT(launch(registers, grid, 1, cluster, 0, out.device), cudaSuccess);
    check_registers(out, grid, cluster);
  }
  Array<int> own(4 * 6 * 2 * FIELDS, -1), none(4 * 6 * 2 * FIELDS, -1);
  own_registers<<<grid, 1>>>(own.device);
  check_registers(own, grid, dim3(2, 3, 1));
  registers<<<grid, 1>>>(none.device);
  check_registers(none, grid, dim3(1, 1, 1));
}

// Reads and writes of other blocks' shared memory, static and dynamic

template <typename T> __global__ void rotate(const T *in, T *out, int *ranks) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ T pushed[256];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), n = cluster.num_blocks(), t = threadIdx.x;
  T *own = (T *)dynamic;
  own[t] = in[blockIdx.x * blockDim.x + t];
  cluster.sync();
  T *next = cluster.map_shared_rank(own, (rank + 1) % n);
  T *before = cluster.map_shared_rank(pushed, (rank + n - 1) % n);
  before[t] = next[blockDim.x - 1 - t];
  cluster.sync();
  out[blockIdx.x * blockDim.x + t] = pushed[t];
  if (t == 0)
    ranks[blockIdx.x] = cluster.query_shared_rank(next) * 100 + cluster.query_shared_rank(own);
}

template <typename T> static void test_rotate(int blocks, int threads, int cluster) {
  const int n = blocks * threads;
  Array<T> in(n), out(n);
  Array<int> ranks(blocks);
  for (int i = 0; i < n; i++)
    in.host[i] = (T)(i * 7 % 1009);
  cudaMemcpy(in.device, in.host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  if (cluster > 8)
    EXPECT_INT(cudaFuncSetAttribute(rotate<T>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
               cudaSuccess);
  EXPECT_INT(
      launch(rotate<T>, blocks, threads, cluster, threads * sizeof(T), in.device, out.device, ranks.device),
      cudaSuccess);
  out.get();
  ranks.get();
  for (int b = 0; b < blocks; b++) {
    const int rank = b % cluster, from = b - rank + (rank + 2) % cluster; // what the next block pushes here
    EXPECT_INT(ranks.host[b], (rank + 1) % cluster * 100 + rank);
    for (int t = 0; t < threads; t++)
      EXPECT_INT(out.host[b * threads + t], in.host[from * threads + threads - 1 - t]);
  }
}

// Atomics: one histogram, spread over the blocks of a cluster

__global__ void histogram(const int *in, int n, int *bins, int bins_per_block) {
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
    part[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(part, in[i] / bins_per_block) + in[i] % bins_per_block, 1);
  cluster.sync();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * bins_per_block + i], part[i]);
}

static void test_histogram(int n, int cluster) {
  enum { PER_BLOCK = 37 };
  const int bins = PER_BLOCK * cluster;
  Array<int> in(n), out(bins);
  std::vector<int> expected(bins);
  unsigned seed = 7;
  for (int &v : in.host)
    expected[v = (seed = seed * 1664525 + 1013904223) / 65536 % bins]++;
  cudaMemcpy(in.device, in.host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  EXPECT_INT(launch(histogram, 3 * cluster, 96, cluster, PER_BLOCK * sizeof(int), in.device, n, out.device,
                    (int)PER_BLOCK),
             cudaSuccess);
  out.get();
  for (int i = 0; i < bins; i++)
    EXPECT_INT(out.host[i], expected[i]);
}

// Barriers: arrival and wait apart, many phases, warps that diverge, threads that have returned

__global__ void __cluster_dims__(4, 1, 1) phases(int *out, int rounds) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x >= 40)
    return;
  if (threadIdx.x == 0)
    value = cluster.block_rank();
  cluster.sync();
  for (int r = 0; r < rounds; r++) {
    int sum = 0;
    if (threadIdx.x % 2)
      for (int b = 0; b < 4; b++)
        sum += *cluster.map_shared_rank(&value, b);
    else
      sum = -1;
    auto token = cluster.barrier_arrive();
    __syncwarp(__activemask());
    cluster.barrier_wait(std::move(token));
    if (threadIdx.x == 33)
      value = sum + r * (int)cluster.block_rank();
    cluster.sync();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = value;
}

static void test_phases() {
  int value[4] = {0, 1, 2, 3};
  for (int r = 0; r < 5; r++) {
    const int sum = value[0] + value[1] + value[2] + value[3];
    for (int b = 0; b < 4; b++)
      value[b] = sum + r * b;
  }
  Array<int> out(8);
  phases<<<8, 70>>>(out.device, 5);
  out.get();
  for (int b = 0; b < 8; b++)
    EXPECT_INT(out.host[b], value[b % 4]);
}

// Every block tells the first one through an mbarrier there that its part is ready; the first one polls.

__global__ void __cluster_dims__(4, 1, 1) gather(int *out) {
  __shared__ int parts[4];
  __shared__ unsigned long long ready;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), own = (unsigned)__cvta_generic_to_shared(&ready);
  if (rank == 0 && threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(own) : "memory");
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned first;
    cluster.map_shared_rank(parts, 0)[rank] = 10 * blockIdx.x;
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(own));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(first) : "memory");
  }
  if (rank == 0 && threadIdx.x == 0) {
    for (int done = 0; !done;)
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(own)
          : "memory");
    out[blockIdx.x / 4] = parts[0] + parts[1] + parts[2] + parts[3];
  }
  cluster.sync();
}

static void test_mbarriers() {
  Array<int> out(3);
  gather<<<12, 33>>>(out.device);
  out.get();
  for (int c = 0; c < 3; c++)
    EXPECT_INT(out.host[c], 10 * (16 * c + 6));
}

// Without clusters, each block is one.
__global__ void alone(int *out) {
  __shared__ int x[64];
  const cg::cluster_group cluster = cg::this_cluster();
  x[threadIdx.x] = threadIdx.x * 3;
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] =
      *cluster.map_shared_rank(&x[63 - threadIdx.x], 0) + 1000 * cluster.num_blocks();
}

static void test_alone() {
  Array<int> out(128);
  alone<<<2, 64>>>(out.device);
  out.get();
  for (int i = 0; i < 128; i++)
    EXPECT_INT(out.host[i], (63 - i % 64) * 3 + 1000);
}

static void test_refused() {
  Array<int> out(4 * 6 * 2 * FIELDS);
  EXPECT_INT(launch(registers, 9, 1, 2, 0, out.device), cudaErrorInvalidClusterSize);
  EXPECT_INT(launch(registers, 16, 1, 16, 0, out.device), cudaErrorInvalidClusterSize);
  EXPECT_INT(launch(registers, 32, 1, 32, 0, out.device), cudaErrorInvalidClusterSize);
  int *pointer = out.device;
  void *arguments[] = {&pointer};
  EXPECT_INT(cudaLaunchCooperativeKernel(own_registers, dim3(2, 3), dim3(1), arguments),
             cudaErrorNotSupported);
  cudaGetLastError();
  own_registers<<<3, 1>>>(out.device);
  EXPECT_INT(cudaGetLastError(), cudaErrorInvalidClusterSize);
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.gridDim = 8;
  config.blockDim = 1024;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0, blocks = 0;
  EXPECT_INT(cudaOccupancyMaxActiveClusters(&clusters, registers, &config), cudaSuccess);
  EXPECT_INT(clusters, 132 * 2 / 4);
  EXPECT_INT(cudaOccupancyMaxPotentialClusterSize(&blocks, registers, &config), cudaSuccess);
  EXPECT_INT(blocks, 8);
  cudaDeviceProp properties = {};
  EXPECT_INT(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_INT(properties.clusterLaunch, 1);
  cudaFuncAttributes attributes = {};
  EXPECT_INT(cudaFuncGetAttributes(&attributes, own_registers), cudaSuccess);
  EXPECT_INT(attributes.requiredClusterHeight, 3);
}

__global__ void __cluster_dims__(2, 1, 1) beyond(int *out) {
  __shared__ int x[4];
  x[threadIdx.x] = 0;
  *out = cg::this_cluster().map_shared_rank(x, 1)[threadIdx.x + 1000000];
}

int main() {
  test_registers();
  for (int cluster : {1, 2, 3, 8, 16})
    for (int threads : {1, 31, 33, 256}) {
      test_rotate<int>(2 * cluster, threads, cluster);
      test_rotate<double>(3 * cluster, threads, cluster);
    }
  test_rotate<unsigned char>(8, 100, 4);
  for (int cluster : {1, 2, 7})
    test_histogram(5000, cluster);
  test_phases();
  test_mbarriers();
  test_alone();
  test_refused();
  int *out;
  cudaMalloc(&out, 4);
  beyond<<<2, 4>>>(out);
  EXPECT_INT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  return failures > 0;
}
