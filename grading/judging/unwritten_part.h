/* Whether a part of a submission that a program reports as unwritten is still that of the skeleton. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* In a skeleton, a block that stands for a function has a single statement, `return part;` or a condition for it. */
struct unwritten_part {
  int line; /* of the first such statement; 0: none is left, and a written function returns the number */
  bool has_block;
  bool has_other; /* a block of the part has code of the student's own */
};
struct unwritten_part unwritten_part_find(const char *text, size_t size, int part);
