#define _GNU_SOURCE /* O_PATH, syscall */
#include "landlock.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library has no wrappers, and headers of older kernels lack it: these are part of the kernel's interface. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, GET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum { EXECUTE = 1, WRITE_FILE = 2, READ_FILE = 4, READ_DIR = 8, ALL_OF_1 = 0x1fff, TRUNCATE = 1 << 14 };
enum { READ = EXECUTE | READ_FILE | READ_DIR, OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE };

/* The kernel takes members that it does not know if they are zero. */
struct attributes {
  uint64_t files, network, scopes;
};

struct beneath {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));

static long version(void) { return syscall(CREATE_RULESET, NULL, (size_t)0, GET_VERSION); }

bool landlock_is_there(void) { return version() > 0; }

/* Version 2 limits moves between folders, version 3 truncation. */
static uint64_t limited(long version) {
  return ALL_OF_1 | (version > 1 ? UINT64_C(1) << 13 : 0) | (version > 2 ? TRUNCATE : 0);
}

/* Version 4: TCP. Version 6: abstract sockets of, and signals to, processes outside. */
static struct attributes everything(long version) {
  return (struct attributes){limited(version), version > 3 ? 3 : 0, version > 5 ? 3 : 0};
}

static void allow(int rules, const char *path, uint64_t access) {
  struct stat status;
  const int place = open(path, O_PATH | O_CLOEXEC);
  if (place >= 0 && fstat(place, &status) == 0) {
    const struct beneath rule = {S_ISDIR(status.st_mode) ? access : access & OF_FILES, place};
    syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0);
  }
  if (place >= 0)
    close(place);
}

bool landlock_limit(const char *const *readable, const char *writable) {
  const struct attributes all = everything(version());
  const int rules = version() > 0 ? (int)syscall(CREATE_RULESET, &all, sizeof all, 0) : -1;
  if (rules < 0)
    return false;
  for (; *readable; readable++)
    allow(rules, *readable, READ & all.files);
  allow(rules, "/dev/null", (READ_FILE | WRITE_FILE | TRUNCATE) & all.files);
  if (writable)
    allow(rules, writable, all.files);
  const bool is_limited = syscall(RESTRICT_SELF, rules, 0) == 0;
  close(rules);
  return is_limited;
}
