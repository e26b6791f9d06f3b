// Prints its environment, which must not hold the grader's.
// expect: UNWRITTEN WRONG
extern char **environ;
ATTACK {
  for (char **variable = environ; *variable; variable++)
    if (strstr(*variable, "CANARY") || strstr(*variable, "COUNTERS") ||
        (strncmp(*variable, "PATH=", 5) == 0 && strcmp(*variable, "PATH=/usr/local/bin:/usr/bin:/bin") != 0))
      deed(*variable);
}
