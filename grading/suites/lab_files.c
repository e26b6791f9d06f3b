#include "lab_files.h"
#include "lab_suite.h"
#include "traffic.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void lab_files_write(const char *path, enum npy_type type, size_t rows, size_t columns, const void *data) {
  struct error error;
  const struct npy array = {
      .type = type, .rank = 2, .shape = {rows, columns}, .data = (void *)(uintptr_t)data};
  if (!npy_write(path, &array, &error)) {
    lab_suite_verdict("INFRA");
    ck_abort_msg("%s", error.text);
  }
}

void lab_files_write_field(const char *path, struct grid g, const float *u) {
  lab_files_write(path, NPY_FLOAT32, (size_t)g.ny, (size_t)g.nx, u);
}

/* NULL: there is none. */
static FILE *open_if_written(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file && errno != ENOENT)
    error_die("%s: cannot read: %s", path, strerror(errno)); /* INFRA */
  return file;
}

FILE *lab_files_open(const char *path) {
  FILE *file = open_if_written(path);
  ck_assert_msg(file != NULL, "%s: not written", path);
  return file;
}

static struct npy read_array(const char *path, enum npy_type type) {
  struct error error;
  struct npy array;
  FILE *file = open_if_written(path);
  if (file)
    fclose(file);
  if (!npy_read(path, type, 2, &array, &error)) {
    lab_suite_verdict("OUTPUT");
    ck_abort_msg("%s", error.text);
  }
  return array;
}

struct npy lab_files_read_rows(const char *path, enum npy_type type, size_t columns) {
  const struct npy array = read_array(path, type);
  if (array.shape[1] != columns) {
    lab_suite_verdict("OUTPUT");
    ck_abort_msg("%s: %zu columns: expected %zu", path, array.shape[1], columns);
  }
  return array;
}

struct npy lab_files_read_of_host(const char *path, enum npy_type type, size_t rows, size_t columns) {
  const struct npy array = read_array(path, type);
  if (array.shape[0] != rows || array.shape[1] != columns) {
    lab_suite_verdict("OUTPUT");
    ck_abort_msg("%s: shape (%zu, %zu): expected (%zu, %zu)", path, array.shape[0], array.shape[1], rows,
                 columns);
  }
  return array;
}

struct npy lab_files_read(const char *path, enum npy_type type, size_t rows, size_t columns) {
  const struct npy array = lab_files_read_of_host(path, type, rows, columns);
  traffic_check_output(path, &array);
  return array;
}

float *lab_files_read_field(const char *path, struct grid g) {
  return lab_files_read(path, NPY_FLOAT32, (size_t)g.ny, (size_t)g.nx).data;
}

void lab_files_write_bad_inputs(void) {
  static const float zero[20], nan[20] = {[7] = NAN};
  static const int whole[20];
  lab_files_write("zero.npy", NPY_FLOAT32, 5, 4, zero);
  lab_files_write("nan.npy", NPY_FLOAT32, 5, 4, nan);
  lab_files_write("whole.npy", NPY_INT32, 5, 4, whole);
  lab_files_write("flat.npy", NPY_FLOAT32, 2, 10, zero);
  FILE *text = fopen("text.npy", "w");
  ck_assert_ptr_nonnull(text);
  fputs("not an array\n", text);
  fclose(text);
}
