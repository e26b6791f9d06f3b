// device_queue NAME: what a program sees of launches that are sent without waiting for each other.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }
__global__ void store(int *to, int value) { *to = value; }
__global__ void say(int number) { printf("%4095d\n", number); }
__global__ void stall(float *x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x[threadIdx.x] = x[threadIdx.x] * 0.5f + 1;
}

static int *memory(int value) {
  int *x;
  cudaMalloc(&x, sizeof *x);
  cudaMemcpy(x, &value, sizeof *x, cudaMemcpyHostToDevice);
  return x;
}

// The second of four launches fails: what comes behind it leaves no trace.
static int fault() {
  int *x = memory(0), *y = memory(0), host = -1;
  say<<<1, 1>>>(1);
  store<<<1, 1>>>(nullptr, 1);
  for (int i = 0; i < 2000; i++) { // more than the queue holds
    say<<<1, 1>>>(2);
    cudaMemsetAsync(x, 1, sizeof *x);
    cudaMemcpyAsync(y, x, sizeof *y, cudaMemcpyDeviceToDevice);
  }
  cudaMemcpyAsync(&host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(x, &host, sizeof host, cudaMemcpyHostToDevice);
  const cudaError_t queued = cudaGetLastError(), told = cudaDeviceSynchronize();
  printf("%s %s %d\n", cudaGetErrorName(queued), cudaGetErrorName(told), host);
  return 0;
}

// The copy itself is the first to hear of the fault, and leaves its target alone.
static int fault_at_copy() {
  int *x = memory(0), host = -1;
  store<<<1, 1>>>(nullptr, 1);
  const cudaError_t told = cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s %d\n", cudaGetErrorName(told), host);
  return 0;
}

// A fault that nobody asks for.
static int fault_at_end() {
  store<<<1, 1>>>(nullptr, 1);
  store<<<1, 1>>>(nullptr, 2);
  return 0;
}

static int print(int count) {
  for (int i = 0; i < count; i++)
    say<<<1, 1>>>(i);
  return cudaDeviceSynchronize() != cudaSuccess;
}

// Launches of so many rounds.
static int leave(int count, int rounds) {
  float *x = (float *)memory(0);
  for (int i = 0; i < count; i++)
    stall<<<1, 1>>>(x, rounds);
  return 0;
}

// Each does what depends on the one before.
static int order() {
  int *x = memory(0), *y = memory(0), host[2];
  cudaMemsetAsync(x, 0, sizeof *x);
  for (int i = 1; i <= 3000; i++) {
    add<<<1, 1>>>(x, i);
    cudaMemcpyAsync(y, x, sizeof *y, cudaMemcpyDeviceToDevice);
    if (i % 1000 == 0)
      cudaMemsetAsync(x, 0, sizeof *x);
    add<<<1, 1>>>(y, -1);
  }
  cudaMemcpy(host, x, sizeof *host, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 1, y, sizeof *host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[1]);
  return cudaGetLastError() != cudaSuccess;
}

// The modelled time of some work, with waits between or without.
static int measure(bool waits) {
  float *x, milliseconds;
  cudaEvent_t start, end;
  cudaMalloc(&x, 128);
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  stall<<<1, 32>>>(x, 2000); // belongs to no interval
  cudaEventRecord(start);
  for (int i = 0; i < 50; i++) {
    stall<<<1 + i % 3, 32>>>(x, 10 * i);
    if (waits)
      cudaDeviceSynchronize();
    cudaMemsetAsync(x, 0, 128);
  }
  cudaEventRecord(end);
  stall<<<1, 32>>>(x, 1000);
  cudaEventElapsedTime(&milliseconds, start, end);
  printf("%.9g ms\n", milliseconds);
  return milliseconds <= 0;
}

static int threads() {
  enum { THREADS = 4, LAUNCHES = 1500 };
  int *sums[THREADS], wrong = 0;
  std::vector<std::thread> running;
  for (int t = 0; t < THREADS; t++)
    sums[t] = memory(0);
  for (int t = 0; t < THREADS; t++)
    running.emplace_back([&, t] {
      for (int i = 0; i < LAUNCHES; i++) {
        add<<<1, 1>>>(sums[t], t + 1);
        if (i % 100 == t)
          cudaDeviceSynchronize();
      }
    });
  for (int t = 0; t < THREADS; t++) {
    int sum;
    running[t].join();
    cudaMemcpy(&sum, sums[t], sizeof sum, cudaMemcpyDeviceToHost);
    wrong += sum != LAUNCHES * (t + 1);
  }
  printf("%d wrong\n", wrong);
  return 0;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  const auto is = [&](const char *other) { return strcmp(name, other) == 0; };
  if (is("fault"))
    return fault();
  if (is("fault at copy"))
    return fault_at_copy();
  if (is("fault at end"))
    return fault_at_end();
  if (is("print"))
    return print(count);
  if (is("leave"))
    return leave(count, 100000);
  if (is("crash"))
    return leave(count, 1) + raise(SIGKILL);
  if (is("order"))
    return order();
  if (is("measure"))
    return measure(count);
  if (is("threads"))
    return threads();
  return fprintf(stderr, "usage: device_queue NAME [COUNT]\n"), 2;
}
