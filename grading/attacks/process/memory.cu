// Takes 6 GiB: as memfd, POSIX or System V shared memory, or as a file in every
// tmpfs.
// expect: MEMORY OUTPUT CRASH VIOLATION
// with: MEMFD POSIX SYSV FILE
#define MEMFD 2
#define POSIX 3
#define SYSV 4
#define FILE 5
static const size_t piece = 48 << 20, total = (size_t)6 << 30;
static bool fill(int file) {
  static char text[1 << 20];
  memset(text, 'x', sizeof text);
  for (size_t n = 0; n < piece; n += sizeof text)
    if (write(file, text, sizeof text) != (ssize_t)sizeof text)
      return false;
  return true;
}
ATTACK {
  static const char *const folders[] = {".", "/tmp", "/dev/shm"};
  char path[64];
  for (size_t n = 0; n < total / piece; n++) {
    if (WITH == MEMFD && !fill(memfd_create("x", 0)))
      break;
    else if (WITH == SYSV) {
      const int id = shmget(IPC_PRIVATE, piece, IPC_CREAT | 0600);
      void *memory = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
      if (memory == (void *)-1)
        break;
      memset(memory, 1, piece);
    } else if (WITH == POSIX || WITH == FILE) {
      snprintf(path, sizeof path, "%s/fill.%d.%zu", WITH == POSIX ? "/dev/shm" : folders[n % 2], getpid(), n);
      if (!fill(open(path, O_WRONLY | O_CREAT, 0600)))
        break;
    }
  }
  sleep(3);
  _exit(1);
}
