// Kernels that launch kernels. Results are compared with those of the host. `counted` launches one small family, whose
// rows in the file of counters are counted by the caller.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static int failures;
#define EXPECT(condition)                                                                                    \
  if (!(condition)) {                                                                                        \
    fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                 \
    failures++;                                                                                              \
  }

static void expect_int(int line, long long got, long long expected) {
  if (got != expected) {
    fprintf(stderr, "%s:%d: got %lld, expected %lld\n", __FILE__, line, got, expected);
    failures++;
  }
}
#define EXPECT_INT(got, expected) expect_int(__LINE__, got, expected)

static int *out; // zeroed managed memory
enum { OUT = 64 };

static void finish(cudaError_t expected = cudaSuccess) { EXPECT_INT(cudaDeviceSynchronize(), expected); }

// Parameters of all sizes, and several threads that launch

struct Pair {
  char a;
  double b;
};
__global__ void add(char c, Pair p, int *to, short s) { atomicAdd(to, c + p.a + (int)p.b + s + threadIdx.x); }
__global__ void add_all(int *to) { add<<<3, 5>>>('\1', Pair{2, 3.0}, to, (short)threadIdx.x); }

static void test_parameters() {
  out[0] = 0;
  add_all<<<7, 33>>>(out);
  finish();
  int expected = 0;
  for (int s = 0; s < 33; s++)
    for (int thread = 0; thread < 5; thread++)
      expected += 7 * 3 * (6 + s + thread);
  EXPECT_INT(out[0], expected);
}

// Order: the work of a stream in the order of its launches, tail launches last, parents complete after their children

__global__ void append(int *log, int value) { log[++log[0]] = value; }
__global__ void append_below(int *log, int value) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, value + 2);
  append<<<1, 1>>>(log, value + 1);
  append<<<1, 1>>>(log, value);
}
__device__ void append_late(int *log) { append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 100); }
__global__ void append_many(int *log) {
  append_late(log);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  append_below<<<1, 1, 0, stream>>>(log, 10);
  append<<<1, 1, 0, stream>>>(log, 20);
  cudaStreamDestroy(stream);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 200);
  append<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 30);
}

static void test_order() {
  static const int expected[] = {11, 10, 12, 20, 30, 100, 200, 300};
  out[0] = 0;
  append_many<<<1, 1>>>(out);
  append<<<1, 1>>>(out, 300); // after the whole family
  finish();
  EXPECT_INT(out[0], 8);
  for (int i = 0; i < 8; i++)
    EXPECT_INT(out[1 + i], expected[i]);
}

// Recursion: two children in streams of their own per level

__global__ void quicksort(int *x, int left, int right) {
  int low = left, high = right;
  const int pivot = x[(left + right) / 2];
  while (low <= high) {
    while (x[low] < pivot)
      low++;
    while (x[high] > pivot)
      high--;
    if (low <= high) {
      const int swapped = x[low];
      x[low++] = x[high];
      x[high--] = swapped;
    }
  }
  if (left < high) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(x, left, high);
    cudaStreamDestroy(stream);
  }
  if (low < right)
    quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(x, low, right);
}

static void test_recursion(int n) {
  std::vector<int> x(n);
  unsigned seed = 12345;
  for (int &v : x)
    v = (seed = seed * 1664525 + 1013904223) >> 20;
  int *d;
  cudaMalloc(&d, n * sizeof *d);
  cudaMemcpy(d, x.data(), n * sizeof *d, cudaMemcpyHostToDevice);
  quicksort<<<1, 1>>>(d, 0, n - 1);
  std::vector<int> sorted(n);
  EXPECT(cudaMemcpy(sorted.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost) == cudaSuccess);
  std::sort(x.begin(), x.end());
  EXPECT(x == sorted);
  cudaFree(d);
}

// Refused launches. Errors are those of the thread.

__global__ void __launch_bounds__(64) bounded(int *p) { *p = 1; }
__global__ void refused(int *r, int big) {
  if (threadIdx.x == 1) {
    r[10] = cudaGetLastError();
    return;
  }
  bounded<<<1, big>>>(r);
  r[0] = cudaPeekAtLastError();
  r[1] = cudaGetLastError();
  r[2] = cudaGetLastError();
  bounded<<<big - 2000, 1>>>(r);
  r[3] = cudaGetLastError();
  bounded<<<1, 65>>>(r);
  r[4] = cudaGetLastError();
  bounded<<<1, 1, 1 << 20>>>(r);
  r[5] = cudaGetLastError();
  bounded<<<1, 1, 0, (cudaStream_t)0x12345>>>(r);
  r[6] = cudaGetLastError();
  cudaStream_t stream;
  r[7] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
  r[8] = cudaGetLastError();
  bounded<<<1, 64>>>(r + 9);
}

