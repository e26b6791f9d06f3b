#define _GNU_SOURCE /* memmem */
#include "warnings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char other[] = "the compiler warns: ";

/* Warnings that name a cause, the most certain first, and what they mean. */
static const struct {
  int number;
  const char *meaning;
} causes[] = {
    {940, "the function ends without a return statement: expected return 0 at its end"},
    {1813, "the ';' after if (...) ends the if: what follows runs in any case"},
    {187, "'=' assigns a value: '==' compares"},
    {174, "this expression has no effect: '==' compares and '=' assigns"},
    {549, "a variable is used before it has a value"},
};
enum { CAUSES = sizeof causes / sizeof *causes };

/* "dim3 threads = (32, 8);", "<<<grid, (32, 8)>>>": the operator takes the last of the values. */
static const char comma_of_dim3[] =
    "the comma in parentheses drops the value before it: expected dim3 name(x, y), without '='";
static const char comma_of_launch[] =
    "the comma in parentheses drops the value before it: expected dim3(x, y), not (x, y)";

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return line + (*line == '\n');
}

/* "stencil.cu(42): warning #940-D: ...": the number of the warning, 0 for other lines and for unused names. */
static int number_of(const char *line, const char *program, int *place) {
  const size_t length = strcspn(line, "\n");
  const char *mark = strstr(line, "warning #"), *never = strstr(line, " never ");
  char begin[280];
  snprintf(begin, sizeof begin, "%s.cu(", program);
  const char *at = strstr(line, begin);
  if (!mark || mark > line + length || (never && never < line + length))
    return 0;
  *place = at && at < mark ? atoi(at + strlen(begin)) : 0;
  return atoi(mark + strlen("warning #"));
}

static const char *line_of(const char *text, size_t size, int number) {
  const char *end = text + size;
  for (; number > 1 && text; number--)
    text = (text = memchr(text, '\n', (size_t)(end - text))) ? text + 1 : NULL;
  return text;
}

/* Whether parentheses that open here hold two values, outside further parentheses. */
static bool has_comma(const char *open, const char *end) {
  int depth = 0;
  for (const char *c = open; c < end && strchr("\n;", *c) == NULL; c++) {
    depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
    if (depth == 0 || (depth == 1 && *c == ','))
      return depth > 0;
  }
  return false;
}

/* What a comma in parentheses means where a line initialises a dim3 or launches a kernel, or NULL. */
static const char *comma_of(const char *line, const char *end) {
  const char *dim3 = memmem(line, (size_t)(end - line), "dim3 ", 5),
             *launch = memmem(line, (size_t)(end - line), "<<<", 3);
  char before = ' ';
  for (const char *c = line; c < end; c++) {
    if (*c == '(' && has_comma(c, end) && launch && c > launch && strchr("<,", before))
      return comma_of_launch;
    if (*c == '(' && has_comma(c, end) && dim3 && c > dim3 && before == '=')
      return comma_of_dim3;
    before = isspace((unsigned char)*c) ? before : *c;
    if (strncmp(c, ">>>", 3) == 0)
      launch = NULL;
  }
  return NULL;
}

static const char *end_of_line(const char *line, const char *text, size_t size) {
  const char *end = line ? memchr(line, '\n', (size_t)(text + size - line)) : NULL;
  return end ? end : text + size;
}

void warnings_choose(const char *said, const char *text, size_t size, const char *program,
                     struct error *warning) {
  int best = CAUSES + 1, place;
  warning->text[0] = '\0';
  for (const char *line = said; *line; line = next_line(line)) {
    const int number = number_of(line, program, &place);
    int rank = 0;
    while (rank < CAUSES && (causes[rank].number != number || !place))
      rank++;
    if (!number || rank >= best)
      continue;
    best = rank;
    const char *source = line_of(text, size, place);
    const char *comma = number == 174 && source ? comma_of(source, end_of_line(source, text, size)) : NULL;
    if (rank == CAUSES)
      error_set(warning, "%s%.*s", other, (int)strcspn(line, "\n"), line);
    else
      error_set(warning, "%s.cu:%d: %s", program, place, comma ? comma : causes[rank].meaning);
  }
}

bool warnings_names_a_cause(const char *warning) { return strncmp(warning, other, strlen(other)) != 0; }

int warnings_line(const char *warning) {
  const char *place = strstr(warning, warnings_names_a_cause(warning) ? ".cu:" : ".cu(");
  return place ? atoi(place + strlen(".cu:")) : 0;
}

