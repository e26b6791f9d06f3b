#include "triples.h"

#include "allocate.h"
#include "error.h"
#include "fields.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

void triples_write(const char *path, const struct reference_csr *a) {
  const size_t entries = (size_t)a->row_start[a->rows];
  double *triples = allocate_zeroed(3 * entries, sizeof *triples), *next = triples;
  for (int k = 0; k < a->rows; k++)
    for (int e = a->row_start[k]; e < a->row_start[k + 1]; e++) {
      *next++ = k;
      *next++ = a->column[e];
      *next++ = a->value[e];
    }
  npy_save(path, NPY_FLOAT64, entries, 3, triples);
  free(triples);
}

/* An index of a triple, from 0 to end - 1. */
static int index_of(const char *path, double value, const char *name, size_t entry, size_t end) {
  if (!(value >= 0 && value < (double)end && value == floor(value)))
    error_die("%s: entry %zu: %s %g: expected an integer from 0 to %zu", path, entry, name, value, end - 1);
  return (int)value;
}

static void check_diagonal(const char *path, const struct reference_csr *a) {
  for (int row = 0; row < a->rows; row++) {
    int e = a->row_start[row];
    while (e < a->row_start[row + 1] && a->column[e] != row)
      e++;
    if (e == a->row_start[row + 1] || a->value[e] == 0)
      error_die("%s: row %d: zero diagonal: expected a non-zero diagonal entry", path, row);
  }
}

static struct npy read_entries(const char *path) {
  struct error error;
  struct npy array;
  if (!npy_read(path, NPY_FLOAT64, 2, &array, &error) || !npy_check_finite(path, &array, &error))
    error_die("%s", error.text);
  if (array.shape[1] != 3 || array.shape[0] == 0 || array.shape[0] > INT_MAX)
    error_die("%s: shape (%zu, %zu): expected 1 to %d rows of 3 values", path, array.shape[0], array.shape[1],
              INT_MAX);
  return array;
}

struct reference_csr triples_read(const char *path) {
  struct npy array = read_entries(path);
  const size_t entries = array.shape[0];
  const double *triple = array.data;
  const size_t rows = (size_t)index_of(path, triple[3 * (entries - 1)], "row", entries - 1, entries) + 1;
  struct reference_csr a = {(int)rows, allocate_zeroed(rows + 1, sizeof *a.row_start),
                            allocate_zeroed(entries, sizeof *a.column),
                            allocate_zeroed(entries, sizeof *a.value)};
  for (size_t e = 0; e < entries; e++, triple += 3) {
    const int row = index_of(path, triple[0], "row", e, rows);
    const int column = index_of(path, triple[1], "column", e, rows);
    if (e > 0 && (row < triple[-3] || (row == triple[-3] && column <= triple[-2])))
      error_die("%s: entry %zu, (%d, %d), does not follow the previous entry: expected ascending rows and "
                "columns",
                path, e, row, column);
    a.row_start[row + 1] = (int)e + 1;
    a.column[e] = column;
    a.value[e] = triple[2];
  }
  for (size_t row = 0; row < rows; row++) /* a row without entries ends where the previous one does */
    if (a.row_start[row + 1] == 0)
      a.row_start[row + 1] = a.row_start[row];
  npy_free(&array);
  check_diagonal(path, &a);
  return a;
}
