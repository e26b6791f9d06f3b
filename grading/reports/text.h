/* Texts of a result, which may come from a submission, as text that every format takes. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes that one text may have: room for a picture of a mismatch, too little to fill a disk. */
enum { TEXT_LIMIT = 8192 };

/* The length bytes as UTF-8 without control characters but \n and \t, which JSON, XML 1.0 and a terminal
 * take; what is none becomes U+FFFD. Of more than limit bytes, the rest becomes a note of how many they are.
 * The caller frees. */
char *text_clean(const char *bytes, size_t length, size_t limit);

/* Writes clean text for XML and HTML. In an attribute, white space stays what it is. */
void text_put_escaped(FILE *out, const char *text, bool in_attribute);

#endif
