#include "template.h"
#include "text.h"

#include <stdbool.h>
#include <string.h>

static void put_text(FILE *out, const char *from, const char *end) {
  for (; from < end; from++)
    if (from[0] != '\n' || from[1] != ' ')
      putc(*from, out);
    else {
      from += strspn(from + 1, " ");
      if (!strchr("<{", from[1]))
        putc(' ', out);
    }
}

static bool is_there(const json_t *value) {
  return json_is_string(value) ? json_string_length(value) > 0 : json_is_true(value) || json_is_object(value);
}

static void put_value(FILE *out, const json_t *value) {
  if (json_is_string(value))
    text_put_escaped(out, json_string_value(value), false);
  else if (json_is_integer(value))
    fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
}

static const char *render(const char *at, const json_t *members, FILE *out);

/* Writes the section that begins at start and returns what follows it. out: NULL to skip it. */
static const char *render_section(const char *start, const json_t *members, const json_t *value, FILE *out) {
  const char *after = render(start, members, NULL);
  size_t n;
  json_t *element;
  json_array_foreach((json_t *)value, n, element)
    if (out)
      render(start, element, out);
  if (out && is_there(value))
    render(start, json_is_object(value) ? value : members, out);
  return after;
}

/* Writes up to the end of the section, or of the text, and returns what follows. */
static const char *render(const char *at, const json_t *members, FILE *out) {
  for (const char *tag; (tag = strstr(at, "{{"));) {
    char name[32];
    const bool is_marked = strchr("#^/", tag[2]);
    const char *from = tag + 2 + is_marked, *end = strstr(from, "}}");
    snprintf(name, sizeof name, "%.*s", (int)(end - from), from);
    const json_t *value = json_object_get(members, name);
    if (out)
      put_text(out, at, tag);
    at = end + 2;
    if (tag[2] == '/')
      return at;
    if (tag[2] == '#')
      at = render_section(at, members, value, out);
    else if (tag[2] == '^')
      at = render(at, members, is_there(value) ? NULL : out);
    else if (out)
      put_value(out, value);
  }
  const char *end = at + strlen(at);
  if (out)
    put_text(out, at, end);
  return end;
}

void template_write(const char *text, const json_t *members, FILE *out) { render(text, members, out); }
