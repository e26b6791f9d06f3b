// Kernels that are wrong or look wrong, one per case of test_device_checks.c. argv[1]: which. Marks at the ends
// of lines show the test where a finding must be. The exit status is 7, so that a crash is not a success.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { N = 37, M = 21 }; // columns, rows

__global__ void gs_inplace_naive(int nx, int ny, float *u) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= ny - 1 || j < 1 || j >= nx - 1)
    return;
  float sum = u[i * nx + j + 1] + // HERE east
              u[i * nx + j - 1] + u[(i + 1) * nx + j] + u[(i - 1) * nx + j];
  u[i * nx + j] = 0.25f * sum; // HERE centre
}

__global__ void red_black(int nx, int ny, float *u, int colour) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= ny - 1 || j < 1 || j >= nx - 1 || (i + j) % 2 != colour)
    return;
  u[i * nx + j] = 0.25f * (u[i * nx + j + 1] + u[i * nx + j - 1] + u[(i + 1) * nx + j] + u[(i - 1) * nx + j]);
}

__global__ void no_barrier(int *out) {
  __shared__ int box[64];
  box[threadIdx.x] = threadIdx.x;           // HERE box_write
  out[threadIdx.x] = box[63 - threadIdx.x]; // HERE box_read
}

__global__ void barrier(int *out) {
  __shared__ int box[64];
  box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = box[63 - threadIdx.x];
}

// The second round overwrites elements that slower threads still read.
__global__ void one_barrier_short(int *out) {
  __shared__ int box[64];
  for (int round = 0; round < 2; round++) {
    box[threadIdx.x] = threadIdx.x + round; // HERE short_write
    __syncthreads();
    out[threadIdx.x] += box[63 - threadIdx.x]; // HERE short_read
  }
}

// A macro is on one line: which line of a longer statement nvcc names depends on its version.
#define LDMATRIX_X4(r, at)                                                                                   \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"                               \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                              \
               : "r"(at))

// Each lane gives ldmatrix the address of the row that another lane wrote.
template <bool synchronised> __global__ void matrix_rows(int *out) {
  __shared__ __align__(16) int4 rows[32];
  rows[threadIdx.x] = make_int4(1, 2, 3, 4); // HERE rows_write
  if (synchronised)
    __syncwarp();
  unsigned r[4], at = (unsigned)__cvta_generic_to_shared(&rows[threadIdx.x ^ 1]);
  LDMATRIX_X4(r, at); // HERE rows_read
  out[threadIdx.x] = r[0] + r[3];
}

__global__ void no_warp_sync(int *out) {
  __shared__ int box[32];
  box[threadIdx.x] = threadIdx.x;          // HERE warp_write
  out[threadIdx.x] = box[threadIdx.x ^ 1]; // HERE warp_read
}

// A shuffle passes registers, and orders no memory.
__global__ void shuffle_for_warp_sync(int *out) {
  __shared__ int box[32];
  box[threadIdx.x] = threadIdx.x; // HERE shuffle_write
  const int next = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1);
  out[threadIdx.x] = box[threadIdx.x ^ 1] + next; // HERE shuffle_read
}

// The compiler moves the load ahead of the condition, for all threads. A race is there only if others use the value.
template <int USERS> __global__ void moved_load(int *out) {
  __shared__ int box[2];
  const bool uses = threadIdx.x < USERS;
  for (int round = 0; round < 3; round++) {
    if (threadIdx.x == 0)
      box[1] = round + out[0];   // HERE moved_write
    if (uses && box[1] + 3 != 7) // HERE moved_read
      out[threadIdx.x] += 1;
    out[threadIdx.x + 64] += threadIdx.x == 0 ? box[1] : 2;
  }
}

// A barrier stands between the load and the use: the time of the load counts.
__global__ void use_after_barrier(int *out) {
  __shared__ int box[2];
  if (threadIdx.x == 0)
    box[1] = out[0];        // HERE after_write
  const int early = box[1]; // HERE after_read
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < 40 ? early : 2;
}

