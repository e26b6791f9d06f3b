#include "submission.h"
#include "allocate.h"
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Links are not followed, pipes not waited for. */
static bool read_file(const char *path, char **text, size_t *size, struct error *error) {
  struct stat status;
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    error_set(error, "%s: expected a regular file", path);
  } else if (status.st_size > SUBMISSION_BYTES) {
    error_set(error, "%s: %lld bytes: expected at most %d", path, (long long)status.st_size,
              SUBMISSION_BYTES);
  } else {
    *size = (size_t)status.st_size;
    *text = read_whole(file, *size);
    if (!*text)
      error_set(error, "%s: cannot read", path);
  }
  if (file >= 0)
    close(file);
  return *text != NULL;
}

/* By their first bytes; a tar by its word at 257. */
static bool is_archive(const char *text, size_t size) {
  static const char *const marks[] = {"PK\3\4",
                                      "\x1f\x8b",
                                      "BZh",
                                      ("\xfd"
                                       "7zXZ"),
                                      "7z\xbc\xaf",
                                      "Rar!",
                                      "\x28\xb5\x2f\xfd"};
  for (size_t n = 0; n < sizeof marks / sizeof *marks; n++)
    if (size >= strlen(marks[n]) && memcmp(text, marks[n], strlen(marks[n])) == 0)
      return true;
  return size > 262 && memcmp(text + 257, "ustar", 5) == 0;
}

/* path/03_compressed/compressed.cu or path/compressed.cu; true when there is none, too. */
static bool read_lab(const char *path, const struct installation_lab *lab, char **text, size_t *size,
                     struct error *error) {
  static const char *const formats[] = {"%s/%s/%s.cu", "%s/%.0s%s.cu"};
  struct stat status;
  char file[PATH_MAX];
  for (int n = 0; n < 2; n++) {
    snprintf(file, sizeof file, formats[n], path, lab->name, lab->rubric.program);
    if (lstat(file, &status) == 0)
      return read_file(file, text, size, error);
  }
  return true;
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
  if (!lab)
    lab = lab_of(kit, path);
  if (!lab)
    return error_set(
        error, "%s: no lab has a file of this name: expected a lab's .cu file or a folder, or say --lab NN",
        path);
  const int n = (int)(lab - kit->labs);
  if (!read_file(path, &submission->texts[n], &submission->sizes[n], error))
    return false;
  return !is_archive(submission->texts[n], submission->sizes[n]) ||
         error_set(error, "%s: an archive: expected a .cu file, or the folder that it unpacks to", path);
}

static bool read_folder(const char *path, struct installation *kit, const struct installation_lab *only,
                        struct submission *submission, struct error *error) {
  bool found = false;
  for (int n = 0; n < kit->count; n++) {
    if (only && only != &kit->labs[n])
      continue;
    if (!read_lab(path, &kit->labs[n], &submission->texts[n], &submission->sizes[n], error))
      return false;
    found |= submission->texts[n] != NULL;
  }
  return found || error_set(error, "%s: no lab's file in this folder: expected one like %s.cu or %s/%s.cu",
                            path, (only ? only : kit->labs)->rubric.program, (only ? only : kit->labs)->name,
                            (only ? only : kit->labs)->rubric.program);
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
