/* Runs a program in a jail, or the self-test, for tests of the jail:
 *   jailed [readable=PATH]... [writable=FOLDER] [links=FOLDER] [tmpfs=BYTES] [secret=FILE]... [needed=FILE]...
 *     "full 3" | "self-test full" [PROGRAM ARGUMENT...]
 * Its exit status is that of the program, or 128 + N after signal N, or 99 if the jail could not be made. */
#include "jail.h"
#include "self_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATHS = 32, NO_JAIL = 99 };
static const char *readable[PATHS + 1], *secrets[PATHS + 1], *needed[PATHS + 1];
static int readables, secret_count, needs;
static struct jail jail = {.readable = readable, .tmpfs = 1 << 20};

static bool take(const char *word) {
  const char *value = strchr(word, '=');
  if (!value)
    return false;
  value++;
  if (strncmp(word, "readable=", 9) == 0 && readables < PATHS)
    readable[readables++] = value;
  else if (strncmp(word, "secret=", 7) == 0 && secret_count < PATHS)
    secrets[secret_count++] = value;
  else if (strncmp(word, "needed=", 7) == 0 && needs < PATHS)
    needed[needs++] = value;
  else if (strncmp(word, "writable=", 9) == 0)
    jail.writable = value;
  else if (strncmp(word, "links=", 6) == 0)
    jail.links = value;
  else if (strncmp(word, "tmpfs=", 6) == 0)
    jail.tmpfs = strtoull(value, NULL, 10);
  return true;
}

static int self_test(const char *highest) {
  int level = ISOLATION_NONE;
  while (isolation_names[level] && strcmp(isolation_names[level], highest) != 0)
    level++;
  const struct self_test test = self_test_run((enum isolation)level, secrets, needed, 4);
  printf("%s%s\n%s%s", isolation_names[test.level], test.namespaces ? " namespaces" : "", test.missing,
         test.missing[0] ? "\n" : "");
  return 0;
}

static int run(const char *const *arguments) {
  int status;
  jail.status = jail_open_status();
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* as a supervisor: it waits for all that the jail ends */
  const pid_t child = fork();
  if (child == 0) {
    jail_exec(&jail, arguments);
    _exit(NO_JAIL);
  }
  if (child < 0 || waitpid(child, &status, 0) != child)
    return NO_JAIL;
  while (wait(NULL) > 0)
    ;
  if (!jail_has_started(&jail, jail.status))
    return NO_JAIL;
  status = jail_wait_status(&jail, status);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  int n = 1;
  while (n < argc && take(argv[n]))
    n++;
  if (n < argc && strncmp(argv[n], "self-test ", 10) == 0)
    return self_test(argv[n] + 10);
  if (n + 1 >= argc || !jail_read(argv[n], &jail)) {
    fprintf(stderr, "jailed: expected \"full 3\" and a program\n");
    return 2;
  }
  return run((const char *const *)argv + n + 1);
}
