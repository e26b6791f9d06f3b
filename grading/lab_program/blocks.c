#include "blocks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int blocks_mark(const char *line, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = line; (at = strstr(at, "//")); at++) {
    const char *mark = at + 2 + strspn(at + 2, " \t"), *digits = mark + length + 1;
    char *end;
    if (strncmp(mark, word, length) != 0 || mark[length] != '(' || !isdigit((unsigned char)*digits))
      continue;
    const long part = strtol(digits, &end, 10);
    if (*end == ')')
      return (int)part;
  }
  return 0;
}

static bool is_blank(const char *text) { return !text[strspn(text, " \t\r\n")]; }

bool blocks_is_placeholder(const char *line) {
  static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_{}";
  line += strspn(line, " \t\r");
  if (strncmp(line, "return ", 7) == 0) {
    line += 7 + strspn(line + 7, name);
    return *line == ';' && is_blank(line + 1);
  }
  if (strncmp(line, "if (", 4) == 0) {
    const char *end = strrchr(line, ')');
    return end && is_blank(end + 1) && line + strcspn(line, ";{}") > end;
  }
  return is_blank(line) || strncmp(line, "//", 2) == 0;
}

bool blocks_next(const char *text, size_t size, int part, struct blocks_place *block) {
  struct blocks_place found = {.part = 0};
  const char *const end = text + size, *at = block->end ? block->end : text;
  for (int number = block->last + 1; at < end; number++) {
    char line[1024];
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
    snprintf(line, sizeof line, "%.*s", (int)(next - at), at);
    const int begins = blocks_mark(line, "TODO");
    if (found.part && blocks_mark(line, "END") == found.part) {
      found.last = number;
      found.end = next;
      *block = found;
      return true;
    }
    if (!found.part && begins && (!part || begins == part))
      found = (struct blocks_place){.part = begins, .first = number, .text = next};
    at = next;
  }
  return false;
}

int blocks_part_of_line(const char *text, size_t size, int line) {
  struct blocks_place block = {.part = 0};
  while (blocks_next(text, size, 0, &block))
    if (block.first <= line && line <= block.last)
      return block.part;
  return 0;
}
