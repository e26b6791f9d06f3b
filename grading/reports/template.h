/* Fills the template of a page with the members of a JSON object:
 *
 *   {{name}}               the member's text, escaped for text and for attributes in quotes; a whole number
 *   {{#name}}…{{/name}}    for each object of an array, for an object, or once for true or a text; names in
 *                          an object are its own
 *   {{^name}}…{{/name}}    if the member is absent or empty
 *
 * A line that begins with blanks continues the line before, after one blank unless it begins with < or {{. */
#pragma once

#include <jansson.h>
#include <stdio.h>

void template_write(const char *text, const json_t *members, FILE *out);
