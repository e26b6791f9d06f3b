// Row 17: a daemon outlives the program: its parent ends, it has its own session, and it ignores signals. SUBREAPER:
// its children do not become those of the grader. SILENT: it also closes all its descriptors.
// with: PLAIN SUBREAPER SILENT
#define PLAIN 1
#define SUBREAPER 2
#define SILENT 3
ATTACK {
  if (fork() != 0)
    return;
  setsid();
  if (WITH == SUBREAPER)
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (fork() != 0 && WITH != SUBREAPER)
    _exit(0);
  for (int n = 1; n < 65; n++)
    signal(n, SIG_IGN);
  for (int n = 0; WITH == SILENT && n < 256; n++)
    close(n);
  for (const time_t start = time(NULL); time(NULL) < start + 60;)
    usleep(10000);
  _exit(0);
}
