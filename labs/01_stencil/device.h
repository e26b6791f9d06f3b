/* Lab 01's kernels and, for each, its arrays on the device. */
#ifndef DEVICE_H
#define DEVICE_H

#include "grid.h"

enum variant { CSR, NAIVE, TILED, MARCHING, VARIANTS }; /* CSR has no kernel: matrix.h */
extern const char *const device_names[];                /* of --variant */

struct device_kernel {
  int (*apply)(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);
  const char *function, *global; /* of the contract; of the kernel it launches */
  int border;                    /* width of the frame of grid points that the device arrays leave out */
};
extern const struct device_kernel device_kernels[VARIANTS];

/* The grid without a frame of border points. */
struct device {
  const struct device_kernel *kernel;
  struct grid g;
  float kappa2;
  float *u, *f;
};

struct device device_open(enum variant v, struct grid g, double kappa);
void device_close(struct device *d);
void device_put(struct device *d, const float *u);
void device_get(const struct device *d, float *f); /* leaves the frame of f as it is */

/* Fills f with NaN, so that a value that the kernel does not write is seen. */
void device_poison(struct device *d);

/* Launches the kernel and does not wait for it. Returns 0 or the part that is not written. */
int device_launch(const struct device *d);

#endif
