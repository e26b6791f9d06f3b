#include "allocate.h"
#include "error.h"
#include <stdlib.h>

void *allocate_zeroed(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory)
    error_die("out of memory: %zu elements of %zu bytes", count, size);
  return memory;
}
