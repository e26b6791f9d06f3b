// Locks, leases and notifications on the descriptors that it shares with the suite, so that it waits or gets a signal.
// with: FLOCK RECORD LEASE OWNER
// expect: UNWRITTEN WRONG CRASH
enum { FLOCK, RECORD, LEASE, OWNER };
#include <sys/file.h>
ATTACK {
  for (int n = 0; n < 16; n++) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (WITH == FLOCK)
      flock(n, LOCK_EX | LOCK_NB);
    if (WITH == RECORD)
      fcntl(n, F_OFD_SETLK, &whole);
    if (WITH == LEASE)
      fcntl(n, F_SETLEASE, F_WRLCK);
    if (WITH == OWNER && fcntl(n, F_SETOWN, getppid()) == 0)
      fcntl(n, F_SETFL, O_ASYNC | O_NONBLOCK | O_APPEND);
  }
}
