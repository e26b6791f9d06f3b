/* The largest grids of a contract, on arrays that nothing fills: kernels run for some blocks (SIMGPU_EVERY), and only
 * the last rows have values. An index or a size that overflows there does so in the last rows. */
#pragma once

#include "grid.h"
#include "options.h"

#include <stddef.h>

extern int judged_far; /* rows; 0: the grid gets all of its values */
#define JUDGED_FAR                                                                                           \
  OPTIONS_INT(                                                                                               \
      "far", &judged_far, 2, 64,                                                                             \
      "with --nx and --ny: only so many rows, the last ones, have values, 1 and −1, and are written")

struct grid judged_far_strip(struct grid g); /* these rows */
float *judged_far_values(struct grid strip); /* of u; the caller frees them */

/* Arrays of so many bytes on the device, with as much freed memory before and after each: a wrong place is in no other
 * array. The caller frees them, or waits for the device and frees them by judged_far_close, which returns 0. */
void judged_far_open(size_t bytes, int count, void **arrays[]);
int judged_far_close(int count, void *const arrays[]);

/* Elements of an array on the device, or of each of its colours: `end` of them, of which the last `count` get values,
 * or are read. */
void judged_far_put(void *array, size_t end, size_t count, size_t size, const void *values);
void judged_far_get(const void *array, size_t end, size_t count, size_t size, void *values);
