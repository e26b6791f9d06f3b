// cp.async.bulk.tensor: boxes of tensors of one to five dimensions, copied to shared memory and back by tensor
// maps. Results are recorded: only a GPU knows what is right.
#include "harness.h"

#include <cuda.h>

enum { ROOM = 40 << 10 /* bytes of shared memory */, THREADS = 64 };

struct Shape {
  CUtensorMapDataType type;
  int element; // bytes
  int dimensions;
  cuuint64_t size[5];
  cuuint32_t box[5], stride[5];
  CUtensorMapSwizzle swizzle;
  CUtensorMapFloatOOBfill fill;
  int room() const { // bytes of the tensor, whose rows have a multiple of 16 bytes
    size_t bytes = pitch(1);
    for (int d = 1; d < dimensions; d++)
      bytes *= size[d];
    return (int)bytes;
  }
  cuuint64_t pitch(int d) const { // bytes between neighbours along dimension d
    cuuint64_t bytes = (size[0] * element + 15) / 16 * 16;
    for (int k = 1; k < d; k++)
      bytes *= size[k];
    return bytes;
  }
  int moved() const { // bytes
    int bytes = element;
    for (int d = 0; d < dimensions; d++)
      bytes *= d ? ceil_div(box[d], stride[d]) : box[d];
    return bytes;
  }
};

static CUtensorMap map_of(const Shape &s, void *tensor) {
  using Encode = CUresult(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                          const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                          CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  succeed(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                           &found));
  CUtensorMap map;
  cuuint64_t pitches[4];
  for (int d = 1; d < s.dimensions; d++)
    pitches[d - 1] = s.pitch(d);
  if (found != cudaDriverEntryPointSuccess ||
      ((Encode *)function)(&map, s.type, (cuuint32_t)s.dimensions, tensor, s.size, pitches, s.box, s.stride,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, s.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           s.fill)) {
    fprintf(stderr, "%s: no tensor map\n", Test::current->name);
    exit(2);
  }
  return map;
}

struct Place {
  int at[5];
};

__device__ static void load(int dimensions, uint32_t to, const CUtensorMap *map, uint32_t barrier,
                            const Place &p) {
#define LOAD(d, coordinates)                                                                                 \
  asm volatile("cp.async.bulk.tensor." d "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "       \
               "[%0], [%1, " coordinates "], [%2];" ::"r"(to),                                               \
               "l"(map), "r"(barrier), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "r"(p.at[4])  \
               : "memory")
  if (dimensions == 1)
    LOAD("1", "{%3}");
  else if (dimensions == 2)
    LOAD("2", "{%3, %4}");
  else if (dimensions == 3)
    LOAD("3", "{%3, %4, %5}");
  else if (dimensions == 4)
    LOAD("4", "{%3, %4, %5, %6}");
  else
    LOAD("5", "{%3, %4, %5, %6, %7}");
}

__device__ static void store(int dimensions, const CUtensorMap *map, uint32_t from, const Place &p) {
#define STORE(d, coordinates)                                                                                \
  asm volatile("cp.async.bulk.tensor." d "d.global.shared::cta.tile.bulk_group [%0, " coordinates            \
               "], [%1];" ::"l"(map),                                                                        \
               "r"(from), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "r"(p.at[4])               \
               : "memory")
  if (dimensions == 1)
    STORE("1", "{%2}");
  else if (dimensions == 2)
    STORE("2", "{%2, %3}");
  else if (dimensions == 3)
    STORE("3", "{%2, %3, %4}");
  else if (dimensions == 4)
    STORE("4", "{%2, %3, %4, %5}");
  else
    STORE("5", "{%2, %3, %4, %5, %6}");
}

__device__ static void await(uint32_t barrier) {
  asm volatile(
      "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; }" ::"r"(
          barrier)
      : "memory");
}

