// The first thread ends, and another one holds memory: then the kernel says that the process has none.
// expect: MEMORY
#include <pthread.h>
static void *hold(void *unused) {
  const size_t all = 1100ul << 20; // above the limit of a run, below that of its group
  char *memory = (char *)malloc(all);
  for (size_t n = 0; memory && n < all; n += 4096)
    memory[n] = 1;
  pause();
  return unused;
}
ATTACK {
  pthread_t thread;
  pthread_create(&thread, NULL, hold, NULL);
  syscall(SYS_exit, 0);
}
