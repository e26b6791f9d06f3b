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

static void skip_blank(struct scanner *s) {
  while (s->at < s->end) {
    if (*s->at == '\n')
      s->line++;
    if (isspace((unsigned char)*s->at)) {
      s->at++;
    } else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '/') {
      while (s->at < s->end && *s->at != '\n')
        s->at++;
    } else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '*') {
      s->at += 2;
      while (s->at < s->end && !(s->at[-1] == '*' && s->at[0] == '/')) {
        if (*s->at == '\n')
          s->line++;
        s->at++;
      }
      if (s->at < s->end)
        s->at++;
    } else {
      return;
    }
  }
}

static struct token next_token(struct scanner *s) {
  skip_blank(s);
  struct token token = {.kind = TOKEN_END, .line = s->line, .start = s->at};
  if (s->at >= s->end)
    return token;
  char c = *s->at;
  if (c == '"') {
    token.kind = TOKEN_STRING;
    token.start = ++s->at;
    while (s->at < s->end && *s->at != '"' && *s->at != '\n')
      s->at++;
    token.length = (size_t)(s->at - token.start);
    if (s->at < s->end && *s->at == '"')
      s->at++;
    else
      token.kind = TOKEN_BAD;
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

struct token *token_all(struct arena *arena, const char *text, size_t length) {
  struct scanner scanner = {text, text + length, 1};
  size_t room = length / 4 + 8,
         count = 0; /* compilers write longer words: room that is not used costs nothing */
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
