#define _DEFAULT_SOURCE /* MADV_HUGEPAGE */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Chunks double from a small one, for small modules, to huge pages if available: page faults took a third of the load
 * time of a large module. */
enum { FIRST_BYTES = 64 << 10, HUGE_BYTES = 2 << 20, ALIGNMENT = 16 };

struct arena_chunk {
  struct arena_chunk *next;
  size_t used, size;
  _Alignas(ALIGNMENT) char bytes[];
};

static _Noreturn void fail(struct arena *arena) {
  arena->fail(arena->context);
  abort(); /* `fail` does not return */
}

/* Zeroed memory of at least `size` bytes; sets `size` to the actual number. NULL: out of memory. */
static struct arena_chunk *new_chunk(size_t *size) {
  if (*size < HUGE_BYTES)
    return calloc(1, *size);
  *size = (*size + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
  char *start = mmap(NULL, *size + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    return NULL;
  const size_t before = HUGE_BYTES - (uintptr_t)start % HUGE_BYTES;
  munmap(start, before);
  if (before < HUGE_BYTES)
    munmap(start + before + *size, HUGE_BYTES - before);
  madvise(start + before, *size, MADV_HUGEPAGE);
  return (struct arena_chunk *)(start + before);
}

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX / 2) / size)
    fail(arena);
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (arena->limit && bytes > arena->limit - arena->used)
    fail(arena);
  arena->used += bytes;
  struct arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < bytes) {
    const size_t doubled = chunk ? 2 * (sizeof *chunk + chunk->size) : FIRST_BYTES;
    size_t size = doubled < HUGE_BYTES ? doubled : HUGE_BYTES;
    if (size < sizeof *chunk + bytes)
      size = sizeof *chunk + bytes;
    struct arena_chunk *fresh = new_chunk(&size);
    if (!fresh)
      abort(); /* below the limit: the machine's fault, not the program's */
    fresh->size = size - sizeof *fresh;
    fresh->next = chunk;
    arena->chunks = chunk = fresh;
  }
  void *result = chunk->bytes + chunk->used;
  chunk->used += bytes;
  return result;
}

void *arena_grow(struct arena *arena, void *old, size_t count, size_t size) {
  if (count != 0 && (count < ARENA_FIRST || (count & (count - 1)) != 0))
    return old;
  void *fresh = arena_alloc(arena, count ? 2 * count : ARENA_FIRST, size);
  if (count)
    memcpy(fresh, old, count * size);
  return fresh;
}

void *arena_copy(struct arena *arena, const void *old, size_t count, size_t size) {
  void *copy = arena_alloc(arena, count, size);
  if (count)
    memcpy(copy, old, count * size);
  return copy;
}

char *arena_string(struct arena *arena, const char *start, size_t length) {
  char *copy = arena_alloc(arena, length + 1, 1);
  memcpy(copy, start, length);
  return copy;
}

void arena_free(struct arena *arena) {
  while (arena->chunks) {
    struct arena_chunk *next = arena->chunks->next;
    const size_t size = sizeof *next + arena->chunks->size;
    if (size >= HUGE_BYTES)
      munmap(arena->chunks, size);
    else
      free(arena->chunks);
    arena->chunks = next;
  }
  arena->used = 0;
}
