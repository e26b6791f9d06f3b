// Thread block clusters: ranks, barriers, and loads, stores, atomics and mbarriers of distributed shared memory.
#include "harness.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <typename... Parameters, typename... Arguments>
static void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, dim3 cluster, size_t shared,
                   const Arguments &...arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster.x, cluster.y, cluster.z};
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cluster.x * cluster.y * cluster.z > 8)
    succeed(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  succeed(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

// What a thread can ask about its cluster. Row: block of the grid.
enum { QUERIES = 24 };

__device__ static void ask(int *out) {
  __shared__ int own;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned id[3], count[3], is_explicit;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id[0]));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(id[1]));
  asm("mov.u32 %0, %%clusterid.z;" : "=r"(id[2]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count[0]));
  asm("mov.u32 %0, %%nclusterid.y;" : "=r"(count[1]));
  asm("mov.u32 %0, %%nclusterid.z;" : "=r"(count[2]));
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(is_explicit));
  const dim3 place = cluster.block_index(), blocks = cluster.dim_blocks(), thread = cluster.thread_index();
  int *remote = cluster.map_shared_rank(&own, cluster.num_blocks() - 1);
  const unsigned values[QUERIES] = {id[0],
                                    id[1],
                                    id[2],
                                    count[0],
                                    count[1],
                                    count[2],
                                    place.x,
                                    place.y,
                                    place.z,
                                    blocks.x,
                                    blocks.y,
                                    blocks.z,
                                    cluster.block_rank(),
                                    cluster.num_blocks(),
                                    cluster.num_threads(),
                                    cluster.thread_rank(),
                                    thread.x,
                                    thread.y,
                                    thread.z,
                                    cluster.query_shared_rank(&own),
                                    cluster.query_shared_rank(remote),
                                    __isShared(&own) + 2u * (__isShared(remote) != 0),
                                    __isClusterShared(&own) + 2u * (__isClusterShared(remote) != 0),
                                    is_explicit};
  if (threadIdx.x == blockDim.x - 1)
    for (int k = 0; k < QUERIES; k++)
      out[block * QUERIES + k] = (int)values[k];
}
__global__ void queries(int *out) { ask(out); }
__global__ void __cluster_dims__(2, 3, 1) own_queries(int *out) { ask(out); }

// Sizes of a block: 40 threads.
static int answer(int i, dim3 grid, dim3 c) {
  const int block = i / QUERIES, x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
  const int px = x % c.x, py = y % c.y, pz = z % c.z, rank = px + c.x * (py + c.y * pz), n = c.x * c.y * c.z;
  const int answers[19] = {int(x / c.x),
                           int(y / c.y),
                           int(z / c.z),
                           int(grid.x / c.x),
                           int(grid.y / c.y),
                           int(grid.z / c.z),
                           px,
                           py,
                           pz,
                           int(c.x),
                           int(c.y),
                           int(c.z),
                           rank,
                           n,
                           40 * n,
                           40 * rank + 39,
                           40 * px + 39,
                           py,
                           pz};
  const int k = i % QUERIES;
  return k < 19    ? answers[k]
         : k == 19 ? rank
         : k == 20 ? n - 1
         : k == 21 ? 1 + 2 * (rank == n - 1)
         : k == 22 ? 3
                   : 1;
}
static void compare_queries(void (*kernel)(int *), dim3 grid, dim3 cluster) {
  Array<int> r(grid.x * grid.y * grid.z * QUERIES);
  if (kernel == own_queries)
    own_queries<<<grid, 40>>>(r);
  else
    launch(kernel, grid, 40, cluster, 0, r);
  check(r, [&](int i) { return answer(i, grid, cluster); });
}
TEST(queries_1d) {
  for (int c : {1, 2, 3, 4, 5, 7, 8, 16})
    compare_queries(queries, 3 * c, c);
}
TEST(queries_2d) {
  compare_queries(queries, dim3(6, 5), dim3(2, 1));
  compare_queries(queries, dim3(7, 6), dim3(1, 3));
  compare_queries(queries, dim3(10, 6), dim3(2, 2));
}
TEST(queries_3d) {
  compare_queries(queries, dim3(3, 4, 5), dim3(1, 2, 1));
  compare_queries(queries, dim3(6, 2, 6), dim3(2, 2, 2));
  compare_queries(queries, dim3(3, 5, 2), dim3(3, 1, 2));
}
TEST(queries_of_kernel) { compare_queries(own_queries, dim3(4, 9, 2), dim3(2, 3, 1)); }

