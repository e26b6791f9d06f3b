#include "matrix.h"

#include "allocate.h"
#include "error.h"
#include "stencil.h"
#include "triples.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNWRITTEN = -1 }; /* in each int before the call */

__attribute__((noreturn)) static void die_matrix(const char *array, int place, int value, int low, int high) {
  if (value == UNWRITTEN)
    fprintf(stderr, "stencil: csr_assemble: %s[%d] was never written: expected a value from %d to %d\n",
            array, place, low, high);
  else
    fprintf(stderr, "stencil: csr_assemble: %s[%d] = %d: expected a value from %d to %d\n", array, place,
            value, low, high);
  exit(MATRIX_FAILED_STATUS);
}

/* A loop that never ends writes beyond the arrays and what follows them. */
static void tell_trespass(int signal) {
  static const char text[] =
      "stencil: csr_assemble: writes or reads far outside its arrays: does a loop never end?\n";
  (void)signal;
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(written < 0 ? EXIT_FAILURE : MATRIX_FAILED_STATUS);
}

/* Ensures that the product stays inside its arrays, whatever csr_assemble wrote. */
static void check_matrix(const struct reference_csr *a, int capacity) {
  for (int k = 0; k <= a->rows; k++) {
    const int low = k > 0 ? a->row_start[k - 1] : 0, high = k > 0 ? capacity : 0;
    if (a->row_start[k] < low || a->row_start[k] > high)
      die_matrix("row_start", k, a->row_start[k], low, high);
  }
  for (int e = 0; e < a->row_start[a->rows]; e++)
    if (a->column[e] < 0 || a->column[e] >= a->rows)
      die_matrix("column", e, a->column[e], 0, a->rows - 1);
}

/* Entries beyond the matrix that csr_assemble must not write to: room for five in every row, and a few. */
static size_t guard_entries(size_t points, size_t entries) { return 5 * points + 64 - entries; }

enum { GUARD = 0x5a }; /* each byte */

static void check_guard(const char *array, const void *guard, size_t bytes, size_t entries) {
  const unsigned char *byte = guard;
  for (size_t k = 0; k < bytes; k++)
    if (byte[k] != GUARD) {
      fprintf(stderr, "stencil: csr_assemble: writes beyond the end of %s: the matrix has %zu entries\n",
              array, entries);
      exit(MATRIX_FAILED_STATUS);
    }
}

int matrix_apply(struct grid g, double inv_h2, double kappa, const char *path, const float *u, double *f) {
  const size_t entries = reference_csr_entries(g), points = grid_points(g);
  if (entries > INT_MAX)
    error_die("--nx %d --ny %d: %zu matrix entries: expected at most %d", g.nx, g.ny, entries, INT_MAX);
  const size_t guard = guard_entries(points, entries);
  struct reference_csr a = {.rows = (int)points,
                            .row_start = allocate_zeroed(points + 1, sizeof *a.row_start),
                            .column = allocate_zeroed(entries + guard, sizeof *a.column),
                            .value = allocate_zeroed(entries + guard, sizeof *a.value)};
  memset(a.row_start, 0xff,
         (points + 1) * sizeof *a.row_start); /* −1 and NaN show what is read before it is written */
  memset(a.column, 0xff, entries * sizeof *a.column);
  memset(a.value, 0xff, entries * sizeof *a.value);
  memset(a.column + entries, GUARD, guard * sizeof *a.column);
  memset(a.value + entries, GUARD, guard * sizeof *a.value);
  void (*const before)(int) = signal(SIGSEGV, tell_trespass);
  const int part = csr_assemble(g.nx, g.ny, inv_h2, kappa * kappa, a.row_start, a.column, a.value);
  signal(SIGSEGV, before);
  check_guard("column", a.column + entries, guard * sizeof *a.column, entries);
  check_guard("value", a.value + entries, guard * sizeof *a.value, entries);
  if (part == 0) {
    check_matrix(&a, (int)entries);
    double *x = allocate_zeroed(points, sizeof *x);
    for (size_t k = 0; k < points; k++)
      x[k] = u[k];
    reference_csr_multiply(&a, x, f);
    free(x);
    if (path)
      triples_write(path, &a);
  }
  reference_csr_free(&a);
  return part;
}
