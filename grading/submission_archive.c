#include "submission_archive.h"
#include "all_bytes.h"
#include "allocate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum kind { NO_ARCHIVE, ZIP, TAR, GZIP, BZIP2, XZ, OTHER_ARCHIVE };

/* Recognised by the first bytes, a tar by its magic at byte 257. */
static enum kind kind_of(int file) {
  static const struct {
    const char *mark;
    enum kind kind;
  } marks[] = {
      {"PK\3\4", ZIP},         {"PK\5\6", ZIP}, /* an empty one */
      {"\x1f\x8b", GZIP},      {"BZh", BZIP2},
      {"\xfd\x37zXZ", XZ},     {"7z\xbc\xaf", OTHER_ARCHIVE},
      {"Rar!", OTHER_ARCHIVE}, {"\x28\xb5\x2f\xfd", OTHER_ARCHIVE}, /* zstd */
  };
  char head[512] = "";
  const ssize_t size = all_bytes_read_at(file, head, sizeof head, 0);
  for (size_t n = 0; n < sizeof marks / sizeof *marks; n++)
    if (size >= (ssize_t)strlen(marks[n].mark) && memcmp(head, marks[n].mark, strlen(marks[n].mark)) == 0)
      return marks[n].kind;
  return size > 262 && memcmp(head + 257, "ustar", 5) == 0 ? TAR : NO_ARCHIVE;
}

bool submission_archive_is(int file) { return kind_of(file) != NO_ARCHIVE; }

bool submission_archive_is_name(const char *name) {
  static const char *const ends[] = {".zip",    ".tar", ".tar.gz",  ".tgz",
                                     ".tar.xz", ".txz", ".tar.bz2", ".tbz2"};
  const size_t length = strlen(name);
  for (size_t n = 0; n < sizeof ends / sizeof *ends; n++)
    if (length > strlen(ends[n]) && strcasecmp(name + length - strlen(ends[n]), ends[n]) == 0)
      return true;
  return false;
}

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

struct reading {
  struct archive *archive;
  const char *path;
  size_t *unpacked;
  char *bytes; /* SUBMISSION_BYTES that are kept, and as many for the rest, which is discarded */
};

/* Reads every entry to its end, even an unwanted one: an archive may lie about sizes. */
static bool read_bytes(struct reading *r, size_t *size, struct error *error) {
  for (*size = 0;;) {
    char *to = r->bytes + (*size < SUBMISSION_BYTES ? *size : SUBMISSION_BYTES);
    const la_ssize_t got = archive_read_data(r->archive, to, SUBMISSION_BYTES);
    if (got == 0)
      return true;
    if (got < 0)
      return error_set(error, "%s: the archive cannot be read: %s", r->path,
                       archive_error_string(r->archive));
    *size += (size_t)got;
    *r->unpacked += (size_t)got;
    if (*r->unpacked > (size_t)SUBMISSION_UNPACKED << 20)
      return error_set(error, "%s: the archive unpacks to more than %d MiB: expected only labs' files",
                       r->path, SUBMISSION_UNPACKED);
  }
}

static bool leads_outside(const char *path) {
  if (path[0] == '/')
    return true;
  for (const char *part = path; part; part = strchr(part, '/')) {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (!part[2] || part[2] == '/'))
      return true;
  }
  return false;
}

static bool show(struct reading *r, struct archive_entry *entry, submission_archive_visit *visit,
                 void *context, struct error *error) {
  const char *name = archive_entry_pathname_utf8(entry);
  struct submission_archive_entry seen = {.bytes = r->bytes};
  seen.path = name ? name : archive_entry_pathname(entry);
  seen.is_regular = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
  if (!seen.path)
    return error_set(error, "%s: the archive has an entry without a name", r->path);
  if (leads_outside(seen.path))
    return error_set(error, "%s: %s is outside the archive: expected paths below its top folder", r->path,
                     seen.path);
  if (archive_entry_is_encrypted(entry))
    return error_set(error, "%s: the archive is encrypted: expected one without a password", r->path);
  if (!read_bytes(r, &seen.size, error))
    return false;
  return archive_entry_filetype(entry) == AE_IFDIR || visit(&seen, context, error);
}

static bool show_all(struct reading *r, submission_archive_visit *visit, void *context, struct error *error) {
  struct archive_entry *entry;
  for (;;) {
    const int status = archive_read_next_header(r->archive, &entry);
    if (status == ARCHIVE_EOF)
      return true;
    if (status < ARCHIVE_WARN)
      return error_set(error, "%s: the archive cannot be read: %s", r->path,
                       archive_error_string(r->archive));
    if (!show(r, entry, visit, context, error))
      return false;
  }
}

/* Allows only one filter: nested filters let a small file occupy the grader for hours. */
static bool open_archive(struct archive *archive, enum kind kind, int file) {
  static const int filters[] = {
      [GZIP] = ARCHIVE_FILTER_GZIP, [BZIP2] = ARCHIVE_FILTER_BZIP2, [XZ] = ARCHIVE_FILTER_XZ};
  if (kind == ZIP)
    archive_read_support_format_zip_seekable(archive);
  else
    archive_read_support_format_tar(archive);
  if (kind >= GZIP && archive_read_append_filter(archive, filters[kind]) < ARCHIVE_WARN)
    return false;
  return archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK;
}

static bool read_archive(int file, const char *path, enum kind kind, size_t *unpacked,
                         submission_archive_visit *visit, void *context, struct error *error) {
  struct reading r = {archive_read_new(), path, unpacked, allocate_zeroed(2, SUBMISSION_BYTES)};
  bool read = r.archive && open_archive(r.archive, kind, file);
  if (!read)
    error_set(error, "%s: the archive cannot be read: %s", path,
              r.archive ? archive_error_string(r.archive) : "no memory");
  read = read && show_all(&r, visit, context, error);
  archive_read_free(r.archive);
  free(r.bytes);
  return read;
}

#else

static bool read_archive(int file, const char *path, enum kind kind, size_t *unpacked,
                         submission_archive_visit *visit, void *context, struct error *error) {
  (void)file, (void)kind, (void)unpacked, (void)visit, (void)context;
  return error_set(error, "%s: this grader cannot read archives: install libarchive-dev and build it again",
                   path);
}

#endif

bool submission_archive_read(int file, const char *path, size_t *unpacked, submission_archive_visit *visit,
                             void *context, struct error *error) {
  const enum kind kind = kind_of(file);
  if (kind == NO_ARCHIVE || kind == OTHER_ARCHIVE)
    return error_set(error, "%s: %s: expected .zip, .tar, .tar.gz, .tar.xz or .tar.bz2", path,
                     kind == NO_ARCHIVE ? "not an archive" : "an archive of another kind");
  return read_archive(file, path, kind, unpacked, visit, context, error);
}
