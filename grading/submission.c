#include "submission.h"
#include "allocate.h"
#include "sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* By their first bytes; a tar by its word at 257. */
static bool is_archive(int file) {
  static const char *const marks[] = {"PK\3\4",
                                      "\x1f\x8b",
                                      "BZh",
                                      ("\xfd"
                                       "7zXZ"),
                                      "7z\xbc\xaf",
                                      "Rar!",
                                      "\x28\xb5\x2f\xfd"};
  char head[512] = "";
  const ssize_t size = pread(file, head, sizeof head, 0);
  for (size_t n = 0; n < sizeof marks / sizeof *marks; n++)
    if (size >= (ssize_t)strlen(marks[n]) && memcmp(head, marks[n], strlen(marks[n])) == 0)
      return true;
  return size > 262 && memcmp(head + 257, "ustar", 5) == 0;
}

/* The whole of an open file; NULL when it cannot be read. */
static char *read_whole(int file, size_t size) {
  char *text = allocate_zeroed(size + 1, 1);
  size_t done = 0;
  while (done < size) {
    const ssize_t got = read(file, text + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      free(text);
      return NULL;
    }
    done += (size_t)got;
  }
  return text;
}

static bool read_opened(int file, const char *path, char **text, size_t *size, struct error *error) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return error_set(error, "%s: expected a regular file", path);
  if (is_archive(file))
    return error_set(error, "%s: an archive: expected a .cu file, or the folder that it unpacks to", path);
  if (status.st_size > SUBMISSION_BYTES)
    return error_set(error, "%s: %lld bytes: expected at most %d", path, (long long)status.st_size,
                     SUBMISSION_BYTES);
  *size = (size_t)status.st_size;
  *text = read_whole(file, *size);
  return *text != NULL || error_set(error, "%s: cannot read", path);
}

/* Links are not followed, pipes not waited for. */
static bool read_file(const char *path, char **text, size_t *size, struct error *error) {
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ELOOP)
    return error_set(error, "%s: a link: expected a regular file", path);
  if (file < 0)
    return error_set(error, "%s: cannot open: %s", path, strerror(errno));
  const bool read = read_opened(file, path, text, size, error);
  close(file);
  return read;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The lab whose file has the name that path ends with. */
static struct installation_lab *lab_of(struct installation *kit, const char *path) {
  char name[300];
  for (int n = 0; n < kit->count; n++) {
    snprintf(name, sizeof name, "%s.cu", kit->labs[n].rubric.program);
    if (strcmp(last_part(path), name) == 0)
      return &kit->labs[n];
  }
  return NULL;
}

static bool read_single(const char *path, struct installation *kit, const struct installation_lab *lab,
                        struct submission *submission, struct error *error) {
  char *text = NULL;
  size_t size;
  if (!lab)
    lab = lab_of(kit, path);
  if (!read_file(path, &text, &size, error)) /* what is no file at all is said first */
    return false;
  if (!lab) {
    free(text);
    return error_set(
        error, "%s: no lab has a file of this name: expected a lab's .cu file or a folder, or say --lab NN",
        path);
  }
  submission->texts[lab - kit->labs] = text;
  submission->sizes[lab - kit->labs] = size;
  return true;
}

/* --- folders --- */

enum { SEARCH_DEPTH = 4, SEARCH_ENTRIES = 20000 }; /* folders in folders; files and folders looked at */

struct search {
  struct installation *kit;
  const struct installation_lab *only; /* or NULL */
  struct submission *submission;
  char found[INSTALLATION_LABS][PATH_MAX]; /* where each lab's file is */
  char other[PATH_MAX];                    /* the first .cu file of another name, else the first file */
  int sources, entries;                    /* .cu files of other names; all that was looked at */
};

/* What archives and builds leave beside sources is passed over. */
static int is_searched(const struct dirent *entry) {
  return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0 &&
         strcmp(entry->d_name, "build") != 0;
}

