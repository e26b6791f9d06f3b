#include "ranks.h"

#include <string.h>

void ranks_find_keys(const u64 address[RANKS], u32 lanes, u32 shift, u64 limit, u32 key[RANKS]) {
  u64 low = UINT64_MAX, high = 0;
  for (u32 l = 0; l < RANKS; l++) {
    const bool chosen = lanes >> l & 1;
    low = chosen && address[l] < low ? address[l] : low;
    high = chosen && address[l] > high ? address[l] : high;
  }
  low >>= shift;
  for (u32 l = 0; l < RANKS; l++)
    key[l] = lanes >> l & 1 ? (u32)((address[l] >> shift) - low) : RANKS_NO_KEY;
  if ((high >> shift) - low < limit)
    return;
  for (u32 l = 0; l < RANKS; l++) { /* the number of the first lane that agrees */
    u32 first = 0;
    while (first < l && !(lanes >> first & 1 && (address[first] ^ address[l]) >> shift == 0))
      first++;
    key[l] = lanes >> l & 1 ? first : RANKS_NO_KEY;
  }
}

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
