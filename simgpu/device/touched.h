/* Maps of the sectors of each allocation that a launch has touched, by worker. Behind the words of a map, a byte for
 * each chunk of words says whether any of them was set: a launch often touches little of a large allocation. */
#pragma once

#include "device/machine.h"

enum { TOUCHED_CHUNK = 9 }; /* logarithm of the words of a chunk */

/* Makes room for the maps of `slots` allocations. */
void touched_reserve(struct worker *worker, uint32_t slots);
/* Makes the map of an allocation that the launch has not touched before. */
void touched_map(struct worker *worker, const struct allocation *allocation, uint64_t **map);
/* Returns how many sectors of the allocation in `slot` any of the workers has read or written, and clears
 * their maps. *sectors receives the map of all of them, to be freed, or NULL; sectors may be NULL. */
uint64_t touched_count(struct worker *workers, unsigned worker_count, uint32_t slot, bool written,
                       uint64_t **sectors);

static inline void touched_set(uint64_t *map, uint64_t words, uint64_t word, uint64_t bits) {
  map[word] |= bits;
  ((uint8_t *)(map + words))[word >> TOUCHED_CHUNK] = 1;
}

/* Marks the sectors `bits` of the allocation; bit 0 is `sector`. */
static inline void touched_mark(struct worker *worker, const struct allocation *a, bool written,
                                uint64_t sector, uint64_t bits) {
  struct touched *t = &worker->touched[a->slot];
  uint64_t **map = written ? &t->written : &t->read;
  if (__builtin_expect(!*map, 0))
    touched_map(worker, a, map);
  uint64_t word = sector >> 6, shift = sector & 63;
  touched_set(*map, t->words, word, bits << shift);
  if (shift && bits >> (64 - shift))
    touched_set(*map, t->words, word + 1, bits >> (64 - shift));
}
