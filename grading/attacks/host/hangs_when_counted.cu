// Computes without end in large runs only, after its results were correct.
// base: solution
// hook
// points: 100
// expect: WRONG TIMEOUT
// seconds: 240
static void hook(void) {
  if (argument("--nx") && atoi(argument("--nx")) > 512)
    for (volatile unsigned n = 0;; n++)
      ;
}
