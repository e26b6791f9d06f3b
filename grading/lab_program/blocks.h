/* Blocks of a lab's file: from // TODO(n) to // END(n). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns n of the mark "// TODO(n)" or "// END(n)" in the line, else 0. word: "TODO" or "END". */
int blocks_mark(const char *line, const char *word);
/* Returns whether the line is one of an unwritten block: blank, a comment, "return NAME;" or its condition. */
bool blocks_is_placeholder(const char *line);

struct blocks_place {
  int part, first, last;  /* its number, and the lines of its marks, from 1 */
  const char *text, *end; /* its lines, with that of END */
};
/* The next block of the text after *block, which begins as {0}; part: of this one, 0: of any. False: there is none. */
bool blocks_next(const char *text, size_t size, int part, struct blocks_place *block);
/* The part of the block in which the line is, marks included; 0: it is in none. */
int blocks_part_of_line(const char *text, size_t size, int line);
