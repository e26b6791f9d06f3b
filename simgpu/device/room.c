#define _DEFAULT_SOURCE /* madvise */
#include "device/room.h"

#include <sys/mman.h>

enum { PAGE = 4096, SMALL = 8 * PAGE };

void room_mapped(void *start, size_t bytes) {
#ifdef MADV_POPULATE_WRITE /* a kernel older than Linux 5.14 refuses the call: pages are then mapped one by one */
  const size_t before = (PAGE - (uintptr_t)start % PAGE) % PAGE;
  if (bytes >= SMALL)
    madvise((char *)start + before, (bytes - before) / PAGE * PAGE, MADV_POPULATE_WRITE);
#else
  (void)start;
  (void)bytes;
#endif
}
