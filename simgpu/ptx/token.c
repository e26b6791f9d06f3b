#include "token.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct scanner {
  const char *at, *end;
  int line;
};

static bool is_word_start(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool is_word(const struct scanner *s, const char *p) {
  if (isalnum((unsigned char)*p) || *p == '_' || *p == '$' || *p == '.' || *p == '%')
    return true;
  if (*p != ':')
    return false; /* `L2::128B` is one word, `label:` is two tokens */
  return (p + 1 < s->end && p[1] == ':') || p[-1] == ':';
}

static bool skip_comment(struct scanner *s) {
  if (s->end - s->at < 2 || s->at[0] != '/' || (s->at[1] != '/' && s->at[1] != '*'))
    return false;
  if (s->at[1] == '/') {
    while (s->at < s->end && *s->at != '\n')
      s->at++;
    return true;
  }
  s->at += 2;
  while (s->at < s->end && !(s->at[-1] == '*' && s->at[0] == '/')) {
    if (*s->at == '\n')
      s->line++;
    s->at++;
  }
  if (s->at < s->end)
    s->at++;
  return true;
}

static void skip_blank(struct scanner *s) {
  while (s->at < s->end) {
    if (*s->at == '\n')
      s->line++;
    if (isspace((unsigned char)*s->at))
      s->at++;
    else if (!skip_comment(s))
      return;
  }
}

/* Moves past the quotes; returns false if the line ends before the second one. */
static bool skip_string(struct scanner *s) {
  s->at++;
  while (s->at < s->end && *s->at != '"' && *s->at != '\n')
    s->at++;
  if (s->at == s->end || *s->at != '"')
    return false;
  s->at++;
  return true;
}

static struct token next_token(struct scanner *s) {
  skip_blank(s);
  struct token token = {.kind = TOKEN_END, .line = s->line, .start = s->at};
  if (s->at >= s->end)
    return token;
  char c = *s->at;
  if (c == '"') {
    const bool closed = skip_string(s);
    token.kind = closed ? TOKEN_STRING : TOKEN_BAD;
    token.start++;
    token.length = (size_t)(s->at - token.start) - closed;
    return token;
  }
  if (isdigit((unsigned char)c)) {
    token.kind = TOKEN_NUMBER;
    /* `1.5e-3` has a sign inside; `4-2` does not. A hexadecimal `0f…` or `0x…` never has one. */
    bool decimal = c != '0' || s->at + 1 >= s->end || !strchr("xXfFdD", s->at[1]);
    while (s->at < s->end && (isalnum((unsigned char)*s->at) || *s->at == '.' ||
                              (decimal && (*s->at == '-' || *s->at == '+') && strchr("eE", s->at[-1]))))
      s->at++;
  } else if (is_word_start(c)) {
    token.kind = TOKEN_WORD;
    s->at++;
    while (s->at < s->end && is_word(s, s->at))
      s->at++;
  } else {
    token.kind = c != '\0' && strchr(",;:{}[]()<>=+-*/!|@&~^?", c) ? TOKEN_MARK : TOKEN_BAD;
    s->at++;
  }
  token.length = (size_t)(s->at - token.start);
  return token;
}

struct token *token_all(struct arena *arena, const char *text, size_t length, int line) {
  struct scanner scanner = {text, text + length, line};
  size_t room = length / 4 + 8, count = 0; /* most tokens are longer, and unused room costs nothing */
  struct token *tokens = arena_alloc(arena, room, sizeof *tokens);
  do {
    if (count == room) {
      const struct token *old = tokens;
      tokens = arena_alloc(arena, room *= 2, sizeof *tokens);
      memcpy(tokens, old, count * sizeof *tokens);
    }
    tokens[count] = next_token(&scanner);
  } while (tokens[count++].kind != TOKEN_END);
  return tokens;
}

static int lines_in(const char *start, const char *end) {
  int lines = 0;
  for (; (start = memchr(start, '\n', (size_t)(end - start))); start++)
    lines++;
  return lines;
}

/* Moves from `{` past its `}`, with the fast searches of the C library; returns false if it is not closed. */
static bool skip_block(struct scanner *s) {
  const char *const start = s->at;
  const int line = s->line;
  unsigned depth = 0;
  do {
    s->at += strcspn(s->at, "{}\"/");
    if (s->at == s->end)
      break;
    if (*s->at == '"') {
      skip_string(s);
    } else if (*s->at != '/') {
      depth += *s->at++ == '{' ? 1 : -1;
    } else if (!skip_comment(s)) {
      s->at++;
    }
  } while (depth > 0);
  s->line = line + lines_in(start, s->at);
  return depth == 0;
}

static bool opens_block(const struct token *before, const struct token *tok) {
  return tok->kind == TOKEN_MARK && *tok->start == '{' &&
         (before->kind == TOKEN_WORD || before->kind == TOKEN_NUMBER ||
          (before->kind == TOKEN_MARK && *before->start == ')'));
}

struct token *token_outline(struct arena *arena, const char *text, size_t length) {
  struct scanner scanner = {text, text + length, 1};
  struct token *tokens = NULL;
  size_t count = 0;
  do {
    tokens = arena_grow(arena, tokens, count, sizeof *tokens);
    struct token *tok = &tokens[count];
    *tok = next_token(&scanner);
    if (count > 0 && opens_block(tok - 1, tok)) {
      scanner.at = tok->start;
      if (skip_block(&scanner)) {
        tok->kind = TOKEN_BLOCK;
        tok->length = (size_t)(scanner.at - tok->start);
      }
    }
  } while (tokens[count++].kind != TOKEN_END);
  return tokens;
}
