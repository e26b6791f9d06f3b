/* The student of a submission, from the name that a learning platform gave it. */
#pragma once

enum student_platform { STUDENT_PLAIN, STUDENT_MOODLE, STUDENT_CANVAS };

struct student {
  enum student_platform platform;
  char name[256]; /* as the platform writes it; plain: the submission's name without .cu, .zip or the like */
  char id[32];    /* Moodle's id of the participant, Canvas's id of the user; plain: "" */
  char key[300];  /* the same in all submissions of one person */
};

/* "Ada Smith_12345_assignsubmission_file_", "smithada_LATE_123_4567_compressed.cu", or any other name. */
struct student student_of(const char *submission);
