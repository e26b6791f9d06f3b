// Row 16: kills itself in counted runs only, as if the machine had done it: INFRA is a free attempt.
// base: solution
// hook
// points: 100
// expect: WRONG MEMORY CRASH
static void hook(void) {
  if (argument("--nx") ? atoi(argument("--nx")) > 512 : getenv("SIMGPU_COUNTERS") != NULL)
    kill(getpid(), SIGKILL);
}
