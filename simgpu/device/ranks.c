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

#ifdef __AVX512F__
enum { VECTOR = 64 };
#else
enum { VECTOR = 32 };
#endif

/* Compares each lane's key with those of all lanes after it. A part is a vector of keys. */
#define RANKS_OF(name, type)                                                                                 \
  void name(const type key[RANKS], type rank[RANKS]) {                                                       \
    enum { PART = VECTOR / sizeof(type), PARTS = RANKS / PART };                                             \
    typedef type part __attribute__((vector_size(VECTOR)));                                                  \
    part own[PARTS], found[PARTS] = {0}, number;                                                             \
    for (u32 l = 0; l < PART; l++)                                                                           \
      number[l] = (type)l;                                                                                   \
    memcpy(own, key, sizeof own);                                                                            \
    _Pragma("GCC unroll 32") for (u32 l = 0; l < RANKS; l++) {                                               \
      const u32 p = l / PART;                                                                                \
      found[p] -= (part)(own[p] == key[l]) & (part)(number > (type)(l % PART));                              \
      _Pragma("GCC unroll 4") for (u32 q = p + 1; q < PARTS; q++) found[q] -= (part)(own[q] == key[l]);      \
    }                                                                                                        \
    memcpy(rank, found, sizeof found);                                                                       \
  }

RANKS_OF(ranks_of, u32)
RANKS_OF(ranks_of_narrow, u16)