/* A lab's file, which may stand in two places when both hold the same. */
static bool take(struct search *s, int lab, const char *path, struct error *error) {
  char **text = &s->submission->texts[lab], *again = NULL;
  size_t *size = &s->submission->sizes[lab], again_size;
  if (!*text) {
    snprintf(s->found[lab], PATH_MAX, "%s", path);
    return read_file(path, text, size, error);
  }
  if (!read_file(path, &again, &again_size, error))
    return false;
  const bool same = again_size == *size && memcmp(again, *text, *size) == 0;
  free(again);
  return same || error_set(error, "%s and %s differ: expected one of them", s->found[lab], path);
}

static bool look_at_file(struct search *s, const char *path, struct error *error) {
  const struct installation_lab *lab = lab_of(s->kit, path);
  const size_t length = strlen(path);
  if (lab && (!s->only || lab == s->only))
    return take(s, (int)(lab - s->kit->labs), path, error);
  const bool is_source = !lab && length > 3 && strcasecmp(path + length - 3, ".cu") == 0;
  if (!s->other[0] || (is_source && s->sources == 0))
    snprintf(s->other, sizeof s->other, "%s", path);
  s->sources += is_source;
  return true;
}

static bool look_into(struct search *s, const char *folder, int depth, struct error *error) {
  struct dirent **entries;
  const int count = scandir(folder, &entries, is_searched, alphasort);
  if (count < 0)
    return error_set(error, "%s: cannot read the folder: %s", folder, strerror(errno));
  bool fine = (s->entries += count) <= SEARCH_ENTRIES ||
              error_set(error, "%s: more than %d files: expected labs' files", folder, SEARCH_ENTRIES);
  for (int n = 0; n < count; n++) {
    char path[PATH_MAX];
    struct stat status;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name);
    if (fine && length < PATH_MAX && lstat(path, &status) == 0) {
      if (!S_ISDIR(status.st_mode))
        fine = look_at_file(s, path, error);
      else if (depth > 0)
        fine = look_into(s, path, depth - 1, error);
    }
    free(entries[n]);
  }
  free(entries);
  return fine;
}

static bool is_empty(const struct search *s) {
  for (int n = 0; n < s->kit->count; n++)
    if (s->submission->texts[n])
      return false;
  return true;
}

static bool read_folder(const char *path, struct installation *kit, const struct installation_lab *only,
                        struct submission *submission, struct error *error) {
  struct search *s = allocate_zeroed(1, sizeof *s);
  *s = (struct search){.kit = kit, .only = only, .submission = submission};
  bool read = look_into(s, path, SEARCH_DEPTH, error);
  if (read && is_empty(s) && only && s->sources == 1)
    read = read_single(s->other, kit, only, submission, error);
  if (read && is_empty(s))
    read = error_set(error, "%s: no lab's file in this folder: expected one like %s.cu%s%s", path,
                     (only ? only : kit->labs)->rubric.program, s->other[0] ? ", found " : "",
                     last_part(s->other));
  free(s);
  return read;
}

static void hash(const struct installation *kit, struct submission *submission) {
  struct sha256 sum;
  sha256_start(&sum);
  for (int n = 0; n < kit->count; n++)
    if (submission->texts[n]) {
      char head[128];
      const int length = snprintf(head, sizeof head, "%s %zu\n", kit->labs[n].name, submission->sizes[n]);
      sha256_add(&sum, head, (size_t)length);
      sha256_add(&sum, submission->texts[n], submission->sizes[n]);
    }
  sha256_finish(&sum, submission->sha256);
}

bool submission_read(const char *path, struct installation *kit, const struct installation_lab *only,
                     struct submission *submission, struct error *error) {
  char whole[PATH_MAX];
  struct stat status;
  *submission = (struct submission){0};
  if (!realpath(path, whole) || lstat(path, &status) != 0)
    return error_set(error, "%s: no such file or folder", path);
  snprintf(submission->name, sizeof submission->name, "%.255s", last_part(whole));
  if (!(S_ISDIR(status.st_mode) ? read_folder : read_single)(path, kit, only, submission, error)) {
    submission_free(submission);
    return false;
  }
  hash(kit, submission);
  return true;
}

void submission_free(struct submission *submission) {
  for (int n = 0; n < INSTALLATION_LABS; n++)
    free(submission->texts[n]);
  *submission = (struct submission){0};
}
