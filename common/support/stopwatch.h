/* Time on the device, by events: kernels without transfers and allocation.
 *
 *   const struct stopwatch watch = stopwatch_start();
 *   kernel<<<grid, block>>>(u);
 *   const double ms = stopwatch_stop(watch);    waits for the kernel */
#pragma once

#include "cuda_check.h"
#include "timing.h"

struct stopwatch {
  cudaEvent_t start, stop;
};

static inline struct stopwatch stopwatch_start(void) {
  struct stopwatch watch;
  CUDA_CHECK(cudaEventCreate(&watch.start));
  CUDA_CHECK(cudaEventCreate(&watch.stop));
  CUDA_CHECK(cudaEventRecord(watch.start, NULL));
  return watch;
}

/* The end of the time that stopwatch_read returns; does not wait. */
static inline void stopwatch_mark(struct stopwatch watch) { CUDA_CHECK(cudaEventRecord(watch.stop, NULL)); }

/* Milliseconds from the start to the mark. */
static inline double stopwatch_read(struct stopwatch watch) {
  float ms;
  CUDA_CHECK(cudaEventSynchronize(watch.stop));
  CUDA_CHECK(cudaEventElapsedTime(&ms, watch.start, watch.stop));
  CUDA_CHECK(cudaEventDestroy(watch.start));
  CUDA_CHECK(cudaEventDestroy(watch.stop));
  return ms;
}

/* Milliseconds since the start. */
static inline double stopwatch_stop(struct stopwatch watch) {
  stopwatch_mark(watch);
  return stopwatch_read(watch);
}

/* The device's copy bandwidth is 2 · bytes over these milliseconds: the median of copying one array of device
 * memory to another, after one copy to warm up. samples: room for repeats values. */
static inline double stopwatch_copy(void *target, const void *source, size_t bytes, int repeats,
                                    double *samples) {
  for (int n = -1; n < repeats; n++) {
    const struct stopwatch watch = stopwatch_start();
    CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, NULL));
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
  }
  return timing_summarise((size_t)repeats, samples).median;
}

/* Name of the device in use; valid until the next call. */
static inline const char *stopwatch_device(void) {
  static struct cudaDeviceProp properties;
  int device;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}
