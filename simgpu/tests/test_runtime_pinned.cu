// Pinned memory: kernels reach it at the program's own address, whichever function made it.
#include "semantics.h"

#include <cstring>
#include <vector>

__global__ void add_one(int *x, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    x[i]++;
}

// A runtime that checks its kernels copies memory instead of sharing it, and the part ends.
static void require_sharing() {
  int value;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0));
  if (!value && getenv("SIMGPU_STRICT")) // by design
    exit(differences != 0);
  if (!value)
    skip("kernels and the program do not share memory in this process");
}

// The kernel's and the host's changes, in turn. x: count elements.
static void both_sides_change(int *x, int count, unsigned expected_flags) {
  cudaPointerAttributes attributes;
  unsigned flags = 99;
  int *device = nullptr;
  for (int i = 0; i < count; i++)
    x[i] = i;
  OK(cudaHostGetDevicePointer(&device, x, 0));
  TRUE(device == x);
  OK(cudaPointerGetAttributes(&attributes, x));
  TRUE(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == x && attributes.hostPointer == x);
  OK(cudaHostGetFlags(&flags, x));
  TRUE(flags == expected_flags);
  for (int round = 1; round <= 2; round++) {
    add_one<<<4, 128>>>(x, count);
    OK(cudaDeviceSynchronize());
    int right = 0;
    for (int i = 0; i < count; i++) {
      right += x[i] == i + 2 * round - 1;
      x[i]++;
    }
    TRUE(right == count);
  }
}

static void allocated() {
  for (unsigned flags :
       {cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped, cudaHostAllocWriteCombined})
    for (int count : {1, 100, 1023, 1025, 300001}) {
      int *x;
      OK(cudaHostAlloc(&x, count * sizeof *x, flags));
      TRUE(x[0] == 0 && x[count - 1] == 0);
      both_sides_change(x, count, cudaHostAllocMapped | flags);
      OK(cudaFreeHost(x));
      INVALID(cudaFreeHost(x));
    }
}