// The box at `from` to shared memory, and from there to the box at `to`; all of shared memory to `seen`.
__global__ void move(int dimensions, int bytes, const __grid_constant__ CUtensorMap source,
                     const __grid_constant__ CUtensorMap target, Place from, Place to, uint32_t *seen) {
  __shared__ alignas(1024) uint32_t shared[ROOM / 4];
  __shared__ uint64_t barrier;
  const uint32_t place = (uint32_t)__cvta_generic_to_shared(shared),
                 at = (uint32_t)__cvta_generic_to_shared(&barrier);
  for (int i = threadIdx.x; i < ROOM / 4; i += THREADS)
    shared[i] = 0xabababab;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("prefetch.tensormap [%0];" ::"l"(&source));
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes));
    load(dimensions, place, &source, at, from);
  }
  await(at);
  for (int i = threadIdx.x; i < ROOM / 4; i += THREADS)
    seen[i] = shared[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    store(dimensions, &target, place, to);
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

static void move_box(const Shape &s, const Place &from, const Place &to) {
  Array<uint32_t> source(s.room() / 4, 0, UINT32_MAX), target(s.room() / 4), seen(ROOM / 4);
  move<<<1, THREADS>>>(s.dimensions, s.moved(), map_of(s, source.device), map_of(s, target.device), from, to,
                       seen);
  delete[] record(seen);
  delete[] record(target);
}

#define ZERO CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
#define NAN_FILL CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
#define PLAIN CU_TENSOR_MAP_SWIZZLE_NONE
// A row's copy begins at a multiple of 16 bytes, and a store at no negative coordinate; else the instruction is
// illegal. A store writes all 16 bytes of a piece that begins inside the tensor.
TEST(line) {
  move_box({CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 1, {1000}, {256}, {1}, PLAIN, ZERO}, {{80}}, {{896}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 1, {1000}, {64}, {1}, PLAIN, ZERO}, {{-48}}, {{992}});
  expect_digest(0xf3d0d3c8e36b7f50u);
}
TEST(plane) {
  const Shape s = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {67, 45}, {32, 16}, {1, 1}, PLAIN, ZERO};
  move_box(s, {{8, 4}}, {{4, 9}});
  move_box(s, {{4, -5}}, {{40, 40}});
  move_box(s, {{48, 40}}, {{64, 44}});
  move_box(s, {{-28, 44}}, {{68, 3}});
  move_box(s, {{-1000, 44}}, {{1000, 3}});
  expect_digest(0xbe19a834d5975ff9u);
}
TEST(plane_of_nan) {
  const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                       CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64};
  const int elements[] = {2, 2, 4, 8};
  for (int k = 0; k < 4; k++)
    move_box({types[k], elements[k], 2, {67, 45}, {32, 16}, {1, 1}, PLAIN, NAN_FILL}, {{48, 40}}, {{8, 1}});
  expect_digest(0x4ecc9c156d3d2ec9u);
}
TEST(swizzled) {
  const CUtensorMapSwizzle all[] = {CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B,
                                    CU_TENSOR_MAP_SWIZZLE_128B};
  for (int k = 0; k < 3; k++) {
    const cuuint32_t halves = 16u << k;
    move_box({CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, 2, {200, 64}, {halves, 40}, {1, 1}, all[k], ZERO},
             {{16, 5}}, {{64, 50}});
    move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {50, 64}, {halves / 2, 23}, {1, 1}, all[k], ZERO},
             {{32, -3}}, {{4, 1}});
  }
  expect_digest(0x3807d3f5b5480a4u);
}
TEST(swizzled_short_rows) { // shorter than the pattern
  move_box(
      {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {50, 64}, {8, 23}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_128B, ZERO},
      {{28, 3}}, {{4, 1}});
  move_box(
      {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {50, 64}, {4, 23}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_64B, ZERO},
      {{28, 3}}, {{4, 1}});
  expect_digest(0xd965fead10c70b1u);
}
TEST(volume) {
  move_box({CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 3, {33, 20, 9}, {16, 7, 4}, {1, 1, 1}, PLAIN, ZERO},
           {{20, 15, 6}}, {{0, 19, 7}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, 3, {33, 20, 9}, {16, 7, 4}, {1, 1, 1}, PLAIN, ZERO},
           {{2, 15, 1}}, {{30, 2, 3}});
  expect_digest(0xc41abe30f8381573u);
}
TEST(five_dimensions) {
  move_box({CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, 4, {40, 6, 5, 4}, {8, 3, 2, 2}, {1, 1, 1, 1}, PLAIN, ZERO},
           {{32, 4, 4, 1}}, {{0, 1, 2, 3}});
  move_box(
      {CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, 5, {36, 6, 5, 4, 3}, {8, 3, 2, 2, 3}, {1, 1, 1, 1, 1}, PLAIN, ZERO},
      {{8, 4, 4, 1, 1}}, {{32, 1, 2, 3, 2}});
  expect_digest(0xc41a3ff863fa26beu);
}
TEST(strides) {
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {67, 45}, {32, 16}, {1, 3}, PLAIN, ZERO}, {{8, 4}},
           {{4, 9}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 3, {67, 45, 12}, {16, 9, 8}, {1, 2, 4}, PLAIN, ZERO},
           {{60, 40, 5}}, {{4, 9, 0}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {67, 45}, {32, 16}, {2, 3}, PLAIN, ZERO}, {{8, 4}},
           {{4, 9}});
  expect_digest(0xda790b5178e35a0du);
}
// Store past the right and the lower edge, all sizes of elements.
TEST(edges) {
  const Place from = {{0, 4}};
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 2, {67, 45}, {32, 16}, {1, 1}, PLAIN, ZERO}, from, {{60, 9}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, 2, {67, 45}, {32, 16}, {1, 1}, PLAIN, ZERO}, from,
           {{56, 40}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, 2, {67, 45}, {32, 16}, {1, 1}, PLAIN, ZERO}, from,
           {{60, 40}});
  move_box({CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 2, {67, 45}, {32, 16}, {1, 1}, PLAIN, ZERO}, from, {{48, 40}});
  expect_digest(0xda62a2643d9517d2u);
}
// Types of singles, which convert some of them on their way to shared memory.
TEST(types) {
  const uint32_t bits[] = {0,          0x80000000, 1,          0x807fffff, 0x00400000, 0x00001000,
                           0x3f801000, 0x3f803000, 0x3f800fff, 0x3f801001, 0xbf801000, 0xbf803000,
                           0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                           0x7f800001, 0x7fffffff, 0x00800000, 0x80800000, 0x007ff000, 0x007fffff};
  const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
                                       CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_FLOAT32};
  for (int k = 0; k < 4; k++) {
    const Shape s = {types[k], 4, 1, {128}, {128}, {1}, PLAIN, ZERO},
                same = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 1, {128}, {128}, {1}, PLAIN, ZERO};
    Array<uint32_t> source(128,
                           [&](int i) { return i < 24 ? bits[i] : random_between<uint32_t>(0, UINT32_MAX); });
    Array<uint32_t> target(128), seen(ROOM / 4);
    move<<<1, THREADS>>>(1, s.moved(), map_of(s, source.device), map_of(same, target.device), {{0}}, {{0}},
                         seen);
    delete[] record(seen);
    delete[] record(target);
    move<<<1, THREADS>>>(1, s.moved(), map_of(same, source.device), map_of(s, target.device), {{0}}, {{0}},
                         seen);
    delete[] record(target);
  }
  expect_digest(0xed781078ba653056u);
}

