/* Runs one test of ctest within limits that hold on a busy machine, too: CPU time of the test and of all its processes,
 * and time in which none of them could run. No process of the test is left afterwards.
 *   limited TIMES NAME CPU_SECONDS IDLE_SECONDS COMMAND [ARGUMENT ...]
 * Appends "NAME,CPU seconds" to the file TIMES. The exit status is the command's, or 1 after a signal or at a limit. */
#include "all_bytes.h"
#include "error.h"
#include "supervisor.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 1, NAME, CPU, IDLE, COMMAND };

static double seconds_of(const char *text) {
  char *end;
  const double seconds = strtod(text, &end);
  if (end == text || *end || !(seconds > 0))
    error_die("'%s': expected a number of seconds above 0", text);
  return seconds;
}

/* One write, so that tests that end together do not mix their lines. */
static void note_time(const char *path, const char *name, double seconds) {
  char line[256];
  const int length = snprintf(line, sizeof line, "%s,%.2f\n", name, seconds);
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || length >= (int)sizeof line || !all_bytes_write(file, line, (size_t)length))
    error_die("%s: cannot write", path);
  close(file);
}

static int status_of(const struct supervisor_report *report, const struct supervisor_limits *limits) {
  switch (report->end) {
  case SUPERVISOR_CPU:
    printf("test stopped: it used more than %.0f s of CPU time\n", limits->cpu_seconds);
    return 1;
  case SUPERVISOR_IDLE:
    printf("test stopped: none of its processes ran for %.0f s\n", limits->idle_seconds);
    return 1;
  case SUPERVISOR_ENDED:
    break;
  default:
    puts("test stopped, or not started");
    return 1;
  }
  if (WIFEXITED(report->status))
    return WEXITSTATUS(report->status);
  printf("test ended by signal %d (%s)\n", WTERMSIG(report->status), strsignal(WTERMSIG(report->status)));
  return 1;
}

int main(int count, char **arguments) {
  if (count <= COMMAND)
    error_die("expected TIMES NAME CPU_SECONDS IDLE_SECONDS COMMAND");
  const struct supervisor_limits limits = {
      .cpu_seconds = seconds_of(arguments[CPU]),
      .idle_seconds = seconds_of(arguments[IDLE]),
      .waiting_seconds = 10 * seconds_of(arguments[IDLE]), /* a busy disk is no fault of the test */
  };
  arguments[COMMAND - 1] = "/usr/bin/env"; /* finds the command on PATH */
  const struct supervisor_order order = {
      .arguments = (const char *const *)arguments + COMMAND - 1,
      .input = -1,
      .output = STDOUT_FILENO,
      .messages = STDERR_FILENO,
      .device_messages = -1,
      .limits = &limits,
  };
  struct supervisor_report report = {.end = SUPERVISOR_CANNOT_RUN};
  int end;
  signal(SIGINT, SIG_DFL); /* ignored in a shell's background jobs, and tests inherit that */
  signal(SIGHUP, SIG_DFL);
  const pid_t supervisor = supervisor_start(&order, &end);
  if (supervisor < 0 || all_bytes_read(end, &report, sizeof report) != sizeof report)
    error_die("%s: cannot run", arguments[COMMAND]);
  waitpid(supervisor, NULL, 0);
  note_time(arguments[TIMES], arguments[NAME], report.cpu_seconds);
  return status_of(&report, &limits);
}
