#include "unsupported.h"

#include "error.h"

#include <stdio.h>

cudaError_t unsupported(const char *name, bool *reported) {
  if (!*reported)
    fprintf(stderr, "simgpu: %s is not supported\n", name);
  *reported = true;
  return error_record(cudaErrorNotSupported);
}
