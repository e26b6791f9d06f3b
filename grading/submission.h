/* A submission: a lab's .cu file, or a folder or an archive with such files, at most SUBMISSION_DEPTH
 * folders deep. Files are read only once, here, so later changes have no effect.
 *
 * The name identifies the lab: compressed.cu, or a variant made by browsers and learning platforms, such
 * as "Compressed (1).cu" or smith_123_4567_compressed-2.cu. The exact name takes precedence. Several files
 * of a lab must be identical. */
#pragma once

#include "error.h"
#include "installation.h"
#include "submission_limits.h"
#include <stddef.h>

struct submission {
  char name[256];                 /* last part of its path */
  char sha256[65];                /* of its files, in the order of labs */
  char *texts[INSTALLATION_LABS]; /* by place of the lab in the installation; NULL: not handed in */
  size_t sizes[INSTALLATION_LABS];
  struct error reasons[INSTALLATION_LABS]; /* why a lab whose file was found is not graded; "": no reason */
  struct error passed_over;                /* what was not searched, and why; "": everything was searched */
};

/* only: NULL, or a lab: then a single file may have any name except another lab's. False if there is nothing to grade,
 * with the reason: no lab's file, or one that is not a regular file, too large, or present in two versions. */
bool submission_read(const char *path, struct installation *kit, const struct installation_lab *only,
                     struct submission *submission, struct error *error);
void submission_free(struct submission *submission);
