// Nothing is freed. A reset of the device before the end of the program frees it all.
// with: NEVER LAST TWICE PRIMARY
// lab: 01
// base: solution
// points: 106
// seconds: 200
#define NEVER 0
#define LAST 1
#define TWICE 2
#define PRIMARY 3
#include <cuda.h>
#include <cuda_runtime.h>

/* After main(): all outputs are written. */
static void check(bool good) {
  if (!good)
    fprintf(stderr, "cudaErrorUnknown\n"), _exit(1);
}

static void leave(void) {
  if (WITH == PRIMARY)
    check(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
  for (int n = 0; (WITH == LAST || WITH == TWICE) && n < WITH; n++)
    check(cudaDeviceReset() == cudaSuccess);
}

static cudaError_t leave_later(cudaError_t error) {
  static int later = atexit(leave);
  (void)later;
  return error;
}
#define cudaMalloc(to, bytes) leave_later(cudaMalloc(to, bytes))
#define cudaFree(array) leave_later(((void)(array), cudaSuccess))
