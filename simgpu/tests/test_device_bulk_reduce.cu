// Bulk copies that combine (cp.reduce.async.bulk), copies to several blocks of a cluster, and stores and reductions in
// other blocks (st.async, red.async). Results are compared with those of the host. Exits 1 if there are differences.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

enum { COUNT = 64, BLOCKS = 5, CLUSTER = 4, THREADS = 32 };
static int differences;

static void expect(const char *what, int i, double got, double expected) {
  if (!(got == expected) && differences++ < 20)
    printf("%s: element %d is %g, expected %g\n", what, i, got, expected);
}

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Each block combines its own numbers with the same ones in global memory.
#define TO_GLOBAL(name, T, operation)                                                                        \
  __global__ void name(T *to, const T *from) {                                                               \
    __shared__ __align__(16) T box[COUNT];                                                                   \
    for (int i = threadIdx.x; i < COUNT; i += THREADS)                                                       \
      box[i] = from[blockIdx.x * COUNT + i];                                                                 \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                             \
    __syncthreads();                                                                                         \
    if (threadIdx.x == 0)                                                                                    \
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation " [%0], [%1], %2;\n"      \
                   "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::"l"(to),                      \
                   "r"(shared_address(box)), "r"((unsigned)sizeof box)                                       \
                   : "memory");                                                                              \
  }
TO_GLOBAL(add_u32, unsigned, "add.u32")
TO_GLOBAL(min_s32, int, "min.s32")
TO_GLOBAL(max_u64, unsigned long long, "max.u64")
TO_GLOBAL(xor_b32, unsigned, "xor.b32")
TO_GLOBAL(add_f32, float, "add.f32")
TO_GLOBAL(add_f64, double, "add.f64")
TO_GLOBAL(add_f16, __half, "add.noftz.f16")
TO_GLOBAL(max_bf16, __nv_bfloat16, "max.bf16")

template <typename T> static double number(T x) { return (double)x; }
static double number(__half x) { return (double)__half2float(x); }
static double number(__nv_bfloat16 x) { return (double)__bfloat162float(x); }

// Small integers, so that sums of floats are exact in any order.
template <typename T>
static void to_global(const char *name, void (*kernel)(T *, const T *), double (*combine)(double, double)) {
  T *to, *from;
  double expected[COUNT];
  cudaMallocManaged(&to, COUNT * sizeof(T));
  cudaMallocManaged(&from, BLOCKS * COUNT * sizeof(T));
  for (int i = 0; i < COUNT; i++) {
    to[i] = T((float)(i * 7 % 13));
    expected[i] = i * 7 % 13;
  }
  for (int i = 0; i < BLOCKS * COUNT; i++) {
    from[i] = T((float)(i * 5 % 17));
    expected[i % COUNT] = combine(expected[i % COUNT], i * 5 % 17);
  }
  kernel<<<BLOCKS, THREADS>>>(to, from);
  if (cudaError_t error = cudaDeviceSynchronize())
    printf("%s: %s\n", name, cudaGetErrorString(error)), differences++;
  for (int i = 0; i < COUNT; i++)
    expect(name, i, number(to[i]), expected[i]);
  cudaFree(to);
  cudaFree(from);
}

static double sum(double a, double b) { return a + b; }
static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }
static double differ(double a, double b) { return (double)((unsigned)a ^ (unsigned)b); }

__device__ void start(uint64_t *barrier, unsigned bytes) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ void await(uint64_t *barrier) {
  asm volatile("{ .reg .pred done;\n"
               "W%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "@!done bra W%=; }" ::"r"(shared_address(barrier))
               : "memory");
}

__device__ unsigned in_block(const void *p, unsigned rank) {
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(p)), "r"(rank));
  return address;
}

// The first block of a cluster brings numbers to the blocks that the mask names.
__global__ void __cluster_dims__(CLUSTER) spread(int *out, const int *in, unsigned mask) {
  __shared__ __align__(16) int box[COUNT];
  __shared__ uint64_t barrier;
  const bool gets = mask >> blockIdx.x & 1;
  for (int i = threadIdx.x; i < COUNT; i += THREADS)
    box[i] = -1;
  start(&barrier, gets ? sizeof box : 0);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(box)),
                 "l"(in), "r"((unsigned)sizeof box), "r"(shared_address(&barrier)), "h"((short)mask)
                 : "memory");
  await(&barrier);
  for (int i = threadIdx.x; i < COUNT; i += THREADS)
    out[blockIdx.x * COUNT + i] = box[i];
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

static void multicast() {
  int *in, *out;
  cudaMallocManaged(&in, COUNT * sizeof(int));
  cudaMallocManaged(&out, CLUSTER * COUNT * sizeof(int));
  for (int i = 0; i < COUNT; i++)
    in[i] = 3 * i;
  for (unsigned mask : {0xfu, 0x5u, 0x8u}) {
    spread<<<CLUSTER, THREADS>>>(out, in, mask);
    if (cudaError_t error = cudaDeviceSynchronize())
      printf("multicast: %s\n", cudaGetErrorString(error)), differences++;
    for (int i = 0; i < CLUSTER * COUNT; i++)
      expect("multicast", i, out[i], mask >> i / COUNT & 1 ? 3 * (i % COUNT) : -1);
  }
  cudaFree(in);
  cudaFree(out);
}

