#include "program.h"
#include "all_bytes.h"
#include "endless_words.h"
#include "error.h"
#include "jail.h"
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
    .waiting_seconds = 60,
    .seconds = 600,
    .memory = UINT64_C(1) << 30,
    .file = UINT64_C(64) << 20,
    .processes = 32,
    .device_memory = UINT64_C(512) << 20,
    .launch = 200000000,
    .foreign = true,
};

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

/* The beginning of a file, as a string; returns its length. Pipes have no beginning. */
static size_t read_text(int descriptor, char *text, size_t size) {
  const ssize_t length = all_bytes_read_at(descriptor, text, size - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  return length > 0 ? (size_t)length : 0;
}

static int open_memory(const char *name) {
  const int memory = run_files_memory(name);
  if (memory < 0)
    error_die("cannot open a file in memory: %s", strerror(errno));
  return memory;
}

/* The program's folder: a link for each file, to the descriptor that the program finds. */
static void make_folder(struct program *program, const struct run_files *files) {
  struct error error;
  if (!working_folder_make(program->folder, &error))
    error_die("%s", error.text);
  const int folder = open(program->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int n = 0; n < files->count; n++) {
    char target[32];
    snprintf(target, sizeof target, "/proc/self/fd/%d", SUPERVISOR_FILES + n);
    if (symlinkat(target, folder, files->names[n]) != 0)
      error_die("%s/%s: cannot make a link: %s", program->folder, files->names[n], strerror(errno));
  }
  close(folder);
}

struct program program_start(const struct program_order *order) {
  struct program program = {.limits = *order->limits,
                            .output = order->output ? order->output : open_memory("standard output"),
                            .messages = open_memory("standard error"),
                            .device_messages = order->device ? open_memory("device") : -1};
  if (order->files)
    make_folder(&program, order->files);
  const struct supervisor_order supervised = {.arguments = order->arguments,
                                              .folder = order->files ? program.folder : NULL,
                                              .input = order->input ? order->input : -1,
                                              .output = program.output,
                                              .messages = program.messages,
                                              .device = order->device,
                                              .device_messages = program.device_messages,
                                              .files = order->files ? order->files->descriptors : NULL,
                                              .file_count = order->files ? order->files->count : 0,
                                              .limits = order->limits};
  program.supervisor = supervisor_start(&supervised, &program.report);
  if (program.supervisor < 0)
    error_die("%s: cannot fork: %s", order->arguments[0], strerror(errno));
  if (order->output)
    program.output = -1; /* the caller's */
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
  return all_bytes_read(program->report, report, sizeof *report) == sizeof *report;
}

/* The device comes first: its lines name the source line. */
static void read_messages(const struct program *program, struct program_result *result) {
  if (program->device_messages >= 0)
    result->said_by_device = read_text(program->device_messages, result->message, PROGRAM_TEXT_MAX / 2);
  read_text(program->messages, result->message + result->said_by_device,
            PROGRAM_TEXT_MAX - result->said_by_device);
  if (program->output >= 0)
    read_text(program->output, result->output, PROGRAM_TEXT_MAX);
}

static void close_all(const struct program *program) {
  const int open[] = {program->report, program->messages, program->device_messages, program->output};
  for (size_t n = 0; n < sizeof open / sizeof *open; n++)
    if (open[n] >= 0)
      close(open[n]);
  if (program->folder[0])
    working_folder_remove(program->folder);
}

struct program_result program_finish(const struct program *program, double seconds) {
  struct program_result result = {.limits = program->limits};
  const bool told = read_report(program, seconds, &result.report);
  while (waitpid(program->supervisor, NULL, 0) < 0 && errno == EINTR)
    ;
  if (!told)
    error_die("the supervisor of a program ended unexpectedly");
  const int status = result.report.status;
  const enum supervisor_end end = result.report.end;
  result.timed_out = end == SUPERVISOR_CPU || end == SUPERVISOR_IDLE || end == SUPERVISOR_WALL;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  read_messages(program, &result);
  close_all(program);
  return result;
}

struct program_result program_run_order(const struct program_order *order) {
  const struct program program = program_start(order);
  return program_finish(&program, INFINITY);
}

static bool starts_our_own(const struct program_order *order) {
  const char *const arguments[] = {jail_own_program, NULL}, *const *readable = arguments;
  struct supervisor_limits limits = *order->limits;
  struct jail jail = limits.jail ? *limits.jail : (struct jail){.level = ISOLATION_NONE};
  jail.readable = readable;
  limits.jail = limits.jail ? &jail : NULL;
  struct program_order own = *order;
  own.arguments = arguments;
  own.limits = &limits;
  return program_run_order(&own).report.end != SUPERVISOR_CANNOT_RUN;
}

struct program_result program_run_foreign(const struct program_order *order) {
  struct program_result result = program_run_order(order);
  if (result.report.end == SUPERVISOR_CANNOT_RUN && starts_our_own(order))
    result.report.end = SUPERVISOR_REFUSED;
  return result;
}

struct program_result program_run_within(const char *const *arguments,
                                         const struct supervisor_limits *limits) {
  return program_run_order(&(struct program_order){.arguments = arguments, .limits = limits});
}

struct program_result program_run(const char *const *arguments, double seconds) {
  enum { IDLE_SECONDS = 60 }; /* more than a suite lets all runs of an item be idle */
  return program_run_within(arguments, &(struct supervisor_limits){.cpu_seconds = seconds,
                                                                   .idle_seconds = IDLE_SECONDS,
                                                                   .waiting_seconds = 10 * IDLE_SECONDS});
}

static void describe_bytes(uint64_t bytes, char text[32]) {
  const bool is_large = bytes >= UINT64_C(1) << 30;
  snprintf(text, 32, "%.3g %s", (double)bytes / (is_large ? 1 << 30 : 1 << 20), is_large ? "GiB" : "MiB");
}

/* "stencil.cu:35: " if the program has said where the host was; "" otherwise. */
static void name_endless_line(const char *message, char *place, size_t size) {
  const char *end = strstr(message, ENDLESS_WORDS), *start = end;
  while (start && start > message && start[-1] != '\n')
    start--;
  snprintf(place, size, "%.*s%s", (int)(end - start), end ? start : "", end ? ": " : "");
}

static bool describe_limit(const struct program_result *result, char *text, size_t size) {
  const struct supervisor_limits *l = &result->limits;
  char bytes[32], place[96];
  switch (result->report.end) {
  case SUPERVISOR_CPU:
    name_endless_line(result->message, place, sizeof place);
    snprintf(text, size, "%sstopped after %g s of CPU time: does a loop never end?", place, l->cpu_seconds);
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
  case SUPERVISOR_REFUSED:
    snprintf(
        text, size,
        "the kernel does not start it, although it starts other programs: expected a program with the headers that the "
        "linker makes of a lab's source");
    return true;
  case SUPERVISOR_ENDED:
    if (result->signal == SIGSYS) {
      snprintf(text, size, "stopped: it called a system function that no lab program needs");
      return true;
    }
    if (result->signal != SIGXFSZ)
      return false;
    describe_bytes(l->file, bytes);
    snprintf(text, size, "stopped: it wrote more than %s to one file or to its output", bytes);
  }
  return true;
}

static bool describe_device(const struct program_result *result, char *text, size_t size) {
  char bytes[32];
  switch (result->report.device) {
  case SUPERVISOR_DEVICE_FLOODED:
    describe_bytes(result->limits.file, bytes);
    snprintf(text, size,
             "stopped: the records of its launches take more than %s: are there too many launches?", bytes);
    return true;
  case SUPERVISOR_DEVICE_FAILED:
    snprintf(text, size, "the simulated GPU ended unexpectedly%s%.*s", result->said_by_device ? ": " : "",
             result->said_by_device ? (int)strcspn(result->message, "\n") : 0, result->message);
    return true;
  case SUPERVISOR_DEVICE_OUTLIVED:
    if (result->status != 0)
      return false;
    snprintf(
        text, size,
        "stopped: the program ended, and the simulated GPU still had work from it: expected that it waits for its "
        "kernels and copies, as cudaDeviceSynchronize does");
    return true;
  case SUPERVISOR_DEVICE_MALFORMED:
    if (result->status != 0)
      return false;
    snprintf(text, size, "stopped: it sent the simulated GPU a request that no CUDA function sends");
    return true;
  case SUPERVISOR_DEVICE_NONE:
  case SUPERVISOR_DEVICE_ENDED:
    break;
  }
  return false;
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

static const char *name_signal(int signal) {
  return signal == SIGFPE ? "an integer is divided by zero" : strsignal(signal);
}

/* Faults of kernels have their own message, so the host made this one. */
static const char *explain_signal(int signal, bool is_silent) {
  return signal == SIGSEGV && is_silent
             ? ": code of the host used memory outside its arrays: is an index wrong, or does a loop never end?"
             : "";
}

/* The last line that is not empty, without its end; "" if there is none. */
static void last_line(const char *output, char *line, size_t size) {
  line[0] = '\0';
  while (*output) {
    const size_t length = strcspn(output, "\n");
    if (length > 0)
      snprintf(line, size, "%.*s", (int)length, output);
    output += length + (output[length] == '\n');
  }
}

/* Without a message on standard error. */
static void describe_silent(const struct program_result *result, char *text, size_t size) {
  char line[256];
  last_line(result->output, line, sizeof line);
  if (line[0])
    snprintf(text, size, "exit status %d, after the line \"%s\"", result->status, line);
  else
    snprintf(text, size, "exit status %d, without a message", result->status);
}

/* Explains what the C library says when it ends a program because of its heap; "" for other messages. */
static const char *explain_heap(const char *message) {
  static const char *const words[] = {"munmap_chunk()", "free(): invalid", "malloc(): ", "corrupt"};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (strstr(message, words[n]))
      return ": the program wrote beyond an array of the host, or freed it twice";
  return "";
}

void program_describe(const struct program_result *result, char *text, size_t size) {
  char message[PROGRAM_TEXT_MAX];
  snprintf(message, sizeof message, "%s", telling_line(result->message));
  message[strcspn(message, "\n")] = '\0';
  program_drop_folders(message);
  const int length = (int)strlen(message);
  if (describe_limit(result, text, size) || describe_device(result, text, size))
    return;
  if (result->signal)
    snprintf(text, size, "it crashed: %s%s%s%.*s%s", name_signal(result->signal),
             explain_signal(result->signal, length == 0), length > 0 ? ": " : "", length, message,
             result->signal == SIGABRT ? explain_heap(message) : "");
  else if (length > 0)
    snprintf(text, size, "exit status %d: %.*s", result->status, length, message);
  else
    describe_silent(result, text, size);
}

static bool is_killed_for_memory(const struct program_result *result) {
  return result->report.end == SUPERVISOR_ENDED && result->signal == SIGKILL && result->report.out_of_memory;
}

/* Where no group counts its memory, the machine lacks memory if the program is far below its limit. */
static bool is_fault_of_the_machine(const struct program_result *result) {
  const double most = (double)result->limits.memory;
  return result->report.is_grouped || (most > 0 && result->report.peak_memory < most / 2);
}

const char *program_device_said(const struct program_result *result, const char *words) {
  const char *found = strstr(result->message, words);
  return found && found < result->message + result->said_by_device ? found : NULL;
}

static bool says(const struct program_result *result, const char *words) {
  return strstr(result->message, words) != NULL;
}

const char *program_verdict(const struct program_result *result) {
  static const char *const verdicts[] = {
      [SUPERVISOR_CPU] = "TIMEOUT",         [SUPERVISOR_IDLE] = "TIMEOUT",
      [SUPERVISOR_WALL] = "INFRA",          [SUPERVISOR_MEMORY] = "MEMORY",
      [SUPERVISOR_PROCESSES] = "VIOLATION", [SUPERVISOR_CANNOT_RUN] = "INFRA",
      [SUPERVISOR_REFUSED] = "VIOLATION",
  };
  if (result->report.end != SUPERVISOR_ENDED)
    return verdicts[result->report.end];
  if (result->report.device == SUPERVISOR_DEVICE_FAILED)
    return "INFRA";
  if (result->report.device == SUPERVISOR_DEVICE_FLOODED)
    return "OUTPUT";
  if (result->status == 0)
    return result->report.device == SUPERVISOR_DEVICE_MALFORMED  ? "VIOLATION"
           : result->report.device == SUPERVISOR_DEVICE_OUTLIVED ? "TIMEOUT"
                                                                 : "PASS";
  if (result->status == 2 || result->status == 3)
    return result->status == 2 ? "WRONG" : "UNWRITTEN";
  if (result->signal == SIGSYS)
    return "VIOLATION";
  if (result->signal == SIGXFSZ)
    return "OUTPUT";
  if (says(result, "cudaErrorLaunchTimeout"))
    return "TIMEOUT";
  if (is_killed_for_memory(result))
    return is_fault_of_the_machine(result) ? "INFRA" : "MEMORY";
  return says(result, "cudaErrorMemoryAllocation") ? "MEMORY" : "CRASH";
}
