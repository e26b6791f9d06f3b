#define _GNU_SOURCE /* dirfd, flock, mkdtemp */
#include "native_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device/room.h"

#define MOST_BYTES (INT64_C(256) << 20) /* of the files; an object has about 30 KiB */
#define MOST_AGE (60 * 24 * 60 * 60)    /* s since their last use */
#define MOST_OBJECT (INT64_C(64) << 20)
enum { LEAST_FILE = 4096 /* what an empty file counts */ };

/* Makes `path` and the folders above it as far as they are missing. */
static void make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  mkdir(path, 0700);
}

static bool is_ours(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & 0077) == 0;
}

bool native_cache_folder(char *path, size_t size, bool make) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = -1;
  path[0] = '\0';
  if (cache && cache[0] == '/')
    length = snprintf(path, size, "%s/checkerboard/native", cache);
  else if (home && home[0] == '/')
    length = snprintf(path, size, "%s/.cache/checkerboard/native", home);
  if (length < 0 || (size_t)length >= size)
    return false;
  if (make)
    make_folders(path);
  return is_ours(path);
}

char *native_cache_temporary(void) {
  const char *base = getenv("TMPDIR");
  char path[4000];
  snprintf(path, sizeof path, "%s/simgpu-native.XXXXXX", base && base[0] == '/' ? base : "/tmp");
  return mkdtemp(path) ? strdup(path) : NULL;
}

struct hash {
  uint64_t a, b;
};

/* Eight bytes at a time, since it hashes the text of native_code.h each time: multiplications and shifts in the manner
 * of SplitMix64 (order.c), twice. */
static void hash_bytes(struct hash *h, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, length - i < 8 ? length - i : 8);
    h->a = (h->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    h->a ^= h->a >> 32;
    h->b = (h->b + word) * UINT64_C(0xbf58476d1ce4e5b9);
    h->b ^= h->b >> 29;
  }
}

/* The end of a text separates it from the next one. */
static void hash_text(struct hash *h, const char *text) { hash_bytes(h, text, strlen(text) + 1); }

void native_cache_name(const char *const *texts, size_t count, const char *const *flags, char *name,
                       size_t size) {
  struct hash h = {1, 2};
  for (size_t i = 0; i < count; i++)
    hash_text(&h, texts[i]);
  for (; *flags; flags++)
    hash_text(&h, *flags);
  snprintf(name, size, "%016llx%016llx", (unsigned long long)h.a, (unsigned long long)h.b);
}

int native_cache_lock(const char *path) {
  for (;;) {
    struct stat found;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
      return -1;
    while (flock(file, LOCK_EX) != 0)
      if (errno != EINTR) {
        close(file);
        return -1;
      }
    if (fstat(file, &found) == 0 && found.st_nlink > 0)
      return file;
    close(file); /* the process that held it has removed it: another one may hold a new file */
  }
}

void native_cache_unlock(int file, const char *path) {
  if (file < 0)
    return;
  unlink(path);
  flock(file, LOCK_UN);
  close(file);
}

/* Objects */

static struct hash seal_of(const char *name, const char *bytes, size_t length) {
  struct hash seal = {3, 4};
  hash_text(&seal, name);
  hash_bytes(&seal, bytes, length);
  return seal;
}

/* The content of one of the user's own files, or NULL. */
static char *read_object(int file, size_t *length) {
  struct stat found;
  if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != geteuid() ||
      found.st_size > MOST_OBJECT)
    return NULL;
  char *bytes = room_zeroed((size_t)found.st_size + 1, 1);
  *length = 0;
  for (ssize_t more = 1; more > 0 && *length < (size_t)found.st_size; *length += (size_t)more)
    if ((more = read(file, bytes + *length, (size_t)found.st_size - *length)) < 0)
      more = 0;
  return bytes;
}

bool native_cache_seal(const char *path, const char *name) {
  size_t length;
  const int file = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  char *bytes = file >= 0 ? read_object(file, &length) : NULL;
  bool sealed = false;
  if (bytes) {
    const struct hash seal = seal_of(name, bytes, length);
    sealed = write(file, &seal, sizeof seal) == (ssize_t)sizeof seal;
  }
  free(bytes);
  if (file >= 0)
    close(file);
  return sealed;
}

bool native_cache_has(const char *path, const char *name) {
  size_t length;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return false;
  char *bytes = read_object(file, &length);
  bool has = false;
  if (bytes && length > sizeof(struct hash)) {
    length -= sizeof(struct hash);
    const struct hash seal = seal_of(name, bytes, length);
    has = memcmp(&seal, bytes + length, sizeof seal) == 0;
  }
  free(bytes);
  if (has)
    futimens(file, NULL); /* for native_cache_prune() */
  close(file);
  return has;
}

struct entry {
  char name[NAME_MAX + 1];
  int64_t used, bytes;
};

static int by_use(const void *a, const void *b) {
  const int64_t x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
  return (x > y) - (x < y);
}

static struct entry *read_folder(DIR *folder, uint32_t *count, int64_t *bytes) {
  struct entry *entries = NULL;
  *count = 0;
  *bytes = 0;
  for (struct dirent *found; (found = readdir(folder));) {
    struct stat file;
    if (found->d_name[0] == '.' || fstatat(dirfd(folder), found->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    entries = room_grown(entries, *count, sizeof *entries);
    struct entry *e = &entries[(*count)++];
    *e = (struct entry){.used = file.st_mtim.tv_sec,
                        .bytes = file.st_size > LEAST_FILE ? file.st_size : LEAST_FILE};
    snprintf(e->name, sizeof e->name, "%s", found->d_name);
    *bytes += e->bytes;
  }
  if (entries)
    qsort(entries, *count, sizeof *entries, by_use);
  return entries;
}

void native_cache_prune(const char *path) {
  uint32_t count;
  int64_t bytes;
  DIR *folder = opendir(path);
  if (!folder)
    return;
  struct entry *entries = read_folder(folder, &count, &bytes);
  const int64_t oldest = (int64_t)time(NULL) - MOST_AGE;
  for (uint32_t n = 0; n < count && (bytes > MOST_BYTES || entries[n].used < oldest); n++) {
    unlinkat(dirfd(folder), entries[n].name, 0);
    bytes -= entries[n].bytes;
  }
  free(entries);
  closedir(folder);
}
