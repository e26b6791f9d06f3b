#include "recording.h"
#include "device/report.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void recording_add(int file, const void *bytes, size_t size) {
  struct rlimit most;
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || getrlimit(RLIMIT_FSIZE, &most) != 0 ||
      (uint64_t)status.st_size + size > most.rlim_cur)
    return;
  for (const char *at = bytes; size > 0;) {
    const ssize_t written = write(file, at, size);
    if (written < 0 && errno != EINTR)
      return;
    at += written > 0 ? written : 0;
    size -= written > 0 ? (size_t)written : 0;
  }
}

static int recording, ends[2]; /* of the one recording that is played */

static void *send_all(void *unused) {
  char bytes[1 << 16];
  ssize_t got;
  while ((got = read(recording, bytes, sizeof bytes)) > 0)
    if (send(ends[1], bytes, (size_t)got, MSG_NOSIGNAL) != got)
      break;
  shutdown(ends[1], SHUT_WR);
  return unused;
}

static void *drop_replies(void *unused) {
  char bytes[1 << 16];
  while (recv(ends[1], bytes, sizeof bytes, 0) > 0)
    continue;
  return unused;
}

int recording_play(const char *path) {
  pthread_t sender, receiver;
  recording = open(path, O_RDONLY | O_CLOEXEC);
  if (recording < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    fprintf(stderr, "simgpu-device: %s: %s\n", path, strerror(errno));
    return -1;
  }
  if (pthread_create(&sender, NULL, send_all, NULL) != 0 ||
      pthread_create(&receiver, NULL, drop_replies, NULL) != 0) {
    fprintf(stderr, "simgpu-device: cannot start a thread\n");
    return -1;
  }
  return ends[0];
}

bool recording_confine(void) {
  char name[8];
  report_name("x", name, sizeof name); /* loads the C++ library, which is a file */
  if (setenv("SIMGPU_NATIVE", "off", 1) != 0 || (fcntl(0, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != 0))
    return false;
  /* Descriptor 0 is taken, so no call that makes another one succeeds. */
  return setrlimit(RLIMIT_NOFILE, &(struct rlimit){1, 1}) == 0;
}
