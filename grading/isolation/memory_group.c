#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "memory_group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 4096, TRIES = 100 }; /* a millisecond each */

static bool read_file(const char *folder, const char *name, char text[TEXT]) {
  char path[640];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  const size_t length = file ? fread(text, 1, TEXT - 1, file) : 0;
  text[length] = '\0';
  if (file)
    fclose(file);
  return length > 0;
}

static bool write_file(const char *folder, const char *name, const char *text) {
  char path[640];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const ssize_t length = (ssize_t)strlen(text);
  const bool good = file >= 0 && TEMP_FAILURE_RETRY(write(file, text, (size_t)length)) == length;
  if (file >= 0)
    close(file);
  return good;
}

/* The number behind a word at the beginning of a line. */
static unsigned long long number_behind(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
    if (strncmp(line, word, length) == 0)
      return strtoull(line + length, NULL, 10);
  return 0;
}

/* The folder of the caller's own group: `controller` stands before its name in /proc/self/cgroup. */
static bool find_own(const char *text, const char *controller, const char *mounted, char folder[256]) {
  const char *found = strstr(text, controller);
  if (!found)
    return false;
  found += strlen(controller);
  const int length = (int)strcspn(found, "\n");
  const int written = snprintf(folder, 256, "%s%.*s", mounted, length, found);
  return written > 0 && written < 256;
}

/* Of supervisors that were killed. A group with processes stays; its maker may be in another container. */
static void remove_old(const char *folder) {
  enum { OLD = 3600 }; /* seconds; a run has ended by then */
  DIR *groups = opendir(folder);
  struct stat about;
  for (struct dirent *entry; groups && (entry = readdir(groups));)
    if (strncmp(entry->d_name, "checkerboard.", strlen("checkerboard.")) == 0 &&
        fstatat(dirfd(groups), entry->d_name, &about, 0) == 0 && about.st_mtime < time(NULL) - OLD)
      unlinkat(dirfd(groups), entry->d_name, AT_REMOVEDIR);
  if (groups)
    closedir(groups);
}

static bool make_in(struct memory_group *group, const char *folder) {
  static unsigned long count; /* of this process */
  snprintf(group->path, sizeof group->path, "%s/checkerboard.%ld.%lu", folder, (long)getpid(), ++count);
  remove_old(folder);
  if (mkdir(group->path, 0755) == 0)
    return true;
  group->path[0] = '\0';
  return false;
}

static bool divides_memory(const char *folder) {
  char text[TEXT];
  return read_file(folder, "cgroup.subtree_control", text) && strstr(text, "memory");
}

/* Version 2: a group with processes has no groups below it, so the new one is beside the caller's. */
static bool make_unified(struct memory_group *group, char folder[256]) {
  group->is_unified = true;
  return (divides_memory(folder) && make_in(group, folder)) ||
         (strcmp(folder, "/sys/fs/cgroup/") != 0 && divides_memory(dirname(folder)) &&
          make_in(group, folder));
}

bool memory_group_open(struct memory_group *group, uint64_t most) {
  char text[TEXT], folder[256], number[32];
  *group = (struct memory_group){.path = ""};
  snprintf(number, sizeof number, "%llu", (unsigned long long)most);
  if (!read_file("/proc/self", "cgroup", text))
    return false;
  if (find_own(text, ":memory:", "/sys/fs/cgroup/memory", folder))
    make_in(group, folder);
  else if (find_own(text, "0::", "/sys/fs/cgroup", folder))
    make_unified(group, folder);
  if (!group->path[0])
    return false;
  write_file(group->path, group->is_unified ? "memory.swap.max" : "memory.swappiness", "0");
  if (write_file(group->path, group->is_unified ? "memory.max" : "memory.limit_in_bytes", number))
    return true;
  memory_group_close(group);
  return false;
}

bool memory_group_enter(const struct memory_group *group) {
  return group->path[0] && write_file(group->path, "cgroup.procs", "0");
}

struct memory_group_report memory_group_look(const struct memory_group *group) {
  struct memory_group_report report = {false, false};
  char text[TEXT];
  if (!group->path[0])
    return report;
  if (read_file(group->path, group->is_unified ? "memory.events" : "memory.oom_control", text))
    report.has_killed = number_behind(text, "oom_kill ") > 0;
  if (group->is_unified)
    report.was_full = number_behind(text, "oom ") > 0;
  else if (read_file(group->path, "memory.failcnt", text))
    report.was_full = strtoull(text, NULL, 10) > 0;
  return report;
}

struct memory_group_report memory_group_close(struct memory_group *group) {
  const struct memory_group_report report = memory_group_look(group);
  if (!group->path[0])
    return report;
  for (int n = 0; n < TRIES && rmdir(group->path) != 0 && errno == EBUSY; n++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  group->path[0] = '\0';
  return report;
}
