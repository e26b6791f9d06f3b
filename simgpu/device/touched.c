#include "touched.h"

#include <stdlib.h>
#include <string.h>

#include "device/room.h"

static uint64_t chunks_of(uint64_t words) { return (words >> TOUCHED_CHUNK) + 1; }

void touched_map(struct worker *worker, const struct allocation *allocation, uint64_t **map) {
  struct touched *t = &worker->touched[allocation->slot];
  struct touched_spare *spare = &t->spare[map == &t->written];
  const uint64_t words = allocation->size / 32 / 64 + 2;
  t->words = words;
  if (spare->words == words) {
    *map = spare->map;
  } else {
    free(spare->map);
    *map = room_zeroed(words + (chunks_of(words) + 7) / 8, sizeof **map);
  }
  *spare = (struct touched_spare){0};
  worker->mapped[worker->mapped_count++] = allocation->slot;
}

void touched_reserve(struct worker *worker, uint32_t slots) {
  if (slots <= worker->slot_count)
    return;
  const uint32_t room = slots < 2 * worker->slot_count ? 2 * worker->slot_count : slots;
  worker->touched = room_resized(worker->touched, room, sizeof *worker->touched);
  worker->mapped = room_resized(worker->mapped, 2 * (size_t)room, sizeof *worker->mapped);
  memset(worker->touched + worker->slot_count, 0, (room - worker->slot_count) * sizeof *worker->touched);
  worker->slot_count = room;
}

static uint64_t **map_of(const struct worker *worker, uint32_t slot, bool written) {
  struct touched *t = &worker->touched[slot];
  return written ? &t->written : &t->read;
}

/* Moves words [from, to) of all workers' maps into `sum`, the map of one of them. */
static void merge_chunk(const struct worker *workers, unsigned count, uint32_t slot, bool written,
                        uint64_t *sum, uint64_t from, uint64_t to) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t *const map = *map_of(&workers[i], slot, written);
    for (uint64_t k = from; map && map != sum && k < to; k++) {
      sum[k] |= map[k];
      map[k] = 0;
    }
  }
}

/* Returns whether any worker set words of the chunk, and forgets it. */
static bool take_chunk(const struct worker *workers, unsigned count, uint32_t slot, bool written,
                       uint64_t words, uint64_t chunk) {
  uint8_t is_set = 0;
  for (unsigned i = 0; i < count; i++) {
    uint64_t *const map = *map_of(&workers[i], slot, written);
    if (!map)
      continue;
    uint8_t *const set = (uint8_t *)(map + words) + chunk;
    is_set |= *set;
    *set = 0;
  }
  return is_set;
}

/* The workers keep the maps, which are zeroed, for later launches. */
static void keep_maps(const struct worker *workers, unsigned count, uint32_t slot, bool written) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t **const map = map_of(&workers[i], slot, written);
    struct touched *t = &workers[i].touched[slot];
    if (*map)
      t->spare[written] = (struct touched_spare){*map, t->words};
    *map = NULL;
  }
}

uint64_t touched_count(struct worker *workers, unsigned worker_count, uint32_t slot, bool written,
                       uint64_t **sectors) {
  uint64_t *sum = NULL, words = 0, total = 0;
  for (unsigned i = 0; i < worker_count && !sum; i++) {
    sum = *map_of(&workers[i], slot, written);
    words = workers[i].touched[slot].words;
  }
  uint64_t *const all = sectors && sum ? room_zeroed(words, sizeof *all) : NULL;
  for (uint64_t c = 0; sum && c < chunks_of(words); c++) {
    if (!take_chunk(workers, worker_count, slot, written, words, c))
      continue;
    const uint64_t from = c << TOUCHED_CHUNK, end = (c + 1) << TOUCHED_CHUNK, to = end < words ? end : words;
    merge_chunk(workers, worker_count, slot, written, sum, from, to);
    for (uint64_t k = from; k < to; k++)
      total += (uint64_t)__builtin_popcountll(sum[k]);
    if (all)
      memcpy(all + from, sum + from, (to - from) * sizeof *all);
    memset(sum + from, 0, (to - from) * sizeof *sum);
  }
  keep_maps(workers, worker_count, slot, written);
  if (sectors)
    *sectors = all;
  return total;
}
