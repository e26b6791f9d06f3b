/* Lab 01's kernels and, for each, its arrays on the device. */
#pragma once

#include "grid.h"

/* CSR has no kernel, see matrix.h. HOST is the naive kernel with arrays in host memory. SCALE is part 7: f = u/h²
 * on all points. */
enum variant { CSR, NAIVE, TILED, MARCHING, KERNELS, HOST = KERNELS, SCALE, VARIANTS };
extern const char *const device_names[]; /* values of --variant */

struct device_kernel {
  int (*apply)(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);
  const char *function, *global; /* its name in the contract; the name of the kernel */
  int border;                    /* number of border rows and columns that the device arrays omit */
};
extern const struct device_kernel device_kernels[VARIANTS];

/* The arrays of a kernel: the grid without its border. */
struct device {
  const struct device_kernel *kernel;
  struct grid g;
  double inv_h2; /* 1/h² of the grid, unless the caller changes it */
  float kappa2;
  float *u, *f;
};

struct device device_open(enum variant v, struct grid g, double kappa);
void device_close(struct device *d);
void device_put(struct device *d, const float *u);
void device_get(const struct device *d, float *f); /* does not change the border of f */

/* Fills f with NaN, so that a missing value is detected. */
void device_poison(struct device *d);

/* Launches the kernel without waiting for it. Returns 0 or the unwritten part. */
int device_launch(const struct device *d);
