/* The matrix product C = A B, and the table of its times. */
#pragma once

#include "stopwatch.h"

enum product_variant { PRODUCT_NAIVE, PRODUCT_TILE, PRODUCT_PIPELINED, PRODUCT_VARIANTS };
extern const char *const product_names[]; /* values of --variant */
struct product_function {
  int (*multiply)(int m, int n, int k, const float *a, const float *b, float *c);
  const char *function, *kernel; /* its name in the contract; the __global__ function */
};
extern const struct product_function product_functions[];

/* --seed, --repeats, --out and --csv are those of sweeps.h. */
struct product {
  int variant, m, n, k;
  const char *a_path, *b_path; /* files, or NULL */
  const char *sizes;           /* sizes in the table */
};

/* Device memory. C is NaN. */
struct matrices {
  int m, n, k;
  float *a, *b, *c;
};

/* A and B from the files, or random. */
struct matrices matrices_open(const struct product *p, int rows, int columns, int inner);
void matrices_close(struct matrices *d);

/* Copies C to the host, which is the first wait, prints the time to the mark of the watch, and writes C. */
void product_show(const struct product *p, const struct matrices *d, struct stopwatch watch);

int product_run(const struct product *p);   /* these two return the exit status */
int product_table(const struct product *p); /* a row for each of the sizes */