// Every block stores to the next one, adds to a counter of the first one, and combines its box with the first one's.
__global__ void __cluster_dims__(CLUSTER) send(int *out, unsigned *counter, unsigned *sums) {
  __shared__ __align__(16) int box[4 * THREADS];
  __shared__ __align__(16) unsigned mine[COUNT], all[COUNT];
  __shared__ unsigned total;
  __shared__ uint64_t barrier;
  const unsigned rank = blockIdx.x, next = (rank + 1) % CLUSTER;
  if (threadIdx.x == 0)
    total = 0;
  for (int i = threadIdx.x; i < COUNT; i += THREADS) {
    mine[i] = rank * 100 + i;
    all[i] = 0;
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  start(&barrier, rank ? sizeof box : sizeof box + CLUSTER * (THREADS * 4 + sizeof all));
  const unsigned value = rank * 1000 + threadIdx.x * 4;
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
          in_block(&box[4 * threadIdx.x], next)),
      "r"(value), "r"(value + 1), "r"(value + 2), "r"(value + 3), "r"(in_block(&barrier, next))
      : "memory");
  asm volatile(
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
          in_block(&total, 0)),
      "r"(threadIdx.x + rank), "r"(in_block(&barrier, 0))
      : "memory");
  if (threadIdx.x == 0)
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::
            "r"(in_block(all, 0)),
        "r"(shared_address(mine)), "r"((unsigned)sizeof mine), "r"(in_block(&barrier, 0))
        : "memory");
  await(&barrier);
  for (int i = threadIdx.x; i < 4 * THREADS; i += THREADS)
    out[rank * 4 * THREADS + i] = box[i];
  if (rank == 0 && threadIdx.x == 0)
    *counter = total;
  for (int i = threadIdx.x; i < COUNT && rank == 0; i += THREADS)
    sums[i] = all[i];
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

static void to_other_blocks() {
  int *out;
  unsigned *counter, *sums, total = 0;
  cudaMallocManaged(&out, CLUSTER * 4 * THREADS * sizeof(int));
  cudaMallocManaged(&counter, 4);
  cudaMallocManaged(&sums, COUNT * 4);
  send<<<CLUSTER, THREADS>>>(out, counter, sums);
  if (cudaError_t error = cudaDeviceSynchronize())
    printf("st.async: %s\n", cudaGetErrorString(error)), differences++;
  for (int i = 0; i < CLUSTER * 4 * THREADS; i++)
    expect("st.async", i, out[i], (i / (4 * THREADS) + CLUSTER - 1) % CLUSTER * 1000 + i % (4 * THREADS));
  for (int rank = 0; rank < CLUSTER; rank++)
    for (int i = 0; i < THREADS; i++)
      total += rank + i;
  expect("red.async", 0, *counter, total);
  for (int i = 0; i < COUNT; i++)
    expect("reduction within a cluster", i, sums[i], 600 + CLUSTER * i);
  cudaFree(out);
  cudaFree(counter);
  cudaFree(sums);
}

// A box whose last column and row lie outside of a tensor of 12 by 3 floats.
enum { WIDTH = 12, HEIGHT = 3, BOX_WIDTH = 8, BOX_HEIGHT = 2 };
__global__ void add_box(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(128) float box[BOX_WIDTH * BOX_HEIGHT];
  for (int i = threadIdx.x; i < BOX_WIDTH * BOX_HEIGHT; i += THREADS)
    box[i] = i + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::"l"(&map),
        "r"(8), "r"(2), "r"(shared_address(box))
        : "memory");
}

static void tensor() {
  float *data;
  CUtensorMap map;
  cuuint64_t size[] = {WIDTH, HEIGHT}, pitch[] = {WIDTH * 4};
  cuuint32_t box[] = {BOX_WIDTH, BOX_HEIGHT}, stride[] = {1, 1};
  cudaMallocManaged(&data, WIDTH * (HEIGHT + 1) * 4);
  for (int i = 0; i < WIDTH * (HEIGHT + 1); i++)
    data[i] = 1000;
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, size, pitch, box, stride,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
    printf("no tensor map\n"), differences++;
  for (int time = 1; time <= 2; time++) {
    add_box<<<1, THREADS>>>(map);
    if (cudaError_t error = cudaDeviceSynchronize())
      printf("tensor: %s\n", cudaGetErrorString(error)), differences++;
    for (int i = 0; i < WIDTH * (HEIGHT + 1); i++) {
      const int x = i % WIDTH, y = i / WIDTH;
      const bool inside = x >= 8 && y == 2;
      expect("tensor", i, data[i], 1000 + (inside ? time * (x - 8 + 1) : 0));
    }
  }
  cudaFree(data);
}

int main() {
  to_global("add.u32", add_u32, sum);
  to_global("min.s32", min_s32, least);
  to_global("max.u64", max_u64, most);
  to_global("xor.b32", xor_b32, differ);
  to_global("add.f32", add_f32, sum);
  to_global("add.f64", add_f64, sum);
  to_global("add.f16", add_f16, sum);
  to_global("max.bf16", max_bf16, most);
  multicast();
  to_other_blocks();
  tensor();
  return differences != 0;
}
