// device_life endless: a kernel without an end, for the test that kills one side of the connection. device_life copies:
// copies 16 MB there and back, with short kernels between, for the tests that kill at any moment.
// device_life launches N: N empty launches; prints their rate, and exits 1 if either process has grown.
// device_life many: 300 launches, each of which must have run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <unistd.h>

// Its registers change: otherwise the device would see that nothing ends it.
__global__ void endless(volatile unsigned *x) {
  for (unsigned odd = 1; x[0] != odd; odd += 2)
    continue;
}
__global__ void increment(int *x) {
  if (blockIdx.x + threadIdx.x == 0)
    ++*x;
}

__global__ void empty() {}

// The resident memory of a process, in KiB.
static long resident(int pid) {
  char path[64];
  long pages = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1)
    exit(2);
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// The only process that this one has started.
static int device() {
  char path[64];
  int pid = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%d", &pid) != 1)
    exit(2);
  fclose(file);
  return pid;
}

static int launch_often(long count) {
  enum { SLACK = 512 }; // KiB
  for (int i = 0; i < 1000; i++)
    empty<<<1, 32>>>();
  cudaDeviceSynchronize();
  const long before = resident(getpid()), device_before = resident(device());
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < count; i++)
    empty<<<1, 32>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const long after = resident(getpid()), device_after = resident(device());
  printf("%ld launches, %.0f per second; KiB of the program: %ld, then %ld; of the device: %ld, then %ld\n",
         count, (double)count / seconds.count(), before, after, device_before, device_after);
  return error != cudaSuccess || after > before + SLACK || device_after > device_before + SLACK;
}

// Returns the error that ended the copies.
static cudaError_t copy_on() {
  static char host[16 << 20];
  int *x;
  for (;;) {
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    increment<<<64, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    if (cudaError_t error = cudaGetLastError())
      return error;
  }
}

int main(int argc, char **argv) {
  int *x, sum = 0;
  if (argc == 3 && strcmp(argv[1], "launches") == 0)
    return launch_often(atol(argv[2]));
  if (argc == 2 && strcmp(argv[1], "copies") == 0) {
    printf("%s\n", cudaGetErrorName(copy_on()));
    return 7;
  }
  cudaMalloc(&x, sizeof *x);
  cudaMemset(x, 0, sizeof *x);
  if (argc == 2 && strcmp(argv[1], "endless") == 0) {
    puts("running");
    fflush(stdout);
    endless<<<4, 64>>>((unsigned *)x);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaMemset(x, 0, sizeof *x)));
    return 7;
  }
  for (int launch = 0; launch < 300; launch++)
    increment<<<1 + launch % 5, 1 + launch>>>(x);
  cudaMemcpy(&sum, x, sizeof sum, cudaMemcpyDeviceToHost);
  printf("300 launches: %d\n", sum);
  return cudaGetLastError() != cudaSuccess;
}
