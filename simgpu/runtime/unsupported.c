#include "unsupported.h"

#include "runtime/last_error.h"

#include <stdio.h>
#include <string.h>

/* Programs do not write the suffix of a version, or that of the default stream per thread. */
static int length_without_suffix(const char *name) {
  const char *version = strstr(name, "_v"), *stream = strstr(name, "_pt");
  return (int)(version ? version - name : stream ? stream - name : (long)strlen(name));
}

cudaError_t unsupported(const char *name, bool *reported) {
  if (!*reported)
    fprintf(stderr, "simgpu: %.*s is not supported\n", length_without_suffix(name), name);
  *reported = true;
  return last_error_record(cudaErrorNotSupported);
}
