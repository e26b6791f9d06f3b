#define _GNU_SOURCE /* memmem */
#include "unwritten_part.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CODE_MOST = 256 }; /* a skeleton's block has less */

/* The code from `from` to `end` without comments and spaces, as far as it fits. */
static void code_of(const char *from, const char *end, char code[CODE_MOST]) {
  size_t used = 0;
  bool in_line = false;
  for (; from < end && used < CODE_MOST - 1; from++) {
    in_line = (in_line && *from != '\n') || (*from == '/' && from + 1 < end && from[1] == '/');
    if (!in_line && !isspace((unsigned char)*from))
      code[used++] = *from;
  }
  code[used] = '\0';
}

static bool is_left(const char *code, const char *statement) {
  const char *found = strstr(code, statement), *first = strchr(code, ';');
  return found && first == found + strlen(statement) - 1 && !first[1];
}

bool unwritten_part_is_left(const char *text, size_t size, int part) {
  char begin[32], stop[32], statement[32], code[CODE_MOST];
  snprintf(begin, sizeof begin, "TODO(%d)", part);
  snprintf(stop, sizeof stop, "END(%d)", part);
  snprintf(statement, sizeof statement, "return%d;", part);
  const char *end = text + size;
  while (text < end && (text = memmem(text, (size_t)(end - text), begin, strlen(begin)))) {
    const char *line = memchr(text, '\n', (size_t)(end - text));
    const char *last = line ? memmem(line, (size_t)(end - line), stop, strlen(stop)) : NULL;
    if (!last)
      return false;
    code_of(line, last, code);
    if (is_left(code, statement))
      return true;
    text = last;
  }
  return false;
}