static void test_refused() {
  std::fill(out, out + 11, -1);
  refused<<<1, 2>>>(out, 2000);
  finish();
  EXPECT_INT(out[0], cudaErrorInvalidConfiguration);
  EXPECT_INT(out[1], cudaErrorInvalidConfiguration);
  EXPECT_INT(out[2], cudaSuccess);
  EXPECT_INT(out[3], cudaErrorInvalidConfiguration);
  EXPECT_INT(out[4], cudaErrorInvalidConfiguration);
  EXPECT_INT(out[5], cudaErrorInvalidConfiguration);
  EXPECT_INT(out[6], cudaErrorInvalidResourceHandle);
  EXPECT_INT(out[7], cudaErrorInvalidValue);
  EXPECT_INT(out[8], cudaErrorInvalidValue);
  EXPECT_INT(out[9], 1);
  EXPECT_INT(out[10], cudaSuccess);
}

__global__ void nest(int *r, int depth, cudaStream_t stream, int deepest) {
  r[0] = depth;
  if (depth < deepest)
    nest<<<1, 1, 0, stream>>>(r, depth + 1, stream, deepest);
  if (int error = cudaGetLastError())
    r[1] = error, r[2] = depth;
}

// Levels of plain launches are all pending at once; tail launches are not. The limits are those of an H200.
static void test_depth() {
  for (int limit : {100, 5000, 2048}) {
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit);
    for (cudaStream_t stream : {(cudaStream_t)0, cudaStreamFireAndForget}) {
      out[1] = out[2] = 0;
      nest<<<1, 1>>>(out, 0, stream, 10000);
      finish();
      EXPECT_INT(out[0], limit);
      EXPECT_INT(out[1], cudaErrorLaunchPendingCountExceeded);
      EXPECT_INT(out[2], limit);
    }
  }
  out[1] = 0;
  nest<<<1, 1>>>(out, 0, cudaStreamTailLaunch, 6000);
  finish();
  EXPECT_INT(out[0], 6000);
  EXPECT_INT(out[1], 0);
}

__global__ void increment(int *r) { ++*r; }
__global__ void flood(int n, int *r) {
  r[1] = n;
  for (int i = 0; i < n; i++) {
    increment<<<1, 1>>>(r);
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded && r[1] == n)
      r[1] = i;
  }
}

__global__ void flood_with_fills(int n, int *r) {
  r[1] = n;
  for (int i = n - 1; i >= 0; i--)
    if (cudaMemsetAsync(r, 1, 4, 0) == cudaErrorLaunchPendingCountExceeded)
      r[1] = i;
}

static void test_pending() {
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  EXPECT_INT(limit, 2048);
  for (int round = 0; round < 2;
       round++) { // a limit that forgot to count down would show in the second round
    out[0] = 0;
    flood<<<1, 1>>>(2050, out);
    finish();
    EXPECT_INT(out[0], 2048);
    EXPECT_INT(out[1], 2048);
  }
  flood_with_fills<<<1, 1>>>(2050, out);
  finish();
  EXPECT_INT(out[0], 0x01010101);
  EXPECT_INT(out[1], 0);
  out[0] = 0;
  EXPECT_INT(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2050), cudaSuccess);
  flood<<<1, 1>>>(2050, out);
  finish();
  EXPECT_INT(out[0], 2050);
}

// Copies, fills, memory and queries

__global__ void copies(unsigned char *a, unsigned char *b, int *errors) {
  errors[0] = cudaMemsetAsync(a, 0x51, 1000, 0);
  errors[1] = cudaMemcpyAsync(b, a + 1, 999, cudaMemcpyDeviceToDevice, 0);
  errors[2] = cudaMemset2DAsync(a, 100, 7, 3, 10, 0);
  errors[3] = cudaMemcpy2DAsync(b, 50, a, 100, 2, 10, cudaMemcpyDeviceToDevice, 0);
}