// Each block reads what the next block has, and writes it to the block before.
template <class T> __global__ void rotate(const T *x, T *r) {
  extern __shared__ char memory[];
  T *own = (T *)memory, *pushed = own + blockDim.x;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), n = cluster.num_blocks(), t = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + t;
  own[t] = x[i];
  cluster.sync();
  cluster.map_shared_rank(pushed, (rank + n - 1) % n)[t] = cluster.map_shared_rank(own, (rank + 1) % n)[t];
  cluster.sync();
  r[i] = pushed[t];
}
template <class T> static void rotate_all(int cluster, int clusters, int threads) {
  const int n = cluster * clusters * threads, each = cluster * threads;
  Array<T> x(n, T(0), T(100)), r(n);
  launch(rotate<T>, cluster * clusters, threads, cluster, 2 * threads * sizeof(T), x, r);
  check(r, [&](int i) { return x[i / each * each + (i % each + 2 * threads) % each]; });
}
TEST(rotate_bytes) {
  for (int c : {1, 2, 4, 8})
    rotate_all<signed char>(c, 3, 100);
}
TEST(rotate_words) {
  for (int c : {1, 2, 3, 4, 5, 6, 7, 8})
    for (int threads : {1, 31, 96})
      rotate_all<int>(c, 3, threads);
}
TEST(rotate_doubles) {
  for (int c : {2, 4, 8, 16})
    rotate_all<double>(c, 5, 64);
}

// Vectors, and lanes with a stride: shared memory above 48 KiB.
__global__ void strided(int stride, const int4 *x, int4 *r) {
  extern __shared__ int4 rows[];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  rows[threadIdx.x * stride] = x[i];
  cluster.sync();
  const int4 v =
      cluster.map_shared_rank(rows, cluster.block_rank() ^ 1)[(blockDim.x - 1 - threadIdx.x) * stride];
  cluster.sync();
  r[i] = v;
}
TEST(strided) {
  enum { THREADS = 128, BLOCKS = 6 };
  Array<int> x(4 * THREADS * BLOCKS, -1000, 1000);
  for (int stride : {1, 2, 7, 32}) {
    Array<int> r(4 * THREADS * BLOCKS);
    succeed(cudaFuncSetAttribute(strided, cudaFuncAttributeMaxDynamicSharedMemorySize, THREADS * 32 * 16));
    launch(strided, BLOCKS, THREADS, 2, THREADS * stride * 16, stride, x.as<int4>(), r.as<int4>());
    check(r, [&](int i) {
      const int row = i / 4, block = row / THREADS;
      return x[((block ^ 1) * THREADS + THREADS - 1 - row % THREADS) * 4 + i % 4];
    });
  }
}

// Work between arrive and wait; every block reads the values of all others in each round.
__global__ void __cluster_dims__(4, 1, 1) rounds(int count, int *r) {
  __shared__ int value[2];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned n = cluster.num_blocks(), t = threadIdx.x;
  if (t == 0)
    value[0] = blockIdx.x;
  int local = t;
  for (int k = 0; k < count; k++) {
    auto token = cluster.barrier_arrive();
    local = (local * 5 + k) % 1009;
    cluster.barrier_wait(std::move(token));
    int sum = 0;
    for (unsigned b = 0; b < n; b++)
      sum += cluster.map_shared_rank(value, b)[k % 2];
    if (t == 0)
      value[(k + 1) % 2] = sum % 997 + (int)cluster.block_rank();
  }
  cluster.sync();
  r[blockIdx.x * blockDim.x + t] = value[count % 2] * 1009 + local;
}
TEST(rounds) {
  enum { THREADS = 70, BLOCKS = 12, COUNT = 9 };
  Array<int> r(THREADS * BLOCKS);
  rounds<<<BLOCKS, THREADS>>>(COUNT, r);
  check(r, [&](int i) {
    const int block = i / THREADS, first = block / 4 * 4;
    int values[4], local = i % THREADS;
    for (int b = 0; b < 4; b++)
      values[b] = first + b;
    for (int k = 0; k < COUNT; k++) {
      const int sum = values[0] + values[1] + values[2] + values[3];
      for (int b = 0; b < 4; b++)
        values[b] = sum % 997 + b;
      local = (local * 5 + k) % 1009;
    }
    return values[block % 4] * 1009 + local;
  });
}

// One histogram, spread over the blocks of a cluster.
__global__ void histogram(int bins_per_block, int n, const int *x, int *r) {
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int k = threadIdx.x; k < bins_per_block; k += blockDim.x)
    part[k] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(part, x[i] / bins_per_block) + x[i] % bins_per_block, 1);
  cluster.sync();
  for (int k = threadIdx.x; k < bins_per_block; k += blockDim.x)
    atomicAdd(&r[cluster.block_rank() * bins_per_block + k], part[k]);
}
TEST(histogram) {
  enum { PER_BLOCK = 50, N = 3001 };
  for (int c : {1, 2, 4, 7, 8}) {
    const int bins = PER_BLOCK * c;
    Array<int> x(N, 0, bins - 1), r(bins);
    launch(histogram, 3 * c, 96, c, PER_BLOCK * sizeof(int), PER_BLOCK, N, x, r);
    check(r, [&](int i) {
      int count = 0;
      for (int k = 0; k < N; k++)
        count += x[k] == i;
      return count;
    });
  }
}

