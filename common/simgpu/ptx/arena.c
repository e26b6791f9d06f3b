#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct arena_chunk {
  struct arena_chunk *next;
  size_t used, size;
  _Alignas(ALIGNMENT) char bytes[];
};

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX / 2) / size)
    arena->fail(arena->context);
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (arena->limit && bytes > arena->limit - arena->used)
    arena->fail(arena->context);
  arena->used += bytes;
  struct arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < bytes) {
    size_t wanted = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct arena_chunk *fresh = calloc(1, sizeof *fresh + wanted);
    if (!fresh)
      arena->fail(arena->context);
    fresh->size = wanted;
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
    free(arena->chunks);
    arena->chunks = next;
  }
  arena->used = 0;
}
