#define _GNU_SOURCE /* program_invocation_short_name */
#include "heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FAILED_STATUS = 1, FEW = 4 };

static size_t in_use(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

bool heap_is_checked;

struct heap heap_watch(const char *function) {
  return (struct heap){.function = function, .least = SIZE_MAX};
}

void heap_note_call(struct heap *heap) {
  if (!heap_is_checked)
    return;
  const size_t used = in_use(), added = used > heap->used ? used - heap->used : 0;
  if (heap->calls++ >= HEAP_FIRST && added > 0) {
    heap->adding++;
    heap->least = added < heap->least ? added : heap->least;
  }
  heap->used = used;
}

void heap_check(const struct heap *heap) {
  if (!heap_is_checked || heap->calls < HEAP_CALLS || heap->adding < FEW)
    return;
  fprintf(stderr,
          "%s: %s: %d of the last %d " HEAP_WORDS ", %zu bytes or more: expected that each frees its own\n",
          program_invocation_short_name, heap->function, heap->adding, heap->calls - HEAP_FIRST, heap->least);
  exit(FAILED_STATUS);
}