// The end of a sum as it was written before Volta: volatile alone orders no lanes.
template <bool SYNC> __global__ void volatile_sum(int *out) {
  __shared__ volatile int box[64];
  const int t = threadIdx.x;
  box[t] = t;
  box[t + 32] = t;
  __syncwarp();
  for (int width = 32; width > 0; width /= 2) {
    const int other = box[t + width]; // HERE volatile_read
    if (SYNC)
      __syncwarp();
    box[t] = box[t] + other; // HERE volatile_write
    if (SYNC)
      __syncwarp();
  }
  out[t] = box[0];
}

// Lanes raise a flag that another warp polls.
__global__ void volatile_flag(int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 32)
    flag = 0;
  __syncthreads();
  if (threadIdx.x < 32)
    flag = 1;
  else
    while (flag == 0)
      ;
  __syncthreads();
  out[threadIdx.x] = flag;
}

// Each half synchronises on its own, then reads what the other half wrote.
__global__ void half_warp_sync(int *out) {
  __shared__ int box[32];
  box[threadIdx.x] = threadIdx.x; // HERE half_write
  __syncwarp(threadIdx.x < 16 ? 0xffff : 0xffff0000);
  out[threadIdx.x] = box[threadIdx.x ^ 16]; // HERE half_read
}

// All lanes call a shuffle, and its mask names half of them.
__global__ void half_mask(int *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffff, (int)threadIdx.x, 1); // HERE half_mask
}

// Each half names itself.
__global__ void mask_of_each_half(int *out) {
  out[threadIdx.x] = __shfl_xor_sync(threadIdx.x < 16 ? 0xffff : 0xffff0000, (int)threadIdx.x, 1);
}

// Lanes 0 and 1, 1 and 2, 2 and 3 synchronise: the last lane sees what the first one wrote.
__global__ void chain_of_masks(int *out) {
  __shared__ int box;
  int t = threadIdx.x;
  if (t == 0)
    box = out[1]; // not a constant: nvcc would propagate it to the read
  for (int k = 0; k < 3; k++)
    if (t == k || t == k + 1)
      __syncwarp(3 << k);
  if (t == 3)
    out[0] = box;
}

__global__ void one_word(int *out) {
  out[0] = threadIdx.x; // HERE one_word
}

__global__ void same_value(int *out) {
  out[0] = 1; // HERE same_value
}

__global__ void other_block(int *out) {
  if (blockIdx.x == 0)
    out[threadIdx.x] = 3; // HERE other_write
  else
    out[32 + threadIdx.x] = out[threadIdx.x]; // HERE other_read
}

__global__ void plain_reset(int *count) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *count = 0;        // HERE reset
  atomicAdd(count, 1); // HERE add
}

__device__ unsigned arrived;
enum { NO_FENCE, FENCE_OF_BLOCK, FENCE };
template <int FENCES, bool READ_ONLY = false> __global__ void last_block(int *sums, int *total) {
  __shared__ bool last;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // HERE sums_write
  if (FENCES == FENCE)
    __threadfence();
  else if (FENCES == FENCE_OF_BLOCK)
    __threadfence_block();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x > 0)
    return;
  int sum = 0;
  for (int k = 0; k < gridDim.x * blockDim.x; k++)
    sum += READ_ONLY ? __ldg(sums + k) : sums[k]; // HERE sums_read
  *total = sum;
  arrived = 0;
}

// Within a block, a fence of the block is enough.
__global__ void warps_by_a_flag(volatile int *flag, int *value) {
  if (threadIdx.x == 0) {
    *value = 7;
    __threadfence_block();
    *flag = 1;
  } else if (threadIdx.x == 32) {
    while (*flag == 0)
      continue;
    __threadfence_block();
    value[1] = *value;
  }
}

// Blocks pass a sum on: each sets a flag after a fence, and the next one waits for the flag.
template <bool FENCE> __global__ void chain(int *value, volatile int *flag) {
  if (threadIdx.x > 0)
    return;
  if (blockIdx.x > 0)
    while (!flag[blockIdx.x - 1])
      continue;
  __threadfence();
  value[blockIdx.x] = blockIdx.x > 0 ? value[blockIdx.x - 1] + 1 : 1; // HERE chain
  if (FENCE)
    __threadfence();
  flag[blockIdx.x] = 1;
}