/* --- precedence --- */

enum { DEPTH = 32 };

static bool ends_operand(char c) { return isalnum((unsigned char)c) || strchr("_)]", c) != NULL; }

/* Whether == or != follows at this depth of parentheses, in the same operand of && and ||. */
static bool compares(const char *c, const char *end) {
  for (int depth = 0; c + 1 < end && depth >= 0 && !strchr("\n;,?", *c); c++) {
    depth += strchr("([", *c) ? 1 : strchr(")]", *c) ? -1 : 0;
    if (depth == 0 && (strncmp(c, "&&", 2) == 0 || strncmp(c, "||", 2) == 0))
      return false;
    if (depth == 0 && (strncmp(c, "==", 2) == 0 || strncmp(c, "!=", 2) == 0))
      return true;
  }
  return false;
}

/* What the operators of a line mean, or NULL. i + j % 2 == c is i + (j % 2) == c, and 2 * a + (b) & 1 is
 * (2 * a + (b)) & 1. But i + j & 1 is what it seems to be. */
static const char *precedence_of(const char *line, const char *end) {
  /* whether the expression has had a + or −, a product, at each depth; whether no function has the parentheses */
  bool has_sum[DEPTH] = {false}, has_product[DEPTH] = {false}, is_group[DEPTH] = {false};
  int depth = 0;
  char before = ' ';
  for (const char *c = line; c < end && *c != '\n'; c++) {
    if (*c == '/' && c + 1 < end && c[1] == '/')
      return NULL;
    const char next = c + 1 < end ? c[1] : ' ';
    if (strchr("([{", *c) && depth < DEPTH - 1) {
      depth++;
      has_sum[depth] = has_product[depth] = false;
      is_group[depth] = *c == '(' && c > line && !ends_operand(c[-1]);
    } else if (strchr(")]}", *c) && depth > 0)
      depth--;
    else if (strchr(",;?:|<>!", *c) || (*c == '&' && (next == '&' || before == '&')) || *c == '=')
      has_sum[depth] = has_product[depth] = false;
    else if (*c == '*' && ends_operand(before))
      has_product[depth] = true;
    else if (strchr("+-", *c) && ends_operand(before) && next != *c && next != '=')
      has_sum[depth] = true;
    else if (*c == '%' && has_sum[depth] &&
             ((strstr(c, "==") && strstr(c, "==") < end) || (is_group[depth] && !has_product[depth])))
      return "'%' binds more tightly than '+': a + b % 2 is a + (b % 2), not (a + b) % 2";
    else if (*c == '&' && ends_operand(before) && compares(c + 1, end))
      return "'==' binds more tightly than '&': a & 1 == b is a & (1 == b), not (a & 1) == b";
    else if (*c == '&' && has_sum[depth] && (before == ')' || (has_product[depth] && ends_operand(before))))
      return "'+' binds more tightly than '&': a + b & 1 is (a + b) & 1, not a + (b & 1)";
    before = isspace((unsigned char)*c) ? before : *c;
  }
  return NULL;
}

/* "if (... (colour = x % 2))": a declaration, such as if (const int part = f()), has a type before the name. */
static const char *assignment_of(const char *line, const char *end) {
  const char *condition = memmem(line, (size_t)(end - line), "if (", 4);
  for (const char *c = condition ? condition + 4 : end; c < end && *c != ';' && *c != '{'; c++) {
    const bool assigns = *c == '=' && c[-1] == ' ' && c + 1 < end && c[1] == ' ';
    const char *name = c - 1;
    while (assigns && name > condition && *name == ' ')
      name--;
    while (assigns && name > condition && (isalnum((unsigned char)*name) || *name == '_'))
      name--;
    if (assigns && *name == '(')
      return "'=' assigns, also in a condition: '==' compares";
  }
  return NULL;
}

bool warnings_of_precedence(const char *text, size_t size, const char *program, int first, int last,
                            struct error *warning) {
  for (int number = first; number <= last; number++) {
    const char *line = line_of(text, size, number), *end = end_of_line(line, text, size);
    const char *meaning = line ? precedence_of(line, end) : NULL;
    if (line && !meaning)
      meaning = assignment_of(line, end);
    if (line && !meaning)
      meaning = comma_of(line, end);
    if (meaning)
      return !error_set(warning, "look at %s.cu:%d: %s", program, number, meaning);
  }
  return false;
}
