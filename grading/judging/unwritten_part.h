/* The blocks of a submission, from TODO(part) to END(part): whether a part that a program reports as unwritten is still
 * that of the skeleton. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* In a skeleton, a block that stands for a function has a single statement, `return part;` or a condition for it. */
struct unwritten_part {
  int line; /* of the first such statement; 0: none is left, and a written function returns the number */
  bool has_other; /* another block of the part has code of the student's own */
};
struct unwritten_part unwritten_part_find(const char *text, size_t size, int part);

/* Whether no block of the part has code, except such a statement. False: the text has no block of it. */
bool unwritten_part_is_empty(const char *text, size_t size, int part);

/* The part of the block in which a line is, from 1; 0: it is in none. */
int unwritten_part_of_line(const char *text, size_t size, int line);

/* The lines of a part's block with this number, from 0. False: it has fewer. */
bool unwritten_part_lines(const char *text, size_t size, int part, int number, int *first, int *last);
