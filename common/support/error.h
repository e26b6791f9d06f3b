/* Messages on standard error, one line each, in the form "program: message".
 *
 * A message is lower case and names the file or argument, its value, and the expected value. Functions
 * whose failure a caller may handle (such as reading a file) return false and fill a struct error;
 * programs report it with error_die("%s", error.text). */
#pragma once

#include "c_linkage.h"
#include <stdbool.h>

C_LINKAGE_BEGIN

enum { ERROR_STATUS = 2 }; /* exit status for bad input */

struct error {
  char text[512];
};

/* Fills error->text (error may be NULL) and returns false, so that callers can `return error_set(…)`.
 * Control characters, such as a newline in a file name, become '?'. A longer text is cut. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the message and exits with ERROR_STATUS. */
void error_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Prints "program: warning: message" and returns. */
void error_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

C_LINKAGE_END
