/* A number that tells sets of words apart, whatever their order: what SIMGPU_TRAFFIC says of a copy, and what a
 * judge computes from the array that the copy should have moved. Words of 4 bytes; zeros do not count, since
 * padding is zero. Who knows the key finds other words of the same sum within a second. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct digest {
  uint64_t words, sum; /* words: that are not zero */
};

/* The last step of SplitMix64: G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number
 * generators, OOPSLA 2014. */
static inline uint64_t digest_mix(uint64_t key, uint32_t word) {
  uint64_t z = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static inline void digest_add(struct digest *digest, uint64_t key, const void *bytes, size_t count) {
  const unsigned char *from = bytes;
  const size_t rest = count % sizeof(uint32_t);
  uint64_t words = 0, sum = 0;
  uint32_t word = 0;
  memcpy(&word, from + (count - rest), rest);
  for (size_t n = 0;; n += sizeof word) {
    words += word != 0;
    sum += word ? digest_mix(key, word) : 0;
    if (n >= count - rest)
      break;
    memcpy(&word, from + n, sizeof word);
  }
  digest->words += words;
  digest->sum += sum;
}
