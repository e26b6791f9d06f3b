#define _GNU_SOURCE /* program_invocation_short_name */
#include "error.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void format_line(char *text, size_t size, const char *format, va_list arguments) {
  vsnprintf(text, size, format, arguments);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
}

bool error_set(struct error *error, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    format_line(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return false;
}

static void print(const char *kind, const char *format, va_list arguments) {
  struct error error;
  format_line(error.text, sizeof error.text, format, arguments);
  fprintf(stderr, "%s: %s%s\n", program_invocation_short_name, kind, error.text);
}

void error_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print("", format, arguments);
  va_end(arguments);
  exit(ERROR_STATUS);
}

void error_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print("warning: ", format, arguments);
  va_end(arguments);
}
