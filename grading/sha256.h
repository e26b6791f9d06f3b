/* SHA-256 (FIPS 180-4), by Nettle (https://www.lysator.liu.se/~nisse/nettle): names files by their content. A
 * sum begins with sha256_init() and sha256_update(). */
#pragma once

#include "error.h"
#include <nettle/sha2.h>

enum { SHA256_HEX_SIZE = 2 * SHA256_DIGEST_SIZE + 1 };

/* Writes the sum in hexadecimal, and resets hash for a new sum. */
void sha256_finish(struct sha256_ctx *hash, char hex[SHA256_HEX_SIZE]);

bool sha256_of_file(const char *path, char hex[SHA256_HEX_SIZE], struct error *error);
