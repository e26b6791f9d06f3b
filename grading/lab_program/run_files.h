/* The files of one run of a lab program. The program gets each as an open descriptor, and a link to it in its own
 * folder under the name that the arguments give. So it shares no folder with the grader, and nothing that it does to
 * names changes what the grader reads.
 *
 * Inputs are copies in memory that cannot be changed. Outputs are empty files in memory, read when no process of the
 * program is left. */
#pragma once

#include "error.h"

#include <stdbool.h>

enum { RUN_FILES = 8 };

struct run_files {
  int count;
  int descriptors[RUN_FILES];
  const char *names[RUN_FILES]; /* the arguments' own strings */
  bool is_output[RUN_FILES];
};

/* Opens the files that the arguments name, without a folder: an output after an option that writes one, such as --out;
 * an input if a file with this name is in the current folder. */
bool run_files_open(struct run_files *files, const char *const *arguments, struct error *error);

/* Writes each output to the current folder, unless it is empty, and closes all files. */
bool run_files_keep(struct run_files *files, struct error *error);

/* Copies a file, unless it is empty, in which case there is no copy. */
bool run_files_copy(const char *from, const char *to, struct error *error);

/* An empty file in memory; -1 if that fails. */
int run_files_memory(const char *name);