// Memory of malloc() need not begin at a page, and its neighbours in the page belong to others.
static void registered() {
  static int variable[5000];
  std::vector<int> heap(3000, 7);
  OK(cudaHostRegister(variable, sizeof variable, cudaHostRegisterDefault));
  both_sides_change(variable, 5000, cudaHostRegisterMapped);
  int *const inside = heap.data() + 13;
  OK(cudaHostRegister(inside, 2000 * sizeof *inside, cudaHostRegisterMapped));
  both_sides_change(inside, 2000, cudaHostRegisterMapped);
  TRUE(heap[12] == 7 && heap[2013] == 7);
  EXPECT(cudaHostRegister(inside + 5, 8, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
  INVALID(cudaHostUnregister(inside + 5));
  OK(cudaHostUnregister(inside));
  EXPECT(cudaHostUnregister(inside), cudaErrorHostMemoryNotRegistered);
  TRUE(inside[1999] == 1999 + 4);
  OK(cudaHostRegister(inside, 4, cudaHostRegisterDefault)); // the same pages again
  inside[0] = 40;
  add_one<<<1, 32>>>(inside, 1);
  OK(cudaDeviceSynchronize());
  TRUE(inside[0] == 41);
  OK(cudaHostUnregister(inside));
  OK(cudaHostUnregister(variable));
  heap.assign(100000, 1); // frees what was registered
  TRUE(variable[4999] == 4999 + 4);
}

// What is registered is no longer reached once it is not.
static void unregistered() {
  std::vector<int> heap(3000, 7);
  OK(cudaHostRegister(heap.data(), 3000 * sizeof heap[0], cudaHostRegisterDefault));
  OK(cudaHostUnregister(heap.data()));
  add_one<<<1, 32>>>(heap.data(), 10);
  EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  TRUE(heap[0] == 7);
}

// Fills and copies treat it as the host's.
static void copied() {
  enum { COUNT = 1000 };
  int *x, *device, back[COUNT];
  OK(cudaMallocHost(&x, COUNT * sizeof *x));
  OK(cudaMalloc(&device, COUNT * sizeof *device));
  OK(cudaMemset(x, 1, COUNT * sizeof *x));
  OK(cudaDeviceSynchronize());
  TRUE(x[0] == 0x01010101 && x[COUNT - 1] == 0x01010101);
  INVALID(cudaMemset(x, 1, COUNT * sizeof *x + 1));
  add_one<<<1, 128>>>(x, COUNT);
  OK(cudaMemcpy(device, x, COUNT * sizeof *x, cudaMemcpyDefault));
  add_one<<<1, 128>>>(device, COUNT);
  OK(cudaMemcpyAsync(x, device, COUNT * sizeof *x, cudaMemcpyDeviceToHost));
  add_one<<<1, 128>>>(x, COUNT);
  OK(cudaMemcpy(back, x, COUNT * sizeof *x, cudaMemcpyHostToHost));
  TRUE(back[0] == 0x01010104 && back[COUNT - 1] == 0x01010104);
  OK(cudaFreeHost(x));
}

__global__ void answer(volatile int *question, volatile int *result, int rounds) {
  for (int round = 1; round <= rounds; round++) {
    while (*question != round)
      continue;
    *result = 10 * round;
  }
}

// A kernel and the program wait for each other.
static void polled() {
  enum { ROUNDS = 5 };
  require_sharing();
  int *x;
  OK(cudaMallocHost(&x, 2 * sizeof *x));
  volatile int *question = x, *result = x + 1;
  *question = *result = 0;
  answer<<<1, 1>>>(x, x + 1, ROUNDS);
  for (int round = 1; round <= ROUNDS; round++) {
    *question = round;
    while (*result != 10 * round)
      usleep(100);
  }
  OK(cudaDeviceSynchronize());
  OK(cudaFreeHost(x));
}

struct arguments {
  char count;
  struct {
    int *x;
  } inner;
};
__global__ void add_one_in(arguments a) {
  if (threadIdx.x < a.count)
    a.inner.x[threadIdx.x]++;
}

// A pointer in a structure, and one into the middle of the memory.
static void in_structures() {
  int *x;
  OK(cudaMallocHost(&x, 100 * sizeof *x));
  for (int i = 0; i < 100; i++)
    x[i] = i;
  add_one_in<<<1, 64>>>({40, {x + 60}});
  OK(cudaDeviceSynchronize());
  TRUE(x[59] == 59 && x[60] == 61 && x[99] == 100);
  OK(cudaFreeHost(x));
}

// Nothing of it is left behind: the same addresses are reached again.
static void again() {
  for (int round = 0; round < 50; round++) {
    int *x;
    OK(cudaMallocHost(&x, 5000 * sizeof *x));
    memset(x, 0, 5000 * sizeof *x);
    add_one<<<4, 128>>>(x, 5000);
    OK(cudaDeviceSynchronize());
    TRUE(x[0] == 1 && x[4999] == 1);
    OK(cudaFreeHost(x));
  }
}

// It is no device memory: much of it leaves the device's as it is.
static void not_counted() {
  require_sharing();
  size_t before, after, total;
  int *x, *y;
  OK(cudaMalloc(&y, 4));
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMallocHost(&x, 256 << 20));
  OK(cudaMemGetInfo(&after, &total));
  TRUE(before == after);
  x[(64 << 20) - 1] = 5;
  add_one<<<1, 1>>>(x + (64 << 20) - 1, 1);
  OK(cudaDeviceSynchronize());
  TRUE(x[(64 << 20) - 1] == 6);
  OK(cudaFreeHost(x));
  OK(cudaFree(y));
}

int main() {
  return run_parts({{"allocated", allocated},
                    {"registered", registered},
                    {"unregistered", unregistered},
                    {"copied", copied},
                    {"in structures", in_structures},
                    {"again", again},
                    {"polled", polled},
                    {"not counted", not_counted}});
}
