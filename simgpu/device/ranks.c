#include "ranks.h"

#include <string.h>

enum { PART = 8 };
typedef u32 part __attribute__((vector_size(PART * sizeof(u32))));

/* Compares the lanes of one part with those at each distance before them. */
void ranks_of(const u32 key[RANKS], u32 rank[RANKS]) {
  u32 padded[2 * RANKS];
  memset(padded, 0xff, RANKS * sizeof *padded);
  memcpy(padded + RANKS, key, RANKS * sizeof *padded);
  for (u32 first = 0; first < RANKS; first += PART) {
    part own, before, found = {0};
    memcpy(&own, padded + RANKS + first, sizeof own);
    for (u32 distance = 1; distance < first + PART; distance++) {
      memcpy(&before, padded + RANKS + first - distance, sizeof before);
      found -= (part)(own == before);
    }
    memcpy(rank + first, &found, sizeof found);
  }
}
