/* The arrays of a sweep on the device, in the split layout. */
#pragma once

#include "grid.h"

struct split {
  struct grid g;
  int pitch;
  float *h2f[2], *u[2]; /* one array per colour */
  float *next[2];       /* used by fused sweeps, else NULL */
};
size_t split_bytes(const struct split *d); /* size of the array of one colour */
void split_allocate(const struct split *d, float **colours);
void split_poison(const struct split *d,
                  float *const *colours); /* NaN: a value that is not written remains visible */

/* The next three return 0, or the part that is not written; even then, split_close releases d. */
int split_open(struct split *d, struct grid g, const float *h2f, const float *u);
int split_to_colours(const struct split *d, const float *values, float *const *colours);
int split_from_colours(const struct split *d, float *u);
void split_close(struct split *d);
