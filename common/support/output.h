/* Output files that are complete or absent.
 *
 *   struct output out;
 *   if (!output_open(&out, path, &error)) error_die("%s", error.text);
 *   fprintf(out.stream, …);
 *   if (!output_commit(&out, &error)) error_die("%s", error.text);
 *
 * Writing goes to a temporary file in the same directory; output_commit renames it to path.
 * A pipe, a device or the target of a symbolic link is written directly. */
#pragma once

#include "c_linkage.h"
#include "error.h"
#include <stdio.h>

C_LINKAGE_BEGIN

struct output {
  FILE *stream;
  char *path;
  char *temporary; /* NULL: path itself is written */
};

/* Opens a new temporary file beside path. On failure returns false, and there is nothing to release. */
bool output_open(struct output *output, const char *path, struct error *error);

/* True if output_open will probably succeed, so that a bad path fails before long work, not after it. */
bool output_check(const char *path, struct error *error);

/* Flushes, renames and closes. On failure the temporary file is removed, and the old file at path is unchanged.
 * Releases output either way. */
bool output_commit(struct output *output, struct error *error);

/* The same, and the file survives a power cut. It takes milliseconds: for results, not for data between programs. */
bool output_commit_to_disk(struct output *output, struct error *error);

/* Removes the temporary file and releases output; path is unchanged. */
void output_discard(struct output *output);

C_LINKAGE_END
