/* The summary of a class, CSV: submission, sha256, verdict, reason, points, max_points, then the points of
 * each lab, by its name. reason: why the submission or a lab is MISSING or INFRA, in words. Points are empty
 * after INFRA, which is no grade. Text is quoted and one line; what a spreadsheet would take for a formula
 * stands behind an apostrophe. */
#ifndef CLASS_SUMMARY_H
#define CLASS_SUMMARY_H

#include "installation.h"
#include <jansson.h>

/* Writes the file, whole or not at all. only: the lab that was graded, NULL for all of the kit. */
bool class_summary_write(const char *path, const struct installation *kit,
                         const struct installation_lab *only, int count, json_t *const *results,
                         struct error *error);

#endif
