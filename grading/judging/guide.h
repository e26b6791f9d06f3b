/* What a check tells a student beyond the points: how a value has changed, what it means, and what comes next. */
#pragma once

#include "installation.h"
#include "rubric.h"
#include <jansson.h>
#include <stdio.h>

/* Adds "previous", the value in an earlier check, and "meaning" if the value has full marks. attempts: attempts.h. */
void guide_item(json_t *json, const struct rubric_item *item, const json_t *attempts);

/* Prints the next item or lab, or nothing if the student has to correct something first. name: the only item that was
 * judged, or NULL. */
void guide_print_next(const struct installation *kit, const struct installation_lab *lab, const char *name,
                      const json_t *result, const json_t *attempts, FILE *out);
