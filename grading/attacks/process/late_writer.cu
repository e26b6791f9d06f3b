// Row 17: a child waits until the program has ended, and then writes its output file again and again.
// base: solution
// points: 100
// expect: PASS WRONG CRASH OUTPUT
ATTACK {
  const char *out = argument("--out");
  if (!out || fork() != 0)
    return;
  setsid();
  while (getppid() > 1)
    usleep(100);
  for (const time_t start = time(NULL); time(NULL) < start + 30;)
    write_file(out, "DEED: the output was written after the end of the program");
  _exit(0);
}
