// Times copies and fills with device events, many of each size, always between the same buffers. Columns: kind,
// bytes, offset of the destination from a multiple of 512 bytes, milliseconds (the second fastest of ten, the
// median, the second slowest of ten). On a GPU: `nvcc -O3 copies.cu && ./a.out >copies.NAME.csv`;
// test_model_copies.c compares the model.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static const size_t KIB = 1024, MIB = 1024 * KIB, LARGEST = 512 * MIB, LARGEST_HOST = 64 * MIB;

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "copies: %s\n", cudaGetErrorString(error));
  exit(1);
}

template <typename Work> static void row(const char *kind, size_t bytes, size_t offset, Work work) {
  enum { REPEATS = 51 };
  static cudaEvent_t start, stop;
  std::vector<float> took;
  if (!start) {
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
  }
  for (int i = -1; i < REPEATS; i++) {
    float ms;
    check(cudaEventRecord(start));
    check(work());
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&ms, start, stop));
    if (i >= 0)
      took.push_back(ms);
  }
  std::sort(took.begin(), took.end());
  printf("%s,%zu,%zu,%.5f,%.5f,%.5f\n", kind, bytes, offset, took[REPEATS / 10], took[REPEATS / 2],
         took[REPEATS * 9 / 10]);
  fflush(stdout);
}

int main() {
  char *to, *from, *pinned, *pageable = (char *)malloc(LARGEST_HOST);
  check(cudaMalloc(&to, LARGEST + MIB));
  check(cudaMalloc(&from, LARGEST + MIB));
  check(cudaMallocHost(&pinned, LARGEST_HOST));
  check(cudaMemset(from, 1, LARGEST + MIB));
  memset(pinned, 1, LARGEST_HOST);
  memset(pageable, 1, LARGEST_HOST);
  const auto copy = [&](size_t bytes, size_t offset) {
    row("copy", bytes, offset,
        [&] { return cudaMemcpyAsync(to + offset, from, bytes, cudaMemcpyDeviceToDevice); });
  };
  puts("kind,bytes,offset,ms_fast,ms,ms_slow");
  for (size_t bytes = 64 * KIB; bytes <= LARGEST; bytes *= 2)
    copy(bytes, 0);
  for (size_t bytes = 3 * MIB; bytes < LARGEST; bytes *= 2)
    copy(bytes, 0);
  for (size_t mib : {18, 20, 22, 28, 30, 36, 40, 44})
    copy(mib * MIB, 0);
  for (size_t n : {400, 500, 600, 700, 800, 900, 1000, 2000, 3000, 4000}) // arrays of n x n floats
    copy(4 * n * n, 0);
  for (size_t more : {4, 64, 512, 2048, 4096, 8192})
    copy(MIB + more, 0);
  for (size_t offset : {16, 64, 128, 256})
    copy(2 * MIB, offset);
  for (size_t bytes = KIB; bytes <= LARGEST; bytes *= 2)
    row("fill", bytes, 0, [&] { return cudaMemsetAsync(to, 0, bytes); });
  for (size_t bytes = KIB; bytes <= LARGEST_HOST; bytes *= 4) {
    row("to device (pinned)", bytes, 0,
        [&] { return cudaMemcpyAsync(to, pinned, bytes, cudaMemcpyHostToDevice); });
    row("to host (pinned)", bytes, 0,
        [&] { return cudaMemcpyAsync(pinned, to, bytes, cudaMemcpyDeviceToHost); });
    row("to device", bytes, 0, [&] { return cudaMemcpy(to, pageable, bytes, cudaMemcpyHostToDevice); });
    row("to host", bytes, 0, [&] { return cudaMemcpy(pageable, to, bytes, cudaMemcpyDeviceToHost); });
  }
}
