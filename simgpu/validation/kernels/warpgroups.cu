// wgmma: products of matrices in shared memory, in all layouts. The matrices are whatever the random words at the
// places of a descriptor mean, so results are recorded: only a GPU knows what is right.
#include "harness.h"

enum { WORDS = 48 * 256, THREADS = 128 };

#define TEN(t)                                                                                               \
  "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9"
#define FOUR(c, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define SIXTEEN(c, i) FOUR(c, i), FOUR(c, i + 4), FOUR(c, i + 8), FOUR(c, i + 12)
#define REGISTERS_4 "%0, %1, %2, %3"
#define REGISTERS_8 REGISTERS_4 ", %4, %5, %6, %7"
#define REGISTERS_16 TEN() ", %10, %11, %12, %13, %14, %15"
#define REGISTERS_20 TEN() ", " TEN(1)
#define REGISTERS_128                                                                                        \
  TEN()                                                                                                      \
  ", " TEN(1) ", " TEN(2) ", " TEN(3) ", " TEN(4) ", " TEN(5) ", " TEN(6) ", " TEN(7) ", " TEN(8) ", " TEN(  \
      9) ", " TEN(10) ", " TEN(11) ", %120, %121, %122, %123, %124, %125, %126, %127"
#define OUT_4(c) FOUR(c, 0)
#define OUT_8(c) FOUR(c, 0), FOUR(c, 4)
#define OUT_16(c) SIXTEEN(c, 0)
#define OUT_20(c) SIXTEEN(c, 0), FOUR(c, 16)
#define OUT_128(c)                                                                                           \
  SIXTEEN(c, 0), SIXTEEN(c, 16), SIXTEEN(c, 32), SIXTEEN(c, 48), SIXTEEN(c, 64), SIXTEEN(c, 80),             \
      SIXTEEN(c, 96), SIXTEEN(c, 112)

// A's words in registers, or none: the compiler would leave out what nothing uses.
#define IN_REGISTERS(k) shared[threadIdx.x * 4 + k]
#define IN_MEMORY(k) 0

// `words` go to shared memory; a and b are descriptors relative to it. sums: COUNT per thread, added to if `adds`. In
// the instruction, operand COUNT is `adds`, and the descriptors of A and B and four words of the thread follow.
#define KERNEL(name, Sum, constraint, count, adds_operand, instruction, rest, WORD)                          \
  __global__ void name(const uint32_t *words, uint64_t a, uint64_t b, int adds, Sum *sums) {                 \
    __shared__ alignas(1024) uint32_t shared[WORDS];                                                         \
    Sum d[count];                                                                                            \
    for (int i = threadIdx.x; i < WORDS; i += THREADS)                                                       \
      shared[i] = words[i];                                                                                  \
    for (int i = 0; i < count; i++)                                                                          \
      d[i] = sums[threadIdx.x * count + i];                                                                  \
    asm volatile("fence.proxy.async;" ::: "memory");                                                         \
    __syncthreads();                                                                                         \
    const uint64_t start = __cvta_generic_to_shared(shared) >> 4;                                            \
    asm volatile(                                                                                            \
        "{ .reg .pred p; setp.ne.b32 p, " adds_operand                                                       \
        ", 0; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." instruction " {" REGISTERS_##count    \
        "}, " rest "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"                   \
        : OUT_##count(constraint)                                                                            \
        : "r"(adds), "l"(a + start), "l"(b + start), "r"(WORD(0)), "r"(WORD(1)), "r"(WORD(2)), "r"(WORD(3))  \
        : "memory");                                                                                         \
    for (int i = 0; i < count; i++)                                                                          \
      sums[threadIdx.x * count + i] = d[i];                                                                  \
  }
KERNEL(halves, float, "+f", 4, "%4", "m64n8k16.f32.f16.f16", "%5, %6, p, 1, 1, 0, 0", IN_MEMORY)
KERNEL(halves_across, float, "+f", 16, "%16", "m64n32k16.f32.f16.f16", "%17, %18, p, 1, -1, 1, 1", IN_MEMORY)
KERNEL(halves_a_across, float, "+f", 16, "%16", "m64n32k16.f32.f16.f16", "%17, %18, p, -1, 1, 1, 0",
       IN_MEMORY)
