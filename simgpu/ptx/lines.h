/* Source lines of a function's instructions. nvcc marks an inlined line with the place of its call only, so the
 * chain of calls comes from earlier marks of these places. */
#pragma once

#include "arena.h"
#include "ptx.h"

enum lines_file { LINES_UNKNOWN, LINES_TOOLKIT, LINES_HEADER, LINES_SOURCE };

struct lines_place;

struct lines {
  struct arena *arena;
  uint8_t *files; /* enum lines_file, by number */
  uint32_t file_count;
  struct lines_place *buckets[256];
  struct ptx_location location; /* of the instructions that follow */
};

struct lines_position {
  uint32_t file, line, column;
};

/* Numbers come in ascending order without gaps. */
void lines_add_file(struct lines *lines);
void lines_name_file(struct lines *lines, uint32_t number, const char *path);
/* Forgets the function before. */
void lines_begin(struct lines *lines);
/* The instructions that follow come from `at`, inlined at `caller` unless that is NULL. Their location is the
 * innermost line in a source file (.cu), or else in a header that is not the toolkit's, or else the one before. */
void lines_mark(struct lines *lines, struct lines_position at, const struct lines_position *caller);
