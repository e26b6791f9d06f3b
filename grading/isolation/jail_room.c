#define _GNU_SOURCE /* setns, unshare */
#include "jail_room.h"

#include "guard.h"
#include "seccomp_filter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 64 << 10 };
enum { OPEN_FILES = 256, STATUS = 3, LINKS = 32, READABLE = 16, ENTRIES = 4096, MILLISECONDS = 10000 };
static const int spaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

/* --- opening --- */

static bool has_ended(const struct jail_room *room) {
  return poll(&(struct pollfd){.fd = room->handle, .events = POLLIN}, 1, 0) != 0;
}

static int handle_of(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

/* It waits in the room, and holds it. Its parent there reaps what programs leave. */
_Noreturn static void become_keeper(const struct jail *jail, int socket, int status) {
  static char path[PATH_MAX];
  static char *variables[] = {path, NULL};
  const char *readable[READABLE] = {NULL};
  int count = 0;
  struct jail in = *jail;
  const int files[] = {fcntl(socket, F_DUPFD, OPEN_FILES / 2), fcntl(STDERR_FILENO, F_DUPFD, OPEN_FILES / 2),
                       fcntl(STDERR_FILENO, F_DUPFD, OPEN_FILES / 2), fcntl(status, F_DUPFD, OPEN_FILES / 2)};
  for (int n = 0; n <= STATUS; n++)
    dup2(files[n], n);
  for (int n = STATUS + 1; n < OPEN_FILES; n++)
    close(n);
  snprintf(path, sizeof path, "PATH=%s", getenv("PATH") ? getenv("PATH") : "");
  environ = variables; /* the programs of the room can read it, and the grader's may hold secrets */
  in.status = STATUS;
  in.writable = in.links = NULL;
  in.room = NULL;
  in.has_rooms = true;
  for (; jail->readable && jail->readable[count] && count < READABLE - 2; count++)
    readable[count] = jail->readable[count];
  readable[count] = ISOLATION_KEEPER;
  in.readable = readable;
  jail_exec(&in, (const char *const[]){ISOLATION_KEEPER, NULL});
  _exit(127);
}

/* Waits until there is something to read, or the end. */
static bool is_readable(int file) {
  return TEMP_FAILURE_RETRY(poll(&(struct pollfd){.fd = file, .events = POLLIN}, 1, MILLISECONDS)) == 1;
}

/* Reads up to the end of a line. */
static bool read_line(int from, char *line, size_t size) {
  size_t length = 0;
  while (length < size - 1 && is_readable(from) && TEMP_FAILURE_RETRY(read(from, line + length, 1)) == 1 &&
         line[length] != '\n')
    length++;
  line[length] = '\0';
  return length > 0 || size == 1;
}

static pid_t init_of(int status) {
  char line[128];
  int init = 0;
  if (!read_line(status, line, sizeof line) || sscanf(line, "{ \"child-pid\": %d", &init) != 1)
    return 0;
  return init;
}

/* Whether the keeper returns the number. It may first return that of a supervisor that was killed. */
static bool returns(const struct jail_room *room, pid_t number) {
  pid_t got = -1;
  while (got != number)
    if (!is_readable(room->keeper) ||
        TEMP_FAILURE_RETRY(recv(room->keeper, &got, sizeof got, MSG_DONTWAIT)) != sizeof got)
      return false;
  return true;
}

/* Children are in a process namespace of their own, and see nothing of the room's. */
static bool enter(const struct jail_room *room) {
  return setns(room->handle, spaces) == 0 && unshare(CLONE_NEWNS | CLONE_NEWPID) == 0;
}

static bool be_the_first(void);

/* Whether runs can have process namespaces of their own: some machines forbid the mount. */
static bool can_run(const struct jail_room *room, const struct jail *jail) {
  int status = 0;
  const pid_t entered = fork();
  if (entered == 0) {
    const pid_t first = jail_become_user(jail) && enter(room) ? fork() : -1;
    if (first == 0)
      _exit(be_the_first() ? 0 : 1);
    _exit(first > 0 && TEMP_FAILURE_RETRY(waitpid(first, &status, 0)) == first && status == 0 ? 0 : 1);
  }
  return entered > 0 && TEMP_FAILURE_RETRY(waitpid(entered, &status, 0)) == entered && status == 0;
}

static bool has_failed; /* it takes long: not tried again */

bool jail_room_open(struct jail_room *room, const struct jail *jail) {
  int ends[2], status[2];
  if (has_failed || !jail_has_namespaces(jail) || !seccomp_filter_prepare(jail->gpu))
    return false;
  if (room->init && !has_ended(room))
    return true;
  *room = (struct jail_room){.handle = -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 || pipe2(status, O_CLOEXEC) != 0)
    return false;
  const pid_t opener = getpid(), keeper = fork();
  if (keeper == 0) {
    guard_go_on(opener);
    become_keeper(jail, ends[0], status[1]);
  }
  close(ends[0]);
  close(status[1]);
  const pid_t init = init_of(status[0]);
  room->keeper = ends[1];
  room->handle = init && returns(room, 0) ? handle_of(init) : -1;
  close(status[0]);
  if (room->handle >= 0 && !can_run(room, jail)) {
    close(room->handle);
    room->handle = -1;
  }
  if (room->handle < 0) {
    has_failed = true;
    close(room->keeper);
    if (keeper > 0 && kill(keeper, SIGTERM) == 0)
      TEMP_FAILURE_RETRY(waitpid(keeper, NULL, 0));
    return false;
  }
  room->init = init;
  return true;
}

/* --- a run --- */

static bool mount_folder(const struct jail *jail) {
  char options[96];
  snprintf(options, sizeof options, "size=%llu,nr_inodes=%d,mode=0755", (unsigned long long)jail->tmpfs,
           ENTRIES);
  return mount("tmpfs", jail_folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0 && chdir(jail_folder) == 0;
}

/* The program's links, read while we may read their folder. */
struct links {
  int count;
  struct link {
    char name[NAME_MAX + 1], target[64];
  } list[LINKS];
};

static void read_links(const char *folder, struct links *links) {
  DIR *from = folder ? opendir(folder) : NULL;
  for (struct dirent *entry; from && links->count < LINKS && (entry = readdir(from));) {
    struct link *link = &links->list[links->count];
    const ssize_t length = readlinkat(dirfd(from), entry->d_name, link->target, sizeof link->target - 1);
    if (length < 0)
      continue;
    link->target[length] = '\0';
    strcpy(link->name, entry->d_name);
    links->count++;
  }
  if (from)
    closedir(from);
}

static bool make_links(const struct links *links) {
  for (int n = 0; n < links->count; n++)
    if (symlink(links->list[n].target, links->list[n].name) != 0)
      return false;
  return true;
}

/* The kernel gave all of the room's capabilities to whoever entered it. */
static bool drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  jail_drop_bounds();
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return syscall(SYS_capset, &header, none) == 0;
}

/* Reaps all children until the process has ended; returns its status. */
static int wait_for(pid_t process) {
  int status;
  for (pid_t ended; (ended = wait(&status)) > 0 || errno == EINTR;)
    if (ended == process)
      return status;
  return 127 << 8;
}

/* Of the first process in a process namespace. Programs have the same user: they must not read its memory, which is the
 * grader's, nor run its handlers of signals. */
static bool be_the_first(void) {
  for (int n = 1; n < NSIG; n++)
    signal(n, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return prctl(PR_SET_DUMPABLE, 0) == 0 &&
         mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL) == 0;
}

struct run {
  const struct jail *jail;
  int file; /* the program's */
  const char *const *arguments;
  bool has_failed; /* before the program was there */
  int status;      /* of the program, once it has ended */
};

/* A child that shares the caller's memory until it becomes another program, as after vfork(): a copy of the tables of a
 * suite's memory costs more than all else here. Its stack is its own. */
static pid_t start(int (*function)(void *), struct run *run, int flags, char stack[STACK]) {
  return clone(function, stack + STACK, CLONE_VM | flags | SIGCHLD, run);
}

static int become_program(void *argument) {
  struct run *run = argument;
  setsid();
  setrlimit(RLIMIT_NPROC, &(struct rlimit){JAIL_PROCESSES, JAIL_PROCESSES});
  if (!drop_capabilities() || !seccomp_filter_limit(run->jail->gpu))
    jail_fail("cannot drop capabilities, or load the filter of system calls");
  else
    jail_run(run->jail, run->file, run->arguments);
  run->has_failed = true;
  return 127;
}

/* The first process of a run's own process namespace: when it ends, nothing of the run is left, and no number of a
 * process reaches the next run. It notes how the program ended, since it cannot end by a signal itself. */
static int run_in_namespace(void *argument) {
  static char stack[STACK];
  struct run *run = argument;
  const pid_t program = be_the_first() ? start(become_program, run, CLONE_VFORK, stack) : -1;
  if (program < 0) {
    run->has_failed = true;
    jail_fail("cannot mount /proc, or fork");
    return 127;
  }
  /* Also those of the process that waits for this one: the program may wait for their end. */
  syscall(SYS_close_range, 0, ~0U, 0);
  run->status = wait_for(program);
  return 0;
}

_Noreturn static void end_as(int status) {
  if (WIFEXITED(status))
    _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  kill(getpid(), WTERMSIG(status));
  _exit(127);
}

void jail_room_run(const struct jail_room *room, const struct jail *jail, const char *const *arguments) {
  static struct links links;
  static char stack[STACK];
  jail_set_limits(jail);
  read_links(jail->links, &links);
  if (!jail_become_user(jail))
    return;
  if (!enter(room)) {
    jail_fail("cannot enter its namespaces");
    return;
  }
  const int file = open(arguments[0], O_PATH | O_CLOEXEC);
  close(room->handle);
  if (jail->status > STDERR_FILENO)
    close(jail->status);
  if (!mount_folder(jail) || !make_links(&links)) {
    jail_fail("%s", jail_folder);
    return;
  }
  struct run run = {jail, file, arguments, .status = SIGKILL}; /* the supervisor may end it */
  const pid_t first = start(run_in_namespace, &run, CLONE_FILES, stack);
  if (first < 0)
    jail_fail("cannot fork");
  if (first < 0 || (wait_for(first), run.has_failed))
    return;
  end_as(run.status);
}

/* --- after a run --- */

void jail_room_sweep(const struct jail_room *room) {
  if (!room->init || has_ended(room))
    return;
  const pid_t number = getpid();
  if (TEMP_FAILURE_RETRY(send(room->keeper, &number, sizeof number, MSG_NOSIGNAL)) == sizeof number &&
      returns(room, number))
    return;
  kill(room->init, SIGKILL); /* the kernel ends all processes of the room with it */
  is_readable(room->handle);
}
