// device_queue NAME: what a program observes of launches that are sent without waiting for earlier ones.
#include <csignal>
#include <cstdint>
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

// The second of four launches fails: later work must have no effect.
static int fault(int) {
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

// The copy is the first call that reports the fault, and it leaves its destination unchanged.
static int fault_at_copy(int) {
  int *x = memory(0), host = -1;
  store<<<1, 1>>>(nullptr, 1);
  const cudaError_t told = cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s %d\n", cudaGetErrorName(told), host);
  return 0;
}

// Host functions run in the stream's order, too.
static int fault_before_host_function(int) {
  static int called;
  stall<<<1, 1>>>((float *)memory(0), 20000); // so that the fault has not happened yet
  store<<<1, 1>>>(nullptr, 1);
  cudaLaunchHostFunc(
      0, [](void *) { called = 1; }, nullptr);
  printf("%d\n", called);
  return 0;
}

static int fault_before_callback(int) {
  stall<<<1, 1>>>((float *)memory(0), 20000);
  store<<<1, 1>>>(nullptr, 1);
  cudaStreamAddCallback(
      0, [](cudaStream_t, cudaError_t error, void *) { puts(cudaGetErrorName(error)); }, nullptr, 0);
  return 0;
}

static int fault_before_copy_on_host(int) {
  static int from = 1, to = -1;
  stall<<<1, 1>>>((float *)memory(0), 20000);
  store<<<1, 1>>>(nullptr, 1);
  cudaMemcpyAsync(&to, &from, sizeof to, cudaMemcpyHostToHost);
  printf("%d\n", to);
  return 0;
}

static int fault_before_free(int) {
  void *piece;
  cudaMemPool_t pool;
  unsigned long long used = 0;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMallocAsync(&piece, 1000, 0);
  stall<<<1, 1>>>((float *)memory(0), 20000);
  store<<<1, 1>>>(nullptr, 1);
  cudaFreeAsync(piece, 0);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  printf("%llu\n", used);
  return 0;
}

// No later call waits for this fault.
static int fault_at_end(int) {
  store<<<1, 1>>>(nullptr, 1);
  store<<<1, 1>>>(nullptr, 2);
  return 0;
}

static int print(int count) {
  for (int i = 0; i < count; i++)
    say<<<1, 1>>>(i);
  return cudaDeviceSynchronize() != cudaSuccess;
}

// Counts the rows of its own file of counters. The file has all launches that the program has waited for.
static int rows(int) {
  int lines = -1;
  for (int i = 0; i < 10; i++)
    add<<<1, 32>>>(memory(0), i);
  cudaDeviceSynchronize();
  FILE *file = fopen(getenv("SIMGPU_COUNTERS"), "r");
  for (int c; file && (c = getc(file)) != EOF;)
    lines += c == '\n';
  printf("%d\n", lines);
  return 0;
}

// `count` launches of `rounds` rounds each.
static int leave(int count, int rounds) {
  float *x = (float *)memory(0);
  for (int i = 0; i < count; i++)
    stall<<<1, 1>>>(x, rounds);
  return 0;
}

// Calls that are known to be wrong are refused at once, even when work is queued.
static int refused(int) {
  int *x = memory(0), *y = memory(0);
  stall<<<1, 1>>>((float *)memory(0), 20000);
  cudaFree(x);
  printf("%s ", cudaGetErrorName(cudaMemset(x, 0, 4)));
  stall<<<1, 1>>>((float *)memory(0), 20000);
  printf("%s ", cudaGetErrorName(cudaMemsetAsync(y, 0, 5)));
  printf("%s ", cudaGetErrorName(cudaMemcpyAsync(y, y + 1, 1, cudaMemcpyDeviceToDevice)));
  printf("%s ", cudaGetErrorName(cudaMemset2D(y, SIZE_MAX / 2 + 1, 0, 1, 3)));
  printf("%s ", cudaGetErrorName(cudaMemset(y, 0, 4)));
  cudaDeviceReset();
  printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
  return 0;
}

// Each piece of work depends on the one before.
static int order(int) {
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
static int measure(int waits) {
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

static float time_of_launch(float *x) {
  float milliseconds;
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start);
  stall<<<1, 32>>>(x, 100);
  cudaEventRecord(end);
  cudaEventElapsedTime(&milliseconds, start, end);
  return milliseconds;
}

// Transfers of managed memory take no modelled time; work that was queued before them keeps its time.
static int managed(int) {
  float *x, *shared;
  cudaMalloc(&x, 128);
  const float alone = time_of_launch(x);
  cudaMallocManaged(&shared, 1 << 20);
  printf("%s\n", alone > 0 && time_of_launch(x) == alone ? "equal" : "different");
  return 0;
}

static int threads(int) {
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

static const struct {
  const char *name;
  int (*run)(int count);
} modes[] = {
    {"fault", fault},
    {"fault at copy", fault_at_copy},
    {"fault at end", fault_at_end},
    {"fault before host function", fault_before_host_function},
    {"fault before callback", fault_before_callback},
    {"fault before copy on host", fault_before_copy_on_host},
    {"fault before free", fault_before_free},
    {"print", print},
    {"rows", rows},
    {"leave", [](int count) { return leave(count, 100000); }},
    {"crash", [](int count) { return leave(count, 1) + raise(SIGKILL); }},
    {"order", order},
    {"refused", refused},
    {"measure", measure},
    {"managed", managed},
    {"threads", threads},
};

int main(int argc, char **argv) {
  for (const auto &mode : modes)
    if (argc > 1 && strcmp(argv[1], mode.name) == 0)
      return mode.run(argc > 2 ? atoi(argv[2]) : 0);
  return fprintf(stderr, "usage: device_queue NAME [COUNT]\n"), 2;
}
