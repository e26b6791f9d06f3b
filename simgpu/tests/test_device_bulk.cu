// Bulk copies (cp.async.bulk) and mbarriers that count bytes, by PTX and by libcu++. Prints the first differences and
// exits 1 if there are any.
#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <cuda_runtime.h>

enum { THREADS = 96, WORDS = 2048, ROUNDS = 3, BLOCKS = 4 };
static int differences;

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void expect(uint64_t *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void copy_in(int *to, const int *from, unsigned bytes, uint64_t *barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
__device__ void await(uint64_t *barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "W%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra W%=; }" ::"r"(shared_address(barrier)),
               "r"(parity)
               : "memory");
}

// Each round: thread 0 fetches `words` words in pieces; all threads add one; thread 0 stores them.
__global__ void by_ptx(const int *in, int *out, int words, int pieces, bool copy_first) {
#if __CUDA_ARCH__ >= 900
  __shared__ __align__(16) int box[WORDS], twin[WORDS];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
  __syncthreads();
  for (int round = 0; round < ROUNDS; round++) {
    const int at = (blockIdx.x * ROUNDS + round) * WORDS;
    if (threadIdx.x == 0) {
      if (!copy_first)
        expect(&barrier, words * 4);
      for (int p = 0; p < pieces; p++)
        copy_in(box + p * (words / pieces), in + at + p * (words / pieces), words / pieces * 4, &barrier);
      if (copy_first)
        expect(&barrier, words * 4);
    }
    await(&barrier, round & 1);
    for (int i = threadIdx.x; i < words; i += THREADS)
      box[i]++;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + at),
                   "r"(shared_address(box)), "r"(words * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) { // within shared memory
    expect(&barrier, 64);
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(
            shared_address(twin)),
        "r"(shared_address(box)), "r"(shared_address(&barrier))
        : "memory");
  }
  await(&barrier, ROUNDS & 1);
  if (threadIdx.x < 16 && twin[threadIdx.x] != box[threadIdx.x])
    out[0] = -1;
#endif
}

// The phase must not end while bytes are to come: expectations and completions in all orders.
__global__ void by_bytes(int *out) {
#if __CUDA_ARCH__ >= 900
  __shared__ uint64_t barrier;
  const unsigned at = shared_address(&barrier);
  int held[5];
  asm volatile("{ .reg .pred p;\n"
               "mbarrier.init.shared::cta.b64 [%5], 2;\n"
               "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%5], 100;\n"
               "mbarrier.arrive.shared::cta.b64 _, [%5];\n"
               "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%5], 28;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%5], 0;\n selp.s32 %0, 1, 0, p;\n"
               "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%5], 128;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%5], 0;\n selp.s32 %1, 1, 0, p;\n"
               "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%5], 16;\n" // before it is expected
               "mbarrier.arrive.shared::cta.b64 _, [%5];\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%5], 1;\n selp.s32 %2, 1, 0, p;\n"
               "mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [%5], 16;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%5], 1;\n selp.s32 %3, 1, 0, p;\n"
               "mbarrier.arrive.shared::cta.b64 _, [%5];\n" // one arrival per phase now
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%5], 0;\n selp.s32 %4, 1, 0, p; }"
               : "=r"(held[0]), "=r"(held[1]), "=r"(held[2]), "=r"(held[3]), "=r"(held[4])
               : "r"(at)
               : "memory");
  for (int i = 0; i < 5; i++)
    out[i] = held[i];
#endif
}

// libcu++: memcpy_async on a barrier uses bulk copies where size and alignment allow them.
__global__ void by_library(const int *in, int *out, int words) {
  __shared__ __align__(16) int box[WORDS];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0)
    init(&barrier, THREADS);
  __syncthreads();
  for (int round = 0; round < ROUNDS; round++) {
    if (threadIdx.x == 0)
      cuda::memcpy_async(box, in + (blockIdx.x * ROUNDS + round) * WORDS, cuda::aligned_size_t<16>(words * 4),
                         barrier);
    barrier.arrive_and_wait();
    for (int i = threadIdx.x; i < words; i += THREADS)
      out[(blockIdx.x * ROUNDS + round) * WORDS + i] = box[i] + 1;
    __syncthreads();
  }
}

__global__ void misaligned(const int *in) {
#if __CUDA_ARCH__ >= 900
  __shared__ __align__(16) int box[16];
  __shared__ uint64_t barrier;
  copy_in(box, in, 24, &barrier);
#endif
}

static void check(const char *name, const int *in, int *out, int words) {
  if (cudaError_t error = cudaDeviceSynchronize()) {
    printf("%s: %s\n", name, cudaGetErrorString(error));
    differences++;
    return;
  }
  for (int i = 0; i < BLOCKS * ROUNDS * WORDS; i++) {
    const int expected = i % WORDS < words ? in[i] + 1 : 0;
    if (out[i] != expected && differences++ < 10)
      printf("%s of %d words: word %d is %d, expected %d\n", name, words, i, out[i], expected);
    out[i] = 0;
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, BLOCKS * ROUNDS * WORDS * sizeof(int));
  cudaMallocManaged(&out, BLOCKS * ROUNDS * WORDS * sizeof(int));
  for (int i = 0; i < BLOCKS * ROUNDS * WORDS; i++)
    in[i] = i * 3, out[i] = 0;
  for (int words : {16, 48, 132, 2048}) {
    by_ptx<<<BLOCKS, THREADS>>>(in, out, words, 1, false), check("by_ptx", in, out, words);
    by_ptx<<<BLOCKS, THREADS>>>(in, out, words, words % 16 ? 3 : 4, true), check("by_ptx", in, out, words);
    by_library<<<BLOCKS, THREADS>>>(in, out, words), check("by_library", in, out, words);
  }
  by_bytes<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 5; i++)
    if (out[i] != i % 2 && !(i == 4 && out[i] == 1) && differences++ < 10)
      printf("by_bytes: test %d gives %d\n", i, out[i]);
  misaligned<<<1, 1>>>(in);
  if (cudaDeviceSynchronize() != cudaErrorMisalignedAddress && ++differences)
    printf("a copy of 24 bytes gives no error\n");
  return differences != 0;
}
