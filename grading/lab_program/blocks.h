/* Blocks of a lab's file: from // TODO(n) to // END(n). */
#pragma once

#include <stdbool.h>

/* Returns n of the mark "// TODO(n)" or "// END(n)" in the line, else 0. word: "TODO" or "END". */
int blocks_mark(const char *line, const char *word);
/* Returns whether the line is one of an unwritten block: blank, a comment, "return n;" or another name,
 * or its condition. */
bool blocks_is_placeholder(const char *line);
