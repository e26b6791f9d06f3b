#define _GNU_SOURCE /* dirfd, mkdtemp */
#include "native_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "digest.h"

enum { MOST_FILES = 256 };

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
         (found.st_mode & 0077) == 0 && access(path, W_OK) == 0;
}

const char *native_cache_folder(void) {
  static char path[4000];
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (cache && cache[0] == '/')
    length = snprintf(path, sizeof path, "%s/checkerboard/native", cache);
  else if (home && home[0] == '/')
    length = snprintf(path, sizeof path, "%s/.cache/checkerboard/native", home);
  if (length < 0 || (size_t)length >= sizeof path)
    return NULL;
  make_folders(path);
  return is_ours(path) ? path : NULL;
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

static void hash_text(struct hash *h, const char *text) {
  const size_t length = strlen(text) + 1; /* the end separates it from the next one */
  for (size_t i = 0; i < length; i += 4) {
    uint32_t word = 0;
    memcpy(&word, text + i, length - i < 4 ? length - i : 4);
    h->a = (h->a ^ digest_mix(word)) * UINT64_C(0x9e3779b97f4a7c15);
    h->a ^= h->a >> 29;
    h->b = (h->b + digest_mix(word ^ UINT32_C(0x85ebca6b))) * UINT64_C(0xbf58476d1ce4e5b9);
    h->b ^= h->b >> 31;
  }
}

void native_cache_name(const char *const *texts, size_t count, const char *const *flags, char *name,
                       size_t size) {
  struct hash h = {1, 2};
  for (size_t i = 0; i < count; i++)
    hash_text(&h, texts[i]);
  for (; *flags; flags++)
    hash_text(&h, *flags);
  snprintf(name, size, "%016llx%016llx", (unsigned long long)h.a, (unsigned long long)h.b);
}

/* Removes the oldest file if there are more than MOST_FILES; returns whether it did. */
static bool remove_oldest(DIR *folder) {
  char oldest[NAME_MAX + 1] = "";
  struct timespec since = {0};
  unsigned count = 0;
  rewinddir(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat found;
    if (entry->d_name[0] == '.' || fstatat(dirfd(folder), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    count++;
    if (oldest[0] && (found.st_mtim.tv_sec > since.tv_sec ||
                      (found.st_mtim.tv_sec == since.tv_sec && found.st_mtim.tv_nsec >= since.tv_nsec)))
      continue;
    since = found.st_mtim;
    snprintf(oldest, sizeof oldest, "%s", entry->d_name);
  }
  return count > MOST_FILES && unlinkat(dirfd(folder), oldest, 0) == 0;
}

void native_cache_prune(const char *path) {
  DIR *folder = opendir(path);
  while (folder && remove_oldest(folder))
    continue;
  if (folder)
    closedir(folder);
}
