#define _GNU_SOURCE /* memfd_create, mremap */
#include "shared_pages.h"

#include "context.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int shared_pages_file(size_t bytes) {
  const int file = context_device()->shares ? memfd_create("simgpu", MFD_CLOEXEC) : -1;
  if (file < 0 || ftruncate(file, (off_t)bytes) == 0)
    return file;
  close(file);
  return -1;
}

size_t shared_pages_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* Whether all of it is private memory that may be read and written, and none of it is the caller's stack. Pages of a
 * file whose changes are private count, too: a program's variables lie there. */
static bool is_ordinary(uintptr_t first, uintptr_t last, const char *permissions) {
  const uintptr_t stack = (uintptr_t)&first;
  unsigned long from, to;
  char line[512], is[5];
  bool whole_line = true;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && first < last && fgets(line, sizeof line, maps)) {
    const bool begins = whole_line;
    whole_line = strchr(line, '\n');
    if (!begins || sscanf(line, "%lx-%lx %4s", &from, &to, is) != 3 || to <= first)
      continue;
    if (first < from || strcmp(is, permissions) != 0 || (from <= stack && stack < to))
      break;
    first = to;
  }
  if (maps)
    fclose(maps);
  return maps && first >= last;
}

bool shared_pages_replace(void *first, size_t bytes, int file) {
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (!is_ordinary((uintptr_t)first, (uintptr_t)first + bytes, file < 0 ? "rw-s" : "rw-p"))
    return false;
  void *const pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, file, 0);
  if (pages == MAP_FAILED)
    return false;
  memcpy(pages, first, bytes);
  if (mremap(pages, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, first) == first)
    return true;
  munmap(pages, bytes);
  return false;
}
