#define _GNU_SOURCE /* unshare, setresuid, memfd_create, execveat */
#include "jail.h"
#include "all_bytes.h"
#include "landlock.h"
#include "seccomp_filter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char jail_folder[] = "/jail";
static const char large_pages[] = "/sys/kernel/mm/transparent_hugepage";
const char jail_own_program[] = ISOLATION_KEEPER; /* without a socket */

enum { WORDS = 256, PATHS = 64, SIGNAL_BASE = 128, LOCKED_MEMORY = 64 << 10 };

const char *const isolation_names[] = {
    [ISOLATION_NONE] = "none", [ISOLATION_REDUCED] = "reduced", [ISOLATION_FULL] = "full", NULL};

bool jail_has_namespaces(const struct jail *jail) {
  return jail->level == ISOLATION_FULL || (jail->level == ISOLATION_REDUCED && jail->namespaces);
}

bool jail_fail(const char *format, ...) {
  const int cause = errno;
  va_list values;
  va_start(values, format);
  fputs("the jail: ", stderr);
  vfprintf(stderr, format, values);
  va_end(values);
  fprintf(stderr, ": %s\n", strerror(cause));
  return false;
}

const char *jail_find(const char *name, char path[], size_t size) {
  const char *list = getenv("PATH");
  for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
    const int length = snprintf(path, size, "%.*s/%s", (int)strcspn(list, ":"), list, name);
    if (path[0] == '/' && length > 0 && (size_t)length < size && access(path, X_OK) == 0)
      return path;
  }
  return NULL;
}

/* --- what every level has --- */

static void limit(int resource, uint64_t most) { setrlimit(resource, &(struct rlimit){most, most}); }

void jail_set_limits(const struct jail *jail) {
  if (jail->level == ISOLATION_NONE)
    return;

  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  if (!jail->gpu) /* a driver locks the memory that it copies from */
    limit(RLIMIT_MEMLOCK, LOCKED_MEMORY);
}

/* Root of a user namespace may have no other user. */
static bool has_user(unsigned user) {
  unsigned first, outside, count;
  bool has = false;
  FILE *map = fopen("/proc/self/uid_map", "r");
  while (map && fscanf(map, "%u %u %u", &first, &outside, &count) == 3)
    has |= user >= first && user - first < count;
  if (map)
    fclose(map);
  return has;
}

/* Whether the program runs as the user of its slot. */
static bool can_change_user(const struct jail *jail) {
  return geteuid() == 0 && has_user(JAIL_FIRST_USER + (unsigned)jail->slot);
}

bool jail_become_user(const struct jail *jail) {
  const uid_t user = JAIL_FIRST_USER + (uid_t)jail->slot;
  if (!can_change_user(jail))
    return true;
  if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    return jail_fail("cannot become user %u", (unsigned)user);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* lost with the change of the user */
  return true;
}

/* The folder belongs to the user of the slot: it was made for this program alone. */
static bool hand_over(const struct jail *jail, const char *path) {
  const uid_t user = JAIL_FIRST_USER + (uid_t)jail->slot;
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const bool done =
      folder >= 0 && fchdir(folder) == 0 && (!can_change_user(jail) || fchown(folder, user, user) == 0);
  if (!done)
    jail_fail("%s", path);
  if (folder >= 0)
    close(folder);
  return done;
}

/* The opened file, too: a folder above it may be closed for this user. */
static void run(const char *path, int file, const char *const *arguments) {
  char *const *words = (char *const *)(uintptr_t)arguments;
  execv(path, words);
  if (file >= 0 && errno == EACCES)
    execveat(file, "", words, environ, AT_EMPTY_PATH);
  jail_fail("%s: cannot run", path);
}

/* --- bubblewrap --- */

struct words {
  const char *list[WORDS];
  int count;
  char text[16384]; /* of words that are made here */
  size_t used;
};

static void add_list(struct words *words, const char *const *more) {
  for (; *more && words->count < WORDS - 1; more++)
    words->list[words->count++] = *more;
}
#define ADD(words, ...) add_list(words, (const char *const[]){__VA_ARGS__, NULL})

__attribute__((format(printf, 2, 3))) static const char *keep(struct words *words, const char *format, ...) {
  char *text = words->text + words->used;
  const size_t room = sizeof words->text - words->used;
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(text, room, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= room) {
    words->count = WORDS; /* no room: jail_exec fails */
    return "";
  }
  words->used += (size_t)length + 1;
  return text;
}

