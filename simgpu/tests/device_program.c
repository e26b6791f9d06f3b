#define _GNU_SOURCE /* memfd_create */
#include "device_program.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int scratch_file(void) {
  int file = memfd_create("output", MFD_CLOEXEC);
  ck_assert_int_ge(file, 0);
  return file;
}

struct program program_start(const char *const *arguments) {
  struct program p = {.output = scratch_file(), .message = scratch_file()};
  p.pid = fork();
  ck_assert_int_ge(p.pid, 0);
  if (p.pid == 0) {
    dup2(p.output, STDOUT_FILENO);
    dup2(p.message, STDERR_FILENO);
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
  }
  return p;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void take(int file, char *text, size_t size) {
  ssize_t got = pread(file, text, size - 1, 0);
  ck_assert_int_ge(got, 0);
  text[got] = '\0';
  close(file);
}

struct program_result program_wait(struct program p, double seconds) {
  struct program_result result = {0};
  double start = now();
  bool killed = false;
  int status;
  while (waitpid(p.pid, &status, WNOHANG) == 0) {
    if (!killed && now() - start > seconds) {
      kill(p.pid, SIGKILL);
      killed = true;
    }
    usleep(1000);
  }
  result.seconds = now() - start;
  result.status = killed ? -2 : WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  take(p.output, result.output, sizeof result.output);
  take(p.message, result.message, sizeof result.message);
  return result;
}

struct program_result program_run(const char *const *arguments, double seconds) {
  return program_wait(program_start(arguments), seconds);
}

pid_t program_device(struct program p) {
  char path[64];
  int child = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)p.pid, (int)p.pid);
  FILE *file = fopen(path, "r");
  if (file) {
    if (fscanf(file, "%d", &child) != 1)
      child = 0;
    fclose(file);
  }
  return child;
}

char *program_read_file(const char *path) {
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
  char *text = NULL;
  size_t size = 0;
  ssize_t length = getdelim(&text, &size, '\0', file);
  fclose(file);
  ck_assert_msg(length > 0, "%s: empty", path);
  return text;
}

unsigned long long program_counter(const char *path, const char *name) {
  char *text = program_read_file(path), *rest = text, *header = strsep(&rest, "\n"), *cell, *number = NULL;
  do {
    cell = strsep(&header, ",");
    number = strsep(&rest, ",");
  } while (cell && strcmp(cell, name) != 0);
  ck_assert_msg(cell && number, "%s: no column %s", path, name);
  const unsigned long long value = strtoull(number, NULL, 10);
  free(text);
  return value;
}

int program_marked_line(const char *folder, const char *source, const char *mark) {
  char path[4096], line[512], end[64];
  snprintf(path, sizeof path, "%s/%s", folder, source);
  snprintf(end, sizeof end, "// HERE %s\n", mark);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s: cannot read", path);
  int number = 0, found = 0;
  while (!found && fgets(line, sizeof line, file)) {
    number++;
    size_t length = strlen(line), tail = strlen(end);
    if (length >= tail && strcmp(line + length - tail, end) == 0)
      found = number;
  }
  fclose(file);
  ck_assert_msg(found, "%s: no line is marked %s", path, mark);
  return found;
}
