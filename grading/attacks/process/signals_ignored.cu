// Ignores all signals and computes without end.
// expect: TIMEOUT
// seconds: 240
ATTACK {
  for (int n = 1; n < 65; n++)
    signal(n, SIG_IGN);
  for (volatile unsigned n = 0;; n++)
    ;
}
