// Sleeps: no CPU time passes.
// expect: TIMEOUT
// seconds: 240
ATTACK {
  for (;;)
    pause();
}
