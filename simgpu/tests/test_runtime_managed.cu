// Managed variables: the program and its kernels use them by name, with the same value on both sides.
#include "semantics.h"

__managed__ int counter = 5;
__managed__ float table[1000] = {1.5f, 2.5f};
__device__ __managed__ struct {
  char letter;
  double number;
} pair;
__managed__ int *target;

__global__ void change() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1000)
    table[i] += i;
  if (i == 0) {
    counter++;
    pair.number = pair.letter * 0.5;
    if (target)
      *target = 77;
  }
}

// Without it the program prints so, and the part ends.
static void require() {
  int value;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrManagedMemory, 0));
  if (!value)
    skip("no managed memory in this process");
}

static void host_first() {
  require();
  TRUE(counter == 5 && table[0] == 1.5f && table[1] == 2.5f && table[999] == 0);
  pair.letter = 9;
  target = &counter;
  change<<<4, 256>>>();
  OK(cudaDeviceSynchronize());
  TRUE(counter == 77 && table[0] == 1.5f && table[1] == 3.5f && table[999] == 999 && pair.number == 4.5);
}

static void kernel_first() {
  require();
  change<<<4, 256>>>();
  change<<<4, 256>>>();
  OK(cudaDeviceSynchronize());
  TRUE(counter == 7 && table[1] == 4.5f && table[999] == 1998);
  counter = 0;
  change<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  TRUE(counter == 1);
}

static void by_symbol() {
  require();
  void *address;
  size_t size;
  int value = 41;
  OK(cudaGetSymbolAddress(&address, counter));
  TRUE(address == &counter);
  OK(cudaGetSymbolSize(&size, table));
  TRUE(size == sizeof table);
  OK(cudaMemcpyToSymbol(counter, &value, sizeof value));
  change<<<1, 1>>>();
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  TRUE(value == 42 && counter == 42);
  OK(cudaMemcpy(&value, &counter, sizeof value, cudaMemcpyDeviceToHost));
  TRUE(value == 42);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, &counter));
  TRUE(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == &counter);
  INVALID(cudaFree(&counter));
  change<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  TRUE(counter == 43);
}

__global__ void answer(volatile int *from_host, volatile int *to_host, int rounds) {
  for (int round = 1; round <= rounds; round++) {
    while (*from_host != round)
      continue;
    *to_host = 10 * round;
  }
}

// A kernel and the program wait for each other.
static void polled() {
  enum { ROUNDS = 5 };
  int concurrent, *p, *device;
  require();
  OK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  if (!concurrent)
    skip("managed memory is not concurrent in this process");
  for (bool pinned : {true, false}) {
    if (pinned)
      OK(cudaHostAlloc(&p, 8, cudaHostAllocMapped));
    else
      OK(cudaMallocManaged(&p, 8));
    volatile int *to_device = p, *from_device = p + 1;
    *to_device = *from_device = 0;
    device = p;
    if (pinned)
      OK(cudaHostGetDevicePointer(&device, p, 0));
    answer<<<1, 1>>>(device, device + 1, ROUNDS);
    for (int round = 1; round <= ROUNDS; round++) {
      *to_device = round;
      while (*from_device != 10 * round)
        usleep(100);
    }
    OK(cudaDeviceSynchronize());
    TRUE(*from_device == 10 * ROUNDS);
    OK(cudaMemset(p, 0, 8));
    OK(cudaDeviceSynchronize());
    TRUE(*from_device == 0);
    OK(pinned ? cudaFreeHost(p) : cudaFree(p));
  }
}

int main() {
  return run_parts({{"host first", host_first},
                    {"kernel first", kernel_first},
                    {"by symbol", by_symbol},
                    {"polled", polled}});
}
