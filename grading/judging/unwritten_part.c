#define _GNU_SOURCE /* memmem */
#include "unwritten_part.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MOST = 9 };
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

/* The next block of the part from *text on, whose head is then at *text: its code. False: there is none. */
static bool next_block(const char **text, const char *end, int part, char code[CODE_MOST],
                       const char **after) {
  char begin[32], stop[32];
  snprintf(begin, sizeof begin, "TODO(%d)", part);
  snprintf(stop, sizeof stop, "END(%d)", part);
  *text = *text < end ? memmem(*text, (size_t)(end - *text), begin, strlen(begin)) : NULL;
  const char *line = *text ? memchr(*text, '\n', (size_t)(end - *text)) : NULL;
  *after = line ? memmem(line, (size_t)(end - line), stop, strlen(stop)) : NULL;
  if (!*after)
    return false;
  code_of(line, *after, code);
  return true;
}

static int count_lines(const char *from, const char *to) {
  int count = 0;
  for (; from < to; from++)
    count += *from == '\n';
  return count;
}

struct unwritten_part unwritten_part_find(const char *text, size_t size, int part) {
  struct unwritten_part found = {.line = 0};
  char statement[32], code[CODE_MOST];
  const char *end = text + size, *block = text, *after;
  snprintf(statement, sizeof statement, "return%d;", part);
  for (; next_block(&block, end, part, code, &after); block = after) {
    const bool left = is_left(code, statement);
    if (left && !found.line) {
      char words[32];
      snprintf(words, sizeof words, "return %d", part);
      const char *at = memmem(block, (size_t)(after - block), words, strlen(words));
      found.line = 1 + count_lines(text, at ? at : block);
    }
    found.has_other |= !left && code[0];
  }
  return found;
}

bool unwritten_part_is_empty(const char *text, size_t size, int part) {
  char statement[32], code[CODE_MOST];
  const char *end = text + size, *block = text, *after;
  bool is_empty = false;
  snprintf(statement, sizeof statement, "return%d;", part);
  for (; next_block(&block, end, part, code, &after); block = after) {
    if (code[0] && !is_left(code, statement))
      return false;
    is_empty = true;
  }
  return is_empty;
}

int unwritten_part_of_line(const char *text, size_t size, int line) {
  const char *end = text + size;
  for (int part = 1; part <= PARTS_MOST; part++) {
    char code[CODE_MOST];
    const char *block = text, *after;
    for (; next_block(&block, end, part, code, &after); block = after)
      if (count_lines(text, block) < line && line <= 1 + count_lines(text, after))
        return part;
  }
  return 0;
}

bool unwritten_part_lines(const char *text, size_t size, int part, int number, int *first, int *last) {
  const char *end = text + size, *block = text, *after;
  char code[CODE_MOST];
  for (; next_block(&block, end, part, code, &after); block = after)
    if (number-- == 0) {
      *first = 1 + count_lines(text, block);
      *last = 1 + count_lines(text, after);
      return true;
    }
  return false;
}
