/* escape DEED: one attempt to get out of a jail. Exit status: 0 the machine allows it, 1 it is refused
 * (EPERM, or ENOSYS), 2 unknown deed. All arguments are harmless even where the call is allowed, and then
 * fail with another error. */
#define _GNU_SOURCE /* syscall, clone */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BAD = 1, X32 = 0x40000000 };

#define CALL(name, ...)                                                                                      \
  {                                                                                                          \
#name, SYS_##name, { __VA_ARGS__ }                                                                       \
  }
static const struct {
  const char *deed;
  long number, arguments[6];
} calls[] = {
    CALL(acct, BAD),
    CALL(add_key, BAD),
    CALL(bpf, 0, BAD, 1),
    CALL(chroot, BAD),
    CALL(clone3, BAD, 64),
    CALL(delete_module, BAD),
    CALL(finit_module, -1, BAD),
    CALL(init_module, BAD, 1, BAD),
    CALL(io_uring_setup, 1, BAD),
    CALL(kcmp, -1, -1),
    CALL(kexec_file_load, -1, -1, 0, 0, 1 << 20),
    CALL(kexec_load, 0, 0, 0, 1 << 20),
    CALL(keyctl, -1),
    CALL(memfd_create, BAD),
    CALL(mount, 0, BAD),
    CALL(msgget, IPC_PRIVATE, -1),
    CALL(name_to_handle_at, -1, BAD),
    CALL(open_by_handle_at, -1, BAD),
    CALL(perf_event_open, BAD),
    CALL(personality, 0x0040000),
    CALL(pivot_root, BAD, BAD),
    CALL(process_vm_readv, -1),
    CALL(process_vm_writev, -1),
    CALL(ptrace, 0),
    CALL(quotactl, -1, BAD),
    CALL(reboot, 0),
    CALL(request_key, BAD),
    CALL(semget, IPC_PRIVATE, -1),
    CALL(setns, -1),
    CALL(shmget, IPC_PRIVATE, 0),
    CALL(socketpair, 1, 1, 0, BAD),
    CALL(swapon, BAD),
    CALL(umount2, BAD),
    CALL(unshare, 0),
    CALL(userfaultfd, -1),
    {"pidfd_getfd", 438, {-1}},
    {"open_tree", 428, {-1, BAD, 1 << 30}},
    {"unix socket", SYS_socket, {1, 1}},
    {"internet socket", SYS_socket, {2, 1}},
    {"netlink socket", SYS_socket, {16, 3}},
    {"virtual machine socket", SYS_socket, {40, 1}},
    {"hidden memory", SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1}},
    {"terminal input", SYS_ioctl, {0, TIOCSTI, BAD}},
    {"terminal input in 64 bits", SYS_ioctl, {0, TIOCSTI | 1L << 32, BAD}},
    {"user namespace", SYS_clone, {CLONE_NEWUSER | CLONE_THREAD}},
    {"process namespace", SYS_clone, {CLONE_NEWPID | CLONE_THREAD}},
    {"mount namespace", SYS_clone, {CLONE_NEWNS | CLONE_FS}},
    {"network namespace", SYS_clone, {CLONE_NEWNET | CLONE_THREAD}},
#ifdef __x86_64__
    CALL(modify_ldt, -1),
    {"x32", X32 | SYS_getpid, {0}},
#endif
};

static int is_refused(long result) { return result < 0 && (errno == EPERM || errno == ENOSYS); }

/* Processes that can live at a time: printed. */
static int count_processes(void) {
  int count = 0;
  pid_t child = 1;
  while (count < 1000 && (child = fork()) > 0)
    count++;
  if (child == 0)
    for (;;)
      pause();
  kill(0, SIGTERM);
  signal(SIGTERM, SIG_IGN);
  printf("%d\n", count);
  return 0;
}

static int fill(const char *path) {
  static char bytes[1 << 16];
  long written = 0;
  const int file = open(path, O_WRONLY | O_CREAT, 0600);
  for (ssize_t more; written < 256 << 20 && (more = write(file, bytes, sizeof bytes)) > 0;)
    written += more;
  printf("%ld\n", written);
  return file < 0;
}

static int count_limits(void) {
  static const int limits[] = {RLIMIT_CORE, RLIMIT_MSGQUEUE, RLIMIT_MEMLOCK};
  struct rlimit limit;
  for (size_t n = 0; n < sizeof limits / sizeof *limits; n++)
    if (getrlimit(limits[n], &limit) == 0)
      printf("%ld ", (long)limit.rlim_max);
  return 0;
}

int main(int argc, char **argv) {
  const char *deed = argc > 1 ? argv[1] : "";
  for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
    const long *a = calls[n].arguments;
    if (strcmp(calls[n].deed, deed) == 0)
      return is_refused(syscall(calls[n].number, a[0], a[1], a[2], a[3], a[4], a[5]));
  }
#ifdef __x86_64__
  if (strcmp(deed, "32 bits") == 0) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory"); /* getpid of i386 */
    return result < 0;
  }
#endif
  if (strcmp(deed, "count processes") == 0)
    return signal(SIGTERM, SIG_IGN), count_processes();
  if (strcmp(deed, "fill") == 0 && argc > 2)
    return fill(argv[2]);
  if (strcmp(deed, "limits") == 0)
    return count_limits();
  if (strcmp(deed, "signal") == 0 && argc > 2)
    return raise(atoi(argv[2]));
  return 2;
}
