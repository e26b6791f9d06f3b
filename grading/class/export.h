/* Puts the points of a class into the sheet of a learning platform:
 *   grade export --moodle SHEET.csv | --canvas SHEET.csv [--assignment NAME] --summary summary.csv --out
 * FILE.csv SHEET.csv is Moodle's grading worksheet or Canvas's gradebook, as exported; FILE.csv is the same
 * with the points filled in, in proportion to the platform's maximum. Rows without a grade are left as they
 * are, and named. A submission without a grade (INFRA) never counts as 0; of several submissions of one
 * student, the best counts. */
#ifndef EXPORT_H
#define EXPORT_H

/* Exit status 0; ends the program with one line when the command line or a file is bad. */
int export_run(int argc, char **argv);

#endif
