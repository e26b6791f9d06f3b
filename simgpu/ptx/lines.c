#include "lines.h"

#include <string.h>

struct lines_place {
  struct lines_place *next;
  struct lines_position position;
  struct ptx_location at; /* callers in the toolkit are left out */
};

void lines_add_file(struct lines *lines) {
  lines->files = arena_grow(lines->arena, lines->files, lines->file_count, sizeof *lines->files);
  lines->files[lines->file_count++] = LINES_UNKNOWN;
}

/* nvcc names its headers from where it lies: …/bin/../include/x.h, or …/bin/../targets/…/include/x.h. */
static bool is_toolkit_path(const char *path) {
  return strstr(path, "/bin/../include/") || (strstr(path, "/targets/") && strstr(path, "/include/"));
}

void lines_name_file(struct lines *lines, uint32_t number, const char *path) {
  const size_t length = strlen(path);
  const bool is_source = length > 3 && strcmp(path + length - 3, ".cu") == 0;
  lines->files[number] = is_toolkit_path(path) ? LINES_TOOLKIT : is_source ? LINES_SOURCE : LINES_HEADER;
}

void lines_begin(struct lines *lines) {
  memset(lines->buckets, 0, sizeof lines->buckets);
  lines->location = (struct ptx_location){0};
}

static enum lines_file kind_of(const struct lines *lines, const struct ptx_location *at) {
  return at->line && at->file < lines->file_count ? (enum lines_file)lines->files[at->file] : LINES_UNKNOWN;
}

static bool is_own(const struct lines *lines, const struct ptx_location *at) {
  return kind_of(lines, at) >= LINES_HEADER;
}

static struct lines_place **bucket_of(struct lines *lines, const struct lines_position *at) {
  const uint32_t mixed = (at->file * 31 + at->line) * 31 + at->column;
  return &lines->buckets[mixed % (sizeof lines->buckets / sizeof *lines->buckets)];
}

/* The latest mark of this position, or NULL. */
static struct lines_place *find(struct lines *lines, const struct lines_position *at) {
  struct lines_place *place = *bucket_of(lines, at);
  while (place && memcmp(&place->position, at, sizeof *at) != 0)
    place = place->next;
  return place;
}

/* `caller`: the innermost own line that encloses it. */
static struct lines_place *place_of(struct lines *lines, const struct lines_position *at,
                                    const struct ptx_location *caller) {
  struct lines_place *place = find(lines, at), **bucket = bucket_of(lines, at);
  if (place && place->at.caller == caller)
    return place;
  place = arena_alloc(lines->arena, 1, sizeof *place);
  *place = (struct lines_place){*bucket, *at, {at->file, at->line, caller, NULL}};
  return *bucket = place;
}

static const struct ptx_location *own_from(const struct lines *lines, const struct lines_place *place) {
  return is_own(lines, &place->at) ? &place->at : place->at.caller;
}

void lines_mark(struct lines *lines, struct lines_position at, const struct lines_position *caller) {
  const struct lines_place *outer = caller ? find(lines, caller) : NULL;
  if (caller && !outer)
    outer = place_of(lines, caller, NULL);
  const struct ptx_location *inner =
      own_from(lines, place_of(lines, &at, outer ? own_from(lines, outer) : NULL));
  const struct ptx_location *named = inner;
  while (named && kind_of(lines, named) != LINES_SOURCE)
    named = named->caller;
  if (!named)
    named = inner;
  if (named)
    lines->location =
        (struct ptx_location){named->file, named->line, named->caller, inner == named ? NULL : inner};
}
