#include "random.h"

static uint64_t splitmix64(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

struct random random_seed(uint64_t seed) {
  struct random random;
  for (int k = 0; k < 4; k++)
    random.state[k] = splitmix64(&seed);
  return random;
}

uint64_t random_next(struct random *random) {
  uint64_t *s = random->state;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9;
  uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double random_double(struct random *random, double low, double high) {
  double unit = (double)(random_next(random) >> 11) * 0x1p-53;
  return low + (high - low) * unit;
}

float random_float(struct random *random, float low, float high) {
  float unit = (float)(random_next(random) >> 40) * 0x1p-24f;
  return low + (high - low) * unit;
}
