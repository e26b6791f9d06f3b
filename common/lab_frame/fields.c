#include "fields.h"
#include "allocate.h"
#include "output.h"
#include <stdlib.h>

static void check_extent(const char *path, const char *name, size_t in_file, int wanted, const char *source) {
  if (in_file < FIELDS_MIN || in_file > FIELDS_MAX)
    error_die("%s: %s = %zu: expected %d to %d", path, name, in_file, FIELDS_MIN, FIELDS_MAX);
  if (wanted && in_file != (size_t)wanted) {
    if (source)
      error_die("%s: %s = %zu, but %s has %d", path, name, in_file, source, wanted);
    error_die("%s: %s = %zu: expected --%s %d", path, name, in_file, name, wanted);
  }
}

/* The values rounded to float, or widened to double; frees the others. */
static void *converted(void *values, size_t count, enum npy_type from, enum npy_type to) {
  if (from == to)
    return values;
  void *result = allocate_zeroed(count, npy_element_size(to));
  for (size_t k = 0; k < count; k++)
    if (to == NPY_FLOAT32)
      ((float *)result)[k] = (float)((const double *)values)[k];
    else
      ((double *)result)[k] = (double)((const float *)values)[k];
  free(values);
  return result;
}

void *fields_read(const char *path, enum npy_type type, int nx, int ny, const char *source, struct grid *g) {
  struct error error;
  struct npy array;
  if (!npy_read_any(path, &array, &error))
    error_die("%s", error.text);
  if (array.type != NPY_FLOAT32 && array.type != NPY_FLOAT64)
    error_die("%s: elements are integers: expected float32 or float64", path);
  if (array.rank != 2)
    error_die("%s: array of 1 dimension: expected 2, ny rows of nx values", path);
  array.data = converted(array.data, npy_count(&array), array.type, type);
  array.type = type;
  if (!npy_check_finite(path, &array, &error)) /* rounding to float may overflow */
    error_die("%s", error.text);
  check_extent(path, "nx", array.shape[1], nx, source);
  check_extent(path, "ny", array.shape[0], ny, source);
  *g = grid_make((int)array.shape[1], (int)array.shape[0]);
  return array.data;
}

void fields_check_output(const char *path) {
  struct error error;
  if (path && !output_check(path, &error))
    error_die("%s", error.text);
}

float *fields_random(struct random *random, struct grid g) {
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      u[grid_index(g, i, j)] = random_float(random, -1, 1);
  return u;
}
