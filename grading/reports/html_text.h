/* Members of the HTML report's template (report.html), which escapes them: new references. Numbers
 * are formatted texts. */
#pragma once

#include <jansson.h>

json_t *html_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A member of an untrusted object as clean text; "" if it is not a string. */
json_t *html_text_of(const json_t *object, const char *key);
