#define _GNU_SOURCE /* memfd_create */
#include "run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int run_files_memory(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

static bool copy(int from, int to, off_t size) {
  off_t at = 0;
  while (at < size) {
    const ssize_t copied = sendfile(to, from, &at, (size_t)(size - at));
    if (copied <= 0 && !(copied < 0 && errno == EINTR))
      return false;
  }
  return true;
}

static bool has_ending(const char *word, const char *ending) {
  const size_t length = strlen(word), end = strlen(ending);
  return length > end && strcmp(word + length - end, ending) == 0;
}

static bool is_file_name(const char *word) {
  return !strchr(word, '/') && (has_ending(word, ".npy") || has_ending(word, ".csv"));
}

/* lab 05 reads its --matrix, which exists before the run; lab 01 writes it */
static bool writes(const char *option, bool exists) {
  static const char *const options[] = {"--out", "--csv", "--history", "--red", "--black"};
  for (size_t n = 0; n < sizeof options / sizeof *options; n++)
    if (strcmp(option, options[n]) == 0)
      return true;
  return strcmp(option, "--matrix") == 0 && !exists;
}

static bool add(struct run_files *files, const char *name, bool is_output, struct error *error) {
  const int memory = files->count < RUN_FILES ? run_files_memory(name) : -1;
  if (memory < 0)
    return error_set(error, "%s: cannot open a file in memory: %s", name, strerror(errno));
  files->names[files->count] = name;
  files->is_output[files->count] = is_output;
  files->descriptors[files->count++] = memory;
  return true;
}

static bool add_input(struct run_files *files, const char *name, struct error *error) {
  const int from = open(name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (!add(files, name, false, error)) {
    close(from);
    return false;
  }
  const int memory = files->descriptors[files->count - 1];
  const bool copied =
      from >= 0 && fstat(from, &status) == 0 && copy(from, memory, status.st_size) &&
      fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
  if (from >= 0)
    close(from);
  return copied || error_set(error, "%s: cannot copy it to memory: %s", name, strerror(errno));
}

static bool is_open(const struct run_files *files, const char *name) {
  for (int n = 0; n < files->count; n++)
    if (strcmp(files->names[n], name) == 0)
      return true;
  return false;
}

bool run_files_open(struct run_files *files, const char *const *arguments, struct error *error) {
  bool good = true;
  *files = (struct run_files){0};
  for (int n = 1; good && arguments[n]; n++) {
    const char *name = arguments[n], *option = arguments[n - 1];
    if (strncmp(option, "--", 2) != 0 || !is_file_name(name) || is_open(files, name))
      continue;
    const bool exists = access(name, F_OK) == 0;
    if (writes(option, exists))
      good = add(files, name, true, error);
    else if (exists)
      good = add_input(files, name, error);
  }
  return good;
}

static bool keep(int memory, const char *name, struct error *error) {
  struct stat status;
  if (fstat(memory, &status) != 0 || status.st_size == 0)
    return true;
  const int to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  const bool copied = to >= 0 && copy(memory, to, status.st_size);
  const int cause = errno;
  return (to < 0 || close(to) == 0) && copied
             ? true
             : error_set(error, "%s: cannot write: %s", name, strerror(cause));
}

bool run_files_keep(struct run_files *files, struct error *error) {
  bool good = true;
  for (int n = 0; n < files->count; n++) {
    good = good && (!files->is_output[n] || keep(files->descriptors[n], files->names[n], error));
    close(files->descriptors[n]);
  }
  files->count = 0;
  return good;
}

bool run_files_copy(const char *from, const char *to, struct error *error) {
  const int file = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  const bool copied = file >= 0 ? keep(file, to, error) : error_set(error, "%s: %s", from, strerror(errno));
  if (file >= 0)
    close(file);
  return copied;
}