__global__ void lock(int *mutex, int *account) {
  if (threadIdx.x > 0)
    return;
  while (atomicCAS(mutex, 0, 1))
    continue;
  __threadfence();
  *account += 1;
  __threadfence();
  atomicExch(mutex, 0);
}

template <bool SYNC> __global__ void grid_rounds(int n, int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 3; round++) {
    a[i] = b[(i + 40) % n] + 1; // HERE rounds_a
    if (SYNC)
      cg::this_grid().sync();
    b[i] = a[(i + 40) % n] + 1; // HERE rounds_b
    if (SYNC)
      cg::this_grid().sync();
  }
}

// Producers arrive, consumers wait: warps 0 and 1 share named barriers; warp 2 only arrives at the second one.
template <bool RIGHT> __global__ void named_barriers(int *out) {
  __shared__ int box[32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    box[lane] = lane; // HERE named_write
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else if (warp == 1) {
    if (RIGHT)
      asm volatile("bar.sync 1, 64;" ::: "memory");
    else
      asm volatile("bar.sync 2, 64;" ::: "memory");
    out[lane] = box[31 - lane]; // HERE named_read
  } else {
    asm volatile("bar.arrive 2, 64;" ::: "memory");
  }
}

// Each thread copies its elements and another thread reads one; the checks must find the missing wait.
enum wait_kind { NONE, OWN_READ, TOO_FEW, LATE, RIGHT, ABANDONED, RIGHT_GROUPS };
template <wait_kind WAIT> __global__ void async_copy(int *out, const int *in) {
  __shared__ int box[128];
  int t = threadIdx.x, other = WAIT == OWN_READ ? t : t ^ 33;
  out += 64 * blockIdx.x;
  for (int half = 0; half < 2; half++) {
    __pipeline_memcpy_async(&box[64 * half + t], &in[64 * half + t], sizeof *box); // HERE async_copy
    __pipeline_commit();
  }
  if (WAIT == ABANDONED && blockIdx.x == 0)
    return; // these copies must not affect the next block
  if (WAIT >= RIGHT)
    __pipeline_wait_prior(WAIT == RIGHT_GROUPS ? 1 : 0);
  else if (WAIT == TOO_FEW)
    __pipeline_wait_prior(2);
  __syncthreads();
  if (WAIT == LATE) { // the barrier came before the wait, so it orders nothing
    __pipeline_wait_prior(0);
    out[t] = box[other]; // HERE late_read
    return;
  }
  out[t] = box[other]; // HERE async_read
  if (WAIT == RIGHT_GROUPS)
    __pipeline_wait_prior(0);
  if (WAIT >= RIGHT) {
    __syncthreads();
    out[t] += box[64 + other];
  }
}

// Copies that arrive at an mbarrier; RIGHT: all threads wait for its phase.
template <bool RIGHT> __global__ void async_barrier(int *out, const int *in) {
  __shared__ int box[64];
  __shared__ unsigned long long barrier;
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
  __syncthreads();
  __pipeline_memcpy_async(&box[t], &in[t], sizeof *box); // HERE barrier_copy
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  if (RIGHT)
    asm volatile(
        "{ .reg .pred p; wait: mbarrier.test_wait.parity.shared.b64 p, [%0], 0; @!p bra wait; }" ::"r"(at)
        : "memory");
  else
    __syncthreads();
  out[t] = box[t ^ 33]; // HERE barrier_read
}

// Arrivals at an mbarrier order earlier writes before the reads that follow the wait.
template <bool RIGHT> __global__ void mbarrier_orders(int *out) {
  __shared__ int box[64];
  __shared__ unsigned long long barrier;
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
  __syncthreads();
  box[t] = out[t] + t; // HERE arrive_write
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
  if (RIGHT)
    asm volatile(
        "{ .reg .pred p; wait: mbarrier.test_wait.parity.shared.b64 p, [%0], 0; @!p bra wait; }" ::"r"(at)
        : "memory");
  out[t] = box[t ^ 33]; // HERE arrive_read
}

__global__ void bytes(unsigned char *out) { out[threadIdx.x] = threadIdx.x; }
__global__ void odd_bytes(unsigned char *out) {
  out[threadIdx.x / 3] = threadIdx.x; // HERE odd_bytes
}

__global__ void copy(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i]; // HERE copy
}

