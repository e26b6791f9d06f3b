/* What a submission may have; grading/README.md lists the same for students. */
#pragma once

enum {
  SUBMISSION_BYTES = 1 << 20, /* of one file */
  SUBMISSION_UNPACKED = 256,  /* MiB unpacked from all archives */
  SUBMISSION_ENTRIES = 20000, /* files and folders */
  SUBMISSION_DEPTH = 16       /* folders in folders */
};
