#define _GNU_SOURCE /* copy_file_range */
#include "compile_folder.h"
#include "all_bytes.h"
#include "working_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "made";
enum { TMPFS = 256 << 20 };

static bool is_below(const char *path, const char *folder) {
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static bool is_of_the_system(const char *path) {
  static const char *const folders[] = {"/usr", "/bin", "/lib", "/lib64"};
  for (size_t n = 0; n < sizeof folders / sizeof *folders; n++)
    if (is_below(path, folders[n]))
      return true;
  return false;
}

static bool add_path(struct compile_folder *folder, const char *path, struct error *error) {
  if (is_of_the_system(path))
    return true;
  if (folder->readable_count == COMPILE_READABLE)
    return error_set(error, "%s: the compiler needs too many files", path);
  char *text = folder->texts[folder->readable_count];
  snprintf(text, sizeof folder->texts[0], "%s", path);
  folder->readable[folder->readable_count++] = text;
  return true;
}

/* The folder above bin/, where a compiler has its other files. It must not contain the kit. */
static bool add_toolkit(struct compile_folder *folder, const char *program,
                        const struct installation_lab *lab, struct error *error) {
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", program);
  const char *toolkit = dirname(dirname(copy));
  if (is_of_the_system(program))
    return true;
  if (strcmp(toolkit, "/") == 0 || is_below(lab->contract, toolkit) || is_below(lab->suite, toolkit))
    return error_set(error, "%s: the compiler's folder %s contains the kit: expected a folder of its own",
                     program, toolkit);
  return add_path(folder, toolkit, error);
}

/* By its name and, behind links, by its place. */
static bool add_compiler(struct compile_folder *folder, const char *program,
                         const struct installation_lab *lab, struct error *error) {
  char real[PATH_MAX];
  if (access(program, X_OK) != 0)
    return error_set(error, "%s: cannot run it: %s: expected the compiler of this build", program,
                     strerror(errno));
  return add_toolkit(folder, program, lab, error) &&
         (!realpath(program, real) || strcmp(real, program) == 0 || add_toolkit(folder, real, lab, error));
}

bool compile_folder_enter(struct compile_folder *folder, const struct installation *kit,
                          const struct installation_lab *lab, const struct jail *jail, struct error *error) {
  *folder = (struct compile_folder){.jail = *jail, .origin = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  working_folder_remove(name); /* of a compilation that was stopped */
  if (folder->origin < 0 || mkdir(name, 0700) != 0 || chdir(name) != 0 ||
      !getcwd(folder->path, sizeof folder->path))
    return error_set(error, "cannot make the folder %s: %s", name, strerror(errno));
  folder->jail.writable = folder->path;
  folder->jail.readable = folder->readable;
  folder->jail.tmpfs = TMPFS;
  return add_compiler(folder, kit->nvcc, lab, error) && add_compiler(folder, kit->cc, lab, error);
}

bool compile_folder_add_readable(struct compile_folder *folder, const char *const *words,
                                 struct error *error) {
  for (; *words; words++)
    if (**words == '/' && !add_path(folder, *words, error))
      return false;
  return true;
}

/* A regular file alone: a link, a FIFO or a device may stand in its place. */
static bool copy(int from_folder, const char *from, int to_folder, const char *to, mode_t mode) {
  struct stat status;
  const int source = openat(from_folder, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const int target = openat(to_folder, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  bool copied = source >= 0 && target >= 0 && fstat(source, &status) == 0 && S_ISREG(status.st_mode) &&
                fchmod(target, mode) == 0;
  for (char bytes[1 << 16]; copied;) {
    const ssize_t count = all_bytes_read(source, bytes, sizeof bytes);
    copied = count >= 0 && all_bytes_write(target, bytes, (size_t)count);
    if (count <= 0)
      break;
  }
  const int cause = errno;
  if (source >= 0)
    close(source);
  if (target >= 0)
    copied &= close(target) == 0;
  errno = cause;
  return copied;
}

static bool is_header(const char *file) {
  const size_t length = strlen(file);
  return length > 2 && strcmp(file + length - 2, ".h") == 0;
}

static bool copy_headers(DIR *from, const char *to) {
  const int folder = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool copied = folder >= 0;
  for (struct dirent *entry; copied && (entry = readdir(from));)
    if (is_header(entry->d_name))
      copied = copy(dirfd(from), entry->d_name, folder, entry->d_name, 0644);
  if (folder >= 0)
    close(folder);
  return copied;
}

const char *compile_folder_add_headers(struct compile_folder *folder, const char *from, struct error *error) {
  if (folder->count == COMPILE_FOLDERS) {
    error_set(error, "too many folders of headers: expected at most %d", COMPILE_FOLDERS);
    return NULL;
  }
  char *option = folder->options[folder->count];
  snprintf(option, sizeof folder->options[0], "-Iheaders.%d", folder->count++);
  DIR *stream = opendir(from);
  const bool copied = stream && mkdir(option + 2, 0755) == 0 && chmod(option + 2, 0755) == 0 &&
                      copy_headers(stream, option + 2);
  if (!copied)
    error_set(error, "%s: cannot copy the headers: %s", from, strerror(errno));
  if (stream)
    closedir(stream);
  return copied ? option : NULL;
}

static bool is_regular(int folder, const char *file) {
  struct stat status;
  return fstatat(folder, file, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

bool compile_folder_leave(struct compile_folder *folder, const char *made, struct error *error, bool *fault) {
  bool taken = folder->origin >= 0 && fchdir(folder->origin) == 0;
  *fault = !taken;
  const int from = taken ? open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (taken && made) {
    unlink(made);
    const bool is_made = is_regular(from, made);
    taken = is_made ? copy(from, made, folder->origin, made, 0755) ||
                          error_set(error, "%s: cannot copy: %s", made, strerror(errno))
                    : error_set(error, "%s: the linker made no regular file", made);
    *fault = is_made && !taken;
  } else if (!taken)
    error_set(error, "cannot leave the folder %s: %s", name, strerror(errno));
  if (from >= 0)
    close(from);
  if (folder->origin >= 0)
    close(folder->origin);
  working_folder_remove(folder->path);
  return taken;
}
