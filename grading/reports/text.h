/* Cleans texts of a result, which may come from a submission, so that every format accepts them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Limit in bytes of one text: enough for a map of a mismatch, too little to fill a disk. */
enum { TEXT_LIMIT = 8192 };

/* The length bytes as UTF-8 without control characters except \n and \t, which JSON, XML 1.0 and a terminal
 * accept; other bytes become U+FFFD. A note with the number of bytes replaces everything beyond limit bytes.
 * The caller frees. */
char *text_clean(const char *bytes, size_t length, size_t limit);

/* Writes clean text for XML and HTML. In an attribute, white space is preserved. */
void text_put_escaped(FILE *out, const char *text, bool in_attribute);
