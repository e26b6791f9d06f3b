#define _GNU_SOURCE /* nftw */
#include "program.h"
#include "error.h"
#include "timing.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char directory[] = "/tmp/checkerboard.XXXXXX";
static pid_t directory_owner;
static const char output_path[] = "stdout.txt", messages_path[] = "stderr.txt";

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  remove(path);
  return 0;
}

void program_remove_directory(void) {
  if (getpid() != directory_owner) /* tests are forked and leave through exit too */
    return;
  nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *program_make_directory(void) {
  directory_owner = getpid();
  strcpy(directory, "/tmp/checkerboard.XXXXXX"); /* the parent may have made one */
  if (!mkdtemp(directory))
    error_die("%s: cannot create a temporary directory: %s", directory, strerror(errno));
  atexit(program_remove_directory);
  return directory;
}

static int origin = -1; /* the directory before */

void program_enter_directory(void) {
  origin = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (origin < 0 || chdir(program_make_directory()) != 0)
    error_die("%s: cannot change to it: %s", directory, strerror(errno));
}

void program_leave_directory(void) {
  if (fchdir(origin) != 0)
    error_die("cannot change back from %s: %s", directory, strerror(errno));
  close(origin);
  program_remove_directory();
}

static void redirect(int descriptor, const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(127);
  close(file);
}

__attribute__((noreturn)) static void become(const char *const *arguments, int input, int output,
                                             const char *messages) {
  const struct rlimit no_core = {0, 0};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CORE, &no_core);
  if (input < 0)
    input = open("/dev/null", O_RDONLY);
  if (input < 0 || dup2(input, STDIN_FILENO) < 0 || (output >= 0 && dup2(output, STDOUT_FILENO) < 0))
    _exit(127);
  if (output < 0)
    redirect(STDOUT_FILENO, output_path);
  redirect(STDERR_FILENO, messages);
  execv(arguments[0], (char *const *)(uintptr_t)arguments);
  dprintf(STDERR_FILENO, "%s: cannot run: %s\n", arguments[0], strerror(errno));
  _exit(127);
}

static void read_text(const char *path, char text[PROGRAM_TEXT_MAX]) {
  FILE *stream = fopen(path, "r");
  const size_t length = stream ? fread(text, 1, PROGRAM_TEXT_MAX - 1, stream) : 0;
  text[length] = '\0';
  if (stream)
    fclose(stream);
}

/* False when the time was up. */
static bool wait_until(pid_t child, double deadline, int *status) {
  while (waitpid(child, status, WNOHANG) == 0) {
    if (timing_now() > deadline)
      return false;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return true;
}

pid_t program_start(const char *const *arguments, int input, int output, const char *messages) {
  const pid_t child = fork();
  if (child < 0)
    error_die("%s: cannot fork: %s", arguments[0], strerror(errno));
  if (child == 0)
    become(arguments, input, output, messages);
  setpgid(child, child); /* whoever of the two comes first */
  return child;
}

struct program_result program_finish(pid_t child, double seconds, const char *messages) {
  struct program_result result = {0};
  int status = 0;
  result.timed_out = !wait_until(child, timing_now() + seconds, &status);
  kill(-child, SIGKILL); /* with all that it started */
  if (result.timed_out)
    waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  read_text(messages, result.message);
  return result;
}

struct program_result program_run(const char *const *arguments, double seconds) {
  const pid_t child = program_start(arguments, -1, -1, messages_path);
  struct program_result result = program_finish(child, seconds, messages_path);
  read_text(output_path, result.output);
  return result;
}

void program_describe(const struct program_result *result, char *text, size_t size) {
  const int length = (int)strcspn(result->message, "\n");
  if (result->timed_out)
    snprintf(text, size, "it did not end in time");
  else if (result->signal)
    snprintf(text, size, "it crashed: %s", strsignal(result->signal));
  else if (length > 0)
    snprintf(text, size, "exit status %d: %.*s", result->status, length, result->message);
  else
    snprintf(text, size, "exit status %d, without a message", result->status);
}
