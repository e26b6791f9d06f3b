#include "sizes.h"

#include "allocate.h"
#include "options.h"

#include <string.h>

struct sizes sizes_read_option(const char *option, const char *list, int min, int max) {
  struct sizes sizes = {.n = allocate_zeroed(strlen(list) + 1, sizeof *sizes.n)};
  const char *rest = list;
  do
    sizes.n[sizes.count++] = options_next_int(option, list, &rest, min, max);
  while (*rest);
  return sizes;
}

struct sizes sizes_read(const char *list, int min, int max) {
  return sizes_read_option("sizes", list, min, max);
}
