#include "race.h"

#include "allocate.h"
#include "cuda_check.h"
#include "frames.h"
#include "methods.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

static size_t count_different(size_t points, const float *a, const float *b) {
  size_t different = 0;
  for (size_t k = 0; k < points; k++)
    different += memcmp(&a[k], &b[k], sizeof *a) != 0;
  return different;
}

static void naive_once(struct grid g, const float *h2f, const float *u, float *result) {
  struct sweeps_arrays d = sweeps_open(g, h2f, u);
  const int part = methods_sweep(NAIVE, &d);
  CUDA_CHECK(cudaGetLastError());
  unwritten_check(part, methods_functions[NAIVE]);
  sweeps_get(&d, result);
  sweeps_close(&d);
}

/* The naive sweeps minus sequential ones, after each of 40 sweeps from the same u. */
static void write_frames(const char *path, struct grid g, const float *h2f, const float *u) {
  enum { SWEEPS = 40 };
  const size_t points = grid_points(g);
  float *ordered = memcpy(allocate_zeroed(points, sizeof *u), u, points * sizeof *u);
  float *raced = allocate_zeroed(points, sizeof *u);
  double *difference = allocate_zeroed(points, sizeof *difference);
  struct frames frames = frames_open(path, g, SWEEPS);
  struct sweeps_arrays d = sweeps_open(g, h2f, u);
  for (int n = 0; n <= SWEEPS; n++) {
    sweeps_get(&d, raced);
    for (size_t k = 0; k < points; k++)
      difference[k] = (double)raced[k] - (double)ordered[k];
    frames_add(&frames, difference);
    unwritten_check(methods_sweep(NAIVE, &d), methods_functions[NAIVE]);
    CUDA_CHECK(cudaGetLastError());
    reference_gs_sweep_float(g, 0, h2f, ordered);
  }
  frames_close(&frames);
  sweeps_close(&d);
  free(difference);
  free(raced);
  free(ordered);
}

void race_run(struct grid g, const float *h2f, const float *u, int runs, const char *frames_path) {
  const size_t points = grid_points(g);
  float *first = allocate_zeroed(points, sizeof *first), *result = allocate_zeroed(points, sizeof *result);
  float *ordered = memcpy(allocate_zeroed(points, sizeof *u), u, points * sizeof *u);
  reference_gs_sweep_float(g, 0, h2f, ordered); /* one thread, row by row */
  printf("%zu interior points; number of points that differ\nrun  from run 1  from a sequential sweep\n",
         grid_interior_points(g));
  for (int n = 1; n <= runs; n++) {
    naive_once(g, h2f, u, result);
    if (n == 1)
      memcpy(first, result, points * sizeof *first);
    printf("%3d%12zu%25zu\n", n, count_different(points, result, first),
           count_different(points, result, ordered));
  }
  if (frames_path)
    write_frames(frames_path, g, h2f, u);
  free(ordered);
  free(result);
  free(first);
}
