#define _GNU_SOURCE /* pipe2, unshare, setresuid */
#include "self_test.h"

#include "guard.h"
#include "seccomp_filter.h"
#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECRETS = 8, MILLISECONDS = 10000, TEXT = 4096 };

static const char probe[] = ISOLATION_PROBE;

__attribute__((format(printf, 2, 3))) static void add_missing(struct self_test *test, const char *format,
                                                              ...) {
  const size_t used = strlen(test->missing);
  va_list values;
  va_start(values, format);
  const int start = snprintf(test->missing + used, sizeof test->missing - used, "%s", used ? "; " : "");
  if (start >= 0 && used + (size_t)start < sizeof test->missing)
    vsnprintf(test->missing + used + start, sizeof test->missing - used - (size_t)start, format, values);
  va_end(values);
}

/* --- the probe --- */

_Noreturn static void become_probe(const struct jail *jail, pid_t grader, const char *const *secrets,
                                   int out) {
  char number[16], path[PATH_MAX], libraries[PATH_MAX];
  const char *arguments[MOST_SECRETS + 3] = {probe, number};
  char *variables[] = {path, libraries, NULL};
  snprintf(number, sizeof number, "%d", (int)grader);
  snprintf(path, sizeof path, "PATH=%s", getenv("PATH") ? getenv("PATH") : "");
  snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%s",
           getenv("LD_LIBRARY_PATH") ? getenv("LD_LIBRARY_PATH") : "");
  environ = variables;
  for (int n = 0; secrets[n] && n < MOST_SECRETS; n++)
    arguments[n + 2] = secrets[n];
  if (dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0) {
    for (int file = STDERR_FILENO + 1; file < 256; file++)
      close(file);
    jail_exec(jail, arguments);
  }
  _exit(127);
}

/* Reads until the end, or for at most some seconds. */
static void read_all(int from, char text[TEXT]) {
  size_t length = 0;
  struct pollfd end = {.fd = from, .events = POLLIN};
  ssize_t more = 1;
  while (more > 0 && length < TEXT - 1 && TEMP_FAILURE_RETRY(poll(&end, 1, MILLISECONDS)) > 0) {
    more = TEMP_FAILURE_RETRY(read(from, text + length, TEXT - 1 - length));
    length += more > 0 ? (size_t)more : 0;
  }
  text[length] = '\0';
}

/* What the probe prints in this jail; whether it ran to its end. */
static bool run_probe(const struct jail *jail, const char *const *secrets, char text[TEXT]) {
  int ends[2];
  const pid_t grader = getpid();
  text[0] = '\0';
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  const pid_t child = fork();
  if (child == 0) {
    guard_go_on(grader);
    become_probe(jail, grader, secrets, ends[1]);
  }
  close(ends[1]);
  if (child > 0) {
    read_all(ends[0], text);
    kill(child, SIGTERM);
    TEMP_FAILURE_RETRY(waitpid(child, NULL, 0));
  }
  close(ends[0]);
  char *done = strstr(text, "done\n");
  if (done)
    *done = '\0';
  return done != NULL;
}

/* --- reasons --- */

static bool is_setting(const char *path, int value) {
  FILE *file = fopen(path, "r");
  int found;
  const bool is = file && fscanf(file, "%d", &found) == 1 && found == value;
  if (file)
    fclose(file);
  return is;
}

/* How to allow new namespaces on this machine. */
static const char *remedy(void) {
  if (is_setting("/proc/sys/user/max_user_namespaces", 0))
    return "sysctl -w user.max_user_namespaces=10000";
  if (is_setting("/proc/sys/kernel/unprivileged_userns_clone", 0))
    return "sysctl -w kernel.unprivileged_userns_clone=1";
  if (is_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1))
    return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
  return "in a container: --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
         "--security-opt systempaths=unconfined";
}

