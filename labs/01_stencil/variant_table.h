/* The table of lab 01's variants on the same u: error, equal bits, time of the kernel. */
#pragma once

#include "grid.h"

struct variant_table {
  int launches, seed; /* launches of each kernel, one after the other; seed of u, for the title */
  double kappa;
  const char *csv; /* a file, or NULL */
};

/* Prints the table. Returns the exit status. */
int variant_table_show(const struct variant_table *compare, struct grid g, const float *u);
