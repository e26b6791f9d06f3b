#define _GNU_SOURCE /* program_invocation_short_name */
#include "unwritten.h"

#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void unwritten_check(int part, const char *function) {
  if (!part)
    return;
  progress_clear();
  fprintf(stderr, "%s: %s: TODO(%d): not written yet\n", program_invocation_short_name, function, part);
  exit(UNWRITTEN_STATUS);
}
