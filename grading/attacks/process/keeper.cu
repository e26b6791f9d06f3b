// Ends or stops every process of the room that keeps the jail, so that what it leaves behind is not ended with the run.
// with: KILL STOP SWARM
// expect: WRONG UNWRITTEN CRASH VIOLATION TIMEOUT OUTPUT
// seconds: 240
enum { KILL, STOP, SWARM };
static void write_outputs(void) {
  for (int n = 4; n < 12; n++)
    if (pwrite(n, "x", 1, 0) < 0)
      continue;
}
ATTACK {
  if (WITH == KILL)
    kill(-1, SIGKILL);
  if (WITH == STOP)
    kill(-1, SIGSTOP);
  for (int n = 0; n < (WITH == SWARM ? 20 : 1); n++)
    if (fork() == 0) {
      setsid();
      prctl(PR_SET_PDEATHSIG, 0);
      for (int step = 0; WITH != SWARM || step < 200; step++) {
        if (WITH == SWARM && fork() != 0)
          _exit(0);
        write_outputs();
        usleep(1000);
      }
      _exit(0);
    }
}