/* Searches the file: asking the program costs as much as a jail. */
static bool has_option(const char *bwrap, const char *option) {
  struct stat status;
  const int file = open(bwrap, O_RDONLY | O_CLOEXEC);
  bool has = false;
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    has = bytes != MAP_FAILED && memmem(bytes, size, option, strlen(option) + 1);
    if (bytes != MAP_FAILED)
      munmap(bytes, size);
  }
  if (file >= 0)
    close(file);
  return has;
}

/* /bin, /lib and others: links into /usr, or folders on older systems. The C library looks for large pages. */
static void add_system(struct words *words) {
  static const char *const folders[] = {"/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"};
  static const char *const files[] = {"/etc/ld.so.cache", "/etc/alternatives", large_pages};
  ADD(words, "--ro-bind", "/usr", "/usr");
  for (size_t n = 0; n < sizeof folders / sizeof *folders; n++) {
    char target[PATH_MAX];
    const ssize_t length = readlink(folders[n], target, sizeof target - 1);
    if (length > 0)
      ADD(words, "--symlink", keep(words, "%.*s", (int)length, target), folders[n]);
    else if (access(folders[n], F_OK) == 0)
      ADD(words, "--ro-bind", folders[n], folders[n]);
  }
  for (size_t n = 0; n < sizeof files / sizeof *files; n++)
    if (access(files[n], F_OK) == 0)
      ADD(words, "--ro-bind", files[n], files[n]);
}

/* bubblewrap's own --dev has terminals and a tmpfs without a size. No /dev/zero: a shared mapping of it is memory that
 * no process has resident after MADV_DONTNEED. */
static void add_devices(struct words *words, bool gpu) {
  static const char *const devices[] = {"/dev/null", "/dev/urandom"};
  static const char *const of_gpu[] = {"/dev/nvidia*", "/dev/nvidia-caps"};
  for (size_t n = 0; n < sizeof devices / sizeof *devices; n++)
    ADD(words, "--dev-bind", devices[n], devices[n]);
  ADD(words, "--symlink", "/proc/self/fd", "/dev/fd");
  for (size_t n = 0; gpu && n < sizeof of_gpu / sizeof *of_gpu; n++) {
    glob_t found;
    if (glob(of_gpu[n], 0, NULL, &found) == 0)
      for (size_t k = 0; k < found.gl_pathc; k++) {
        const char *path = keep(words, "%s", found.gl_pathv[k]);
        ADD(words, "--dev-bind", path, path);
      }
    globfree(&found);
  }
  if (gpu) /* the driver reads what PCI devices there are */
    ADD(words, "--ro-bind-try", "/sys", "/sys");
}

/* Where bubblewrap finds the caller's files: root first mounts them in a place of its own, since the user of
 * the slot may not reach the folders above them. */
struct sources {
  const char *paths[PATHS]; /* the last: the writable folder */
  int files[PATHS];
  int count;
  bool staged;
};

static const char stage[] = "/tmp";

static bool is_below_usr(const char *path) { return strncmp(path, "/usr/", 5) == 0; }

static bool list_sources(const struct jail *jail, const char *program, struct sources *sources) {
  const char *const program_alone[] = {program, NULL};
  for (const char *const *path = jail->readable ? jail->readable : program_alone; *path; path++)
    if (!is_below_usr(*path) && sources->count < PATHS - 1)
      sources->paths[sources->count++] = *path;
  if (jail->writable)
    sources->paths[sources->count++] = jail->writable;
  for (int n = 0; n < sources->count; n++)
    if ((sources->files[n] = open(sources->paths[n], O_PATH | O_CLOEXEC)) < 0)
      return jail_fail("%s", sources->paths[n]);
  return true;
}

static bool stage_one(int file, int number) {
  char place[32], source[32];
  struct stat status;
  snprintf(place, sizeof place, "%s/%d", stage, number);
  snprintf(source, sizeof source, "/proc/self/fd/%d", file);
  if (fstat(file, &status) != 0)
    return false;
  if (S_ISDIR(status.st_mode) ? mkdir(place, 0755) != 0 : mknod(place, S_IFREG | 0644, 0) != 0)
    return false;
  return mount(source, place, NULL, MS_BIND | MS_REC, NULL) == 0;
}

