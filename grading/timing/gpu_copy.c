/* gpu_copy describe: prints the GPU, its driver, the toolkit, and the peak bandwidth of its memory, a line each.
 * gpu_copy serve --megabytes N: answers requests "SEED COUNT" (serve.h) with COUNT copies of N MiB of device
 * memory, and a byte without meaning.
 *
 * Exit status: 0; 1 when CUDA failed; 2 for bad input; 3 when there is no GPU. */
#include "cuda_check.h"
#include "error.h"
#include "options.h"
#include "serve.h"
#include "stopwatch.h"

#include <string.h>

enum { NO_DEVICE_STATUS = 3 };

static int megabytes = 64;
static const struct options_option describe_options[] = {OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTIONS_INT("megabytes", &megabytes, 1, 65536, "size of each of the two arrays in MiB"), OPTIONS_END};
enum command { DESCRIBE, SERVE };
static const struct options_command commands[] = {
    [DESCRIBE] = {"describe", "prints the GPU, its driver, the toolkit and the peak bandwidth",
                  describe_options},
    [SERVE] = {"serve", "answers requests with copies, for the grader's clock", serve_options},
    OPTIONS_END,
};

/* The version of the kernel module, as nvidia-smi shows it: the runtime reports only the supported CUDA version. */
static void print_driver(void) {
  char version[64] = "";
  int supported;
  CUDA_CHECK(cudaDriverGetVersion(&supported));
  FILE *file = fopen("/sys/module/nvidia/version", "r");
  if (!file || !fgets(version, sizeof version, file))
    snprintf(version, sizeof version, "unknown");
  if (file)
    fclose(file);
  printf("driver %.*s, CUDA %d.%d\n", (int)strcspn(version, "\n"), version, supported / 1000,
         supported % 1000 / 10);
}

/* The factor 2: memory moves data at both edges of its clock. */
static double peak_gigabytes_per_s(void) {
  int kilohertz = 0, bits = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0));
  CUDA_CHECK(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0));
  return 2.0 * kilohertz * (bits / 8.0) * 1e-6;
}

static int describe(void) {
  printf("gpu %s\n", stopwatch_device());
  print_driver();
  printf("toolkit %d.%d\n", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  printf("peak %.1f\n", peak_gigabytes_per_s());
  return 0;
}

struct arrays {
  void *source, *target;
  size_t bytes;
};

static double answer(void *context, uint64_t seed, int count, void *result) {
  const struct arrays *arrays = context;
  const struct stopwatch watch = stopwatch_start();
  (void)seed;
  for (int n = 0; n < count; n++)
    CUDA_CHECK(
        cudaMemcpyAsync(arrays->target, arrays->source, arrays->bytes, cudaMemcpyDeviceToDevice, NULL));
  *(char *)result = 0;
  return stopwatch_stop(watch);
}

static int run_serve(void) {
  struct arrays arrays = {.bytes = (size_t)megabytes << 20};
  CUDA_CHECK(cudaMalloc(&arrays.source, arrays.bytes));
  CUDA_CHECK(cudaMalloc(&arrays.target, arrays.bytes));
  CUDA_CHECK(cudaMemset(arrays.source, 1, arrays.bytes));
  return serve(1, answer, &arrays);
}

int main(int argc, char **argv) {
  const int command = options_parse("describes the GPU, and copies in its memory", commands, argc, argv);
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    fprintf(stderr, "gpu_copy: no GPU: expected one that the driver lists\n");
    return NO_DEVICE_STATUS;
  }
  return command == SERVE ? run_serve() : describe();
}
