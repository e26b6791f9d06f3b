/* Norms of the residual on the device. */
#pragma once

#include "grid.h"

/* f on the device, beside the arrays of the sweeps, and work space for norms. */
struct residual {
  struct grid g;
  double inv_h2, norm_f; /* 1/h² of the grid; of f */
  float *f;
  double *row_sums;
};
struct residual residual_open(struct grid g, const float *f);
void residual_close(struct residual *r);

/* u: device memory */
double residual_of(const struct residual *r, const float *u);
