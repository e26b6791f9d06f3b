/* Whether a part that a program reports as unwritten is still that of the skeleton. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* In a skeleton, a block from TODO(part) to END(part) that stands for a function has a single statement, `return part;` or a
 * condition for it. False if the text has no such block: then a written function returns the number. */
bool unwritten_part_is_left(const char *text, size_t size, int part);