/* Without the right to mount, as in many containers, the user of the slot has to reach the files itself. */
static bool stage_sources(const struct jail *jail, struct sources *sources) {
  if (!can_change_user(jail) || sources->count == 0)
    return true;
  for (int n = 0; n < sources->count; n++)
    close(sources->files[n]);
  if (unshare(CLONE_NEWNS) != 0)
    return errno == EPERM || jail_fail("cannot make a mount namespace");
  for (int n = 0; n < sources->count; n++) /* again: a descriptor belongs to its namespace */
    if ((sources->files[n] = open(sources->paths[n], O_PATH | O_CLOEXEC)) < 0)
      return jail_fail("%s", sources->paths[n]);
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount("tmpfs", stage, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=0755") != 0)
    return jail_fail("cannot mount %s", stage);
  for (int n = 0; n < sources->count; n++)
    if (!stage_one(sources->files[n], n))
      return jail_fail("cannot mount %s", sources->paths[n]);
  return sources->staged = true;
}

static void add_sources(struct words *words, const struct jail *jail, const struct sources *sources) {
  for (int n = 0; n < sources->count; n++) {
    const char *path = sources->paths[n];
    const char *from = sources->staged ? keep(words, "%s/%d", stage, n) : path;
    ADD(words, path == jail->writable ? "--bind" : "--ro-bind", from, path);
  }
}

/* The filter for bubblewrap, in a file that it reads and closes. */
static int open_filter(bool gpu) {
  const int file = memfd_create("filter", 0);
  if (file >= 0 && seccomp_filter_write(file, gpu) && lseek(file, 0, SEEK_SET) == 0)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

/* Copies of the links in the current folder. */
static void add_links(struct words *words, DIR *stream, const char *current) {
  for (struct dirent *entry; stream && (entry = readdir(stream));) {
    char target[PATH_MAX];
    const ssize_t length = readlinkat(dirfd(stream), entry->d_name, target, sizeof target - 1);
    if (length > 0)
      ADD(words, "--symlink", keep(words, "%.*s", (int)length, target),
          keep(words, "%s/%s", current, entry->d_name));
  }
  if (stream)
    closedir(stream);
}

static void add_mounts(struct words *words, const struct jail *jail, const struct sources *sources,
                       DIR *links) {
  const char *current = jail->writable ? jail->writable : jail_folder;
  add_system(words);
  ADD(words, "--proc", "/proc", "--remount-ro", "/proc"); /* /proc/self/autogroup has a priority */
  add_devices(words, jail->gpu);
  ADD(words, "--size", keep(words, "%llu", (unsigned long long)jail->tmpfs), "--tmpfs", jail_folder);
  add_sources(words, jail, sources);
  add_links(words, links, current);
  ADD(words, "--remount-ro", "/", "--chdir", current);
}

/* bubblewrap's own processes must not count: the limit holds in the new user namespace, where prlimit sets it. */
static void add_program(struct words *words, const struct jail *jail, const char *const *arguments) {
  char path[PATH_MAX];
  ADD(words, "--");
  if (!jail->has_rooms && jail_find("prlimit", path, sizeof path)) /* a room limits its runs */
    ADD(words, keep(words, "%s", path), keep(words, "--nproc=%d", JAIL_PROCESSES), "--");
  add_list(words, arguments);
}

static void exec_bubblewrap(const struct jail *jail, const char *const *arguments) {
  static struct words words;
  struct sources sources = {.count = 0};
  char bwrap[PATH_MAX];
  if (!jail_find("bwrap", bwrap, sizeof bwrap)) {
    jail_fail("bwrap is not in PATH");
    return;
  }
  const int program = open(bwrap, O_PATH | O_CLOEXEC);
  const int filter = seccomp_filter_can_limit() ? open_filter(jail->gpu) : -1;
  if (filter < 0 && (seccomp_filter_can_limit() || jail->level == ISOLATION_FULL)) {
    jail_fail("cannot make the filter of system calls");
    return;
  }
  DIR *links = jail->links ? opendir(jail->links) : NULL;
  if (!list_sources(jail, arguments[0], &sources) || (jail->writable && !hand_over(jail, jail->writable)) ||
      !stage_sources(jail, &sources))
    return;
  ADD(&words, bwrap, "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop",
      "ALL");
  if (!jail->has_rooms &&
      has_option(bwrap, "--disable-userns")) /* its second user namespace owns no mounts */
    ADD(&words, "--disable-userns");
  if (filter >= 0)
    ADD(&words, "--seccomp", keep(&words, "%d", filter));
  if (jail->path)
    ADD(&words, "--setenv", "PATH", jail->path);
  if (jail->status > STDERR_FILENO)
    ADD(&words, "--json-status-fd", keep(&words, "%d", jail->status));
  add_mounts(&words, jail, &sources, links);
  add_program(&words, jail, arguments);
  errno = E2BIG;
  if (words.count >= WORDS - 1)
    jail_fail("too many files or arguments");
  else if (jail_become_user(jail))
    run(bwrap, program, words.list);
}

/* --- without namespaces --- */

/* Also for a root that stays root. */
void jail_drop_bounds(void) {
  for (unsigned long capability = 0; capability < 64; capability++)
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

static bool limit_files(const struct jail *jail, const char *program) {
  static const char *const system[] = {"/usr",
                                       "/bin",
                                       "/sbin",
                                       "/lib",
                                       "/lib64",
                                       "/lib32",
                                       "/etc/ld.so.cache",
                                       "/etc/alternatives",
                                       "/proc/self",
                                       "/dev/urandom",
                                       large_pages,
                                       NULL};
  const char *all[2 * PATHS] = {program};
  int count = 1;
  if (!landlock_is_there() || jail->gpu)
    return true;
  for (int n = 0; system[n]; n++)
    all[count++] = system[n];
  if (jail->links)
    all[count++] = jail->links;
  for (const char *const *path = jail->readable; path && *path && count < 2 * PATHS - 1; path++)
    all[count++] = *path;
  return landlock_limit(all, jail->writable) || jail_fail("Landlock");
}

/* After the last look for a program of the grader. */
static void set_path(const struct jail *jail) {
  if (jail->path)
    setenv("PATH", jail->path, 1);
}

static void exec_reduced(const struct jail *jail, const char *const *arguments) {
  const int program = open(arguments[0], O_PATH | O_CLOEXEC);
  if (program < 0) {
    jail_fail("%s", arguments[0]);
    return;
  }
  const char *current = jail->writable ? jail->writable : jail->links;
  if (!(current ? hand_over(jail, current) : chdir("/") == 0) ||
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !limit_files(jail, arguments[0]))
    return;
  if (can_change_user(jail)) /* of an ordinary user, all other processes would count, too */
    limit(RLIMIT_NPROC, JAIL_PROCESSES);
  jail_drop_bounds();
  if (!jail_become_user(jail))
    return;
  if (seccomp_filter_can_limit() && !seccomp_filter_limit(jail->gpu)) {
    jail_fail("cannot load the filter of system calls");
    return;
  }
  set_path(jail);
  run(arguments[0], program, arguments);
}

void jail_run(const struct jail *jail, int program, const char *const *arguments) {
  set_path(jail);
  execveat(program, "", (char *const *)(uintptr_t)arguments, environ, AT_EMPTY_PATH);
  jail_fail("%s: cannot run", arguments[0]);
}

void jail_exec(const struct jail *jail, const char *const *arguments) {
  jail_set_limits(jail);
  if (jail->level == ISOLATION_FULL || (jail->level == ISOLATION_REDUCED && jail->namespaces))
    exec_bubblewrap(jail, arguments);
  else if (jail->level == ISOLATION_REDUCED)
    exec_reduced(jail, arguments);
  else
    run(arguments[0], -1, arguments);
}

/* --- the end of a program --- */

int jail_wait_status(const struct jail *jail, int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return jail && !jail->room && jail_has_namespaces(jail) && code > SIGNAL_BASE && code < SIGNAL_BASE + 65
             ? code - SIGNAL_BASE
             : status;
}

int jail_open_status(void) { return memfd_create("jail status", 0); }

bool jail_has_started(const struct jail *jail, int status) {
  char text[512];
  if (jail->room || !jail_has_namespaces(jail) || status <= STDERR_FILENO)
    return true;
  const ssize_t length = all_bytes_read_at(status, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  return strstr(text, "\"exit-code\"") != NULL;
}

/* --- as text --- */

void jail_print(const struct jail *jail, char *text, size_t size) {
  snprintf(text, size, "%s %d%s", isolation_names[jail->level], jail->slot,
           jail->namespaces ? " namespaces" : "");
}

bool jail_read(const char *text, struct jail *jail) {
  char expected[64];
  for (int level = 0; isolation_names[level]; level++) {
    const size_t length = strlen(isolation_names[level]);
    if (strncmp(text, isolation_names[level], length) != 0 || text[length] != ' ')
      continue;
    jail->level = (enum isolation)level;
    jail->slot = atoi(text + length);
    jail->namespaces = strstr(text, " namespaces") != NULL;
    jail_print(jail, expected, sizeof expected);
    return jail->slot >= 0 && jail->slot < JAIL_SLOTS && strcmp(text, expected) == 0;
  }
  return false;
}
