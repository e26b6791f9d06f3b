#include "print.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "device/room.h"

enum { MOST_TEXT = 64 << 20, MOST_WIDTH = 4096 };

void text_append(struct text *text, const char *bytes, size_t length) {
  if (length > MOST_TEXT - text->length)
    length = MOST_TEXT - text->length;
  if (text->length + length > text->capacity) {
    text->capacity = 2 * (text->length + length);
    text->bytes = room_resized(text->bytes, text->capacity, 1);
  }
  if (length)
    memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

const char *print_string(const struct memory *memory, uint64_t address) {
  const struct allocation *a = memory_find(memory, address);
  if (!a)
    return NULL;
  const char *string = (const char *)a->host + (address - a->base);
  return memchr(string, '\0', a->size - (address - a->base)) ? string : NULL;
}

/* A string in `bytes` bytes, or NULL. */
static const char *ended(const uint8_t *string, uint64_t bytes) {
  return memchr(string, '\0', bytes) ? (const char *)string : NULL;
}

static const char *string_at(const struct print_memory *m, uint64_t address) {
  if (address - m->local_base < m->local_bytes)
    return ended(m->local + (address - m->local_base), m->local_bytes - (address - m->local_base));
  if (address - m->shared_base < m->shared_bytes)
    return ended(m->shared + (address - m->shared_base), m->shared_bytes - (address - m->shared_base));
  return print_string(m->global, address);
}

struct arguments {
  const uint8_t *bytes;
  size_t size, used;
  int32_t count;
};

static uint64_t next_argument(struct arguments *a, size_t size) {
  size_t at = (a->used + size - 1) / size * size;
  uint64_t value = 0;
  if (at + size <= a->size)
    memcpy(&value, a->bytes + at, size);
  a->used = at + size;
  a->count++;
  return value;
}

/* `12` or `*`; at most MOST_WIDTH either way. */
static int print_number(const char **at, struct arguments *a) {
  long value = 0;
  if (**at == '*') {
    value = (int32_t)next_argument(a, 4);
    ++*at;
  } else {
    for (; **at >= '0' && **at <= '9'; ++*at)
      value = value < MOST_WIDTH ? 10 * value + (**at - '0') : value;
  }
  return (int)(value > MOST_WIDTH ? MOST_WIDTH : value < -MOST_WIDTH ? -MOST_WIDTH : value);
}

/* The value of an integer conversion, as printf() of the host reads it with the length modifiers. */
static long long integer_value(uint64_t bits, const char *modifiers, size_t count, bool is_signed) {
  if (count == 2 && memcmp(modifiers, "hh", 2) == 0)
    return is_signed ? (int8_t)bits : (uint8_t)bits;
  if (count && modifiers[0] == 'h')
    return is_signed ? (int16_t)bits : (uint16_t)bits;
  if (strcspn(modifiers, "ljz") < count)
    return (long long)bits;
  return is_signed ? (int32_t)bits : (long long)(uint32_t)bits;
}

/* One conversion such as `%-8.3f`, from its flags on; returns what follows it, or NULL if there is
 * no such conversion. */
static const char *convert_one(struct text *text, const struct print_memory *memory, const char *at,
                               struct arguments *a) {
  char spec[24] = "%", piece[MOST_WIDTH + 512];
  size_t flags = strspn(at, "-+ #0");
  if (flags > 8)
    return NULL;
  memcpy(spec + 1, at, flags);
  at += flags;
  int width = print_number(&at, a), precision = -1, written;
  if (*at == '.') {
    at++;
    precision = print_number(&at, a);
  }
  const char *modifiers = at;
  const size_t count = strspn(at, "hljz");
  const bool wide = strcspn(at, "ljz") < count;
  at += count;
  char *end = stpcpy(spec + 1 + flags, "*.*");
  if (*at && strchr("diouxX", *at)) {
    end = stpcpy(end, "ll");
    *end = *at;
    const bool is_signed = *at == 'd' || *at == 'i';
    const long long value = integer_value(next_argument(a, wide ? 8 : 4), modifiers, count, is_signed);
    written = snprintf(piece, sizeof piece, spec, width, precision, value);
  } else if (*at == 'c') {
    *end = *at;
    written = snprintf(piece, sizeof piece, spec, width, precision, (int)next_argument(a, 4));
  } else if (*at && strchr("eEfFgGaA", *at)) {
    *end = *at;
    uint64_t bits = next_argument(a, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    written = snprintf(piece, sizeof piece, spec, width, precision, value);
  } else if (*at == 's') {
    *end = *at;
    const char *string = string_at(memory, next_argument(a, 8));
    written = snprintf(piece, sizeof piece, spec, width, precision, string ? string : "(null)");
  } else if (*at == 'p') {
    strcpy(spec + 1 + flags, "*p");
    written = snprintf(piece, sizeof piece, spec, width, (void *)(uintptr_t)next_argument(a, 8));
  } else {
    return NULL;
  }
  if (written < 0)
    return NULL;
  text_append(text, piece, (size_t)written < sizeof piece ? (size_t)written : sizeof piece - 1);
  return at + 1;
}

/* From a conversion on that does not exist, an H200 writes the format as it stands, and counts the
 * arguments before it. */
int32_t print_formatted(struct text *text, const struct print_memory *memory, uint64_t format,
                        const uint8_t *arguments, size_t size) {
  struct arguments a = {.bytes = arguments, .size = size};
  const char *at = string_at(memory, format);
  while (at && *at) {
    size_t plain = strcspn(at, "%");
    text_append(text, at, plain);
    at += plain;
    if (at[0] == '%' && at[1] == '%') {
      text_append(text, "%", 1);
      at += 2;
    } else if (*at) {
      const char *const next = convert_one(text, memory, at + 1, &a);
      if (!next)
        text_append(text, at, strlen(at));
      at = next ? next : "";
    }
  }
  return at ? a.count : -1;
}
