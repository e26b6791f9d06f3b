/* Splits PTX text into tokens. A mnemonic with its modifiers, a directive and a special register are one word
 * each: `ld.global.v4.f32`, `.reg`, `%tid.x`. */
#pragma once

#include "arena.h"

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK, TOKEN_BAD, TOKEN_BLOCK, TOKEN_END };

struct token {
  enum token_kind kind;
  int line;          /* from 1 */
  const char *start; /* in the text; of a string, after the opening quote */
  size_t length;
};

/* All tokens of `text`, whose first line is number `line`; the last one is TOKEN_END. A character that cannot
 * start a token gives a TOKEN_BAD. */
struct token *token_all(struct arena *arena, const char *text, size_t length, int line);
/* The tokens of a whole module, which ends with NUL. Each function's body and section is one TOKEN_BLOCK,
 * from `{` to `}`: it follows a word, a number or `)`, and a list of initial values does not. A block that is
 * never closed gives its `{`, then the end. */
struct token *token_outline(struct arena *arena, const char *text, size_t length);
