#include "device/traffic.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bits.h"
#include "protocol.h"

enum { WORD = 4 };

/* What a copy to the device can carry. */
struct cargo {
  uint64_t place, words;
};

static void write_row(FILE *file, const char *what, struct digest digest, uint64_t others,
                      struct cargo cargo) {
  if (file)
    fprintf(file, "%s,%" PRIu64 ",%016" PRIx64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", what, digest.words,
            digest.sum, others, cargo.place, cargo.words);
}

static uint64_t key;

void traffic_begin(FILE *file) {
  const char *text = getenv(SIM_ENV_TRAFFIC_KEY);
  key = text ? strtoull(text, NULL, 10) : 0;
  if (file)
    fputs("copy,words,digest,not_by_a_kernel,place,carries\n", file);
}

void traffic_digest(struct digest *digest, const void *bytes, size_t count) {
  digest_add(digest, key, bytes, count);
}

/* `some` words among `all`: their values, and where they are. */
static uint64_t words_among(uint64_t some, uint64_t all) { return 2 * some < all ? 2 * some : all; }

/* A copy that continues the last one, or repeats its step, says nothing new by its place: arrays are copied
 * row by row. */
static uint64_t words_of_place(const struct traffic_rows *r) {
  static uint64_t last, step, width;
  const uint64_t at = r->allocation->base + r->offset;
  const bool is_next = r->rows == 1 && r->width == width && (at - last == step || at - last == width);
  step = at - last;
  last = at;
  width = r->width;
  return is_next ? 0 : TRAFFIC_PLACE + (r->rows > 1 ? TRAFFIC_ROWS : 0);
}

/* Words that are not zero, and that no kernel was the last to write. */
static uint64_t count_others(const struct allocation *a, uint64_t offset, uint64_t width) {
  const uint64_t first = offset / WORD, end = (offset + width + WORD - 1) / WORD;
  uint64_t count = 0;
  for (uint64_t i = first / 64; i * 64 < end; i++)
    for (uint64_t others = ~a->by_kernel[i] & bits_of(i, first, end); others; others &= others - 1) {
      const uint64_t at = (i * 64 + (uint64_t)__builtin_ctzll(others)) * WORD;
      struct digest word = {0, 0};
      traffic_digest(&word, a->host + at, a->size - at < WORD ? a->size - at : WORD);
      count += word.words;
    }
  return count;
}

void traffic_copied(FILE *file, bool to_host, const struct traffic_rows *r) {
  struct digest digest = {0, 0};
  uint64_t others = 0;
  for (uint64_t i = 0; file && i < r->rows; i++) {
    const uint64_t offset = r->offset + i * r->pitch;
    traffic_digest(&digest, r->allocation->host + offset, r->width);
    others += to_host ? count_others(r->allocation, offset, r->width) : 0;
  }
  const uint64_t words = r->rows * ((r->width + WORD - 1) / WORD);
  const struct cargo cargo =
      to_host ? (struct cargo){0, 0} : (struct cargo){words_of_place(r), words_among(digest.words, words)};
  write_row(file, to_host ? "to_host" : "to_device", digest, others, cargo);
}

void traffic_changed(FILE *file, struct digest words, uint64_t changed, uint64_t all) {
  if (words.words || changed)
    write_row(file, "to_device", words, 0, (struct cargo){0, words_among(changed, all)});
}

void traffic_end(FILE *file, uint64_t launches, uint64_t commands) {
  write_row(file, "launches", (struct digest){launches, 0}, 0, (struct cargo){0, 0});
  write_row(file, "commands", (struct digest){commands, 0}, 0, (struct cargo){0, 0});
  if (file)
    fflush(file);
}
