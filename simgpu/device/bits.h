/* Bit maps in words of 64 bits. */
#pragma once

#include <stdint.h>

/* The bits of word `word` that [first, end) covers; the two must overlap. */
static inline uint64_t bits_of(uint64_t word, uint64_t first, uint64_t end) {
  uint64_t from = first > word * 64 ? first - word * 64 : 0, to = end - word * 64;
  return (to >= 64 ? UINT64_MAX : (UINT64_C(1) << to) - 1) & ~((UINT64_C(1) << from) - 1);
}
