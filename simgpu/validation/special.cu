// special: runs each approximate instruction of single precision on this GPU for all 2^32 operands, and compares with
// what the simulated GPU computes (special.h). One line for each: instruction, operands that differ. Exit status: 0; 1
// if any differs; 2 on a CUDA error.
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

extern "C" uint32_t special_compare(int number, uint32_t first, const uint32_t *results, uint32_t count);

enum { COUNT = 1 << 26, THREADS = 256 };
enum form {
#define FORM(id, instruction, result) FORM_##id,
#include "special_forms.def"
#undef FORM
};

template <int number> __global__ void run(uint32_t first, uint32_t *results);
#define FORM(id, instruction, result)                                                                        \
  template <> __global__ void run<FORM_##id>(uint32_t first, uint32_t * results) {                           \
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;                                                   \
    asm(instruction " %0, %1;" : "=f"(((float *)results)[i]) : "f"(__uint_as_float(first + i)));             \
  }
#include "special_forms.def"
#undef FORM
#define FORM(id, instruction, result) instruction,
static const char *const names[] = {
#include "special_forms.def"
};
#undef FORM

template <int number> static uint64_t differing(uint32_t *device, std::vector<uint32_t> &results) {
  uint64_t sum = 0;
  for (uint64_t first = 0; first < 1ull << 32; first += COUNT) {
    run<number><<<COUNT / THREADS, THREADS>>>((uint32_t)first, device);
    if (cudaMemcpy(results.data(), device, COUNT * sizeof *device, cudaMemcpyDeviceToHost)) {
      fprintf(stderr, "special: %s\n", cudaGetErrorString(cudaGetLastError()));
      exit(2);
    }
    const uint32_t workers = std::thread::hardware_concurrency() ?: 1, part = COUNT / workers + 1;
    std::vector<std::thread> threads;
    std::vector<uint32_t> counts(workers);
    for (uint32_t w = 0; w < workers; w++)
      threads.emplace_back([&, w] {
        const uint32_t from = w * part, to = from + part < COUNT ? from + part : COUNT;
        counts[w] =
            from < to ? special_compare(number, (uint32_t)first + from, results.data() + from, to - from) : 0;
      });
    for (std::thread &t : threads)
      t.join();
    for (uint32_t count : counts)
      sum += count;
  }
  printf("%s,%llu\n", names[number], (unsigned long long)sum);
  if constexpr (number + 1 < int(sizeof names / sizeof *names))
    sum += differing<number + 1>(device, results);
  return sum;
}

int main() {
  uint32_t *device;
  std::vector<uint32_t> results(COUNT);
  if (cudaMalloc(&device, COUNT * sizeof *device)) {
    fprintf(stderr, "special: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 2;
  }
  return differing<0>(device, results) > 0;
}
