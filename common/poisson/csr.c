/* The operator as a sparse matrix. */
#include "allocate.h"
#include "error.h"
#include "reference.h"
#include <limits.h>
#include <stdlib.h>

size_t reference_csr_entries(struct grid g) {
  return 5 * grid_interior_points(g) + (grid_points(g) - grid_interior_points(g));
}

static void append(struct reference_csr *a, int *entries, size_t column, double value) {
  a->column[*entries] = (int)column;
  a->value[*entries] = value;
  ++*entries;
}

struct reference_csr reference_csr_assemble(struct grid g, double kappa) {
  size_t count = reference_csr_entries(g);
  if (count > INT_MAX)
    error_die("matrix of %zu entries: expected at most %d", count, INT_MAX);
  struct reference_csr a = {
      .rows = (int)grid_points(g),
      .row_start = allocate_zeroed(grid_points(g) + 1, sizeof *a.row_start),
      .column = allocate_zeroed(count, sizeof *a.column),
      .value = allocate_zeroed(count, sizeof *a.value),
  };
  double inv_h2 = (double)(g.nx - 1) * (g.nx - 1);
  int entries = 0;
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++) {
      size_t row = grid_index(g, i, j), nx = (size_t)g.nx;
      if (grid_is_interior(g, i, j)) {
        append(&a, &entries, row - nx, -inv_h2);
        append(&a, &entries, row - 1, -inv_h2);
        append(&a, &entries, row, 4 * inv_h2 + kappa * kappa);
        append(&a, &entries, row + 1, -inv_h2);
        append(&a, &entries, row + nx, -inv_h2);
      } else {
        append(&a, &entries, row, 1);
      }
      a.row_start[row + 1] = entries;
    }
  return a;
}

void reference_csr_multiply(const struct reference_csr *a, const double *x, double *y) {
  for (int row = 0; row < a->rows; row++) {
    double sum = 0;
    for (int k = a->row_start[row]; k < a->row_start[row + 1]; k++)
      sum += a->value[k] * x[a->column[k]];
    y[row] = sum;
  }
}

double *reference_csr_dense(const struct reference_csr *a) {
  const size_t n = (size_t)a->rows;
  double *dense = allocate_zeroed(n * n, sizeof *dense);
  for (size_t row = 0; row < n; row++)
    for (int k = a->row_start[row]; k < a->row_start[row + 1]; k++)
      dense[row * n + (size_t)a->column[k]] = a->value[k];
  return dense;
}

void reference_csr_free(struct reference_csr *a) {
  free(a->row_start);
  free(a->column);
  free(a->value);
  *a = (struct reference_csr){0};
}
