// Each process starts the next one and ends: the tree is never the same twice.
// expect: TIMEOUT VIOLATION
// seconds: 200
ATTACK {
  if (fork() > 0)
    for (;;)
      pause();
  for (const time_t start = time(NULL); time(NULL) < start + 100;)
    if (fork() > 0)
      _exit(0);
  _exit(0);
}
