#include "judged_far.h"

#include "allocate.h"
#include "cuda_check.h"
#include "judged_grids.h"

#include <stdlib.h>

int judged_far;

struct grid judged_far_strip(struct grid g) {
  return (struct grid){g.nx, judged_far, g.h};
}

float *judged_far_values(struct grid strip) {
  float *values = allocate_zeroed(grid_points(strip), sizeof *values);
  for (size_t k = 0; k < grid_points(strip); k++)
    values[k] = (float)judged_far_value(strip, k);
  return values;
}

void judged_far_open(size_t bytes, int count, void **arrays[]) {
  void **gaps = allocate_zeroed((size_t)count + 1, sizeof *gaps);
  for (int n = 0; n <= count; n++) {
    CUDA_CHECK(cudaMalloc(&gaps[n], bytes));
    if (n < count)
      CUDA_CHECK(cudaMalloc(arrays[n], bytes));
  }
  for (int n = 0; n <= count; n++)
    CUDA_CHECK(cudaFree(gaps[n]));
  free(gaps);
}

int judged_far_close(int count, void *const arrays[]) {
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int n = 0; n < count; n++)
    CUDA_CHECK(cudaFree(arrays[n]));
  return 0;
}

static char *element(const void *array, size_t k, size_t size) { return (char *)(uintptr_t)array + k * size; }

void judged_far_put(void *array, size_t end, size_t count, size_t size, const void *values) {
  CUDA_CHECK(cudaMemcpy(element(array, end - count, size), values, count * size, cudaMemcpyHostToDevice));
}

void judged_far_get(const void *array, size_t end, size_t count, size_t size, void *values) {
  CUDA_CHECK(cudaMemcpy(values, element(array, end - count, size), count * size, cudaMemcpyDeviceToHost));
}
