#include "seal.h"
#include "sha256.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The time of change is the kernel's: no program can set it back. */
static bool describe(struct seal_file *file) {
  struct stat status;
  if (stat(file->path, &status) != 0)
    return false;
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->size = (unsigned long long)status.st_size;
  file->changed = status.st_ctim;
  return true;
}

static bool add(struct seal *seal, const char *path, struct sha256_ctx *hash, struct error *error) {
  struct seal_file *file = &seal->files[seal->count];
  if (seal->count == SEAL_FILES)
    return error_set(error, "%s: too many files of the kit: expected at most %d", path, SEAL_FILES);
  if (access(path, F_OK) != 0) /* a lab that is not built yet: nothing can be graded with it */
    return true;
  if (!(file->path = strdup(path)))
    return error_set(error, "%s: %s", path, strerror(errno));
  seal->count++;
  if (!describe(file))
    return error_set(error, "%s: %s", path, strerror(errno));
  if (!sha256_of_file(path, file->sha256, error))
    return false;
  sha256_update(hash, strlen(path) + 1, (const uint8_t *)path);
  sha256_update(hash, strlen(file->sha256), (const uint8_t *)file->sha256);
  return true;
}

static bool add_headers(struct seal *seal, const char *folder, struct sha256_ctx *hash, struct error *error) {
  char pattern[PATH_MAX];
  glob_t found;
  bool good = true;
  snprintf(pattern, sizeof pattern, "%s/*.h", folder);
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t n = 0; good && n < found.gl_pathc; n++)
      good = add(seal, found.gl_pathv[n], hash, error);
  globfree(&found);
  return good;
}

static bool add_lab(struct seal *seal, const struct installation_lab *lab, struct sha256_ctx *hash,
                    struct error *error) {
  return add(seal, lab->suite, hash, error) && add(seal, lab->main_object, hash, error) &&
         add(seal, lab->rubric_path, hash, error) && add_headers(seal, lab->contract, hash, error);
}

bool seal_make(const struct installation *kit, struct seal *seal, struct error *error) {
  struct sha256_ctx hash;
  sha256_init(&hash);
  *seal = (struct seal){.count = 0};
  bool good = add(seal, kit->device, &hash, error);
  for (int n = 0; good && n < kit->count; n++)
    good = add_lab(seal, &kit->labs[n], &hash, error);
  for (int n = 0; good && kit->libraries[n]; n++)
    if (kit->libraries[n][0] == '/')
      good = add(seal, kit->libraries[n], &hash, error);
  for (int n = 0; good && kit->compile[n]; n++)
    if (strncmp(kit->compile[n], "-I", 2) == 0)
      good = add_headers(seal, kit->compile[n] + 2, &hash, error);
  sha256_finish(&hash, seal->sha256);
  if (!good)
    seal_free(seal);
  return good;
}

static bool is_untouched(const struct seal_file *is, const struct seal_file *was) {
  return is->device == was->device && is->inode == was->inode && is->size == was->size &&
         is->changed.tv_sec == was->changed.tv_sec && is->changed.tv_nsec == was->changed.tv_nsec;
}

/* An overlay may give a file another inode number, and an editor may save the same text. */
static bool has_same_contents(const struct seal_file *is, const struct seal_file *was) {
  char sum[SHA256_HEX_SIZE];
  struct error error;
  return is->size == was->size && sha256_of_file(was->path, sum, &error) && strcmp(sum, was->sha256) == 0;
}

bool seal_check(const struct seal *seal, struct error *error) {
  for (int n = 0; seal && n < seal->count; n++) {
    const struct seal_file *was = &seal->files[n];
    struct seal_file is = {.path = was->path};
    if (!describe(&is) || (!is_untouched(&is, was) && !has_same_contents(&is, was)))
      return error_set(error,
                       "%s: the file has changed since the grader started: build the kit again, and grade "
                       "again",
                       was->path);
  }
  return true;
}

void seal_free(struct seal *seal) {
  for (int n = 0; n < seal->count; n++)
    free(seal->files[n].path);
  seal->count = 0;
}