__global__ void copy_wide(const float4 *x, float4 *y) {
  y[threadIdx.x] = x[threadIdx.x]; // HERE copy_wide
}

__global__ void shared_unset(int *out) {
  __shared__ int box[64];
  if (threadIdx.x != 40)
    box[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = box[threadIdx.x]; // HERE shared_unset
}

__global__ void add_to(int *sum) {
  atomicAdd(sum, 1); // HERE add_to
}

static int *ints(int count) { // zero
  int *a;
  cudaMalloc(&a, count * sizeof *a);
  cudaMemset(a, 0, count * sizeof *a);
  return a;
}

template <class... T> static void cooperative(void (*kernel)(T...), int blocks, int threads, T... arguments) {
  void *list[] = {&arguments...};
  cudaLaunchCooperativeKernel((void *)kernel, blocks, threads, list, 0, 0);
}

static void uninitialised(const char *name) {
  float *x, *y;
  cudaMalloc(&x, 1000 * sizeof *x);
  cudaMalloc(&y, 1000 * sizeof *y);
  if (strcmp(name, "uninitialised") != 0)
    cudaMemset(x, 0, 999 * sizeof *x);
  if (strcmp(name, "device-to-device") == 0)
    cudaMemcpy(y, x, 1000 * sizeof *x, cudaMemcpyDeviceToDevice);
  if (strcmp(name, "wide") == 0)
    copy_wide<<<1, 250>>>((float4 *)x, (float4 *)y);
  else if (strcmp(name, "device-to-device") == 0)
    copy<<<8, 128>>>(1000, y, x);
  else
    copy<<<8, 128>>>(strcmp(name, "initialised") == 0 ? 999 : 1000, x, y);
  float back[1000]; // some elements are not initialised: no finding
  cudaMemcpy(back, y, sizeof back, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}

static void memory(const char *name) {
  float *x;
  cudaMalloc(&x, 4000);
  cudaMemset(x, 0, 4000);
  if (strcmp(name, "leak") == 0)
    return;
  if (strcmp(name, "free within") == 0)
    cudaFree(x + 2);
  cudaFree(x);
  if (strcmp(name, "double free") == 0)
    cudaFree(x);
  if (strcmp(name, "use after free") == 0)
    copy<<<1, 1>>>(1, x + 16, x);
}

__global__ void one_of_aliases(int *a, int *b) {
  if (blockIdx.x == 0)
    *a = 3; // HERE alias_write
  else
    a[1] = *b; // HERE alias_read
}

// Memory of 1 + 1 granules, mapped twice, side by side.
static void mapped(const char *name) {
  const size_t granule = 2 << 20;
  CUmemAllocationProp properties = {};
  CUmemAccessDesc access = {};
  CUmemGenericAllocationHandle halves[2];
  CUdeviceptr base;
  float *y;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  cudaMalloc(&y, 4000);
  cuMemAddressReserve(&base, 4 * granule, 0, 0, 0);
  for (int i = 0; i < 2; i++) {
    cuMemCreate(&halves[i], granule, &properties, 0);
    cuMemMap(base + i * granule, granule, 0, halves[i], 0);
    cuMemMap(base + (i + 2) * granule, granule, 0, halves[i], 0);
  }
  cuMemSetAccess(base, 4 * granule, &access, 1);
  float *const x = (float *)(base + granule - 2000), *const alias = (float *)(base + 3 * granule - 2000);
  if (strcmp(name, "mapped, race") == 0)
    one_of_aliases<<<2, 1>>>((int *)x, (int *)alias);
  else if (strcmp(name, "mapped, copied") == 0) {
    cudaMemset(y, 0, 3996);
    cudaMemcpy(x, y, 4000, cudaMemcpyDeviceToDevice);
    copy<<<8, 128>>>(1000, alias, y);
  } else if (strcmp(name, "mapped, leak") != 0) {
    cudaMemset(x, 0, strcmp(name, "mapped, set") == 0 ? 4000 : 3996);
    copy<<<8, 128>>>(1000, alias, y);
  }
  cuMemUnmap(base, 4 * granule);
  for (int i = 0; i < 2 && strcmp(name, "mapped, leak") != 0; i++)
    cuMemRelease(halves[i]);
  cuMemAddressFree(base, 4 * granule);
  cudaFree(y);
}

// Lists blocks, or the warps of one block, in the order in which they run.
__global__ void arrive(int *count, int *list) {
  if (threadIdx.x % 32 == 0)
    list[atomicAdd(count, 1)] = blockIdx.x + threadIdx.x / 32;
}

static void order(int blocks, int threads) {
  int *a = ints(64), list[32];
  arrive<<<blocks, threads>>>(a, a + 1);
  cudaMemcpy(list, a + 1, sizeof list, cudaMemcpyDeviceToHost);
  for (int k = 0; k < blocks * threads / 32; k++)
    printf("%d ", list[k]);
  cudaFree(a);
}

__host__ __device__ static float summand(int i) { return 1.0f / (float)(1 + i % 97); }

// The first thread of each warp adds to its block's sum, and then the block's first one to the sum of all.
__global__ void add_as_they_arrive(float *sum) {
  __shared__ float part;
  const int warp = (int)threadIdx.x / 32;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    atomicAdd(&part, summand((int)blockIdx.x * 8 + warp));
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(sum, part);
}

// The kernel's sum, and those of the host in ascending and descending order.
static void order_of_sums() {
  enum { BLOCKS = 40, WARPS = 8 };
  float *device, sum = 0, sums[2] = {0, 0};
  cudaMalloc(&device, sizeof *device);
  cudaMemset(device, 0, sizeof *device);
  add_as_they_arrive<<<BLOCKS, WARPS * 32>>>(device);
  cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int reverse = 0; reverse < 2; reverse++)
    for (int b = 0; b < BLOCKS; b++) {
      float part = 0;
      for (int w = 0; w < WARPS; w++)
        part += summand((reverse ? BLOCKS - 1 - b : b) * WARPS + (reverse ? WARPS - 1 - w : w));
      sums[reverse] += part;
    }
  printf("%a %a %a\n", sum, sums[0], sums[1]);
}

struct named_launch {
  const char *name;
  void (*launch)(int *a);
};

static void launch(const named_launch &c) {
  int *a = ints(1024);
  c.launch(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}

static const named_launch cases[] = {
    {"in place", [](int *a) { gs_inplace_naive<<<dim3(2, 3), dim3(32, 8)>>>(N, M, (float *)a); }},
    {"red-black",
     [](int *a) {
       for (int colour = 0; colour < 2; colour++)
         red_black<<<dim3(2, 3), dim3(32, 8)>>>(N, M, (float *)a, colour);
     }},
    {"no barrier", [](int *a) { no_barrier<<<3, 64>>>(a); }},
    {"barrier", [](int *a) { barrier<<<1, 64>>>(a); }},
    {"one barrier short", [](int *a) { one_barrier_short<<<1, 64>>>(a); }},
    {"rows of a matrix without warp sync", [](int *a) { matrix_rows<false><<<1, 32>>>(a); }},
    {"rows of a matrix", [](int *a) { matrix_rows<true><<<1, 32>>>(a); }},
    {"no warp sync", [](int *a) { no_warp_sync<<<1, 32>>>(a); }},
    {"shuffle for warp sync", [](int *a) { shuffle_for_warp_sync<<<1, 32>>>(a); }},
    {"load ahead of a condition", [](int *a) { moved_load<1><<<1, 64>>>(a); }},
    {"load ahead of a condition, two users", [](int *a) { moved_load<2><<<1, 64>>>(a); }},
    {"used after a barrier", [](int *a) { use_after_barrier<<<1, 64>>>(a); }},
    {"volatile without warp sync", [](int *a) { volatile_sum<false><<<1, 32>>>(a); }},
    {"volatile, synced", [](int *a) { volatile_sum<true><<<1, 32>>>(a), volatile_flag<<<1, 64>>>(a); }},
    {"half warp sync", [](int *a) { half_warp_sync<<<1, 32>>>(a); }},
    {"half mask", [](int *a) { half_mask<<<1, 32>>>(a); }},
    {"mask of each half", [](int *a) { mask_of_each_half<<<1, 32>>>(a); }},
    {"chain of masks", [](int *a) { chain_of_masks<<<1, 32>>>(a); }},
    {"one word", [](int *a) { one_word<<<1, 2>>>(a); }},
    {"same value", [](int *a) { same_value<<<2, 64>>>(a); }},
    {"other block", [](int *a) { other_block<<<2, 32>>>(a); }},
    {"plain reset", [](int *a) { plain_reset<<<2, 32>>>(a); }},
    {"last block", [](int *a) { last_block<FENCE><<<5, 48>>>(a + 1, a); }},
    {"last block without fence", [](int *a) { last_block<NO_FENCE><<<5, 48>>>(a + 1, a); }},
    {"last block with its own fence", [](int *a) { last_block<FENCE_OF_BLOCK><<<5, 48>>>(a + 1, a); }},
    {"last block, read-only", [](int *a) { last_block<FENCE, true><<<5, 48>>>(a + 1, a); }},
    {"warps by a flag", [](int *a) { warps_by_a_flag<<<1, 64>>>(a, a + 1); }},
    {"chain", [](int *a) { chain<true><<<9, 32>>>(a, a + 16); }},
    {"chain without fence", [](int *a) { chain<false><<<9, 32>>>(a, a + 16); }},
    {"lock", [](int *a) { lock<<<9, 32>>>(a, a + 16); }},
    {"grid sync", [](int *a) { cooperative(grid_rounds<true>, 4, 64, 256, a, a + 256); }},
    {"no grid sync", [](int *a) { cooperative(grid_rounds<false>, 4, 64, 256, a, a + 256); }},
    {"named barrier", [](int *a) { named_barriers<true><<<1, 64>>>(a); }},
    {"wrong named barrier", [](int *a) { named_barriers<false><<<1, 96>>>(a); }},
    {"no wait for copies", [](int *a) { async_copy<NONE><<<1, 64>>>(a, a + 512); }},
    {"no wait for own copies", [](int *a) { async_copy<OWN_READ><<<1, 64>>>(a, a + 512); }},
    {"wait for too few copies", [](int *a) { async_copy<TOO_FEW><<<1, 64>>>(a, a + 512); }},
    {"wait after the barrier", [](int *a) { async_copy<LATE><<<1, 64>>>(a, a + 512); }},
    {"wait for copies", [](int *a) { async_copy<RIGHT><<<2, 64>>>(a, a + 512); }},
    {"copies of another block", [](int *a) { async_copy<ABANDONED><<<2, 64>>>(a, a + 512); }},
    {"wait for groups", [](int *a) { async_copy<RIGHT_GROUPS><<<1, 64>>>(a, a + 512); }},
    {"mbarrier of copies", [](int *a) { async_barrier<true><<<1, 64>>>(a, a + 512); }},
    {"no wait for mbarrier", [](int *a) { async_barrier<false><<<1, 64>>>(a, a + 512); }},
    {"mbarrier", [](int *a) { mbarrier_orders<true><<<1, 64>>>(a); }},
    {"mbarrier not waited for", [](int *a) { mbarrier_orders<false><<<1, 64>>>(a); }},
    {"bytes", [](int *a) { bytes<<<1, 99>>>((unsigned char *)a); }},
    {"odd bytes", [](int *a) { odd_bytes<<<1, 99>>>((unsigned char *)a); }},
    {"shared unset", [](int *a) { shared_unset<<<2, 64>>>(a); }},
};

static bool run(const char *name) {
  for (auto &c : cases)
    if (strcmp(c.name, name) == 0) {
      launch(c);
      return true;
    }
  return false;
}

int main(int argc, char **argv) {
  const char *name = argc == 2 ? argv[1] : "";
  if (strcmp(name, "order of blocks") == 0)
    order(23, 32);
  else if (strcmp(name, "order of warps") == 0)
    order(1, 23 * 32);
  else if (strcmp(name, "order of sums") == 0)
    order_of_sums();
  else if (strstr(name, "mapped"))
    mapped(name);
  else if (strstr(name, "free") || strcmp(name, "leak") == 0)
    memory(name);
  else if (strcmp(name, "atomic on unset") == 0) {
    int *a;
    cudaMalloc(&a, 4);
    add_to<<<1, 1>>>(a);
    cudaFree(a);
  } else if (!run(name))
    uninitialised(name);
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(error));
  return 7;
}
