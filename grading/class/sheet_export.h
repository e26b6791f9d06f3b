/* Puts the points of a class into the sheet of a learning platform:
 *   grade export (--moodle SHEET.csv | --canvas SHEET.csv [--assignment NAME])
 *                --summary summary.csv --out FILE.csv
 * SHEET.csv is Moodle's grading worksheet or Canvas's gradebook, as exported. FILE.csv is the same with the
 * points filled in, in proportion to the platform's maximum. Rows without a grade are not changed, and their
 * names are printed. A submission without a grade (INFRA) never counts as 0. If a student has several
 * submissions, the best one counts. */
#pragma once

#include "options.h"

extern const struct options_option sheet_export_options[];

/* After options_parse(): exit status 0; ends the program with one line when something is missing or bad. */
int sheet_export_run(void);
