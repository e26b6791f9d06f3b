/* Memory of a parsed module, freed all at once. If memory runs out, the arena calls its `fail`, which does not
 * return; callers need no checks. */
#pragma once

#include <stddef.h>

struct arena_chunk;
struct arena {
  struct arena_chunk *chunks;
  size_t used, limit; /* allocated bytes, and their limit (0: none) */
  void (*fail)(void *context);
  void *context;
};

/* Zeroed memory, aligned to 16 bytes. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
/* Makes room for one more element after the `count` elements of `old`: returns `old`, or a copy of twice the size
 * if it is full. Start with NULL; append with array = arena_grow(…, array, n, size); array[n++] = x. */
enum { ARENA_FIRST = 8 };
void *arena_grow(struct arena *arena, void *old, size_t count, size_t size);
void *arena_copy(struct arena *arena, const void *old, size_t count, size_t size);
char *arena_string(struct arena *arena, const char *start, size_t length);
void arena_free(struct arena *arena);
