#include "csr_matrix.h"

#include "allocate.h"
#include "error.h"
#include "stencil.h"
#include "triples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNWRITTEN = -1 }; /* value of each int before the call */

__attribute__((noreturn)) static void die_matrix(const char *array, int place, int value, int low, int high) {
  if (value == UNWRITTEN)
    fprintf(stderr, "stencil: csr_assemble: %s[%d] was never written: expected a value from %d to %d\n",
            array, place, low, high);
  else
    fprintf(stderr, "stencil: csr_assemble: %s[%d] = %d: expected a value from %d to %d\n", array, place,
            value, low, high);
  exit(MATRIX_FAILED_STATUS);
}

struct reference_csr csr_matrix_open(struct grid g, size_t more) {
  const size_t entries = reference_csr_entries(g), points = grid_points(g);
  if (entries > INT_MAX)
    error_die("--nx %d --ny %d: %zu matrix entries: expected at most %d", g.nx, g.ny, entries, INT_MAX);
  struct reference_csr a = {.rows = (int)points,
                            .row_start = allocate_zeroed(points + 1, sizeof *a.row_start),
                            .column = allocate_zeroed(entries + more, sizeof *a.column),
                            .value = allocate_zeroed(entries + more, sizeof *a.value)};
  memset(a.row_start, 0xff, (points + 1) * sizeof *a.row_start);
  memset(a.column, 0xff, entries * sizeof *a.column);
  memset(a.value, 0xff, entries * sizeof *a.value);
  return a;
}

void csr_matrix_check(const struct reference_csr *a, struct grid g) {
  const int capacity = (int)reference_csr_entries(g);
  for (int k = 0; k <= a->rows; k++) {
    const int low = k > 0 ? a->row_start[k - 1] : 0, high = k > 0 ? capacity : 0;
    if (a->row_start[k] < low || a->row_start[k] > high)
      die_matrix("row_start", k, a->row_start[k], low, high);
  }
  for (int e = 0; e < a->row_start[a->rows]; e++)
    if (a->column[e] < 0 || a->column[e] >= a->rows)
      die_matrix("column", e, a->column[e], 0, a->rows - 1);
}

void csr_matrix_multiply(const struct reference_csr *a, const float *u, double *f) {
  double *x = allocate_zeroed((size_t)a->rows, sizeof *x);
  for (int k = 0; k < a->rows; k++)
    x[k] = u[k];
  reference_csr_multiply(a, x, f);
  free(x);
}

int csr_matrix_apply(struct grid g, double kappa, const char *path, const float *u, double *f) {
  struct reference_csr a = csr_matrix_open(g, 0);
  const double inv_h2 = (double)(g.nx - 1) * (g.nx - 1);
  const int part = csr_assemble(g.nx, g.ny, inv_h2, kappa * kappa, a.row_start, a.column, a.value);
  if (part == 0) {
    csr_matrix_check(&a, g);
    csr_matrix_multiply(&a, u, f);
    if (path)
      triples_write(path, &a);
  }
  reference_csr_free(&a);
  return part;
}
