/* The folder in which a submission is compiled, and the jail that sees little else: copies of the headers that a lab
 * allows, the compiler, and what the program is linked with. No solution, no suite, no skeleton. */
#pragma once

#include "error.h"
#include "installation.h"
#include "jail.h"

enum { COMPILE_FOLDERS = 8, COMPILE_READABLE = INSTALLATION_WORDS + 16 };

struct compile_folder {
  int origin;                         /* the caller's current folder */
  char path[4096];                    /* of the new folder */
  char options[COMPILE_FOLDERS][16];  /* -Iheaders.0, … */
  int count;                          /* of options */
  char texts[COMPILE_READABLE][4096]; /* of readable */
  const char *readable[COMPILE_READABLE + 1];
  int readable_count;
  struct jail jail;
};

/* Makes the folder "made" in the current folder, and changes to it. jail: level, namespaces and slot. */
bool compile_folder_enter(struct compile_folder *folder, const struct installation *kit,
                          const struct installation_lab *lab, const struct jail *jail, struct error *error);

/* Copies the *.h of a folder; returns the option that finds them, with a plain name: nvcc passes its arguments to a
 * shell, and ends a path at a comma. NULL: an error. */
const char *compile_folder_add_headers(struct compile_folder *folder, const char *from, struct error *error);

/* The jail sees these files, too: those of the words that are absolute paths. NULL at the end. */
bool compile_folder_add_readable(struct compile_folder *folder, const char *const *words,
                                 struct error *error);

/* Changes back to the caller's folder; takes the file with this name along if it is a regular file; removes the folder.
 * *fault: the machine kept it from that. */
bool compile_folder_leave(struct compile_folder *folder, const char *name, struct error *error, bool *fault);
