// Atomic operations of a warp on one global word, on a few words and on many. The simulated GPU takes the lanes in
// their order, so a loop on the host gives the same old and new values. A second kernel does the same with many warps
// at once. A third one reads and writes vectors at once. Prints the first difference and exits 1 if there is one.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

enum { LANES = 32, BLOCKS = 64, ROUNDS = 50 };

struct Add {
  template <class T> static __device__ T device(T *word, T b) { return atomicAdd(word, b); }
  template <class T> static T host(T old, T b) { return old + b; }
};
struct Max {
  template <class T> static __device__ T device(T *word, T b) { return atomicMax(word, b); }
  template <class T> static T host(T old, T b) { return old < b ? b : old; }
};
struct Exchange {
  template <class T> static __device__ T device(T *word, T b) { return atomicExch(word, b); }
  template <class T> static T host(T, T b) { return b; }
};
struct Increment {
  template <class T> static __device__ T device(T *word, T b) { return atomicInc(word, b); }
  template <class T> static T host(T old, T b) { return old >= b ? 0 : old + 1; }
};
struct Swap { // compares with b and stores b + 1
  template <class T> static __device__ T device(T *word, T b) { return atomicCAS(word, b, b + 1); }
  template <class T> static T host(T old, T b) { return old == b ? b + 1 : old; }
};

template <class Op, class T>
__global__ void one_warp(T *words, T *old, const T *b, unsigned active, unsigned share) {
  const unsigned l = threadIdx.x;
  if (active >> l & 1)
    old[l] = Op::device(&words[l / share], b[l]);
}

template <class T> std::vector<T> from_device(const T *at, size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

template <class Op, class T> bool agrees(const char *name, unsigned active, unsigned share) {
  std::vector<T> b(LANES), words(LANES), old(LANES, T(77));
  for (unsigned l = 0; l < LANES; l++) {
    b[l] = T(l * 2654435761u % 13) / T(3);
    words[l] = T(l % 5);
  }
  T *device[3]; // words, old values, operands
  for (int i = 0; i < 3; i++)
    cudaMalloc(&device[i], LANES * sizeof(T));
  cudaMemcpy(device[0], words.data(), LANES * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(device[1], old.data(), LANES * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(device[2], b.data(), LANES * sizeof(T), cudaMemcpyHostToDevice);
  one_warp<Op, T><<<1, LANES>>>(device[0], device[1], device[2], active, share);
  for (unsigned l = 0; l < LANES; l++)
    if (active >> l & 1) {
      old[l] = words[l / share];
      words[l / share] = Op::host(old[l], b[l]);
    }
  const bool same = !memcmp(from_device(device[0], LANES).data(), words.data(), LANES * sizeof(T)) &&
                    !memcmp(from_device(device[1], LANES).data(), old.data(), LANES * sizeof(T));
  for (T *one : device)
    cudaFree(one);
  if (!same)
    printf("%s: lanes %08x, %u lanes per word: other values than in the order of lanes\n", name, active,
           share);
  return same;
}

template <class Op, class T> bool agrees_always(const char *name) {
  bool all = true;
  for (unsigned active : {~0u, 1u, 0x80000000u, 0x0ff00ff1u, 0xaaaaaaaau})
    for (unsigned share : {1u, 3u, 16u, 32u})
      all = agrees<Op, T>(name, active, share) && all;
  return all;
}

// The register of the operand takes the old value. Each thread adds 1, so each gets a value of its own.
__global__ void many_warps(unsigned *word, unsigned *seen) {
  for (int i = 0; i < ROUNDS; i++) {
    unsigned r = 1;
    asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(r) : "l"(word) : "memory");
    seen[r]++;
  }
}

bool all_values_differ() {
  const size_t count = (size_t)BLOCKS * LANES * ROUNDS;
  unsigned *word, *seen;
  cudaMalloc(&word, sizeof *word);
  cudaMalloc(&seen, count * sizeof *seen);
  cudaMemset(word, 0, sizeof *word);
  cudaMemset(seen, 0, count * sizeof *seen);
  many_warps<<<BLOCKS, LANES>>>(word, seen);
  bool once = from_device(word, 1)[0] == count;
  for (unsigned times : from_device(seen, count))
    once = once && times == 1;
  if (!once)
    puts("atomicAdd of 1 by many warps: some old values are missing");
  return once;
}

// Half of the blocks write vectors whose elements agree, and the others read them: a vector is written as a whole.
enum { VECTOR_ROUNDS = 20000, STRIDE = 3 };
__global__ void vectors(ulonglong2 *pairs, uint4 *words, unsigned long long *torn) {
  ulonglong2 *pair = pairs + STRIDE * threadIdx.x;
  uint4 *four = words + threadIdx.x;
  unsigned long long found = 0;
  for (unsigned i = 0; i < VECTOR_ROUNDS; i++)
    if (blockIdx.x % 2) {
      const unsigned long long v = i * 0x100000001ull;
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %1};" ::"l"(pair), "l"(v) : "memory");
      asm volatile("st.volatile.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(four), "r"(i) : "memory");
    } else {
      ulonglong2 p;
      uint4 w;
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(p.x), "=l"(p.y) : "l"(pair));
      asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
                   : "l"(four));
      found += p.x != p.y || w.x != w.y || w.x != w.z || w.x != w.w;
    }
  torn[blockIdx.x * LANES + threadIdx.x] = found;
}

