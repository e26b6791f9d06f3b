/* Makes a table from the summaries of several gradings, with a row per student and a column per lab:
 *   grade gradebook --out FILE.csv [--deadline TIME --times TIMES.csv --per-day PERCENT [--grace MINUTES]
 *                   [--most PERCENT] | --no-deadline] [--weights 01=11,02=9] SUMMARY.csv ...
 * Deadline options apply to the summaries after them, until they are given again. The best grading of a
 * lab counts, after the penalty. INFRA never counts as 0: a lab without another grade is empty, and so is
 * the total. A lab without a submission is empty and counts as 0. The last column explains empty cells.
 * The total is the sum of the points, or with weights their weighted mean.
 * TIMES.csv has the columns submission and submitted. */
#pragma once

#include "options.h"

/* Its command line. Parsing it reads the summaries, and ends the program with one line if one is bad. */
extern const struct options_option gradebook_options[];

/* After options_parse(): exit status 0; ends the program with one line when something is missing or bad. */
int gradebook_run(void);
