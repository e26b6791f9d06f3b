#include "sha256.h"

#include <nettle/base16.h>
#include <stdio.h>

void sha256_finish(struct sha256_ctx *hash, char hex[SHA256_HEX_SIZE]) {
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(hash, sizeof digest, digest);
  base16_encode_update(hex, sizeof digest, digest);
  hex[SHA256_HEX_SIZE - 1] = '\0';
}

bool sha256_of_file(const char *path, char hex[SHA256_HEX_SIZE], struct error *error) {
  struct sha256_ctx hash;
  uint8_t part[4096];
  FILE *file = fopen(path, "rb");
  sha256_init(&hash);
  for (size_t got; file && (got = fread(part, 1, sizeof part, file)) > 0;)
    sha256_update(&hash, got, part);
  sha256_finish(&hash, hex);
  const bool read = file && !ferror(file);
  if (file)
    fclose(file);
  return read || error_set(error, "%s: cannot read", path);
}
