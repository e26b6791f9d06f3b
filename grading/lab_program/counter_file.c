#include "counter_file.h"
#include "csv.h"

#include <errno.h>
#include <string.h>

/* "void split_kernel<4>(int, float *)" is named split_kernel. */
bool counter_file_is_named(const char *kernel, const char *beginning) {
  const char *name = strncmp(kernel, "void ", 5) == 0 ? kernel + 5 : kernel;
  return strncmp(name, beginning, strlen(beginning)) == 0;
}

bool counter_file_sum(const char *path, const char *kernel, const char *column, double *total,
                      struct error *error) {
  struct csv csv;
  int launches = 0;
  *total = 0;
  if (!csv_open(&csv, path)) {
    error_set(error, "%s: %s", path, csv.file ? "it is empty" : strerror(errno));
    csv_close(&csv);
    return false;
  }
  const bool known = csv_has(&csv, "kernel") && csv_has(&csv, column);
  while (known && csv_next(&csv))
    if (counter_file_is_named(csv_text(&csv, "kernel"), kernel)) {
      *total += csv_number(&csv, column);
      launches++;
    }
  csv_close(&csv);
  if (!known)
    return error_set(error, "%s: no column '%s'", path, column);
  if (launches == 0 && !kernel[0])
    return error_set(error, "no kernel was launched: was the result computed on the host?");
  return launches > 0 || error_set(error, "the kernel %s was not launched", kernel);
}