static void test_copies() {
  unsigned char *a, *b, got[1000], expected[1000];
  cudaMalloc(&a, 1000);
  cudaMalloc(&b, 1000);
  cudaMemset(b, 1, 1000);
  copies<<<1, 1>>>(a, b, out);
  for (int i = 0; i < 1000; i++)
    expected[i] = i < 500 && i % 50 < 2 ? 7 : i < 999 ? 0x51 : 1;
  EXPECT(cudaMemcpy(got, b, 1000, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(memcmp(got, expected, 1000) == 0);
  for (int i = 0; i < 4; i++)
    EXPECT_INT(out[i], cudaSuccess);
  cudaFree(a);
  cudaFree(b);
}

__global__ void fill(int *p, int value) { p[threadIdx.x] = value + threadIdx.x; }
__global__ void add_up(int *p, int *r) {
  for (int i = 0; i < 100; i++)
    *r += p[i];
  r[1] = cudaFree(p);
  r[2] = cudaFree(r);
}
__global__ void memory(int *r) {
  int *p = nullptr;
  r[3] = cudaMalloc(&p, 100 * sizeof *p);
  fill<<<1, 100>>>(p, 1000);
  add_up<<<1, 1>>>(p, r);
}

__global__ void queries(int *r, char *text) {
  cudaFuncAttributes attributes;
  cudaEvent_t event;
  size_t limit;
  r[0] = cudaDeviceGetAttribute(&r[1], cudaDevAttrMaxThreadsPerBlock, 0);
  r[2] = cudaGetDeviceCount(&r[3]) + cudaGetDevice(&r[4]);
  r[5] = cudaFuncGetAttributes(&attributes, bounded);
  r[6] = attributes.maxThreadsPerBlock;
  r[7] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&r[8], fill, 256, 0);
  r[9] = cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  r[10] = (int)limit;
  r[11] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming) + cudaEventRecord(event, 0) +
          cudaStreamWaitEvent(0, event, 0) + cudaEventDestroy(event);
  r[12] = cudaEventDestroy((cudaEvent_t)0x99999);
  int n = 0;
  for (const char *s = cudaGetErrorString(cudaErrorLaunchMaxDepthExceeded); *s; s++)
    text[n++] = *s;
  for (const char *s = cudaGetErrorName(cudaErrorInvalidValue); *s; s++)
    text[n++] = *s;
}

static void test_memory_and_queries() {
  std::fill(out, out + 20, 0);
  memory<<<1, 1>>>(out);
  finish();
  EXPECT_INT(out[0], 100 * 1000 + 99 * 50);
  EXPECT_INT(out[1], cudaSuccess);
  EXPECT_INT(out[2], cudaErrorInvalidValue);
  EXPECT_INT(out[3], cudaSuccess);
  char expected[256], *text;
  cudaMallocManaged(&text, sizeof expected);
  memset(text, 0, sizeof expected);
  queries<<<1, 1>>>(out, text);
  finish();
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0);
  const int numbers[] = {0, 1024, 0, 1, 0, 0, 64, 0, blocks, 0, 8 << 20, 0, cudaErrorInvalidResourceHandle};
  for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++)
    EXPECT_INT(out[i], numbers[i]);
  snprintf(expected, sizeof expected, "%scudaErrorInvalidValue",
           cudaGetErrorString(cudaErrorLaunchMaxDepthExceeded));
  EXPECT(strcmp(text, expected) == 0);
}

// A fault in a child ends the family.

__global__ void fault(int *p) { *p = 1; }
__global__ void lead_to_fault(int *r) {
  fault<<<1, 1>>>((int *)8);
  fault<<<1, 1>>>(r);
}

// The strings are in local and in shared memory.
__global__ void say(char text) {
  __shared__ char first[2];
  char line[8] = {text, 0};
  first[0] = 'c';
  first[1] = 0;
  printf("%s%s\n", first, line);
}
__global__ void say_all() {
  say<<<1, 1>>>('1');
  say<<<2, 1, 0, cudaStreamTailLaunch>>>('3');
  say<<<1, 1>>>('2');
  printf("parent\n");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "counted") == 0) {
    say_all<<<1, 1>>>();
    return cudaDeviceSynchronize();
  }
  if (cudaMallocManaged(&out, OUT * sizeof *out) == cudaErrorNotSupported) { // a sanitizer has its addresses
    fputs("skipped: no managed memory beside a sanitizer\n", stderr);
    return 77;
  }
  memset(out, 0, OUT * sizeof *out);
  test_parameters();
  test_order();
  for (int n : {1, 2, 31, 33, 700})
    test_recursion(n);
  test_refused();
  test_depth();
  test_pending();
  test_copies();
  test_memory_and_queries();
  lead_to_fault<<<1, 1>>>(out);
  finish(cudaErrorIllegalAddress);
  return failures > 0;
}
