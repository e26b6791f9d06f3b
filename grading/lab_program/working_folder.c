#define _GNU_SOURCE /* nftw */
#include "working_folder.h"
#include "all_bytes.h"
#include "timing.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* grader_names: names of folders that hold a lock. */
static const char names[] = "checkerboard.XXXXXX", grader_names[] = "checkerboard-grade.XXXXXX";
static const char mend[] = "set TMPDIR=FOLDER, a folder";
static const double seconds_to_stop = 10;

/* True if /dev/shm is a tmpfs with room that allows execution; in containers it often is not. */
static bool is_memory_suited(void) {
  struct statfs memory;
  return statfs("/dev/shm", &memory) == 0 && memory.f_type == TMPFS_MAGIC &&
         !(memory.f_flags & (ST_NOEXEC | ST_RDONLY)) &&
         (unsigned long long)memory.f_bavail * (unsigned long long)memory.f_bsize >> 20 >=
             WORKING_FOLDER_MEMORY &&
         access("/dev/shm", W_OK | X_OK) == 0;
}

static bool find_parent(char parent[PATH_MAX], struct error *error) {
  const char *given = getenv("TMPDIR");
  const bool is_given = given && given[0];
  const char *chosen = is_given ? given : is_memory_suited() ? "/dev/shm" : "/tmp";
  if (realpath(chosen, parent))
    return true;
  return error_set(error, "%s%s: %s: %s that exists", is_given ? "TMPDIR=" : "", chosen, strerror(errno),
                   mend);
}

static bool make(const char *pattern, char path[PATH_MAX], struct error *error) {
  char parent[PATH_MAX];
  if (!find_parent(parent, error))
    return false;
  if (snprintf(path, PATH_MAX, "%s/%s", parent, pattern) >= PATH_MAX)
    return error_set(error, "%s: the path is too long: %s with a shorter path", parent, mend);
  return mkdtemp(path) || error_set(error, "%s: cannot make a folder: %s: %s that can be written", parent,
                                    strerror(errno), mend);
}

bool working_folder_make(char path[PATH_MAX], struct error *error) { return make(names, path, error); }

/* Bytes of "/checkerboard.QbJ5Tz" or "/checkerboard-grade.h0fdiP", if that begins here. */
static size_t folder_bytes(const char *text) {
  static const char *const patterns[] = {names, grader_names};
  enum { DRAWN = 6 };
  for (size_t n = 0; n < sizeof patterns / sizeof *patterns; n++) {
    const size_t fixed = strlen(patterns[n]) - DRAWN;
    size_t drawn = 0;
    while (text[0] == '/' && strncmp(text + 1, patterns[n], fixed) == 0 &&
           isalnum((unsigned char)text[1 + fixed + drawn]))
      drawn++;
    if (drawn == DRAWN)
      return 1 + fixed + drawn;
  }
  return 0;
}

void working_folder_drop(char *text) {
  for (char *at = text; (at = strstr(at, "/checkerboard")); at++) {
    char *start = at, *end = at;
    for (size_t bytes; (bytes = folder_bytes(end));)
      end += bytes;
    if (end == at)
      continue;
    while (start > text && !strchr(" \n\"'`(=:<", start[-1]))
      start--;
    end += *end == '/';
    if (*end && !strchr(" \n\"'`):,>", *end))
      memmove(start, end, strlen(end) + 1);
    else
      memmove(start + 1, end, strlen(end) + 1), *start = '.';
    at = start;
  }
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  remove(path);
  return 0;
}

