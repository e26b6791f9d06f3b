/* A library for LD_PRELOAD that lets system calls and allocations fail, as they may on any machine.
 *
 *   FAULTS=allocation|mapping|interruption   what fails; mapping: mmap() by programs
 *   FAULTS_ONLY=NAME                 only in programs of this name
 *   FAULTS_SEED=N                    each program draws its own calls from this
 *   FAULTS_EVERY=N                   one call in N fails
 *   FAULTS_LOG=FILE                  gets a byte for each call that failed
 *
 * Programs in a jail do not get it: the supervisor drops the variables. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static bool allocation, mapping, interruption;
static uint64_t seed, every;
static const char *log_path;

__attribute__((constructor)) static void begin(void) {
  const char *what = getenv("FAULTS"), *number = getenv("FAULTS_SEED"), *rate = getenv("FAULTS_EVERY");
  const char *only = getenv("FAULTS_ONLY");
  log_path = getenv("FAULTS_LOG");
  seed = number ? strtoull(number, NULL, 10) : 1;
  for (const char *c = program_invocation_short_name; *c;
       c++) /* not the number of the process: a run can be repeated */
    seed = 31 * seed + (unsigned char)*c;
  every = rate ? strtoull(rate, NULL, 10) : 1000;
  if (only && strcmp(only, program_invocation_short_name) != 0)
    what = NULL;
  allocation = what && strcmp(what, "allocation") == 0;
  mapping = what && strcmp(what, "mapping") == 0;
  interruption = what && strcmp(what, "interruption") == 0;
}

/* splitmix64, of the seed, the program's name and the number of the call. */
static uint64_t draw(void) {
  static uint64_t calls;
  uint64_t x = (seed << 32) + ++calls * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static bool fails(bool kind, int cause) {
  if (!kind || draw() % every != 0)
    return false;
  const int log =
      log_path ? (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
  if (log >= 0) {
    syscall(SYS_write, log, "x", 1);
    syscall(SYS_close, log);
  }
  errno = cause;
  return true;
}

/* --- allocation --- */

/* The grader defines malloc() itself and calls the C library by these names; other programs call malloc(). */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *__libc_malloc(size_t size) {
  static void *(*real)(size_t);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_malloc");
  return fails(allocation, ENOMEM) ? NULL : real(size);
}

void *__libc_calloc(size_t count, size_t size) {
  static void *(*real)(size_t, size_t);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_calloc");
  return fails(allocation, ENOMEM) ? NULL : real(count, size);
}

void *__libc_realloc(void *memory, size_t size) {
  static void *(*real)(void *, size_t);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_realloc");
  return fails(allocation, ENOMEM) ? NULL : real(memory, size);
}

void *malloc(size_t size) { return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return __libc_realloc(memory, size); }

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t from) {
  if (fails(mapping, ENOMEM))
    return MAP_FAILED;
  return (void *)syscall(SYS_mmap, at, size, protection, flags, file, from);
}

/* --- interruption --- */

/* Fewer bytes, as of a file: a pipe takes and gives a short message as a whole. */
static size_t fewer(int file, size_t size) {
  struct stat status;
  if (!interruption || size < 2 || fstat(file, &status) != 0 || S_ISFIFO(status.st_mode) || draw() % 2)
    return size;
  return 1 + (size_t)(draw() % size);
}

ssize_t read(int file, void *bytes, size_t size) {
  return fails(interruption, EINTR) ? -1 : syscall(SYS_read, file, bytes, fewer(file, size));
}

/* A short write to a file is not interrupted: the kernel copies it at once. */
ssize_t write(int file, const void *bytes, size_t size) {
  struct stat status;
  const bool is_file = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (is_file && size <= PAGE)
    return syscall(SYS_write, file, bytes, size);
  return fails(interruption, EINTR) ? -1 : syscall(SYS_write, file, bytes, fewer(file, size));
}

ssize_t pread(int file, void *bytes, size_t size, off_t at) {
  return fails(interruption, EINTR) ? -1 : syscall(SYS_pread64, file, bytes, fewer(file, size), at);
}

ssize_t pread64(int file, void *bytes, size_t size, off_t at) { return pread(file, bytes, size, at); }

ssize_t sendfile(int to, int from, off_t *at, size_t size) {
  return fails(interruption, EINTR) ? -1 : syscall(SYS_sendfile, to, from, at, fewer(to, size));
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  return fails(interruption && milliseconds != 0, EINTR) ? -1
                                                         : (int)syscall(SYS_poll, files, count, milliseconds);
}

pid_t waitpid(pid_t process, int *status, int options) {
  return fails(interruption && !(options & WNOHANG), EINTR)
             ? -1
             : (pid_t)syscall(SYS_wait4, process, status, options, NULL);
}

pid_t wait4(pid_t process, int *status, int options, struct rusage *used) {
  return fails(interruption && !(options & WNOHANG), EINTR)
             ? -1
             : (pid_t)syscall(SYS_wait4, process, status, options, used);
}
