// Sleeps, but is often runnable when somebody looks: neither busy nor idle for long.
// expect: TIMEOUT
// seconds: 240
ATTACK {
  for (;;) {
    for (volatile int n = 0; n < 100000; n++)
      ;
    usleep(9000);
  }
}
