/* The process that keeps a room (room.h) until its standard input ends. The programs of the room run as the same user:
 * they must not read or write its memory, or reach its descriptors. */
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
  char byte = '\n';
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || write(STDOUT_FILENO, &byte, 1) != 1)
    return 1;
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  while (read(STDIN_FILENO, &byte, 1) > 0)
    ;
  return 0;
}
