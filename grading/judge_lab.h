/* Grades one lab of a submission: compiles it, lets the lab's suite judge its program, measures its counters.
 */
#ifndef JUDGE_LAB_H
#define JUDGE_LAB_H

#include "installation.h"
#include "submission.h"
#include <jansson.h>

/* The lab's part of the result (result.h), in a process of its own that is in a directory of its own.
 * text: NULL when the lab was not handed in. names: the lines to judge, NULL at the end; none: all. */
json_t *judge_lab(const struct installation *kit, const struct installation_lab *lab, const char *text,
                  size_t size, const char *const *names);

#endif
