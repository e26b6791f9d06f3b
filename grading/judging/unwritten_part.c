#define _GNU_SOURCE /* memmem */
#include "unwritten_part.h"

#include "blocks.h"

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

/* The line in the block that has the words; its first line, if none has. */
static int line_of(const struct blocks_place *block, const char *words) {
  const char *found = memmem(block->text, (size_t)(block->end - block->text), words, strlen(words));
  int line = block->first + (found != NULL);
  for (const char *c = block->text; found && c < found; c++)
    line += *c == '\n';
  return line;
}

struct unwritten_part unwritten_part_find(const char *text, size_t size, int part) {
  struct unwritten_part found = {.line = 0};
  struct blocks_place block = {.part = 0};
  char statement[32], words[32], code[CODE_MOST];
  snprintf(statement, sizeof statement, "return%d;", part);
  snprintf(words, sizeof words, "return %d", part);
  while (blocks_next(text, size, part, &block)) {
    code_of(block.text, block.end, code);
    const bool left = is_left(code, statement);
    if (left && !found.line)
      found.line = line_of(&block, words);
    found.has_block = true;
    found.has_other |= !left && code[0];
  }
  return found;
}
