/* What is graded: a lab's .cu file, or a folder with such files, as deep in it as archives and LMS put them.
 * Files are read once, here: what happens to them later has no effect. */
#ifndef SUBMISSION_H
#define SUBMISSION_H

#include "installation.h"
#include <stddef.h>

enum { SUBMISSION_BYTES = 1 << 20 }; /* of one file */

struct submission {
  char name[256];                 /* last part of its path */
  char sha256[65];                /* of its files, in the order of labs */
  char *texts[INSTALLATION_LABS]; /* by place of the lab in the installation; NULL: not handed in */
  size_t sizes[INSTALLATION_LABS];
};

/* only: the lab that a file of whatever name belongs to, one alone in a folder too, or NULL. False when there
 * is nothing to grade, a file is no regular file, an archive or too large, or one lab has two that differ. */
bool submission_read(const char *path, struct installation *kit, const struct installation_lab *only,
                     struct submission *submission, struct error *error);
void submission_free(struct submission *submission);

#endif
