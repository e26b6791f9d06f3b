#include "traffic.h"

#include <inttypes.h>

#include "bits.h"

enum { WORD = 4 };

static void write_row(FILE *file, const char *what, struct digest digest, uint64_t others) {
  if (file)
    fprintf(file, "%s,%" PRIu64 ",%016" PRIx64 ",%" PRIu64 "\n", what, digest.words, digest.sum, others);
}

void traffic_begin(FILE *file) {
  if (file)
    fputs("copy,words,digest,not_by_a_kernel\n", file);
}

/* Words that are not zero, and that no kernel was the last to write. */
static uint64_t count_others(const struct allocation *a, uint64_t offset, uint64_t width) {
  const uint64_t first = offset / WORD, end = (offset + width + WORD - 1) / WORD;
  uint64_t count = 0;
  for (uint64_t i = first / 64; i * 64 < end; i++)
    for (uint64_t others = ~a->by_kernel[i] & bits_of(i, first, end); others; others &= others - 1) {
      const uint64_t at = (i * 64 + (uint64_t)__builtin_ctzll(others)) * WORD;
      struct digest word = {0, 0};
      digest_add(&word, a->host + at, a->size - at < WORD ? a->size - at : WORD);
      count += word.words;
    }
  return count;
}

void traffic_copied(FILE *file, bool to_host, const struct traffic_rows *r) {
  struct digest digest = {0, 0};
  uint64_t others = 0;
  for (uint64_t i = 0; file && i < r->rows; i++) {
    const uint64_t offset = r->offset + i * r->pitch;
    digest_add(&digest, r->allocation->host + offset, r->width);
    others += to_host ? count_others(r->allocation, offset, r->width) : 0;
  }
  write_row(file, to_host ? "to_host" : "to_device", digest, others);
}

void traffic_changed(FILE *file, struct digest words) {
  if (words.words)
    write_row(file, "to_device", words, 0);
}

void traffic_end(FILE *file, uint64_t launches, uint64_t commands) {
  write_row(file, "launches", (struct digest){launches, 0}, 0);
  write_row(file, "commands", (struct digest){commands, 0}, 0);
  if (file)
    fflush(file);
}