KERNEL(halves_in_registers, float, "+f", 16, "%16", "m64n32k16.f32.f16.f16",
       "{%19, %20, %21, %22}, %18, p, -1, 1, 1", IN_REGISTERS)
KERNEL(halves_wide, float, "+f", 128, "%128", "m64n256k16.f32.f16.f16", "%129, %130, p, 1, 1, 0, 0",
       IN_MEMORY)
KERNEL(halves_to_halves, uint32_t, "+r", 8, "%8", "m64n32k16.f16.f16.f16", "%9, %10, p, 1, 1, 0, 0",
       IN_MEMORY)
KERNEL(brains, float, "+f", 20, "%20", "m64n40k16.f32.bf16.bf16", "%21, %22, p, 1, 1, 0, 1", IN_MEMORY)
KERNEL(tensor_floats, float, "+f", 16, "%16", "m64n32k8.f32.tf32.tf32", "%17, %18, p, -1, 1", IN_MEMORY)
KERNEL(tensor_floats_in_registers, float, "+f", 16, "%16", "m64n32k8.f32.tf32.tf32",
       "{%19, %20, %21, %22}, %18, p, 1, 1", IN_REGISTERS)
KERNEL(bytes, int, "+r", 16, "%16", "m64n32k32.s32.s8.u8", "%17, %18, p", IN_MEMORY)
KERNEL(bytes_clamped, int, "+r", 16, "%16", "m64n32k32.satfinite.s32.u8.u8", "%17, %18, p", IN_MEMORY)
KERNEL(bits, int, "+r", 16, "%16", "m64n32k256.s32.b1.b1.and.popc", "%17, %18, p", IN_MEMORY)
KERNEL(eights, float, "+f", 16, "%16", "m64n32k32.f32.e4m3.e5m2", "%17, %18, p, 1, -1", IN_MEMORY)
KERNEL(eights_of_range, float, "+f", 16, "%16", "m64n32k32.f32.e5m2.e5m2", "%17, %18, p, 1, 1", IN_MEMORY)
KERNEL(eights_of_precision, float, "+f", 16, "%16", "m64n32k32.f32.e4m3.e4m3", "%17, %18, p, 1, 1", IN_MEMORY)
KERNEL(eights_to_halves, uint32_t, "+r", 8, "%8", "m64n32k32.f16.e4m3.e4m3", "%9, %10, p, 1, 1", IN_MEMORY)
KERNEL(eights_in_registers, float, "+f", 16, "%16", "m64n32k32.f32.e4m3.e4m3",
       "{%19, %20, %21, %22}, %18, p, 1, 1", IN_REGISTERS)

// Distances in units of 16 bytes. mode: 0 no swizzle, 1 of 128 bytes, 2 of 64, 3 of 32.
static uint64_t descriptor(int start, int leading, int stride, int mode) {
  return (uint64_t)start | (uint64_t)leading << 16 | (uint64_t)stride << 32 | (uint64_t)mode << 62;
}

// Random words; those bits of `keep` are random, and the others are `base`.
static uint32_t word(uint32_t keep, uint32_t base) {
  return (random_between<uint32_t>(0, UINT32_MAX) & keep) | base;
}

// Runs the kernel with layouts of each mode; `far`: the most lines of eight of a matrix.
template <class Sum>
static void layouts(void (*kernel)(const uint32_t *, uint64_t, uint64_t, int, Sum *), int count, int far,
                    uint32_t keep, uint32_t base, Sum low, Sum high) {
  const int most = WORDS / 4, spans[] = {1, 8, 4, 2};
  for (int mode = 0; mode < 4; mode++)
    for (int adds = 0; adds < 2; adds++) {
      Array<uint32_t> words(WORDS, [=](int) { return word(keep, base); });
      Array<Sum> sums(THREADS * count, low, high);
      // a swizzled matrix starts where its pattern does, 1024 bytes, or some pieces of a row further
      const int step = 8 * spans[mode], room = (most - 64 * 3) / (far + 1) / step * step;
      uint64_t d[2];
      for (int k = 0; k < 2; k++) { // one draw after another: compilers differ in the order of arguments
        const int stride = mode ? step * random_between(1, room / step) : random_between(1, room);
        const int leading = mode ? step * random_between(1, room / step) : random_between(1, room);
        const int start = 64 * random_between(0, 2);
        const int further = mode && k ? random_between(0, spans[mode] / 2 - 1) * 2 : 0;
        d[k] = descriptor(start + further, leading, stride, mode);
      }
      kernel<<<1, THREADS>>>(words, d[0], d[1], adds, sums);
      delete[] record(sums);
    }
}