void working_folder_remove(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

/* --- checks of the folder --- */

static bool is_free(const char *path, const char *folder, int least, struct error *error) {
  struct statvfs disk;
  if (statvfs(path, &disk) != 0 || disk.f_blocks == 0) /* some file systems report no size */
    return true;
  const unsigned long long free_bytes = (unsigned long long)disk.f_bavail * disk.f_frsize;
  if (free_bytes >> 20 < (unsigned long long)least)
    return error_set(error, "%s: the disk is nearly full, %llu MiB are free: %s with %d MiB free", folder,
                     free_bytes >> 20, mend, WORKING_FOLDER_ROOM);
  return disk.f_files == 0 || disk.f_favail >= 1000 ||
         error_set(error, "%s: the disk has no room for new files: %s on another disk", folder, mend);
}

/* Only writing detects a quota. The file stays. */
static bool write_probe(const char *path, const char *folder, struct error *error) {
  static const char bytes[1 << 16];
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  bool written = file >= 0 && all_bytes_write(file, bytes, sizeof bytes);
  const int cause = errno;
  if (file >= 0)
    written &= close(file) == 0;
  return written || error_set(error, "%s: cannot write: %s: %s that can be written", folder,
                              cause ? strerror(cause) : "no room", mend);
}

/* The folder that the user knows; it contains those of graders. */
static void name_parent(const char *path, char parent[PATH_MAX]) {
  snprintf(parent, PATH_MAX, "%s", path);
  for (char *at; (at = strstr(parent, "/checkerboard-grade.")) || (at = strstr(parent, "/checkerboard."));)
    at[at == parent] = '\0';
}

bool working_folder_check(const char *path, struct error *error) {
  char probe[PATH_MAX + 16], parent[PATH_MAX];
  name_parent(path, parent);
  snprintf(probe, sizeof probe, "%s/probe", path);
  bool fit = is_free(path, parent, WORKING_FOLDER_ROOM, error) && write_probe(probe, parent, error);
  if (fit && access(probe, X_OK) != 0)
    fit = error_set(error, "%s: programs cannot run in it, as on a noexec mount: %s that allows them", parent,
                    mend);
  unlink(probe);
  return fit;
}

bool working_folder_has_room(struct error *error) {
  static const char probe[] = ".probe";
  char here[PATH_MAX], parent[PATH_MAX];
  if (!getcwd(here, sizeof here))
    return error_set(error, "the working folder is gone: grade again");
  name_parent(here, parent);
  const bool has_room =
      is_free(here, parent, WORKING_FOLDER_ROOM_LEFT, error) && write_probe(probe, parent, error);
  unlink(probe);
  return has_room;
}

/* --- the folder of a grader --- */

/* The lock on the folder, held until the last process with this descriptor ends; -1: the folder is gone, the
 * file system has no locks, or, with LOCK_NB, another process holds it. */
static int lock_folder(const char *path, int how) {
  struct stat opened, named;
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return -1;
  if (TEMP_FAILURE_RETRY(flock(folder, how)) == 0 && fstat(folder, &opened) == 0 &&
      lstat(path, &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev &&
      opened.st_uid == geteuid())
    return folder;
  close(folder);
  return -1;
}

static bool is_graders(const char *name) {
  return strlen(name) == sizeof grader_names - 1 &&
         strncmp(name, grader_names, strcspn(grader_names, "X")) == 0;
}

/* Folders of graders that were killed. */
static void remove_abandoned(const char *parent) {
  char path[2 * PATH_MAX];
  DIR *stream = opendir(parent);
  for (struct dirent *entry; stream && (entry = readdir(stream));) {
    if (!is_graders(entry->d_name))
      continue;
    snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    const int lock = lock_folder(path, LOCK_EX | LOCK_NB);
    if (lock < 0)
      continue;
    working_folder_remove(path);
    close(lock);
  }
  if (stream)
    closedir(stream);
}

/* Another grader may lock the folder first, and then removes it: waits for that, and tries again. */
static bool make_locked(char path[PATH_MAX], int *lock, struct error *error) {
  for (int tries = 0; tries < 100; tries++) {
    if (!make(grader_names, path, error))
      return false;
    if ((*lock = lock_folder(path, LOCK_EX)) >= 0)
      return true;
    if (access(path, F_OK) == 0) /* no locks here: no grader removes it */
      return true;
  }
  return error_set(error, "%s: the folder was removed while it was in use: grade again", path);
}

/* Signals that end a grader; signals that were ignored at its start stay ignored. */
static sigset_t ending_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t set;
  struct sigaction action;
  sigemptyset(&set);
  for (size_t n = 0; n < sizeof signals / sizeof *signals; n++)
    if (sigaction(signals[n], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&set, signals[n]);
  return set;
}

/* Ends all processes of the grader, which become our children. */
static void wait_for_rest(const sigset_t *signals) {
  const double deadline = timing_now() + seconds_to_stop;
  pid_t process;
  while (timing_now() < deadline) {
    while ((process = waitpid(-1, NULL, WNOHANG)) > 0)
      ;
    if (process < 0 && errno == ECHILD)
      return;
    sigtimedwait(signals, NULL, &(struct timespec){.tv_nsec = 50000000});
  }
}

_Noreturn static void end_by(int signal) {
  sigset_t only;
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(signal, &plain, NULL);
  sigemptyset(&only);
  sigaddset(&only, signal);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
  _exit(ERROR_STATUS);
}

_Noreturn static void guard(pid_t grader, const char *path, const sigset_t *signals) {
  int status = 0, signal = 0;
  pid_t ended = 0;
  while (ended == 0) {
    const int got = sigwaitinfo(signals, NULL);
    if (got > 0 && got != SIGCHLD) {
      signal = got;
      kill(grader, SIGTERM);
    }
    ended = waitpid(grader, &status, WNOHANG);
  }
  wait_for_rest(signals);
  working_folder_remove(path);
  if (signal)
    end_by(signal);
  if (ended == grader && WIFEXITED(status))
    _exit(WEXITSTATUS(status));
  error_warn("the grader was ended by a signal: %s: grade again", strsignal(WTERMSIG(status)));
  _exit(ERROR_STATUS);
}

/* Returns in the child. */
static bool go_on_guarded(const char *path, struct error *error) {
  sigset_t signals = ending_signals(), before;
  sigaddset(&signals, SIGCHLD);
  signal(SIGCHLD, SIG_DFL);
  fflush(NULL);
  sigprocmask(SIG_BLOCK, &signals, &before);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t caller = getpid(), grader = fork();
  if (grader > 0)
    guard(grader, path, &signals);
  const int cause = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (grader < 0)
    return error_set(error, "cannot start a process: %s", strerror(cause));
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != caller)
    _exit(ERROR_STATUS);
  return true;
}

bool working_folder_open(struct error *error) {
  char parent[PATH_MAX], path[PATH_MAX];
  int lock = -1;
  if (!find_parent(parent, error))
    return false;
  remove_abandoned(parent);
  if (!make_locked(path, &lock, error))
    return false;
  if (working_folder_check(path, error) && setenv("TMPDIR", path, 1) == 0 && go_on_guarded(path, error))
    return true;
  working_folder_remove(path);
  return false;
}
