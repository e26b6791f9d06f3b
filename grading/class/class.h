/* Grades a class: a folder in which every entry is a submission (submission.h); entries whose names begin
 * with a dot are none.
 *
 * In the folder out, NAME being an entry's name:
 *   submissions/NAME/result.json, result.txt   the result (result.h), and what a person reads
 *   submissions/NAME/…                         the reports asked for (reports/report.h)
 *   summary.csv                                a row for each, see class_summary.h
 * A result that is there already is kept when the same submission was graded by the same kit, rubrics, judge
 * and limits (result.h) and is no INFRA, so a class whose grading was interrupted goes on where it stopped.
 * All others are INFRA until they are graded. What was written for entries that are gone is removed. */
#ifndef CLASS_H
#define CLASS_H

#include "machine.h"

struct class_order {
  const char *folder, *out;
  const char *formats;                 /* as for report_save, or NULL */
  const struct installation_lab *only; /* that all have handed in; NULL: all labs of the kit count */
  const struct machine *machine;       /* as in struct judge_order */
  int jobs;
  int limit_seconds; /* as in struct judge_order */
  bool again;        /* keep nothing */
};

/* A line on standard output for each as it is graded. Submissions that cannot be read get no points, and the
 * reason. Exit status: 0, or 2 when one has verdict INFRA: grade the class again, then. */
int class_grade(struct installation *kit, const struct class_order *order);

#endif
