#include "program.h"
#include "error.h"
#include "timing.h"
#include "working_folder.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[PATH_MAX];
static pid_t directory_owner;
const struct supervisor_limits program_limits = {
    .cpu_seconds = 30,
    .idle_seconds = 10,
    .seconds = 600,
    .memory = UINT64_C(1) << 30,
    .file = UINT64_C(64) << 20,
    .processes = 32,
    .device_memory = UINT64_C(512) << 20,
    .launch = 200000000,
    .foreign = true,
};

static const char output_path[] = PROGRAM_OUTPUT, messages_path[] = "stderr.txt";

void program_remove_directory(void) {
  if (getpid() != directory_owner) /* forked tests also leave through exit */
    return;
  working_folder_remove(directory);
}

const char *program_make_directory(void) {
  struct error error;
  if (!working_folder_make(directory, &error))
    error_die("%s", error.text);
  directory_owner = getpid();
  atexit(program_remove_directory);
  return directory;
}

static int origin = -1; /* the directory that program_enter_directory left */

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

static void read_text(const char *path, char text[PROGRAM_TEXT_MAX]) {
  FILE *stream = fopen(path, "r");
  const size_t length = stream ? fread(text, 1, PROGRAM_TEXT_MAX - 1, stream) : 0;
  text[length] = '\0';
  if (stream)
    fclose(stream);
}

struct program program_start(const char *const *arguments, int input, int output, const char *messages,
                             const struct supervisor_limits *limits) {
  struct program program = {.limits = *limits};
  program.supervisor = supervisor_start(
      &(struct supervisor_order){arguments, input, output, output_path, messages, limits}, &program.report);
  if (program.supervisor < 0)
    error_die("%s: cannot fork: %s", arguments[0], strerror(errno));
  return program;
}

/* Waits for the report for at most the given seconds, then requests it. */
static bool read_report(const struct program *program, double seconds, struct supervisor_report *report) {
  struct pollfd end = {.fd = program->report, .events = POLLIN};
  const double deadline = timing_now() + seconds;
  int ready;
  do
    ready = poll(&end, 1, (int)fmin(INT_MAX, fmax(0, ceil(1000 * (deadline - timing_now())))));
  while (ready < 0 && errno == EINTR);
  if (ready == 0)
    kill(program->supervisor, SIGTERM);
  ssize_t length;
  do
    length = read(program->report, report, sizeof *report);
  while (length < 0 && errno == EINTR);
  return length == sizeof *report;
}

struct program_result program_finish(const struct program *program, double seconds, const char *messages) {
  struct program_result result = {.limits = program->limits};
  const bool told = read_report(program, seconds, &result.report);
  close(program->report);
  while (waitpid(program->supervisor, NULL, 0) < 0 && errno == EINTR)
    ;
  if (!told)
    error_die("the supervisor of a program ended unexpectedly");
  const int status = result.report.status;
  const enum supervisor_end end = result.report.end;
  result.timed_out = end == SUPERVISOR_CPU || end == SUPERVISOR_IDLE || end == SUPERVISOR_WALL;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  read_text(messages, result.message);
  return result;
}

struct program_result program_run_within(const char *const *arguments,
                                         const struct supervisor_limits *limits) {
  const struct program program = program_start(arguments, -1, -1, messages_path, limits);
  struct program_result result = program_finish(&program, INFINITY, messages_path);
  read_text(output_path, result.output);
  return result;
}

struct program_result program_run(const char *const *arguments, double seconds) {
  return program_run_within(arguments, &(struct supervisor_limits){.seconds = seconds});
}

static void describe_bytes(uint64_t bytes, char text[32]) {
  const bool is_large = bytes >= UINT64_C(1) << 30;
  snprintf(text, 32, "%.3g %s", (double)bytes / (is_large ? 1 << 30 : 1 << 20), is_large ? "GiB" : "MiB");
}

