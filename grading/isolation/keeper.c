/* The process that keeps a room (room.h) until its standard input, a socket, ends. For each number that it gets it ends
 * all other processes of the room, and returns the number. The programs of the room run as the same user: they must not
 * read or write its memory, or reach its descriptors. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 2000 }; /* a millisecond each */

/* kill(-1) reaches every process of the namespace except its first and the caller, also those that are just forked, and
 * says ESRCH when there is none: nothing is counted. */
static bool end_others(void) {
  for (int n = 0; n < TRIES; n++) {
    if (kill(-1, SIGKILL) != 0 && errno == ESRCH)
      return true;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return false;
}

static bool answer(pid_t number) { return write(STDIN_FILENO, &number, sizeof number) == sizeof number; }

int main(void) {
  pid_t number;
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || !answer(0))
    return 1;
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  while (read(STDIN_FILENO, &number, sizeof number) == sizeof number)
    if (!end_others() || !answer(number))
      return 1;
  return 0;
}
