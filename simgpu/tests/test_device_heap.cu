// malloc(), free(), new and delete in kernels: what CUDA guarantees, and what the simulated device guarantees
// beyond that: the same addresses in every run, with any number of host threads.
#include <cstdio>
#include <cuda_runtime.h>

static int failures;
#define EXPECT(condition)                                                                                    \
  if (!(condition)) {                                                                                        \
    fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                 \
    failures++;                                                                                              \
  }

enum { BLOCKS = 7, THREADS = 48, COUNT = BLOCKS * THREADS, LIMIT = 1 << 20 };

__device__ int *kept[COUNT];

// Each thread's memory is its own, of its own size, and outlives the kernel.
__global__ void take() {
  int t = blockIdx.x * THREADS + threadIdx.x, size = 1 + t % 13;
  int *own = (int *)malloc(size * sizeof *own);
  for (int k = 0; own && k < size; k++)
    own[k] = 1000 * t + k;
  kept[t] = own;
}

__global__ void give_back(int *wrong, unsigned long long *addresses) {
  int t = blockIdx.x * THREADS + threadIdx.x, size = 1 + t % 13;
  addresses[t] = (unsigned long long)kept[t];
  for (int k = 0; k < size; k++)
    if (!kept[t] || kept[t][k] != 1000 * t + k || (size_t)kept[t] % 16)
      atomicAdd(wrong, 1);
  free(kept[t]);
}

// Counts the pieces until malloc() returns NULL, and again after all have been freed.
__global__ void exhaust(size_t size, int *counts) {
  for (int round = 0; round < 2; round++) {
    void **list = nullptr;
    while (void **next = (void **)malloc(size)) {
      *next = list;
      list = next;
      counts[round]++;
    }
    while (list) {
      void **next = (void **)*list;
      free(list);
      list = next;
    }
  }
  free(nullptr);
  counts[2] = malloc(0) != nullptr;
  counts[3] = malloc((size_t)-1) != nullptr;
}

struct Node {
  int value;
  Node *next;
  __device__ Node(int value, Node *next) : value(value), next(next) {}
};

__global__ void list_of(int n, int *sum) {
  Node *list = nullptr;
  for (int k = 1; k <= n; k++)
    list = new Node(k, list);
  while (list) {
    Node *next = list->next;
    *sum += list->value;
    delete list;
    list = next;
  }
}

// The device's memcpy and memset, with sizes that the compiler does not know.
__global__ void copied(int bytes, int *out) {
  char *a = (char *)malloc(bytes), *b = (char *)malloc(bytes);
  memset(a, 0x11, bytes);
  memcpy(b, a, bytes);
  out[0] = ((int *)b)[bytes / 4 - 1];
  free(a);
  free(b);
}

// An alignment that is no power of two gives NULL.
__global__ void aligned(int *out) {
  size_t odd = 0;
  for (size_t align = 1; align <= 256; align *= 2) {
    void *at = __nv_aligned_device_malloc(10, align);
    odd += !at || (size_t)at % align;
    free(at);
  }
  *out = odd || __nv_aligned_device_malloc(10, 24);
}

// So many pieces that a search among all of them for each one takes longer than the test's time limit.
enum { MANY = 1 << 16 };
__device__ void *many[MANY];
__global__ void take_many() { many[blockIdx.x * blockDim.x + threadIdx.x] = malloc(16); }
__global__ void nothing() {}
__global__ void give_many_back() { free(many[blockIdx.x * blockDim.x + threadIdx.x]); }

int main() {
  int *out;
  unsigned long long *addresses, hash = 0;
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  EXPECT(limit == 8 << 20);
  EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, LIMIT) == cudaSuccess);
  if (cudaMallocManaged(&out, 8 * sizeof *out) == cudaErrorNotSupported) { // a sanitizer has its addresses
    fputs("skipped: no managed memory beside a sanitizer\n", stderr);
    return 77;
  }
  cudaMallocManaged(&addresses, COUNT * sizeof *addresses);
  for (int round = 0; round < 2; round++) {
    take<<<BLOCKS, THREADS>>>();
    give_back<<<BLOCKS, THREADS>>>(out, addresses);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(out[0] == 0);
    for (int t = 0; t < COUNT; t++)
      hash = 31 * hash + addresses[t] - addresses[0];
  }
  EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * LIMIT) == cudaErrorInvalidValue);
  EXPECT(cudaFree((void *)addresses[0]) == cudaErrorInvalidValue);
  take<<<BLOCKS, THREADS>>>();
  void *heap;
  cudaMemcpyFromSymbol(&heap, kept, sizeof heap);
  EXPECT(cudaFree(heap) == cudaErrorInvalidValue);
  EXPECT(cudaMemset(heap, 0, 4) == cudaErrorInvalidValue);
  give_back<<<BLOCKS, THREADS>>>(out, addresses);
  exhaust<<<1, 1>>>(1000, out + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[1] > LIMIT / 1000 * 9 / 10 && out[1] <= LIMIT / 1000);
  EXPECT(out[2] == out[1]);
  EXPECT(out[3] == 0 && out[4] == 0);
  list_of<<<1, 1>>>(100, out + 5);
  copied<<<1, 1>>>(1004, out + 6);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[5] == 5050);
  EXPECT(out[6] == 0x11111111);
  aligned<<<1, 1>>>(out + 7);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[7] == 0);
  EXPECT(cudaDeviceReset() == cudaSuccess);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  EXPECT(limit == 8 << 20);
  for (int round = 0; round < 2; round++) {
    take_many<<<MANY / 256, 256>>>();
    give_many_back<<<MANY / 256, 256>>>();
  }
  for (int launch = 0; launch < 40000; launch++) // which do not touch the pieces
    nothing<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  void *last = nullptr;
  EXPECT(cudaMemcpyFromSymbol(&last, many, sizeof last, (MANY - 1) * sizeof last) == cudaSuccess && last);
  printf("%llx\n", hash);
  return failures > 0;
}