#define LAYOUTS(kernel, Sum, count, far, keep, base, low, high, digest)                                      \
  TEST(kernel) {                                                                                             \
    layouts<Sum>(kernel, count, far, keep, base, low, high);                                                 \
    expect_digest(digest);                                                                                   \
  }

// Numbers of moderate size, so that sums cancel, and lose bits, but seldom overflow.
LAYOUTS(halves, float, 4, 8, 0x9fff9fff, 0x20002000, -8, 8, 0x7e37858bddc58bc3u)
LAYOUTS(halves_across, float, 16, 8, 0x9fff9fff, 0x20002000, -8, 8, 0x9b44be326fd1fe4u)
LAYOUTS(halves_a_across, float, 16, 8, 0x9fff9fff, 0x20002000, -8, 8, 0xcced4b8708377adeu)
LAYOUTS(halves_in_registers, float, 16, 8, 0x9fff9fff, 0x20002000, -8, 8, 0xea7d9476dda4403u)
LAYOUTS(halves_wide, float, 128, 32, 0x9fff9fff, 0x20002000, -8, 8, 0x5ffec26746a27f88u)
LAYOUTS(halves_to_halves, uint32_t, 8, 8, 0x9fff9fff, 0x20002000, 0, 0x3fff3fff, 0xa32d77de78390232u)
LAYOUTS(brains, float, 20, 8, 0x83ff83ff, 0x3c003c00, -8, 8, 0x113ebfeca1a62f58u)
LAYOUTS(tensor_floats, float, 16, 8, 0x83ffffff, 0x3c000000, -8, 8, 0x95dd3fc684738705u)
LAYOUTS(tensor_floats_in_registers, float, 16, 8, 0x83ffffff, 0x3c000000, -8, 8, 0x4144d1e425cbbca9u)
LAYOUTS(bytes, int, 16, 8, 0xffffffff, 0, INT32_MIN, INT32_MAX, 0x93f25e0d89f1b9fbu)
LAYOUTS(bytes_clamped, int, 16, 8, 0xffffffff, 0, INT32_MAX - 1000000, INT32_MAX, 0x21170d26b97631c7u)
LAYOUTS(bits, int, 16, 8, 0xffffffff, 0, -1000, 1000, 0x69f532427c985057u)
LAYOUTS(eights, float, 16, 8, 0xbfbfbfbf, 0, -8, 8, 0x6bd397d63f5c485u)
LAYOUTS(eights_of_range, float, 16, 8, 0xbfbfbfbf, 0, -8, 8, 0xd91b4bf6fda7012au)
LAYOUTS(eights_of_precision, float, 16, 8, 0xffffffff, 0, -8, 8, 0x284a42434af2989cu)
LAYOUTS(eights_to_halves, uint32_t, 8, 8, 0xbfbfbfbf, 0, 0, 0x3fff3fff, 0x6eb3273ac8b111d0u)
LAYOUTS(eights_in_registers, float, 16, 8, 0xbfbfbfbf, 0, -8, 8, 0x6ca6078cb4228b34u)

// All bits: subnormals, infinities, NaN.
TEST(any_halves) {
  layouts<float>(halves, 4, 8, 0xffffffff, 0, -8, 8);
  expect_digest(0x12a8054ae4c1e6a8u);
}
TEST(any_brains) {
  layouts<float>(brains, 20, 8, 0xffffffff, 0, -8, 8);
  expect_digest(0x71def883385a885du);
}
TEST(any_tensor_floats) {
  layouts<float>(tensor_floats, 16, 8, 0xffffffff, 0, -8, 8);
  expect_digest(0xbf90b90dffa98e60u);
}
TEST(any_eights_of_range) {
  layouts<float>(eights_of_range, 16, 8, 0xffffffff, 0, -8, 8);
  expect_digest(0xf53aed1c708c3b19u);
}
