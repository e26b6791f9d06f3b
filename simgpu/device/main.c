/* The device process. argv[1]: number of the connected socket, --replay and a recording, --model to print the time
 * model's constants, or --version. Environment: SIMGPU_COUNTERS, SIMGPU_TOTALS, SIMGPU_TRAFFIC, SIMGPU_WORK,
 * SIMGPU_CONTENTS, SIMGPU_REPORT, SIMGPU_LINES, SIMGPU_ADDRESSES and SIMGPU_TRACE (files, or - for standard error),
 * SIMGPU_RECORD (a file for the requests), SIMGPU_ADDRESSES_AT (which warp), SIMGPU_ADDRESSES_LAUNCHES (of how many
 * launches), SIMGPU_TRACE_KERNEL, _LAUNCH, _BLOCK and _WARP (which warp), SIMGPU_BREAK and SIMGPU_BREAK_HITS
 * (breakpoints), SIMGPU_MEMORY (bytes), SIMGPU_NATIVE (native code); see also server.h and launch.h. */
#define _GNU_SOURCE /* POLLRDHUP */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "addresses.h"
#include "block.h"
#include "breaks.h"
#include "checks.h"
#include "copy_async.h"
#include "model.h"
#include "native.h"
#include "protocol.h"
#include "recording.h"
#include "server.h"
#include "steps.h"
#include "totals.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#define DEFAULT_MEMORY (UINT64_C(8) << 30)

static const double grace = 0.25; /* seconds */

/* Value of the variable, or `standard` if it is not set; 0 after a message if it is malformed. */
static uint64_t number_from(const char *variable, const char *unit, uint64_t most, uint64_t standard) {
  const char *text = getenv(variable);
  if (!text || !text[0])
    return standard;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (isdigit((unsigned char)text[0]) && !*end && !errno && value > 0 && value <= most)
    return value;
  fprintf(stderr, "simgpu-device: %s: expected %s from 1 to %llu, got '%s'\n", variable, unit,
          (unsigned long long)most, text);
  return 0;
}

enum { MOST_FILES = 10 };
static FILE *files[MOST_FILES]; /* that are written */
static int file_count;

/* Opens the file that the variable names (`-`: standard error; unset: NULL). Returns false after a message. */
static bool output(const char *variable, FILE **file) {
  const char *path = getenv(variable);
  if (!path || !path[0])
    return true;
  *file = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
  if (!*file)
    fprintf(stderr, "simgpu-device: %s: %s: cannot write: %s\n", variable, path, strerror(errno));
  else if (*file != stderr && file_count < MOST_FILES)
    files[file_count++] = *file;
  return *file;
}

