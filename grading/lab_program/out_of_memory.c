#include "out_of_memory.h"
#include "error.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_OWN_ALLOCATION
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__)
#define HAS_OWN_ALLOCATION
#endif

void (*out_of_memory_end)(void);

#ifndef HAS_OWN_ALLOCATION
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* Without exit(): its handlers could allocate, and a stream could be locked. */
static void *found(void *memory) {
  static const char line[] = "out of memory: grade again\n";
  if (memory)
    return memory;
  const ssize_t told = write(STDERR_FILENO, line, strlen(line));
  (void)told;
  if (out_of_memory_end)
    out_of_memory_end();
  _exit(ERROR_STATUS);
}

void *malloc(size_t size) { return found(__libc_malloc(size ? size : 1)); }

void *calloc(size_t count, size_t size) { return found(__libc_calloc(count ? count : 1, size ? size : 1)); }

void *realloc(void *memory, size_t size) {
  void *moved = __libc_realloc(memory, size);
  return size ? found(moved) : moved;
}
#endif
