/* Runs in a jail and tries what a hostile program would: prints one line for each attempt that the jail does not stop,
 * then "done". isolation_probe GRADERS_PROCESS SECRET... */
#define _GNU_SOURCE /* clone, unshare */
#include "jail.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void complain(bool is_possible, const char *words) {
  if (is_possible)
    puts(words);
}

static bool can_open_sockets(void) {
  static const int families[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, 40 /* AF_VSOCK */};
  bool can = false;
  for (size_t n = 0; n < sizeof families / sizeof *families; n++) {
    const int socket_ = socket(families[n], SOCK_STREAM | SOCK_CLOEXEC, 0);
    can |= socket_ >= 0;
    if (socket_ >= 0)
      close(socket_);
  }
  return can;
}

/* Each line after the first two of /proc/net/dev is an interface. */
static bool sees_interfaces(void) {
  char line[512];
  int count = 0;
  bool sees = false;
  FILE *file = fopen("/proc/net/dev", "r");
  while (file && fgets(line, sizeof line, file))
    sees |= ++count > 2 && strncmp(line + strspn(line, " "), "lo:", 3) != 0;
  if (file)
    fclose(file);
  return sees;
}

static bool can_read(const char *path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0)
    close(file);
  return file >= 0;
}

static bool can_write(const char *folder) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/isolation.probe", folder);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  unlink(path);
  close(file);
  return true;
}

static bool can_write_anywhere(char **secrets) {
  static const char *const folders[] = {"/",    "/usr",     "/usr/lib",        "/etc", "/dev", "/dev/shm",
                                        "/run", "/var/tmp", "/proc/sys/kernel"};
  bool can = false;
  for (size_t n = 0; n < sizeof folders / sizeof *folders; n++)
    can |= can_write(folders[n]);
  for (; *secrets; secrets++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", *secrets);
    can |= can_write(path);
    can |= can_write(dirname(path));
  }
  return can;
}

enum { TRIES = JAIL_PROCESSES + 32, STACK = 4096 };
static _Alignas(64) char stacks[TRIES][STACK];

_Noreturn static int wait_for_kill(void *nothing) {
  (void)nothing;
  for (;;)
    pause();
}

/* Processes that share memory: the same to the kernel's limit, and quicker than fork(). */
static bool can_start_many(void) {
  static pid_t children[TRIES];
  int count = 0;
  while (count < TRIES &&
         (children[count] = clone(wait_for_kill, stacks[count] + STACK, CLONE_VM | SIGCHLD, NULL)) > 0)
    count++;
  for (int n = 0; n < count; n++)
    kill(children[n], SIGKILL);
  while (wait(NULL) > 0 || errno == EINTR)
    ;
  return count == TRIES;
}

static bool sees_processes(void) {
  DIR *stream = opendir("/proc");
  bool sees = false;
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    sees |= isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) != 1 &&
            atoi(entry->d_name) != getpid();
  if (stream)
    closedir(stream);
  return sees || (getppid() != 1 && stream);
}

/* In a process namespace the parent is 1, a part of the jail. */
static bool can_signal(pid_t process) { return getppid() != 1 && process > 1 && kill(process, 0) == 0; }

static bool can_trace(pid_t process) { return ptrace(PTRACE_SEIZE, process, NULL, NULL) == 0; }

static bool sees_environment(void) {
  static const char *const passed[] = {"PATH=", "PWD=", "LC_ALL=", "LD_LIBRARY_PATH="};
  bool sees = false;
  for (char **variable = environ; *variable; variable++) {
    bool is_passed = false;
    for (size_t n = 0; n < sizeof passed / sizeof *passed; n++)
      is_passed |= strncmp(*variable, passed[n], strlen(passed[n])) == 0;
    sees |= !is_passed;
  }
  return sees;
}

static bool has_descriptors(void) {
  bool has = false;
  for (int file = STDERR_FILENO + 1; file < 256; file++)
    has |= fcntl(file, F_GETFD) >= 0;
  return has;
}

/* A line of /proc/self/status; "" where that cannot be read. */
static void read_status(const char *name, char value[64]) {
  char line[512];
  FILE *file = fopen("/proc/self/status", "r");
  value[0] = '\0';
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0)
      sscanf(line + strlen(name), " %63s", value);
  if (file)
    fclose(file);
}

static bool has_status(const char *name, const char *wanted) {
  char value[64];
  read_status(name, value);
  return strcmp(value, wanted) == 0;
}

static bool has_capabilities(void) {
  char value[64];
  read_status("CapEff:", value);
  return strspn(value, "0") != strlen(value) || !value[0];
}

int main(int argc, char **argv) {
  const pid_t grader = argc > 1 ? atoi(argv[1]) : 0;
  char **secrets = argv + (argc > 1 ? 2 : 1);
  bool reads = false;
  setvbuf(stdout, NULL, _IOFBF, 4096);
  for (char **secret = secrets; *secret; secret++)
    reads |= can_read(*secret);
  complain(!has_status("Seccomp:", "2"), "no system call is refused");
  complain(sees_processes(), "other processes are visible");
  complain(can_signal(getppid()) || can_signal(grader), "other processes can be stopped");
  complain(has_descriptors(), "descriptors of the grader are open");
  complain(geteuid() == 0, "the program runs as root");
  complain(has_capabilities(), "the program has capabilities");
  complain(!has_status("NoNewPrivs:", "1"), "the program can gain privileges");
  complain(can_open_sockets(), "sockets can be opened");
  complain(sees_interfaces(), "network interfaces are visible");
  complain(reads, "files of the grader are readable");
  complain(can_write_anywhere(secrets), "folders of the machine are writable");
  complain(sees_environment(), "environment variables of the grader are visible");
  complain(can_trace(getppid()) || (grader && can_trace(grader)), "other processes can be traced");
  complain(can_start_many(), "the number of processes is not limited");
  complain(unshare(CLONE_NEWUSER) == 0, "new namespaces can be made");
  puts("done");
  return 0;
}
