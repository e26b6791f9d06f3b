#include "share.h"
#include "all_bytes.h"
#include "seed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

bool share_read(const char *text, struct share *share, struct error *error) {
  int end = 0;
  *share = (struct share){0};
  const bool read = strspn(text, "0123456789/") == strlen(text) && strlen(text) < 16 &&
                    sscanf(text, "%6d/%6d%n", &share->number, &share->count, &end) == 2 && !text[end];
  return (read && share->number >= 1 && share->number <= share->count) ||
         error_set(error, "--share %s: expected K/N, such as 2/8, with K from 1 to N", text);
}

bool share_has(struct share share, int entry) {
  return share.count == 0 || entry % share.count == share.number - 1;
}

/* Opened for writing, which NFS requires of an exclusive lock. */
int share_lock(const char *path, bool wait) {
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    error_die("%s: cannot open the lock: %s", path, strerror(errno));
  int status;
  do
    status = flock(file, wait ? LOCK_EX : LOCK_EX | LOCK_NB);
  while (status != 0 && errno == EINTR);
  if (status == 0)
    return file;
  if (wait || errno != EWOULDBLOCK)
    error_die("%s: cannot lock it: %s: expected a file system with flock", path, strerror(errno));
  close(file);
  return -1;
}

/* A number without its newline was not written to its end. */
static int read_seed(int file) {
  char text[16] = "", newline = '\0';
  int seed = 0;
  return all_bytes_read_at(file, text, sizeof text - 1, 0) > 0 &&
                 sscanf(text, "%d%c", &seed, &newline) == 2 && newline == '\n' && seed > 0
             ? seed
             : 0;
}

int share_seed(const char *path, int given) {
  const int file = share_lock(path, true), old = read_seed(file);
  const int seed = given ? given : old ? old : seed_draw();
  char text[16];
  const int length = snprintf(text, sizeof text, "%d\n", seed);
  if (seed != old && (lseek(file, 0, SEEK_SET) != 0 || !all_bytes_write(file, text, (size_t)length) ||
                      ftruncate(file, length) != 0 || fsync(file) != 0))
    error_die("%s: cannot write: %s", path, strerror(errno));
  close(file);
  return seed;
}
