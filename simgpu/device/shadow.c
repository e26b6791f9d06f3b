#define _GNU_SOURCE /* MAP_NORESERVE, MADV_HUGEPAGE */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bits.h"
#include "device/room.h"

enum { LARGEST_UNIT_SHIFT = 3 };
/* Below SMALL bytes, a separate mapping costs more than its pages. From SPARSE bytes on, only touched
 * pages use memory. */
enum { SMALL = 64 << 10, SPARSE = 16 << 20 };

/* Zeroed. Kernels touch most of their arrays, and page by page that takes a fifth of a run. */
static void *zeroed(uint64_t bytes) {
  if (bytes < SMALL)
    return room_zeroed(bytes, 1);
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  if (bytes < SPARSE) {
    madvise(memory, bytes, MADV_HUGEPAGE);
    room_mapped(memory, bytes);
  }
  return memory;
}

static void give_back(void *memory, uint64_t bytes) {
  if (memory && bytes < SMALL)
    free(memory);
  else if (memory)
    munmap(memory, bytes);
}

static uint64_t units(const struct shadow *s, uint32_t shift) { return (s->bytes >> shift) + 1; }
static uint64_t fresh_words(const struct shadow *s) { return s->bytes / 64 + 1; }

struct shadow *shadow_new(uint64_t bytes) {
  struct shadow *s = room_zeroed(1, sizeof *s);
  s->bytes = bytes;
  s->shift = LARGEST_UNIT_SHIFT;
  return s;
}

static void drop_fresh(struct shadow *s) {
  give_back(s->fresh, fresh_words(s) * sizeof *s->fresh);
  s->fresh = NULL;
  s->fresh_left = 0;
}

void shadow_free(struct shadow *s) {
  if (!s)
    return;
  uint64_t count = units(s, s->shift);
  give_back(s->written, count * sizeof(record));
  give_back(s->read, count * sizeof(record));
  give_back(s->earlier, count * sizeof(record));
  give_back(s->released, count * sizeof *s->released);
  drop_fresh(s);
  free(s);
}

record *shadow_plane(const struct shadow *s, record **plane) {
  if (!*plane)
    *plane = zeroed(units(s, s->shift) * sizeof(record));
  return *plane;
}

uint32_t *shadow_released(struct shadow *s) {
  if (!s->released)
    s->released = zeroed(units(s, s->shift) * sizeof *s->released);
  return s->released;
}

static void refine_plane(const struct shadow *s, record **plane, uint32_t shift) {
  record *old = *plane;
  if (!old)
    return;
  *plane = zeroed(units(s, shift) * sizeof(record));
  for (uint64_t i = 0; i < units(s, shift); i++)
    if (old[i >> (s->shift - shift)])
      (*plane)[i] = old[i >> (s->shift - shift)];
  give_back(old, units(s, s->shift) * sizeof(record));
}

void shadow_refine(struct shadow *s, uint32_t shift) {
  refine_plane(s, &s->written, shift);
  refine_plane(s, &s->read, shift);
  refine_plane(s, &s->earlier, shift);
  if (s->released) {
    uint32_t *old = s->released;
    s->released = zeroed(units(s, shift) * sizeof *old);
    for (uint64_t i = 0; i < units(s, shift); i++)
      if (old[i >> (s->shift - shift)])
        s->released[i] = old[i >> (s->shift - shift)];
    give_back(old, units(s, s->shift) * sizeof *old);
  }
  s->shift = shift;
}

void shadow_poison(struct shadow *s) {
  if (!s->fresh)
    s->fresh = zeroed(fresh_words(s) * sizeof *s->fresh);
  memset(s->fresh, 0xff, s->bytes / 8);
  if (s->bytes % 8)
    ((uint8_t *)s->fresh)[s->bytes / 8] = (uint8_t)((1 << s->bytes % 8) - 1);
  s->fresh_left = s->bytes;
}

bool shadow_any_fresh(const struct shadow *s, uint64_t first, uint64_t count) {
  uint64_t any = 0;
  for (uint64_t word = first / 64; s->fresh && word * 64 < first + count; word++)
    any |= s->fresh[word] & bits_of(word, first, first + count);
  return any != 0;
}

void shadow_initialise(struct shadow *s, uint64_t first, uint64_t count) {
  if (!s->fresh || count == 0)
    return;
  uint64_t cleared = 0;
  for (uint64_t word = first / 64; word * 64 < first + count; word++) {
    uint64_t bits = s->fresh[word] & bits_of(word, first, first + count);
    s->fresh[word] &= ~bits;
    cleared += (uint64_t)__builtin_popcountll(bits);
  }
  s->fresh_left -= cleared;
}

void shadow_uninitialise(struct shadow *s, uint64_t first, uint64_t count) {
  if (!s->fresh)
    s->fresh = zeroed(fresh_words(s) * sizeof *s->fresh);
  for (uint64_t word = first / 64; word * 64 < first + count; word++) {
    uint64_t bits = bits_of(word, first, first + count) & ~s->fresh[word];
    s->fresh[word] |= bits;
    s->fresh_left += (uint64_t)__builtin_popcountll(bits);
  }
}
