/* Seeded random numbers for tests, the same bits on every machine: SplitMix64 (G. L. Steele, D. Lea and C. H. Flood,
 * Fast splittable pseudorandom number generators, OOPSLA 2014). */
#pragma once

#include <stdint.h>

struct random {
  uint64_t state;
};

static inline struct random random_seed(uint64_t seed) { return (struct random){seed}; }

static inline uint64_t random_next(struct random *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
