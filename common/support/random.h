/* Seeded random numbers, the same bits on every machine: xoshiro256** (Blackman and Vigna, "Scrambled linear
 * pseudorandom number generators", ACM TOMS 47(4), 2021), seeded through splitmix64 (Steele, Lea and Flood,
 * OOPSLA 2014). Not for cryptography. */
#pragma once

#include "c_linkage.h"
#include <stdint.h>

C_LINKAGE_BEGIN

struct random {
  uint64_t state[4];
};

struct random random_seed(uint64_t seed);

uint64_t random_next(struct random *random); /* 64 uniform bits */

/* Uniform in [low, high), from the 53 (24) high bits of one random_next. Rounding can give high itself when
 * the range is not centred on zero. */
double random_double(struct random *random, double low, double high);
float random_float(struct random *random, float low, float high);

C_LINKAGE_END
