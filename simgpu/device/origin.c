#include "origin.h"

#include "bits.h"

enum { WORD = 4 };

static uint64_t first_word(uint64_t offset) { return offset / WORD; }
static uint64_t end_word(uint64_t offset, uint64_t bytes) { return (offset + bytes + WORD - 1) / WORD; }

void origin_by_kernel(const struct allocation *a, uint64_t offset, uint64_t bytes) {
  const uint64_t first = first_word(offset), end = end_word(offset, bytes);
  for (uint64_t i = first / 64; i * 64 < end; i++) {
    const uint64_t bits = bits_of(i, first, end);
    if (bits & ~__atomic_load_n(&a->by_kernel[i], __ATOMIC_RELAXED))
      __atomic_fetch_or(&a->by_kernel[i], bits, __ATOMIC_RELAXED);
  }
}

void origin_by_host(const struct allocation *a, uint64_t offset, uint64_t bytes) {
  const uint64_t first = first_word(offset), end = end_word(offset, bytes);
  for (uint64_t i = first / 64; i * 64 < end; i++)
    a->by_kernel[i] &= ~bits_of(i, first, end);
}

uint64_t origin_count_others(const struct allocation *a, uint64_t offset, uint64_t bytes) {
  const uint64_t first = first_word(offset), end = end_word(offset, bytes);
  uint64_t count = 0;
  for (uint64_t i = first / 64; i * 64 < end; i++)
    count += (uint64_t)__builtin_popcountll(~a->by_kernel[i] & bits_of(i, first, end));
  return count;
}

static void copy_word(const struct allocation *to, uint64_t word, uint64_t offset,
                      const struct allocation *from, uint64_t source, uint64_t bytes) {
  const uint64_t low = word * WORD < offset ? offset : word * WORD;
  const uint64_t past = offset + bytes, high = (word + 1) * WORD < past ? (word + 1) * WORD : past;
  const uint64_t bit = UINT64_C(1) << word % 64;
  if (origin_count_others(from, source + (low - offset), high - low))
    to->by_kernel[word / 64] &= ~bit;
  else
    to->by_kernel[word / 64] |= bit;
}

/* The bits [first, first + count), of which there are at most 64. */
static uint64_t take(const uint64_t *map, uint64_t first, uint64_t count) {
  const uint64_t shift = first % 64, low = map[first / 64] >> shift;
  return shift + count > 64 ? low | map[first / 64 + 1] << (64 - shift) : low;
}

static void copy_bits(uint64_t *to, uint64_t target, const uint64_t *from, uint64_t source, uint64_t count) {
  const uint64_t mask = bits_of(target / 64, target, target + count);
  to[target / 64] = (to[target / 64] & ~mask) | (take(from, source, count) << target % 64 & mask);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Whole words, up to 64 of them at once: a bit of the source is read before or while its word is written. */
static void copy_words(const struct allocation *to, uint64_t target, const struct allocation *from,
                       uint64_t source, uint64_t count) {
  const bool backwards = to == from && target > source;
  for (uint64_t done = 0, n; done < count; done += n) {
    const uint64_t end = (target + count - done) % 64; /* in its word of the map */
    n = least(count - done, !backwards ? 64 - (target + done) % 64 : end ? end : 64);
    const uint64_t at = backwards ? count - done - n : done;
    copy_bits(to->by_kernel, target + at, from->by_kernel, source + at, n);
  }
}

/* Like memmove(), backwards if the target lies behind the source. */
void origin_copied(const struct allocation *to, uint64_t offset, const struct allocation *from,
                   uint64_t source, uint64_t bytes) {
  const uint64_t first = first_word(offset), end = end_word(offset, bytes);
  if (offset % WORD == 0 && source % WORD == 0) {
    copy_words(to, first, from, first_word(source), end - first);
    return;
  }
  for (uint64_t k = 0; k < end - first; k++)
    copy_word(to, to == from && offset > source ? end - 1 - k : first + k, offset, from, source, bytes);
}
