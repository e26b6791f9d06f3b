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
  if (part < 1 || part > UNWRITTEN_MOST) {
    fprintf(stderr, "%s: %s returned %d: expected 0, or the number of a TODO that is not written yet\n",
            program_invocation_short_name, function, part);
    exit(UNWRITTEN_FAILED_STATUS);
  }
  fprintf(stderr, "%s: %s: TODO(%d): not written yet\n", program_invocation_short_name, function, part);
  exit(UNWRITTEN_STATUS);
}
