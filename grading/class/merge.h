/* Joins the two halves of a grading, in either order: a result of mode "counters" and one of mode "time" for
 * the same submission, kit, rubrics and judge.
 *
 * A lab is worth the same with both halves as with counters alone: its time items take their points from its counter
 * items, the same share from each. A time item counts when the correctness items that it needs pass. */
#pragma once

#include "installation.h"
#include <jansson.h>

/* The result of mode "merged", or NULL and the fault: another submission, kit, rubrics or judge; two halves of one
 * mode; a half without a grade, or without a lab or an item of the other half. names: of a and b, for messages. */
json_t *merge_results(const struct installation *kit, const json_t *a, const json_t *b,
                      const char *const names[2], struct error *error);
