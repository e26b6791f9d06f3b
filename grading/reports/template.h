/* Fills a page's template with the members of a JSON object:
 *
 *   {{name}}               the member's text, escaped for text and for attributes in quotes; a whole number
 *   {{#name}}…{{/name}}    for each object of an array, for an object, or once for true or a text; names in
 *                          an object are its own
 *   {{^name}}…{{/name}}    where there is nothing of it
 *
 * A line that begins with blanks goes on the line before, with one blank between unless < or {{ comes first.
 */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <jansson.h>
#include <stdio.h>

void template_write(const char *text, const json_t *members, FILE *out);

#endif
