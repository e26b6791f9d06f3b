/* Grid functions for the suites of poisson, and the sizes at which they run: tiny, odd, even, rectangular. */
#pragma once

#include "allocate.h"
#include "grid.h"
#include "random.h"
#include <stdbool.h>

static const struct {
  int nx, ny;
} field_sizes[] = {{3, 3}, {4, 3}, {3, 4}, {6, 4}, {5, 5}, {7, 12}, {33, 20}, {64, 65}, {67, 31}};
enum { FIELD_SIZES = sizeof field_sizes / sizeof *field_sizes };

static inline struct grid field_grid(int size) {
  return grid_make(field_sizes[size].nx, field_sizes[size].ny);
}

static inline double *field_zero(struct grid g) { return allocate_zeroed(grid_points(g), sizeof(double)); }

/* Uniform in [-1, 1); the boundary too, or zero there. */
static inline double *field_random(struct grid g, uint64_t seed, bool boundary) {
  struct random random = random_seed(seed);
  double *v = field_zero(g);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      double value = random_double(&random, -1, 1);
      v[grid_index(g, i, j)] = boundary || grid_is_interior(g, i, j) ? value : 0;
    }
  return v;
}

static inline float *field_random_float(struct grid g, uint64_t seed) {
  struct random random = random_seed(seed);
  float *v = allocate_zeroed(grid_points(g), sizeof *v);
  for (size_t k = 0; k < grid_points(g); k++)
    v[k] = random_float(&random, -1, 1);
  return v;
}
