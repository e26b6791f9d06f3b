#define _GNU_SOURCE /* CLONE_NEWUSER, memfd_create */
#include "seccomp_filter.h"

#include <errno.h>
#include <stddef.h>

#ifdef HAVE_LIBSECCOMP
#include "all_bytes.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { INSTRUCTIONS = 512 }; /* four times as many as there are */

/* No program calls these by mistake. */
static const char *const fatal[] = {
    "acct",
    "bpf",
    "delete_module",
    "finit_module",
    "init_module",
    "ioperm",
    "iopl",
    "kexec_load",
    "kexec_file_load",
    "lookup_dcookie",
    "nfsservctl",
    "open_by_handle_at",
    "pivot_root",
    "process_vm_writev",
    "quotactl",
    "quotactl_fd",
    "reboot",
    "setns",
    "swapoff",
    "swapon",
    "userfaultfd",
    "vhangup",
    "vm86",
    "vm86old",
};

/* Among them: what changes priorities, since time limits are CPU time; vmsplice, since a pipe keeps pages that
 * no process maps. */
static const char *const refused[] = {
    "add_key",
    "chroot",
    "fanotify_init",
    "fsconfig",
    "fsmount",
    "fsopen",
    "fspick",
    "io_uring_enter",
    "io_uring_register",
    "io_uring_setup",
    "ioprio_set",
    "kcmp",
    "keyctl",
    "modify_ldt",
    "mount",
    "mount_setattr",
    "move_mount",
    "move_pages",
    "mq_open",
    "name_to_handle_at",
    "msgget",
    "open_tree",
    "perf_event_open",
    "pidfd_getfd",
    "process_madvise",
    "process_vm_readv",
    "ptrace",
    "request_key",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
    "semget",
    "setpriority",
    "shmget",
    "sysfs",
    "syslog",
    "umount",
    "umount2",
    "unshare",
    "uselib",
    "ustat",
    "vmsplice",
};

/* Memory that no process maps counts for no process. Sockets: the only one is inherited. */
static const char *const refused_without_gpu[] = {
    "memfd_create", "memfd_secret", "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Names that this libseccomp does not know are passed over. */
static bool add(scmp_filter_ctx filter, uint32_t action, const char *const *names, size_t count) {
  for (size_t n = 0; n < count; n++) {
    const int number = seccomp_syscall_resolve_name(names[n]);
    if (number != __NR_SCMP_ERROR && seccomp_rule_add(filter, action, number, 0) < 0)
      return false;
  }
  return true;
}

/* Refuses a call whose argument has the value in the bits of the mask. */
static bool add_masked(scmp_filter_ctx filter, int number, unsigned argument, uint64_t mask, uint64_t value) {
  const struct scmp_arg_cmp is = {argument, SCMP_CMP_MASKED_EQ, mask, value};
  return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &is) == 0;
}

static bool add_different(scmp_filter_ctx filter, int number, uint64_t value) {
  const struct scmp_arg_cmp is = {0, SCMP_CMP_NE, value, 0};
  return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &is) == 0;
}

/* clone3 passes its flags in memory, which a filter cannot read: after ENOSYS the C library calls clone. */
static bool add_namespaces(scmp_filter_ctx filter) {
  static const uint64_t flags[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNS,    CLONE_NEWNET,
                                   CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
  for (size_t n = 0; n < COUNT(flags); n++)
    if (!add_masked(filter, SCMP_SYS(clone), 0, flags[n], flags[n]))
      return false;
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

static bool add_arguments(scmp_filter_ctx filter, bool gpu) {
  static const uint64_t commands[] = {TIOCSTI, 0x541c /* TIOCLINUX */};
  const uint64_t hidden = MAP_SHARED | MAP_ANONYMOUS, low = UINT32_MAX; /* the kernel ignores higher bits */
  for (size_t n = 0; n < COUNT(commands); n++)
    if (!add_masked(filter, SCMP_SYS(ioctl), 1, low, commands[n]))
      return false;
  return add_different(filter, SCMP_SYS(personality), 0) &&
         add_different(filter, SCMP_SYS(prlimit64),
                       0) && /* another process's limits would outlive the program */
         add_different(filter, SCMP_SYS(sched_setaffinity), 0) &&
         (gpu ? add_different(filter, SCMP_SYS(socket), AF_UNIX)
              : add_masked(filter, SCMP_SYS(mmap), 3, hidden, hidden));
}

/* Calls of another machine, i386 and x32 included, kill the process. */
static scmp_filter_ctx make_filter(bool gpu) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
      add(filter, SCMP_ACT_KILL_PROCESS, fatal, COUNT(fatal)) &&
      add(filter, SCMP_ACT_ERRNO(EPERM), refused, COUNT(refused)) &&
      (gpu || add(filter, SCMP_ACT_ERRNO(EPERM), refused_without_gpu, COUNT(refused_without_gpu))) &&
      add_namespaces(filter) && add_arguments(filter, gpu))
    return filter;
  seccomp_release(filter);
  errno = EINVAL;
  return NULL;
}

static bool export_filter(int file, bool gpu) {
  scmp_filter_ctx filter = make_filter(gpu);
  const int error = filter ? seccomp_export_bpf(filter, file) : -errno;
  seccomp_release(filter);
  errno = -error;
  return error == 0;
}

/* Made once for all children: making it takes longer than all else before a program starts. */
static const struct sock_fprog *filter_of(bool gpu) {
  static struct sock_filter code[2][INSTRUCTIONS];
  static struct sock_fprog filters[2];
  struct sock_fprog *filter = &filters[gpu];
  const int file = filter->len ? -1 : memfd_create("filter", MFD_CLOEXEC);
  if (file >= 0 && export_filter(file, gpu)) {
    const ssize_t bytes = all_bytes_read_at(file, code[gpu], sizeof code[gpu], 0);
    if (bytes > 0 && (size_t)bytes < sizeof code[gpu])
      *filter = (struct sock_fprog){(unsigned short)((size_t)bytes / sizeof **code), code[gpu]};
  }
  if (file >= 0)
    close(file);
  return filter->len ? filter : NULL;
}

bool seccomp_filter_prepare(bool gpu) { return filter_of(gpu) != NULL; }

bool seccomp_filter_limit(bool gpu) {
  const struct sock_fprog *filter = filter_of(gpu);
  return filter && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) == 0;
}

bool seccomp_filter_write(int file, bool gpu) {
  const struct sock_fprog *filter = filter_of(gpu);
  return filter && all_bytes_write(file, filter->filter, filter->len * sizeof *filter->filter);
}

bool seccomp_filter_can_limit(void) { return true; }

#else

bool seccomp_filter_prepare(bool gpu) { return seccomp_filter_limit(gpu); }

bool seccomp_filter_limit(bool gpu) {
  (void)gpu;
  errno = ENOSYS;
  return false;
}

bool seccomp_filter_write(int file, bool gpu) {
  (void)file, (void)gpu;
  errno = ENOSYS;
  return false;
}

bool seccomp_filter_can_limit(void) { return false; }
#endif
