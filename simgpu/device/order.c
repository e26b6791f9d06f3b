#include "order.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool order_parse(const char *text, struct order *order) {
  static const char seeded[] = "random:";
  *order = (struct order){ORDER_FORWARD, 1};
  if (!text || !*text || strcmp(text, "forward") == 0)
    return true;
  order->kind = strcmp(text, "reverse") == 0 ? ORDER_REVERSE : ORDER_RANDOM;
  if (order->kind == ORDER_REVERSE || strcmp(text, "random") == 0)
    return true;
  const char *digits = text + sizeof seeded - 1;
  if (strncmp(text, seeded, sizeof seeded - 1) != 0 || !isdigit((unsigned char)*digits))
    return false;
  char *end;
  errno = 0;
  order->seed = strtoull(digits, &end, 10);
  return !*end && !errno;
}

/* SplitMix64's finalizer: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
 */
static uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* A permutation of 2 * half bits: four rounds of a Feistel network. */
static uint64_t shuffled(uint64_t seed, uint32_t half, uint64_t x) {
  const uint64_t mask = (UINT64_C(1) << half) - 1;
  uint64_t left = x >> half, right = x & mask;
  for (uint64_t round = 0; round < 4; round++) {
    const uint64_t next = left ^ (mixed(seed + round * UINT64_C(0x9e3779b97f4a7c15) + right) & mask);
    left = right;
    right = next;
  }
  return left << half | right;
}

uint64_t order_chosen_at(const struct order *order, uint64_t count, uint64_t i) {
  if (order->kind == ORDER_REVERSE)
    return count - 1 - i;
  uint32_t half = 1;
  while (half < 31 && UINT64_C(1) << 2 * half < count)
    half++;
  do /* repeats until the value is in the range again */
    i = shuffled(mixed(order->seed), half, i);
  while (i >= count);
  return i;
}
