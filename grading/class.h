/* Grades a class: a folder in which every entry is a submission, a file or a folder.
 *
 * In the folder out each gets NAME.json (result.h) and NAME.txt (what a person reads), and the class
 * summary.csv: submission, sha256, verdict, points, max_points, and the points of each lab. INFRA has no
 * points: grade such a submission again. */
#ifndef CLASS_H
#define CLASS_H

#include "installation.h"

/* only: the lab that all have handed in; NULL: all labs of the kit count, handed in or not. Submissions that
 * cannot be read get no points, and the reason. Exit status: 0, or 2 when one has verdict INFRA. */
int class_grade(struct installation *kit, const char *folder, const char *out,
                const struct installation_lab *only, int jobs);

#endif