// Each block of a cluster of two loads a half of the box for both.
__global__ void __cluster_dims__(2, 1, 1)
    share(int bytes, const __grid_constant__ CUtensorMap source, Place from, uint32_t *seen) {
  __shared__ alignas(1024) uint32_t shared[ROOM / 4];
  __shared__ uint64_t barrier;
  const uint32_t place = (uint32_t)__cvta_generic_to_shared(shared),
                 at = (uint32_t)__cvta_generic_to_shared(&barrier);
  const uint16_t both = 3;
  for (int i = threadIdx.x; i < ROOM / 4; i += THREADS)
    shared[i] = 0xabababab;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(2 * bytes));
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%3, %4}], [%2], %5;" ::"r"(place + blockIdx.x * bytes),
        "l"(&source), "r"(at), "r"(from.at[0]), "r"(from.at[1] + 8 * (int)blockIdx.x), "h"(both)
        : "memory");
  await(at);
  for (int i = threadIdx.x; i < ROOM / 4; i += THREADS)
    seen[blockIdx.x * ROOM / 4 + i] = shared[i];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
TEST(shared_boxes) {
  const Shape s = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4,   2, {67, 45}, {32, 8}, {1, 1},
                   CU_TENSOR_MAP_SWIZZLE_128B,      ZERO};
  Array<uint32_t> source(s.room() / 4, 0, UINT32_MAX), seen(2 * ROOM / 4);
  share<<<2, THREADS>>>(s.moved(), map_of(s, source.device), {{4, 30}}, seen);
  delete[] record(seen);
  expect_digest(0x76c4fab0973c5821u);
}
