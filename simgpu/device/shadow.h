/* Records of the checks for a range of memory: the last accesses of each word, and the uninitialised bytes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One access: time << 32 | thread of the block << 22 | instruction; 0: none. Never negative: x86-64-v3
 * compares signed vectors only. */
typedef int64_t record;

/* Accesses are recorded by unit: the smallest element accessed so far, at most 8 bytes. Planes are
 * allocated on demand. */
struct shadow {
  uint64_t bytes;         /* of the memory */
  uint32_t shift;         /* log2 of the bytes of a unit */
  record *written;        /* the last plain write */
  record *read, *earlier; /* the last read or atomic access, and one before it by another thread */
  uint32_t *released;     /* time of the last release through this unit */
  uint64_t *fresh;        /* one bit per uninitialised byte; NULL: all are initialised */
  uint64_t fresh_left;    /* bits set in it */
};

struct shadow *shadow_new(uint64_t bytes);
void shadow_free(struct shadow *shadow);
/* Allocates a plane of records, or of times. */
record *shadow_plane(const struct shadow *shadow, record **plane);
uint32_t *shadow_released(struct shadow *shadow);
/* Makes units as small as 1 << shift bytes; each new unit inherits the records of the old one. */
void shadow_refine(struct shadow *shadow, uint32_t shift);

/* Makes all bytes uninitialised. */
void shadow_poison(struct shadow *shadow);
/* Returns whether any of `count` bytes from `first` is uninitialised. */
bool shadow_any_fresh(const struct shadow *shadow, uint64_t first, uint64_t count);
/* Makes these bytes initialised, or uninitialised. */
void shadow_initialise(struct shadow *shadow, uint64_t first, uint64_t count);
void shadow_uninitialise(struct shadow *shadow, uint64_t first, uint64_t count);
