// A run leaves something that a later run of the submission finds: in the keyring, as shared memory, as a message
// queue, or as a file in any folder.
// with: KEYRING SYSV POSIX QUEUE TMP VAR_TMP SHM HOME HERE PROGRAM
#include <mqueue.h>
#define KEYRING 0
#define SYSV 1
#define POSIX 2
#define QUEUE 3
#define TMP 4
#define VAR_TMP 5
#define SHM 6
#define HOME 7
#define HERE 8
#define PROGRAM 9
static bool leave(void) { // returns whether it was there
  static const char *const places[] = {"/tmp/kept", "/var/tmp/kept", "/dev/shm/kept", "/root/kept", "kept"};
  if (WITH == KEYRING) {
    const long found = syscall(SYS_request_key, "user", "kept", NULL, 0);
    syscall(SYS_add_key, "user", "kept", "x", 1L, -4L /* of the user */);
    return found >= 0;
  }
  if (WITH == SYSV)
    return shmget(4711, 4096, IPC_CREAT | IPC_EXCL | 0600) < 0 && errno == EEXIST;
  if (WITH == QUEUE)
    return mq_open("/kept", O_RDWR | O_CREAT | O_EXCL, 0600, NULL) == (mqd_t)-1 && errno == EEXIST;
  if (WITH == POSIX)
    return shm_open("/kept", O_RDWR | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST;
  if (WITH == PROGRAM) {
    struct stat status;
    const bool found = stat("/proc/self/exe", &status) == 0 && status.st_mtime == 4711;
    char path[PATH_MAX] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
      return false;
    const struct timespec times[2] = {{.tv_sec = 4711}, {.tv_sec = 4711}};
    utimensat(AT_FDCWD, path, times, 0);
    return found;
  }
  return open(places[WITH >= TMP ? WITH - TMP : 0], O_RDWR | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST;
}
ATTACK { deed_if(leave(), "a later run found what an earlier one left"); }
