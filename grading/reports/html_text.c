#define _GNU_SOURCE /* vasprintf */
#include "html_text.h"
#include "error.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

json_t *html_text(const char *format, ...) {
  char *text;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    error_die("no memory for a report");
  va_end(arguments);
  json_t *string = json_string(text);
  free(text);
  return string;
}

json_t *html_text_of(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  char *text = text_clean(json_string_value(value), json_string_length(value), TEXT_LIMIT);
  json_t *string = json_string(text);
  free(text);
  return string;
}
