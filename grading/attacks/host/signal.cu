// Ends by a signal that the grader could take for a limit, or for a fault of the machine.
// with: SIGKILL SIGTERM SIGXFSZ SIGXCPU SIGSTOP SIGHUP SIGSEGV SIGBUS SIGPIPE
// seconds: 90
ATTACK {
  signal(WITH, SIG_DFL);
  kill(getpid(), WITH);
}
