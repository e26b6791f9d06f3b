// Calls of the kernel that no lab program needs, and that attacks on the kernel begin with.
// with: USERNS BPF USERFAULTFD KEYCTL PERF URING MOUNT PTRACE CLONE3
#define USERNS 1
#define BPF 2
#define USERFAULTFD 3
#define KEYCTL 4
#define PERF 5
#define URING 6
#define MOUNT 7
#define PTRACE 8
#define CLONE3 9
ATTACK {
  static char zero[256];
  const long numbers[] = {0,
                          SYS_unshare,
                          SYS_bpf,
                          SYS_userfaultfd,
                          SYS_keyctl,
                          SYS_perf_event_open,
                          425 /* io_uring_setup */,
                          SYS_mount,
                          SYS_ptrace,
                          435 /* clone3 */};
  const long first[] = {
      0, 0x10000000 /* CLONE_NEWUSER */, 5 /* BPF_PROG_LOAD */, 0, 0, (long)zero, 4, (long)"x", 0, 0};
  const long done = syscall(numbers[WITH], first[WITH], (long)"/", (long)"tmpfs", 0L, 0L);
  deed_if(done >= 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES), "the kernel did the call");
}
