/* Host memory of the device process, which ends with abort() when there is none. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void *room_found(void *room) {
  if (!room)
    abort();
  return room;
}

static inline void *room_zeroed(size_t count, size_t size) { return room_found(calloc(count, size)); }

static inline void *room_resized(void *list, size_t count, size_t size) {
  return room_found(realloc(list, count * size));
}

/* Makes room for one more element; the size doubles at powers of two. */
static inline void *room_grown(void *list, uint32_t count, size_t size) {
  const size_t doubled = count ? 2 * (size_t)count : 1;
  return (count & (count - 1)) == 0 ? room_resized(list, doubled, size) : list;
}

/* On a multiple of 64 bytes, as vector instructions like it. */
static inline void *room_aligned(size_t bytes) {
  return room_found(aligned_alloc(64, (bytes + 63) / 64 * 64));
}

/* Maps the pages of fresh memory that will mostly be written: one call costs far less than a page fault for each. */
void room_mapped(void *start, size_t bytes);

static inline char *room_copied(const char *text) { return room_found(strdup(text)); }
