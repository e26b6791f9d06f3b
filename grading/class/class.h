/* Grades a class: a folder in which every entry is a submission (submission.h), except names that begin with a dot.
 *
 * In the folder out, NAME being an entry's name:
 *   submissions/NAME/result.json, result.txt   the result (result.h), and its text for people
 *   submissions/NAME/…                         the requested reports (reports/report.h)
 *   summary.csv                                one row per submission, see class_summary.h
 *   seed                                       of all submissions, readable by its owner alone
 *   .locks/NAME                                locked while a grader writes the entry's files
 * An existing result is kept if the same kit, rubrics, judge and limits (result.h) graded the same
 * submission and it is not INFRA, so an interrupted grading continues where it stopped. All others are
 * INFRA until they are graded. Files of entries that are gone are removed.
 *
 * Several graders may write to one folder at once, also from several machines: see share.h. */
#pragma once

#include "class_order.h"

/* Prints a line for each graded submission. A submission that cannot be read gets no points, and the reason.
 * Returns the exit status: 0, or 2 if a submission has verdict INFRA: then grade the class again. */
int class_grade(struct installation *kit, const struct class_order *order);

/* Writes the summary of a class that was graded in shares. Reads only folder, out and only of the order. Prints a line
 * for each entry without a current result, which is INFRA in the summary. Returns the exit status as above. */
int class_collect(struct installation *kit, const struct class_order *order);
