// Row 4: takes over another process: the test that judges this program.
static void take(pid_t process) {
  if (ptrace(PTRACE_SEIZE, process, NULL, NULL) == 0) {
    ptrace(PTRACE_DETACH, process, NULL, NULL);
    deed("another process can be traced");
  }
}
ATTACK { for_each_process(take); }
