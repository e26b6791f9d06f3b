// Two processes use one connection to the device.
// base: solution
// hook
// points: 100
// expect: PASS WRONG CRASH TIMEOUT VIOLATION
// seconds: 200
static void hook(void) {
  static bool once;
  if (once)
    return;
  once = true;
  if (fork() == 0) {
    struct stat status;
    static char zero[24];
    for (int n = 3; n < 256; n++)
      if (fstat(n, &status) == 0 && S_ISSOCK(status.st_mode))
        if (write(n, zero, sizeof zero) < 0)
          break;
    _exit(0);
  }
  usleep(100000);
}