/* What this machine or this build lacks for level full; false: nothing that is known. */
static bool add_packages(struct self_test *test) {
  char path[PATH_MAX];
  const size_t before = strlen(test->missing);
  if (!jail_find("bwrap", path, sizeof path))
    add_missing(test, "bubblewrap: apt install bubblewrap");
  if (!jail_find("prlimit", path, sizeof path))
    add_missing(test, "prlimit: apt install util-linux");
  if (!seccomp_filter_can_limit())
    add_missing(test, "libseccomp: apt install libseccomp-dev, and build again");
  return strlen(test->missing) > before;
}

static void add_lines(struct self_test *test, char *lines) {
  for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
    add_missing(test, "%s", line);
}

/* Root's programs need users that nobody else is. */
static bool users_are_free(int slots, struct self_test *test) {
  for (int n = 0; n < slots && geteuid() == 0; n++) {
    const struct passwd *other = getpwuid(JAIL_FIRST_USER + (uid_t)slots_of(n));
    if (other) {
      add_missing(test, "user id %d belongs to %s: expected no user from %d to %d",
                  JAIL_FIRST_USER + slots_of(n), other->pw_name, JAIL_FIRST_USER,
                  JAIL_FIRST_USER + JAIL_SLOTS - 1);
      return false;
    }
  }
  return true;
}

/* --- levels --- */

static bool try(struct self_test *test, enum isolation level, bool namespaces, const char *const *secrets,
                char text[TEXT]) {
  const char *const readable[] = {probe, NULL};
  const struct jail jail = {
      .level = level, .namespaces = namespaces, .readable = readable, .tmpfs = 1 << 20, .slot = slots_of(0)};
  if (!run_probe(&jail, secrets, text))
    return false;
  test->level = level;
  test->namespaces = namespaces;
  return true;
}

/* Whether the users of the slots reach the files. With the right to mount they need not: the jail brings the files. */
static bool are_readable(const char *const *needed, bool namespaces, struct self_test *test) {
  int status;
  if (geteuid() != 0)
    return true;
  for (; *needed; needed++) {
    const pid_t child = fork();
    if (child == 0) {
      if (namespaces && unshare(CLONE_NEWNS) == 0)
        _exit(0);
      _exit(setresgid(JAIL_FIRST_USER, JAIL_FIRST_USER, JAIL_FIRST_USER) == 0 && setgroups(0, NULL) == 0 &&
                    setresuid(JAIL_FIRST_USER, JAIL_FIRST_USER, JAIL_FIRST_USER) == 0 &&
                    access(*needed, R_OK) != 0
                ? 1
                : 0);
    }
    if (child > 0 && TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) == child && WIFEXITED(status) &&
        WEXITSTATUS(status) == 1) {
      add_missing(test, "user %d cannot read %s: chmod -R a+rX", JAIL_FIRST_USER, *needed);
      return false;
    }
  }
  return true;
}

/* Some isolation: what a level must have to be called reduced. */
static bool is_isolated(const char *text) {
  return !strstr(text, "no system call is refused") || !strstr(text, "other processes are visible");
}

struct self_test self_test_run(enum isolation highest, const char *const *secrets, const char *const *needed,
                               int slots) {
  struct self_test test = {.level = ISOLATION_NONE};
  char text[TEXT] = "", path[PATH_MAX];
  if (highest == ISOLATION_NONE || !users_are_free(slots, &test))
    return test;
  bool namespaces = jail_find("bwrap", path, sizeof path);
  if (highest == ISOLATION_FULL && seccomp_filter_can_limit() && namespaces) {
    if (try(&test, ISOLATION_FULL, true, secrets, text) && !text[0] && are_readable(needed, true, &test))
      return test;
    namespaces = test.level == ISOLATION_FULL;
    if (!namespaces) {
      text[strcspn(text, "\n")] = '\0';
      add_missing(&test, "new namespaces (%s): %s", text, remedy());
    }
  }
  add_packages(&test);
  test.level = ISOLATION_NONE;
  const bool runs = (namespaces && try(&test, ISOLATION_REDUCED, true, secrets, text)) ||
                    try(&test, ISOLATION_REDUCED, false, secrets, text);
  if (!runs || !is_isolated(text) || !are_readable(needed, test.namespaces, &test))
    test.level = ISOLATION_NONE;
  add_lines(&test, text);
  return test;
}
