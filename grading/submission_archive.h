/* Archives as they are handed in: .zip, .tar, and .tar behind gzip, xz or bzip2.
 * They are read in memory. Nothing is unpacked to disk, so no path, link or device in one has an effect. */
#ifndef SUBMISSION_ARCHIVE_H
#define SUBMISSION_ARCHIVE_H

#include "error.h"
#include <stddef.h>

/* Unpacked, of all archives of one submission; bytes of one file that are read. */
enum { SUBMISSION_ARCHIVE_MIB = 256, SUBMISSION_ARCHIVE_BYTES = 1 << 20 };

/* One entry of an archive that is no folder. */
struct submission_archive_entry {
  const char *path; /* relative, without ".." */
  bool is_regular;
  const char *bytes; /* the first SUBMISSION_ARCHIVE_BYTES of them */
  size_t size;       /* all of them */
};

/* False stops the reading, with why. */
typedef bool submission_archive_visit(const struct submission_archive_entry *entry, void *context,
                                      struct error *error);

/* Whether the open file is an archive, of whatever kind, by its first bytes. */
bool submission_archive_is(int file);

/* Whether a name ends like that of an archive that can be read. */
bool submission_archive_is_name(const char *name);

/* Shows every entry to visit. unpacked: the bytes so far, which this adds to. False when the archive cannot
 * be read to its end, unpacks to too much, is encrypted or has a path that leads outside: then what visit saw
 * does not count. */
bool submission_archive_read(int file, const char *path, size_t *unpacked, submission_archive_visit *visit,
                             void *context, struct error *error);

#endif
