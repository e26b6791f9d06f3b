#include "guard.h"

#include "process_tree.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FAILED = 127 };

/* Waits until the child ends, or until SIGTERM. Returns its exit status. */
static int wait_for(pid_t child, const sigset_t *signals) {
  int status;
  pid_t ended;
  for (;;) {
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
      if (ended == child)
        return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
    if (sigwaitinfo(signals, NULL) == SIGTERM)
      return FAILED;
  }
}

static void end_all(void) {
  while (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD) {
    process_tree_kill(0);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

void guard_go_on(pid_t parent) {
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, &before);
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const pid_t guard = getpid(), child = getppid() == parent ? fork() : -1;
  if (child < 0)
    _exit(FAILED);
  if (child > 0) {
    syscall(SYS_close_range, 0, ~0U, 0);
    const int status = wait_for(child, &signals);
    end_all();
    _exit(status);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard)
    _exit(FAILED);
}
