/* A student's own checks: a CSV file that grows by a row for each check, after a row for each item that changed.
 *
 *   time,kind,id,verdict,points,max_points,bonus,measured,unit
 *   2026-11-23 10:12:45,item,03/lanes,PASS,16,16,,0.9677,of the lanes needed
 *   2026-11-23 10:12:45,check,03,WRONG,85,100,0,,
 *
 * The file is a convenience: whatever is wrong with it, a check goes on. Torn lines are ignored. */
#pragma once

#include <jansson.h>

/* The last row of each item, by its id: {"03/lanes": {"verdict": …, "points": …, "max_points": …, "measured": …}}. An
 * empty object if there is no such file. The caller releases it. */
json_t *attempts_read(const char *path);

/* Appends the result of a check of what, such as "03" or "03/lanes": its changed items, then the check. */
void attempts_append(const char *path, const json_t *attempts, const json_t *result, const char *what);
