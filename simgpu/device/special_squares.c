/* Prints tables for special_square (special.h): the truncated square of 17 bits is a part that depends on the upper
 * nine, and one that depends on the upper six and on the bits 2 to 7. */
#include <stdint.h>
#include <stdio.h>

enum { BITS = 17, UPPER = 9, MIDDLE = 6 };

/* Twice x²/2^19, each partial product truncated. */
static uint32_t square(uint32_t x) {
  uint32_t sum = 0;
  for (uint32_t bit = 0; bit < BITS; bit++)
    if (x >> bit & 1)
      sum += x >> (BITS + 1 - bit);
  return sum;
}

int main(void) {
  printf("static const unsigned short special_upper[%u] = {", 1u << UPPER);
  for (uint32_t upper = 0; upper < 1u << UPPER; upper++)
    printf("%u,", square(upper << (BITS - UPPER)));
  printf("};\nstatic const unsigned short special_mixed[%u] = {", 1u << 2 * MIDDLE);
  for (uint32_t n = 0; n < 1u << 2 * MIDDLE; n++) {
    const uint32_t x = n >> MIDDLE << (BITS - MIDDLE) | (n & ((1u << MIDDLE) - 1)) << 2;
    printf("%u,", square(x) - square(x >> (BITS - UPPER) << (BITS - UPPER)));
  }
  puts("};");
}
