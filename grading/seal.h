/* The files of the kit that decide a grade, as they were when the grader started: a program that changes one of them
 * must not decide the grades after it. */
#pragma once

#include "installation.h"
#include "sha256.h"
#include <time.h>

enum { SEAL_FILES = 256 };

struct seal {
  char sha256[65]; /* of all files, in their order */
  int count;
  struct seal_file {
    char *path;
    unsigned long long device, inode, size;
    struct timespec changed;
    char sha256[SHA256_HEX_SIZE];
  } files[SEAL_FILES];
};

/* Hashes the kit's suites, objects, libraries, headers, rubrics and the simulated GPU, as far as they are built. */
bool seal_make(const struct installation *kit, struct seal *seal, struct error *error);

/* False, with the file's name, if one of them no longer has the contents that were hashed. NULL has no files. */
bool seal_check(const struct seal *seal, struct error *error);

void seal_free(struct seal *seal);