/* A file without its last rows looks like a whole one: to whoever reads it, the run has failed. */
static bool are_written(void) {
  bool written = true;
  for (int n = 0; n < file_count; n++)
    written &= fflush(files[n]) == 0 && !ferror(files[n]);
  if (!written)
    fprintf(stderr, "simgpu-device: cannot write all of its files: %s\n", strerror(errno));
  return written;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* After the client has ended, its queued requests get a moment to run, for the reports of a program that crashes. The
 * device does not wait for requests that take longer, whatever they are. Their moment is CPU time: on a busy machine
 * the device may not yet know that no request is left. */
static void *watch(void *context) {
  struct pollfd watched = {.fd = *(int *)context, .events = POLLRDHUP};
  while (poll(&watched, 1, -1) < 0 || !(watched.revents & (POLLRDHUP | POLLHUP | POLLERR)))
    continue;
  for (const double end = cpu_seconds() + grace; atomic_load(&server_serving); usleep(10000))
    if (cpu_seconds() > end) {
      native_stop();
      _exit(are_written() ? SERVER_CUT_SHORT : 2);
    }
  return NULL;
}

/* Returns false after a message. */
static bool output_addresses(struct addresses **addresses) {
  FILE *file = NULL;
  if (!output(SIM_ENV_ADDRESSES, &file))
    return false;
  const char *at = getenv("SIMGPU_ADDRESSES_AT");
  const uint64_t launches =
      number_from("SIMGPU_ADDRESSES_LAUNCHES", "a number of launches", UINT64_MAX, UINT64_MAX);
  if (!launches)
    return false;
  *addresses = file ? addresses_new(file, at && at[0] ? at : NULL, launches) : NULL;
  if (file && !*addresses)
    fprintf(stderr, "simgpu-device: SIMGPU_ADDRESSES_AT: expected BLOCK or BLOCK:WARP, from 0, got '%s'\n",
            at);
  return !file || *addresses;
}

/* Returns false after a message. */
static bool output_steps(struct steps **steps) {
  FILE *file = NULL;
  if (!output(SIM_ENV_TRACE, &file))
    return false;
  const char *kernel = getenv("SIMGPU_TRACE_KERNEL"), *block = getenv("SIMGPU_TRACE_BLOCK"),
             *warp = getenv("SIMGPU_TRACE_WARP");
  struct steps_choice choice = {.kernel = kernel && kernel[0] ? kernel : NULL,
                                .launch =
                                    number_from("SIMGPU_TRACE_LAUNCH", "a launch's number", UINT64_MAX, 1),
                                .block = {STEPS_ANY},
                                .warp = STEPS_ANY};
  if (!choice.launch)
    return false;
  if (block && block[0] && !steps_parse_block(block, choice.block)) {
    fprintf(stderr, "simgpu-device: SIMGPU_TRACE_BLOCK: expected X, X,Y or X,Y,Z, from 0, got '%s'\n", block);
    return false;
  }
  if (warp && warp[0] && !steps_parse_warp(warp, &choice.warp)) {
    fprintf(stderr, "simgpu-device: SIMGPU_TRACE_WARP: expected a number from 0 to %d, got '%s'\n",
            MAX_WARPS - 1, warp);
    return false;
  }
  *steps = file ? steps_new(file, &choice) : NULL;
  return true;
}

/* Returns false after a message. */
static bool choose_breaks(struct server_options *options) {
  enum { HITS = 20 };
  const char *text = getenv(SIM_ENV_BREAK);
  const uint64_t hits = number_from("SIMGPU_BREAK_HITS", "a number of hits", UINT64_MAX - 1, HITS);
  if (!text || !text[0] || !hits)
    return hits;
  options->breaks = breaks_new(text, hits);
  if (!options->breaks)
    fprintf(
        stderr,
        "simgpu-device: SIMGPU_BREAK: expected FILE:LINE or FILE:LINE:[BLOCK,]THREAD, several separated by ';'. "
        "A block or a thread is a number or X.Y.Z from 0, and a thread may be warp or warpN; got '%s'\n",
        text);
  return options->breaks;
}

/* Returns false after a message. */
static bool open_recording(struct server_options *options) {
  const char *path = getenv(SIM_ENV_RECORD);
  if (path && path[0])
    options->recording = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (!path || !path[0] || options->recording >= 0)
    return true;
  fprintf(stderr, "simgpu-device: SIMGPU_RECORD: %s: cannot write: %s\n", path, strerror(errno));
  return false;
}

/* Returns false after a message. */
static bool choose_checks(struct server_options *options) {
  const char *checks = getenv(SIM_ENV_CHECKS), *order = getenv(SIM_ENV_ORDER);
  FILE *report = NULL;
  unsigned on;
  if (!checks_parse(checks, &on)) {
    fprintf(stderr,
            "simgpu-device: SIMGPU_CHECKS: expected 1, 0 or a list of races, uninitialised, frees, leaks, "
            "streams, got '%s'\n",
            checks);
    return false;
  }
  if (!order_parse(order, &options->order)) {
    fprintf(stderr,
            "simgpu-device: SIMGPU_ORDER: expected forward, reverse, random or random:SEED, got '%s'\n",
            order);
    return false;
  }
  if (!native_chosen()) {
    fprintf(stderr, "simgpu-device: SIMGPU_NATIVE: expected off, on or always, got '%s'\n",
            getenv("SIMGPU_NATIVE"));
    return false;
  }
  const char *strict = getenv(SIM_ENV_STRICT);
  options->strict = strict && strcmp(strict, "1") == 0;
  if (strict && strict[0] && !options->strict && strcmp(strict, "0") != 0) {
    fprintf(stderr, "simgpu-device: SIMGPU_STRICT: expected 1 or 0, got '%s'\n", strict);
    return false;
  }
  bool lost; /* launch.h reads it again */
  if (!copy_async_chosen(&lost)) {
    fprintf(stderr, "simgpu-device: SIMGPU_COPIES: expected lost, got '%s'\n", getenv(SIM_ENV_COPIES));
    return false;
  }
  if (on && !output(SIM_ENV_CHECKS_REPORT, &report))
    return false;
  options->checks = on ? checks_new(on, report) : NULL;
  return true;
}

/* After choose_checks. Returns false after a message. */
static bool open_totals(struct server_options *options) {
  FILE *totals = NULL, *traffic = NULL, *work = NULL;
  struct checks *streams = checks_of_streams(options->checks);
  if (!output(SIM_ENV_TOTALS, &totals) || !output(SIM_ENV_TRAFFIC, &traffic) || !output(SIM_ENV_WORK, &work))
    return false;
  options->totals = totals || traffic || work || streams ? totals_new(totals, traffic, work, streams) : NULL;
  return true;
}

/* SIM_ENV_FAIL: NUMBER, or "launch NUMBER". Returns false after a message. */
static bool choose_failure(struct server_options *options) {
  static const char launch[] = "launch ";
  const char *text = getenv(SIM_ENV_FAIL);
  if (!text || !text[0])
    return true;
  const bool is_launch = strncmp(text, launch, sizeof launch - 1) == 0;
  const char *number = is_launch ? text + sizeof launch - 1 : text;
  char *end;
  errno = 0;
  const unsigned long long value = strtoull(number, &end, 10);
  *(is_launch ? &options->failing_launch : &options->failing_request) = value;
  if (isdigit((unsigned char)number[0]) && !*end && !errno && value > 0)
    return true;
  fprintf(stderr,
          "simgpu-device: SIMGPU_FAIL: expected a number from 1, or \"launch\" and a number, got '%s'\n",
          text);
  return false;
}

/* For the address sanitizer: _exit() would skip its check. */
static void look_for_leaks(void) {
#if defined(__SANITIZE_ADDRESS__)
  __lsan_do_leak_check();
#endif
}

static bool describe(const char *what) {
  if (strcmp(what, "--model") == 0)
    model_print(stdout);
  else if (strcmp(what, "--version") == 0)
    puts("simgpu " SIMGPU_VERSION);
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  if (argc == 2 && describe(argv[1]))
    return 0;
  const bool replays = argc == 3 && strcmp(argv[1], "--replay") == 0;
  char *end = NULL;
  long descriptor = replays ? recording_play(argv[2]) : argc == 2 ? strtol(argv[1], &end, 10) : -1;
  if (replays && descriptor < 0)
    return 2;
  if (descriptor < 0 || descriptor > INT32_MAX || (end && *end)) {
    fprintf(stderr, "usage: simgpu-device SOCKET (the CUDA runtime client starts it), simgpu-device --replay "
                    "FILE (of SIMGPU_RECORD), simgpu-device --model, or simgpu-device --version\n");
    return 2;
  }
  if (!block_can_run()) {
    fprintf(stderr,
            "simgpu-device: built for a newer processor than this one: build it on this machine, or with "
            "-DSIMGPU_ALL_PROCESSORS=ON\n");
    return 2;
  }
  int socket = (int)descriptor;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_IGN); /* the client decides; the device ends with it */
  struct server_options options = {.recording = -1,
                                   .memory =
                                       number_from("SIMGPU_MEMORY", "a number of bytes",
                                                   SIM_ADDRESS_LAST - SIM_ADDRESS_FIRST, DEFAULT_MEMORY)};
  /* launch.h reads these again */
  if (!options.memory || !number_from("SIMGPU_THREADS", "a number of threads", INT32_MAX, 1) ||
      !number_from("SIMGPU_BUDGET", "a number of instructions", UINT64_MAX, 1) ||
      !number_from("SIMGPU_EVERY", "a number of blocks", UINT64_MAX, 1) ||
      !number_from("SIMGPU_LAUNCH_BUDGET", "a number of instructions", UINT64_MAX, 1) ||
      !number_from("SIMGPU_MODEL_SEED", "a seed", UINT64_MAX, 1) ||
      !number_from(SIM_ENV_TRAFFIC_KEY, "a key", UINT64_MAX, 1) ||
      !output(SIM_ENV_COUNTERS, &options.counters) || !output(SIM_ENV_CONTENTS, &options.contents) ||
      !output(SIM_ENV_REPORT, &options.report) || !output(SIM_ENV_LINES, &options.lines) ||
      !output_addresses(&options.addresses) || !output_steps(&options.steps) || !choose_breaks(&options) ||
      !choose_checks(&options) || !open_totals(&options) || !choose_failure(&options) ||
      !open_recording(&options))
    return 2;
  options.replays = replays;
  if (replays && !recording_confine()) {
    fprintf(stderr, "simgpu-device: --replay: cannot limit what the recording may open: %s\n",
            strerror(errno));
    return 2;
  }
  pthread_t watcher;
  if (!replays && pthread_create(&watcher, NULL, watch, &socket) != 0) {
    fprintf(stderr, "simgpu-device: cannot start a thread\n");
    return 2;
  }
  int status = server_run(socket, &options);
  if (!are_written() && status == 0)
    status = 2;
  look_for_leaks();
  native_stop();
  _exit(status); /* threads may still wait for work */
}