static bool describe_limit(const struct program_result *result, char *text, size_t size) {
  const struct supervisor_limits *l = &result->limits;
  char bytes[32];
  switch (result->report.end) {
  case SUPERVISOR_CPU:
    snprintf(text, size, "stopped after %g s of CPU time: does a loop never end?", l->cpu_seconds);
    return true;
  case SUPERVISOR_IDLE:
    snprintf(text, size, "stopped after %g s idle: does the program sleep, or wait for something?",
             l->idle_seconds);
    return true;
  case SUPERVISOR_WALL:
    snprintf(text, size, "it did not finish in time");
    return true;
  case SUPERVISOR_MEMORY:
    describe_bytes(l->memory, bytes);
    snprintf(text, size, "stopped: it used more than %s of memory", bytes);
    return true;
  case SUPERVISOR_PROCESSES:
    snprintf(text, size, "stopped: it started more than %d processes: a lab program needs none",
             l->processes);
    return true;
  case SUPERVISOR_CANNOT_RUN:
    snprintf(text, size, "it could not be started: %.400s",
             result->message[0] ? result->message : "its folder is not writable");
    text[strcspn(text, "\n")] = '\0';
    return true;
  case SUPERVISOR_ENDED:
    if (result->signal != SIGXFSZ)
      return false;
    describe_bytes(l->file, bytes);
    snprintf(text, size, "stopped: it wrote more than %s to one file or to its output", bytes);
  }
  return true;
}

void program_drop_folders(char *text) {
  for (char *path = text; (path = strchr(path, '/')); path++) {
    const size_t length = strcspn(path, " :()\n");
    const bool is_place = (path == text || strchr(" (\n", path[-1])) && path[length] == ':' &&
                          isdigit((unsigned char)path[length + 1]);
    char *name = path + length;
    while (is_place && name[-1] != '/')
      name--;
    if (is_place)
      memmove(path, name, strlen(name) + 1);
  }
}

/* The first line that reports a fault: skips remarks of the simulated GPU and the source line below each. */
static const char *telling_line(const char *message) {
  for (const char *line = message; *line;) {
    const size_t length = strcspn(line, "\n");
    const char *remark = strstr(line, ": remark: ");
    if (length > 0 && line[0] != ' ' && !(remark && remark < line + length))
      return line;
    line += length + (line[length] == '\n');
  }
  return message;
}

void program_describe(const struct program_result *result, char *text, size_t size) {
  char message[PROGRAM_TEXT_MAX];
  snprintf(message, sizeof message, "%s", telling_line(result->message));
  message[strcspn(message, "\n")] = '\0';
  program_drop_folders(message);
  const int length = (int)strlen(message);
  if (describe_limit(result, text, size))
    return;
  if (result->signal)
    snprintf(text, size, "it crashed: %s%s%.*s", strsignal(result->signal), length > 0 ? ": " : "", length,
             message);
  else if (length > 0)
    snprintf(text, size, "exit status %d: %.*s", result->status, length, message);
  else
    snprintf(text, size, "exit status %d, without a message", result->status);
}

static bool says(const struct program_result *result, const char *words) {
  return strstr(result->message, words) != NULL;
}

const char *program_verdict(const struct program_result *result) {
  static const char *const verdicts[] = {
      [SUPERVISOR_CPU] = "TIMEOUT",   [SUPERVISOR_IDLE] = "TIMEOUT",        [SUPERVISOR_WALL] = "INFRA",
      [SUPERVISOR_MEMORY] = "MEMORY", [SUPERVISOR_PROCESSES] = "VIOLATION", [SUPERVISOR_CANNOT_RUN] = "INFRA",
  };
  if (result->report.end != SUPERVISOR_ENDED)
    return verdicts[result->report.end];
  if (result->status == 0)
    return "PASS";
  if (result->status == 2 || result->status == 3)
    return result->status == 2 ? "WRONG" : "UNWRITTEN";
  if (says(result, "the device process ended") || says(result, "from the device process"))
    return "INFRA";
  if (result->signal == SIGXFSZ)
    return "OUTPUT";
  if (says(result, "cudaErrorLaunchTimeout"))
    return "TIMEOUT";
  return result->signal == SIGKILL || says(result, "cudaErrorMemoryAllocation") ? "MEMORY" : "CRASH";
}
