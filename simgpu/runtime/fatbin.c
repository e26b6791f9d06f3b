#include "fatbin.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MAGIC 0xBA55ED50u
#define FLAG_LZ4 UINT64_C(0x2000)
#define FLAG_ZSTD UINT64_C(0x8000)

enum {
  KIND_PTX = 1,
  ENTRY_HEADER_SIZE = 64,
  /* offsets in the container's header */
  HEADER_VERSION = 4,
  HEADER_SIZE = 6,
  HEADER_BYTES = 8,
  /* offsets in an entry's header */
  ENTRY_KIND = 0,
  ENTRY_SIZE = 4,
  ENTRY_PAYLOAD = 8,
  ENTRY_ARCH = 28,
  ENTRY_FLAGS = 40,
};

static uint64_t little_endian(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  while (count--)
    value = value << 8 | bytes[count];
  return value;
}

size_t fatbin_size(const void *data) {
  const unsigned char *header = data;
  if (little_endian(header, 4) != HEADER_MAGIC || little_endian(header + HEADER_VERSION, 2) != 1 ||
      little_endian(header + HEADER_SIZE, 2) != FATBIN_HEADER_SIZE)
    return 0;
  uint64_t bytes = little_endian(header + HEADER_BYTES, 8);
  return bytes > PTRDIFF_MAX - FATBIN_HEADER_SIZE ? 0 : FATBIN_HEADER_SIZE + (size_t)bytes;
}

struct fatbin_entry {
  unsigned kind, arch;
  bool compressed;
  const char *payload;
  size_t size;
};

/* The entry at *offset; moves *offset past it. */
static bool next_entry(const unsigned char *data, size_t end, size_t *offset, struct fatbin_entry *entry) {
  if (end - *offset < ENTRY_HEADER_SIZE)
    return false;
  const unsigned char *header = data + *offset;
  uint64_t header_size = little_endian(header + ENTRY_SIZE, 4);
  uint64_t payload = little_endian(header + ENTRY_PAYLOAD, 8);
  if (header_size < ENTRY_HEADER_SIZE || header_size > end - *offset || payload > end - *offset - header_size)
    return false;
  *entry = (struct fatbin_entry){
      .kind = (unsigned)little_endian(header + ENTRY_KIND, 2),
      .arch = (unsigned)little_endian(header + ENTRY_ARCH, 4),
      .compressed = little_endian(header + ENTRY_FLAGS, 8) & (FLAG_LZ4 | FLAG_ZSTD),
      .payload = (const char *)header + header_size,
      .size = (size_t)payload,
  };
  *offset += (size_t)(header_size + payload);
  return true;
}

enum fatbin_status fatbin_select(const void *data, size_t size, unsigned arch, struct fatbin_ptx *ptx) {
  size_t offset = FATBIN_HEADER_SIZE;
  struct fatbin_entry entry, best = {0};
  unsigned oldest = UINT_MAX;
  if (size < FATBIN_HEADER_SIZE || fatbin_size(data) != size)
    return FATBIN_MALFORMED;
  while (offset < size) {
    if (!next_entry(data, size, &offset, &entry))
      return FATBIN_MALFORMED;
    if (entry.kind != KIND_PTX)
      continue;
    if (entry.arch < oldest)
      oldest = entry.arch;
    if (entry.arch <= arch && (!best.payload || entry.arch > best.arch))
      best = entry;
  }
  *ptx = (struct fatbin_ptx){.arch = best.payload ? best.arch : oldest};
  if (!best.payload)
    return oldest == UINT_MAX ? FATBIN_MACHINE_CODE_ONLY : FATBIN_TOO_NEW;
  if (best.compressed)
    return FATBIN_COMPRESSED;
  ptx->text = best.payload;
  ptx->length = strnlen(best.payload, best.size); /* NUL bytes pad the payload */
  return FATBIN_OK;
}

/* Appends a text and a line's end to ptx->joined. */
static bool append(struct fatbin_ptx *ptx, const struct fatbin_ptx *part) {
  char *grown = realloc(ptx->joined, ptx->length + part->length + 1);
  if (!grown)
    return false;
  memcpy(grown + ptx->length, part->text, part->length);
  grown[ptx->length + part->length] = '\n';
  ptx->text = ptx->joined = grown;
  ptx->length += part->length + 1;
  if (part->arch > ptx->arch)
    ptx->arch = part->arch;
  return true;
}

static enum fatbin_status collect_parts(const void *const *parts, unsigned arch, unsigned newer_libraries,
                                        struct fatbin_ptx *ptx) {
  enum fatbin_status status = FATBIN_MACHINE_CODE_ONLY;
  for (*ptx = (struct fatbin_ptx){0}; *parts; parts++) {
    struct fatbin_ptx part;
    const enum fatbin_status found = fatbin_select(*parts, fatbin_size(*parts), arch, &part);
    if (found == FATBIN_MACHINE_CODE_ONLY || (found == FATBIN_TOO_NEW && newer_libraries)) {
      newer_libraries -= found == FATBIN_TOO_NEW;
      continue;
    }
    status = found == FATBIN_OK && !append(ptx, &part) ? FATBIN_MALFORMED : found;
    if (status != FATBIN_OK) {
      free(ptx->joined);
      *ptx = (struct fatbin_ptx){.arch = part.arch};
      break;
    }
  }
  return status;
}

enum fatbin_status fatbin_collect(const struct fatbin_wrapper *wrapper, unsigned arch,
                                  unsigned newer_libraries, struct fatbin_ptx *ptx) {
  if (wrapper->version == FATBIN_WRAPPER_LINKED && wrapper->parts)
    return collect_parts(wrapper->parts, arch, newer_libraries, ptx);
  const enum fatbin_status status = fatbin_select(wrapper->data, fatbin_size(wrapper->data), arch, ptx);
  ptx->joined = NULL;
  return status;
}
