#include "sha256.h"

#include <stdio.h>
#include <string.h>

/* Fractional parts of the square roots of the first 8 primes, of the cube roots of the first 64. */
static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* The message schedule W of section 6.2.2. */
static void schedule(const uint8_t *block, uint32_t *w) {
  for (int t = 0; t < 16; t++, block += 4)
    w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
  for (int t = 16; t < 64; t++) {
    const uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10) + w[t - 7] +
           (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 16];
  }
}

static void compress(struct sha256 *hash) {
  uint32_t w[64], s[8]; /* s: a to h */
  schedule(hash->block, w);
  memcpy(s, hash->state, sizeof s);
  for (int t = 0; t < 64; t++) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first =
        s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + choice + rounds[t] + w[t];
    const uint32_t second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
  }
  for (int n = 0; n < 8; n++)
    hash->state[n] += s[n];
}

void sha256_start(struct sha256 *hash) {
  *hash = (struct sha256){0};
  memcpy(hash->state, start, sizeof start);
}

void sha256_add(struct sha256 *hash, const void *data, size_t size) {
  for (const uint8_t *byte = data; size > 0; size--, byte++) {
    hash->block[hash->length++ % 64] = *byte;
    if (hash->length % 64 == 0)
      compress(hash);
  }
}

void sha256_finish(struct sha256 *hash, char hex[65]) {
  const uint64_t bits = 8 * hash->length;
  uint8_t length[8];
  for (int n = 0; n < 8; n++)
    length[n] = (uint8_t)(bits >> (56 - 8 * n));
  sha256_add(hash, "\x80", 1);
  while (hash->length % 64 != 56)
    sha256_add(hash, "", 1);
  sha256_add(hash, length, sizeof length);
  for (int n = 0; n < 8; n++)
    snprintf(hex + 8 * n, 9, "%08x", hash->state[n]);
}

bool sha256_of_file(const char *path, char hex[65], struct error *error) {
  struct sha256 hash;
  char part[4096];
  FILE *file = fopen(path, "rb");
  sha256_start(&hash);
  for (size_t got; file && (got = fread(part, 1, sizeof part, file)) > 0;)
    sha256_add(&hash, part, got);
  sha256_finish(&hash, hex);
  const bool read = file && !ferror(file);
  if (file)
    fclose(file);
  return read || error_set(error, "%s: cannot read", path);
}