// All blocks of a cluster update the words of its first block. The results do not depend on the order. The maximum has
// 32 bits: 64-bit atomicMax() of an H200 loses updates of distributed shared memory.
__global__ void atomics(const int *x, unsigned long long *r) {
  __shared__ unsigned long long words[8];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned t = threadIdx.x;
  if (t < 8)
    words[t] = t == 1 ? 0x7fffffff : t == 3 ? ~0ull : 0;
  cluster.sync();
  unsigned long long *first = cluster.map_shared_rank(words, 0);
  const int v = x[blockIdx.x * blockDim.x + t];
  atomicAdd((int *)&first[0], v);
  atomicMin((int *)&first[1], v);
  atomicMax((unsigned *)&first[2], v * v);
  atomicAnd((unsigned *)&first[3], ~(1u << (v & 31)));
  atomicXor((unsigned *)&first[4], 1u << (v & 31));
  atomicAdd((float *)&first[5], (float)(v & 15));
  atomicCAS(&first[6], 0, 1ull << 60);
  atomicInc((unsigned *)&first[7], 99);
  cluster.sync();
  if (t < 8)
    r[blockIdx.x * 8 + t] = first[t];
  cluster.sync();
}
TEST(atomics) {
  enum { THREADS = 64, BLOCKS = 12, CLUSTER = 4 };
  Array<int> x(THREADS * BLOCKS, -900, 900);
  Array<unsigned long long> r(8 * BLOCKS);
  launch(atomics, BLOCKS, THREADS, CLUSTER, 0, x, r);
  check(r, [&](int i) {
    const int first = i / 8 / CLUSTER * CLUSTER * THREADS, each = CLUSTER * THREADS;
    int sum = 0, least = 0x7fffffff;
    unsigned long long most = 0;
    unsigned cleared = ~0u, flipped = 0;
    float real = 0;
    for (int k = first; k < first + each; k++) {
      const int v = x[k];
      sum += v, least = v < least ? v : least, real += v & 15;
      most = (unsigned long long)v * v > most ? v * v : most;
      cleared &= ~(1u << (v & 31)), flipped ^= 1u << (v & 31);
    }
    unsigned bits;
    memcpy(&bits, &real, sizeof bits);
    const unsigned long long words[8] = {
        (unsigned)sum, (unsigned)least,       most, ~0ull << 32 | cleared, flipped, bits,
        1ull << 60,    (unsigned)(each % 100)};
    return words[i % 8];
  });
}

// A 5-point stencil in integers: each block owns rows, and reads the rows above and below from its neighbours.
enum { WIDTH = 37, ROWS = 5 };
__global__ void halo(int steps, const int *x, int *r) {
  __shared__ int tile[2][ROWS][WIDTH];
  const cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), n = cluster.num_blocks(), j = threadIdx.x % WIDTH,
            i = threadIdx.x / WIDTH;
  const int at = (blockIdx.x * ROWS + i) * WIDTH + j;
  tile[0][i][j] = x[at];
  cluster.sync();
  for (int k = 0; k < steps; k++) {
    const int(*now)[WIDTH] = tile[k % 2];
    int up = 0, down = 0;
    if (i > 0)
      up = now[i - 1][j];
    else if (rank > 0)
      up = cluster.map_shared_rank(&tile[k % 2][ROWS - 1][j], rank - 1)[0];
    if (i < ROWS - 1)
      down = now[i + 1][j];
    else if (rank < n - 1)
      down = cluster.map_shared_rank(&tile[k % 2][0][j], rank + 1)[0];
    const int left = j > 0 ? now[i][j - 1] : 0, right = j < WIDTH - 1 ? now[i][j + 1] : 0;
    tile[(k + 1) % 2][i][j] = (up + down + left + right - 4 * now[i][j]) % 10007;
    cluster.sync();
  }
  r[at] = tile[steps % 2][i][j];
}
static void relax(int rows, int steps, const int *x, int *r) {
  int *old = new int[rows * WIDTH];
  memcpy(r, x, rows * WIDTH * sizeof *r);
  for (int k = 0; k < steps; k++) {
    memcpy(old, r, rows * WIDTH * sizeof *r);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < WIDTH; j++) {
        const int *p = old + i * WIDTH + j;
        r[i * WIDTH + j] = ((i > 0 ? p[-WIDTH] : 0) + (i < rows - 1 ? p[WIDTH] : 0) + (j > 0 ? p[-1] : 0) +
                            (j < WIDTH - 1 ? p[1] : 0) - 4 * p[0]) %
                           10007;
      }
  }
  delete[] old;
}
TEST(halo) {
  for (int c : {1, 2, 3, 8}) {
    const int rows = c * ROWS, clusters = 2, n = clusters * rows * WIDTH;
    Array<int> x(n, -100, 100), r(n);
    launch(halo, c * clusters, ROWS * WIDTH, c, 0, 6, x, r);
    int *wanted = new int[n];
    for (int k = 0; k < clusters; k++)
      relax(rows, 6, x.initial + k * rows * WIDTH, wanted + k * rows * WIDTH);
    check(r, [&](int i) { return wanted[i]; });
    delete[] wanted;
  }
}

