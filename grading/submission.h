/* What is graded: a lab's .cu file, or a folder or an archive with such files, SUBMISSION_DEPTH folders deep
 * at most. Files are read once, here: what happens to them later has no effect.
 *
 * A file is a lab's by its name: compressed.cu, else what browsers and learning platforms make of it, as
 * "Compressed (1).cu" or smith_123_4567_compressed-2.cu. The exact name wins. Several files of a lab must
 * hold the same. */
#ifndef SUBMISSION_H
#define SUBMISSION_H

#include "error.h"
#include "installation.h"
#include "submission_archive.h"
#include <stddef.h>

enum {
  SUBMISSION_BYTES = SUBMISSION_ARCHIVE_BYTES,
  SUBMISSION_DEPTH = 16
}; /* of one file; folders in folders */

struct submission {
  char name[256];                 /* last part of its path */
  char sha256[65];                /* of its files, in the order of labs */
  char *texts[INSTALLATION_LABS]; /* by place of the lab in the installation; NULL: not handed in */
  size_t sizes[INSTALLATION_LABS];
  struct error reasons[INSTALLATION_LABS]; /* why a lab whose file was found is not graded; "": no reason */
  struct error passed_over;                /* what was not searched, and why; "": all was */
};

/* only: the lab that a file of whatever name belongs to, unless it has the name of another lab's, and one
 * alone in a folder too; or NULL. False when there is nothing to grade, with why: no file of a lab, or one
 * that is no regular file, too large, or there in two versions. */
bool submission_read(const char *path, struct installation *kit, const struct installation_lab *only,
                     struct submission *submission, struct error *error);
void submission_free(struct submission *submission);

#endif
