#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "all_bytes.h"

#include <errno.h>
#include <unistd.h>

ssize_t all_bytes_read(int file, void *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = TEMP_FAILURE_RETRY(read(file, (char *)bytes + done, size - done));
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

ssize_t all_bytes_read_at(int file, void *bytes, size_t size, off_t at) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = TEMP_FAILURE_RETRY(pread(file, (char *)bytes + done, size - done, at + (off_t)done));
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

bool all_bytes_write(int file, const void *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t written = TEMP_FAILURE_RETRY(write(file, (const char *)bytes + done, size - done));
    if (written < 0)
      return false;
    done += (size_t)written;
  }
  return true;
}
