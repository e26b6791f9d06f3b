#include "output.h"
#include "allocate.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Length of the directory part of path, its last slash included. */
static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

static char *copy_string(const char *text) { return strcpy(allocate_zeroed(strlen(text) + 1, 1), text); }

/* mkstemp creates files that only their owner can read; this sets the permissions of open(…, 0666). */
static void apply_umask(int file) {
  mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
}

static void release(struct output *output) {
  free(output->path);
  free(output->temporary);
  *output = (struct output){0};
}

/* Output goes directly to a pipe, a terminal or /dev/null, and through a symbolic link to its target: a rename
 * would replace them. */
static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* A target is opened without truncation, so that a check changes nothing. */
static bool check_special(const char *path, struct error *error) {
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return true; /* opening a pipe would disturb its reader */
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return error_set(error, "%s: cannot write: %s", path, strerror(errno));
  close(file);
  return true;
}

static bool open_special(struct output *output, struct error *error) {
  output->stream = fopen(output->path, "wb");
  if (output->stream)
    return true;
  error_set(error, "%s: cannot write: %s", output->path, strerror(errno));
  release(output);
  return false;
}

bool output_open(struct output *output, const char *path, struct error *error) {
  *output = (struct output){.path = copy_string(path)};
  if (is_special(path))
    return open_special(output, error);
  size_t size = directory_length(path) + sizeof ".output.XXXXXX";
  output->temporary = allocate_zeroed(size, 1);
  snprintf(output->temporary, size, "%.*s.output.XXXXXX", (int)directory_length(path), path);
  int file = mkstemp(output->temporary);
  if (file >= 0) {
    apply_umask(file);
    output->stream = fdopen(file, "wb");
  }
  if (output->stream)
    return true;
  error_set(error, "%s: cannot create a file in its directory: %s", path, strerror(errno));
  if (file >= 0) {
    close(file);
    unlink(output->temporary);
  }
  release(output);
  return false;
}

bool output_check(const char *path, struct error *error) {
  struct output output;
  if (is_special(path))
    return check_special(path, error);
  if (!output_open(&output, path, error))
    return false;
  output_discard(&output);
  return true;
}

/* A rename survives a power cut once its directory is on disk. Some file systems refuse this sync; the
 * file is complete anyway. */
static void sync_directory(const char *path) {
  size_t length = directory_length(path);
  char *directory = length ? copy_string(path) : copy_string(".");
  if (length)
    directory[length] = '\0';
  int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    fsync(file);
    close(file);
  }
  free(directory);
}

static bool commit(struct output *output, bool to_disk, struct error *error) {
  to_disk &= output->temporary != NULL;
  bool written = !ferror(output->stream) && fflush(output->stream) == 0 &&
                 (!to_disk || fsync(fileno(output->stream)) == 0);
  int cause = errno;
  if (fclose(output->stream) != 0 && written) {
    written = false;
    cause = errno;
  }
  if (written && output->temporary && rename(output->temporary, output->path) != 0) {
    written = false;
    cause = errno;
  }
  if (written) {
    if (to_disk)
      sync_directory(output->path);
  } else {
    if (output->temporary)
      unlink(output->temporary);
    error_set(error, "%s: cannot write: %s", output->path, strerror(cause));
  }
  release(output);
  return written;
}

bool output_commit(struct output *output, struct error *error) { return commit(output, false, error); }

bool output_commit_to_disk(struct output *output, struct error *error) { return commit(output, true, error); }

void output_discard(struct output *output) {
  fclose(output->stream);
  if (output->temporary)
    unlink(output->temporary);
  release(output);
}
