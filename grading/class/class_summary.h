/* The summary of a class, CSV: submission, sha256, verdict, reason, points, max_points, bonus, then one
 * column of points per lab, with its name. points and those of labs include the bonus, max_points does not; bonus is
 * empty if no item has any. reason: why the submission or a lab is MISSING or INFRA, in words; a lab's
 * reason follows its name. Points are empty after INFRA, which is no grade. Text is quoted and on one line; an
 * apostrophe precedes text that a spreadsheet would take for a formula. */
#pragma once

#include "installation.h"
#include "sheet.h"
#include <jansson.h>
#include <stdio.h>

/* Writes the complete file or none. only: the lab that was graded; NULL: all labs of the kit. */
bool class_summary_write(const char *path, const struct installation *kit,
                         const struct installation_lab *only, int count, json_t *const *results,
                         struct error *error);

/* Writes a text cell: quoted, one line, never a formula. */
void class_summary_put_text(FILE *stream, const char *text);

/* A summary read from a file; labs: the number of lab columns, from first_lab on. */
struct class_summary {
  struct sheet sheet;
  int count, labs, first_lab; /* count: rows of submissions */
  int submission, verdict, reason, points, max_points;
};

struct class_summary_row {
  const char *submission, *verdict, *reason;
  bool is_graded;
  double points, max_points;
};

/* False, with the first fault, unless class_summary_write could have written the file. */
bool class_summary_read(struct class_summary *summary, const char *path, struct error *error);
void class_summary_free(struct class_summary *summary);

/* n: the submission's number, from 0. */
struct class_summary_row class_summary_row(const struct class_summary *summary, int n);
const char *class_summary_lab(const struct class_summary *summary, int lab);
/* False: the lab is not graded. */
bool class_summary_lab_points(const struct class_summary *summary, int n, int lab, double *points);
