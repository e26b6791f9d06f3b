/* Submitted archives: .zip, .tar, and .tar compressed by gzip, xz or bzip2. They are read in memory.
 * Nothing is unpacked to disk, so no path, link or device in an archive has an effect. */
#pragma once

#include "error.h"
#include "submission_limits.h"
#include <stddef.h>

/* An entry of an archive that is not a folder. */
struct submission_archive_entry {
  const char *path; /* relative, without ".." */
  bool is_regular;
  const char *bytes; /* the first SUBMISSION_BYTES of them */
  size_t size;       /* all of them */
};

/* False stops the reading, with why. */
typedef bool submission_archive_visit(const struct submission_archive_entry *entry, void *context,
                                      struct error *error);

/* Whether the first bytes of the open file are those of any kind of archive. */
bool submission_archive_is(int file);

/* Whether a name ends like that of a readable archive. */
bool submission_archive_is_name(const char *name);

/* Calls visit for every entry. unpacked: the bytes so far, which this adds to. False if the archive cannot
 * be read to its end, unpacks to too much, is encrypted or has a path outside its top folder: then discard
 * what visit collected. */
bool submission_archive_read(int file, const char *path, size_t *unpacked, submission_archive_visit *visit,
                             void *context, struct error *error);
