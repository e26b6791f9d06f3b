/* SHA-256 (FIPS 180-4): names a submission by its content. */
#ifndef SHA256_H
#define SHA256_H

#include "error.h"
#include <stddef.h>
#include <stdint.h>

struct sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  uint8_t block[64];
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);
void sha256_finish(struct sha256 *hash, char hex[65]);

bool sha256_of_file(const char *path, char hex[65], struct error *error);

#endif
