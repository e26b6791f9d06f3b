// A message as long as the suite's buffers, in characters of several bytes, for a message of the suite that quotes it.
// with: REFUSED OUTPUT
// expect: WRONG OUTPUT
#define REFUSED 1
#define OUTPUT 2
ATTACK {
  static char text[30000] = "block";
  for (int n = 5; n < 29990; n += 3)
    memcpy(text + n, "\xe2\x82\xac", 3);
  fprintf(WITH == REFUSED ? stderr : stdout, "%s\n\n", text);
  fflush(stdout);
  _exit(WITH == REFUSED ? 2 : 0);
}
