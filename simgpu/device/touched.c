#include "touched.h"

#include <stdlib.h>
#include <string.h>

#include "room.h"

void touched_map(struct worker *worker, const struct allocation *allocation, uint64_t **map) {
  uint64_t words = allocation->size / 32 / 64 + 2;
  worker->touched[allocation->slot].words = words;
  *map = room_zeroed(words, sizeof **map);
}

void touched_reserve(struct worker *worker, uint32_t slots) {
  if (slots <= worker->slot_count)
    return;
  const uint32_t room = slots < 2 * worker->slot_count ? 2 * worker->slot_count : slots;
  worker->touched = room_resized(worker->touched, room, sizeof *worker->touched);
  memset(worker->touched + worker->slot_count, 0, (room - worker->slot_count) * sizeof *worker->touched);
  worker->slot_count = room;
}

uint64_t touched_count(struct worker *workers, unsigned worker_count, uint32_t slot, bool written,
                       uint64_t **sectors) {
  uint64_t *all = NULL, words = 0, count = 0;
  for (unsigned i = 0; i < worker_count; i++) {
    struct touched *t = &workers[i].touched[slot];
    uint64_t **map = written ? &t->written : &t->read;
    if (!*map)
      continue;
    if (all) {
      for (uint64_t k = 0; k < words; k++)
        all[k] |= (*map)[k];
      free(*map);
    } else {
      all = *map;
      words = t->words;
    }
    *map = NULL;
  }
  for (uint64_t k = 0; k < words; k++)
    count += (uint64_t)__builtin_popcountll(all[k]);
  if (sectors)
    *sectors = all;
  else
    free(all);
  return count;
}