// The first block waits at its own mbarrier for the others, which write to its shared memory and arrive there.
__global__ void gather(int *r) {
  __shared__ unsigned long long ready;
  __shared__ int parts[8];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), n = cluster.num_blocks(),
                 own = (unsigned)__cvta_generic_to_shared(&ready);
  if (rank == 0 && threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(own), "r"(n) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned first;
    cluster.map_shared_rank(parts, 0)[rank] = 10 * blockIdx.x + 1;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(own));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(first) : "memory");
  }
  if (rank == 0) {
    for (int over = 0; !over;)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
                   "selp.s32 %0, 1, 0, p; }"
                   : "=r"(over)
                   : "r"(own)
                   : "memory");
    int sum = 0;
    for (unsigned k = 0; k < n; k++)
      sum += parts[k];
    r[blockIdx.x / n * blockDim.x + threadIdx.x] = sum + threadIdx.x;
  }
  cluster.sync();
}
TEST(gather) {
  for (int c : {1, 2, 5, 8}) {
    Array<int> r(3 * 40);
    launch(gather, 3 * c, 40, c, 0, r);
    check(r, [&](int i) {
      int sum = i % 40;
      for (int k = 0; k < c; k++)
        sum += 10 * (i / 40 * c + k) + 1;
      return sum;
    });
  }
}

// Sums: of a warp by shuffles, of a block and of a cluster by distributed shared memory; and those of
// the blocks before.
__global__ void sums(const int *x, int *r) {
  __shared__ int block_sum, before;
  const cg::cluster_group cluster = cg::this_cluster();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, rank = cluster.block_rank(),
                 n = cluster.num_blocks();
  if (threadIdx.x == 0)
    block_sum = before = 0;
  cluster.sync();
  const int sum = cg::reduce(warp, x[i], cg::plus<int>());
  if (warp.thread_rank() == 0) {
    atomicAdd(&block_sum, sum);
    for (unsigned later = rank + 1; later < n; later++)
      atomicAdd(cluster.map_shared_rank(&before, later), sum);
  }
  cluster.sync();
  int all = 0;
  if (threadIdx.x < n)
    all = *cluster.map_shared_rank(&block_sum, threadIdx.x);
  cluster.sync();
  all = __reduce_add_sync(~0u, all);
  r[i] = threadIdx.x == 0 ? all : threadIdx.x == 1 ? before : 0;
}
TEST(sums) {
  enum { THREADS = 96 };
  for (int c : {1, 2, 6, 8, 16}) {
    const int n = 3 * c * THREADS;
    Array<int> x(n, -1000, 1000), r(n);
    launch(sums, 3 * c, THREADS, c, 0, x, r);
    check(r, [&](int i) {
      const int block = i / THREADS, first = block / c * c;
      const int from = first * THREADS, end = (i % THREADS == 0 ? first + c : block) * THREADS;
      int sum = 0;
      for (int k = from; k < end && i % THREADS < 2; k++)
        sum += x[k];
      return i % THREADS < 2 ? sum : 0;
    });
  }
}

// Blocks leave one after the other. The barrier expects only threads that have not exited.
__global__ void leaving(int *r) {
  __shared__ int visits;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), n = cluster.num_blocks();
  if (threadIdx.x == 0)
    visits = 0;
  cluster.sync();
  for (unsigned k = 0; k < rank; k++) {
    atomicAdd(cluster.map_shared_rank(&visits, k + 1 + (n - k - 1) / 2), 1);
    cluster.sync();
  }
  r[blockIdx.x * blockDim.x + threadIdx.x] = rank + 1;
  if (rank == n - 1)
    r[blockIdx.x * blockDim.x + threadIdx.x] += 100 * visits;
}
TEST(leaving) {
  for (int c : {1, 2, 4, 5, 8}) {
    Array<int> r(2 * c * 33);
    launch(leaving, 2 * c, 33, c, 0, r);
    check(r, [&](int i) {
      const int rank = i / 33 % c;
      int visits = 0; // of the last block
      for (int from = 1; from < c; from++)
        for (int k = 0; k < from; k++)
          visits += k + 1 + (c - k - 1) / 2 == c - 1 ? 33 : 0;
      return rank + 1 + (rank == c - 1 ? 100 * visits : 0);
    });
  }
}
