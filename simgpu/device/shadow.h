/* What the checks remember of a piece of memory: who touched each word last, and which bytes nobody has
 * written. */
#ifndef SIMGPU_SHADOW_H
#define SIMGPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* One access: time << 32 | thread of the block << 22 | instruction; 0: none. Never negative: x86-64-v3
 * compares signed vectors only. */
typedef int64_t record;

/* Accesses are recorded by unit: the smallest element that has been asked for so far, of 8 bytes at most. The
 * planes are there once they are needed. */
struct shadow {
  uint64_t bytes;         /* of the memory */
  uint32_t shift;         /* log2 of the bytes of a unit */
  record *written;        /* the last plain write */
  record *read, *earlier; /* the last read or atomic access, and one before it by another thread */
  uint32_t *released;     /* time of the last release through this unit */
  uint64_t *fresh;        /* one bit per byte that has not been initialised; NULL: all are */
  uint64_t fresh_left;    /* bits set in it */
};

struct shadow *shadow_new(uint64_t bytes);
void shadow_free(struct shadow *shadow);
/* Make room for a plane of records, or of times. */
record *shadow_plane(const struct shadow *shadow, record **plane);
uint32_t *shadow_released(struct shadow *shadow);
/* Make units as small as 1 << shift bytes; each new unit has been touched like the one that it was part of.
 */
void shadow_refine(struct shadow *shadow, uint32_t shift);

/* No byte is initialised any more. */
void shadow_poison(struct shadow *shadow);
/* Whether any of `count` bytes from `first` on is not initialised. */
bool shadow_any_fresh(const struct shadow *shadow, uint64_t first, uint64_t count);
/* These bytes are initialised now; or are not again. */
void shadow_initialise(struct shadow *shadow, uint64_t first, uint64_t count);
void shadow_uninitialise(struct shadow *shadow, uint64_t first, uint64_t count);

#endif
