// Managed memory for test_device_totals: a variable, and programs that misuse the client library's own functions.
// argv[1]: what to do.
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>

enum { WORDS = 100 };
__managed__ int words[WORDS] = {5, 6};

// runtime/transfer.h and runtime/context.h, as a hostile program would declare them: runtime/own_names.cmake
struct transfer {
  void *target;
  size_t target_pitch;
  const void *source;
  size_t source_pitch, width, rows;
};
extern "C" {
cudaError_t simgpu_context_enter(int use);
cudaError_t simgpu_context_leave(cudaError_t error);
cudaError_t simgpu_transfer_to_device(const transfer *t, uint32_t flags);
cudaError_t simgpu_transfer_from_device(const transfer *t, uint32_t flags);
}
enum { MANAGED = 4 /* SIM_ROWS_MANAGED */, QUEUES = 1 /* CONTEXT_QUEUES */ };

static cudaError_t move(cudaError_t (*transfer_rows)(const transfer *, uint32_t), void *target,
                        const void *source) {
  const size_t size = WORDS * sizeof(int);
  const transfer rows = {target, size, source, size, size, 1};
  simgpu_context_enter(QUEUES);
  return simgpu_context_leave(transfer_rows(&rows, MANAGED));
}

__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }
__global__ void increment() { words[threadIdx.x]++; }

// The host changes two words, one of them to 0.
static void variable() {
  increment<<<1, WORDS>>>();
  cudaDeviceSynchronize();
  words[0] = 0, words[2] += 3;
  increment<<<1, 1>>>();
  cudaDeviceSynchronize();
}

// Reads a kernel's result as if it were managed memory.
static void uncounted() {
  int *x, y[WORDS];
  cudaMalloc(&x, sizeof y);
  fill<<<1, WORDS>>>(x, 7);
  move(simgpu_transfer_from_device, y, x);
}

// Overwrites a kernel's result with zeros as if the memory were managed and new.
static void zeros() {
  int *x, y[WORDS] = {0};
  cudaMalloc(&x, sizeof y);
  fill<<<1, WORDS>>>(x, 7);
  move(simgpu_transfer_to_device, x, y);
  cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)();
  } cases[] = {{"variable", variable}, {"uncounted", uncounted}, {"zeros", zeros}};
  for (const auto &c : cases)
    if (argc == 2 && strcmp(argv[1], c.name) == 0) {
      c.run();
      return cudaGetLastError() != cudaSuccess;
    }
  return 2;
}
