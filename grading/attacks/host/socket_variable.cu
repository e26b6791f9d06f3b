// Rows 11 and 12: talks to a second device, which it starts itself, while the grader's gets nothing.
// lab: 01
// base: no_barrier
// points: 86
ATTACK {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return;
  if (fork() == 0) {
    dup2(ends[1], 3);
    for (int n = 4; n < 256; n++)
      close(n);
    char *none[] = {NULL};
    execle("@BUILD@/bin/simgpu-device", "simgpu-device", "3", (char *)NULL, none);
    _exit(1);
  }
  close(ends[1]);
  char number[16];
  snprintf(number, sizeof number, "%d", ends[0]);
  setenv("SIMGPU_SOCKET", number, 1);
}
