#include "judged.h"

#include "allocate.h"
#include "endless.h"

#include <string.h>

__attribute__((constructor)) static void watch(void) { endless_watch(); }

static size_t count_of(const struct options_option *options) {
  size_t count = 0;
  while (options[count].name)
    count++;
  return count;
}

const struct options_option *judged_options(const struct options_option *options,
                                            const struct options_option *more) {
  const size_t count = count_of(options), added = count_of(more);
  struct options_option *joined = allocate_zeroed(count + added + 1, sizeof *joined);
  memcpy(joined, options, count * sizeof *joined);
  memcpy(joined + count, more, added * sizeof *joined);
  return joined;
}
