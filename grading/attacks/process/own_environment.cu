// Prints its environment, which must not hold the grader's.
// expect: UNWRITTEN WRONG
extern char **environ;
ATTACK {
  for (char **variable = environ; *variable; variable++)
    if (strstr(*variable, "CANARY") || strstr(*variable, "COUNTERS"))
      deed(*variable);
}
