// What PTX leaves open, and programs rely on, because hardware does it. The checks report races here.
#include "harness.h"

enum { THREADS = 128 };

// The first warp writes each step's matrix A without a barrier before or after. PTX does not say that the other warps
// wait for it; an H200's warps meet at wgmma.fence and at wgmma.wait_group, and programs rely on it.
enum { STEPS = 40 };
__global__ void together(float *sums) {
  __shared__ alignas(128) uint32_t a[64 * 16 / 2], b[8 * 16 / 2];
  const uint64_t lines = (uint64_t)8 << 16 | (uint64_t)16 << 32;
  const uint64_t at_a = __cvta_generic_to_shared(a) >> 4 | lines,
                 at_b = __cvta_generic_to_shared(b) >> 4 | lines;
  float d[4] = {0, 0, 0, 0};
  for (int i = threadIdx.x; i < 8 * 16 / 2; i += THREADS)
    b[i] = 0x3c003c00; // 1, 1
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  for (int step = 0; step < STEPS; step++) {
    if (threadIdx.x < 32)
      for (int i = threadIdx.x; i < 64 * 16 / 2; i += 32)
        a[i] = step % 2 ? 0x40004000 : 0x3c003c00; // 2, 2 or 1, 1
    asm volatile("fence.proxy.async; wgmma.fence.sync.aligned;"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(at_a), "l"(at_b)
                 : "memory");
  }
  for (int i = 0; i < 4; i++)
    sums[(blockIdx.x * THREADS + threadIdx.x) * 4 + i] = d[i];
}

TEST(together) {
  enum { BLOCKS = 500 };
  Array<float> sums(BLOCKS * THREADS * 4);
  together<<<BLOCKS, THREADS>>>(sums);
  check(sums, [](int) { return 16.0f * (STEPS / 2 * 1 + STEPS / 2 * 2); });
}
