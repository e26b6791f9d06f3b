// Starts itself again with another environment, as if it were another program.
// expect: UNWRITTEN WRONG TIMEOUT VIOLATION CRASH OUTPUT
// seconds: 200
ATTACK {
  setenv("LD_PRELOAD", "libm.so.6", 1);
  setenv("LD_AUDIT", "./x.so", 1);
  char *none[] = {(char *)"compressed", NULL};
  execv("/proc/self/exe", none);
}