// Whether two threads of the host show that its own vectors are not written as a whole: those of an arm64 processor
// without LSE2 are not, and under qemu not even those of one with it. Tries for at most 10 s.
bool host_tears_vectors() {
  typedef unsigned long long pair __attribute__((vector_size(16)));
  static volatile pair shared;
  std::atomic<bool> done{false};
  std::thread writer([&done] {
    for (unsigned long long i = 0; !done; i++)
      shared = pair{i, i};
  });
  bool torn = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!torn && std::chrono::steady_clock::now() < end)
    for (int i = 0; i < 100000; i++) {
      const pair seen = shared;
      torn = torn || seen[0] != seen[1];
    }
  done = true;
  writer.join();
  return torn;
}

unsigned long long torn_vectors() {
  enum { FEW = 4 };
  ulonglong2 *pairs;
  uint4 *words;
  unsigned long long *torn, sum = 0;
  cudaMalloc(&pairs, STRIDE * LANES * sizeof *pairs);
  cudaMalloc(&words, LANES * sizeof *words);
  cudaMalloc(&torn, FEW * LANES * sizeof *torn);
  cudaMemset(pairs, 0, STRIDE * LANES * sizeof *pairs);
  cudaMemset(words, 0, LANES * sizeof *words);
  vectors<<<FEW, LANES>>>(pairs, words, torn);
  for (unsigned long long found : from_device(torn, FEW * LANES))
    sum += found;
  if (sum)
    printf("vectors: %llu of %d reads saw parts of two writes\n", sum, FEW / 2 * LANES * VECTOR_ROUNDS);
  return sum;
}

int main() {
  bool right = agrees_always<Add, int>("add int");
  right = agrees_always<Add, unsigned long long>("add unsigned long long") && right;
  right = agrees_always<Add, float>("add float") && right;
  right = agrees_always<Add, double>("add double") && right;
  right = agrees_always<Max, int>("max int") && right;
  right = agrees_always<Max, long long>("max long long") && right;
  right = agrees_always<Exchange, float>("exchange float") && right;
  right = agrees_always<Increment, unsigned>("increment unsigned") && right;
  right = agrees_always<Swap, unsigned long long>("compare and swap unsigned long long") && right;
  right = all_values_differ() && right;
  const bool whole = torn_vectors() == 0;
  if (cudaDeviceSynchronize() != cudaSuccess)
    right = false;
  if (right && !whole && host_tears_vectors()) {
    puts("skipped: vectors of this host itself are not written as a whole");
    return 77;
  }
  return right && whole ? 0 : 1;
}
