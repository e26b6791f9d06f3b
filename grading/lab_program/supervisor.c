#define _GNU_SOURCE /* closefrom */
#include "supervisor.h"
#include "process_tree.h"
#include "timing.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OPEN_FILES = 256, VARIABLES = 32, CANNOT_RUN = 127 };
static const double first_look = 0.01, between_looks = 0.05; /* seconds */

/* --- in the child, before it becomes the program --- */

/* Shared with the supervisor until exec: an exit status could be the program's own. */
static volatile bool *is_not_started;

_Noreturn static void give_up(void) {
  *is_not_started = true;
  _exit(CANNOT_RUN);
}

static void redirect(int descriptor, const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0)
    give_up();
  close(file);
}

static void limit(int resource, uint64_t most) {
  if (most)
    setrlimit(resource, &(struct rlimit){most, most});
}

static void set_limits(const struct supervisor_limits *limits) {
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit(RLIMIT_FSIZE, limits->file);
  if (limits->cpu_seconds) /* per process; the supervisor limits the sum, which is reached first */
    limit(RLIMIT_CPU, (uint64_t)ceil(limits->cpu_seconds) + 5);
  if (limits->foreign)
    limit(RLIMIT_NOFILE, OPEN_FILES);
}

/* Between two checks a program can use all memory: then Linux must kill it, not the grader. */
static void be_the_first_to_go(void) {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY);
  if (file < 0)
    return;
  dprintf(file, "1000");
  close(file);
}

static void set_number(char **variable, const char *name, uint64_t value) {
  if (value && asprintf(variable, "%s=%llu", name, (unsigned long long)value) < 0)
    give_up();
}

/* Passes on no variables of the caller except library paths, the chosen GPU, and settings of sanitizers and
 * the simulated GPU. */
static char **short_environment(const struct supervisor_limits *limits) {
  static const char *const kept[] = {
      "PATH=", "LD_LIBRARY_PATH=", "CUDA_VISIBLE_DEVICES=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "SIMGPU_"};
  static char *environment[VARIABLES + 1] = {"LC_ALL=C", "TMPDIR=.",
                                             "SIMGPU_MEMORY=", "SIMGPU_LAUNCH_BUDGET="};
  int count = 4;
  set_number(&environment[2], "SIMGPU_MEMORY", limits->device_memory);
  set_number(&environment[3], "SIMGPU_LAUNCH_BUDGET", limits->launch);
  for (char **variable = environ; *variable && count < VARIABLES; variable++)
    for (size_t n = 0; n < sizeof kept / sizeof *kept; n++)
      if (strncmp(*variable, kept[n], strlen(kept[n])) == 0)
        environment[count++] = *variable;
  return environment;
}

static void close_from(int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  closefrom(first);
#else
  for (int n = first; n < OPEN_FILES; n++)
    close(n);
#endif
}

_Noreturn static void become(const struct supervisor_order *order) {
  const char *path = order->arguments[0];
  const int input = order->input < 0 ? open("/dev/null", O_RDONLY) : order->input;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (input < 0 || dup2(input, STDIN_FILENO) < 0 ||
      (order->output >= 0 && dup2(order->output, STDOUT_FILENO) < 0))
    give_up();
  if (order->output < 0)
    redirect(STDOUT_FILENO, order->output_path);
  redirect(STDERR_FILENO, order->messages_path);
  set_limits(order->limits);
  if (order->limits->foreign) {
    be_the_first_to_go();
    environ = short_environment(order->limits);
    close_from(STDERR_FILENO + 1);
  }
  execv(path, (char *const *)(uintptr_t)order->arguments);
  dprintf(STDERR_FILENO, "%s: cannot run: %s\n", path, strerror(errno));
  give_up();
}

/* --- the supervisor --- */

struct supervised {
  const struct supervisor_limits *limits;
  pid_t program;
  bool ended;
  double start, idle, looked_at; /* seconds of wall time; looked_at: the last check */
  double reaped_cpu, live_cpu;   /* of ended processes; of live ones at the last check */
  double peak_memory;            /* bytes, of the largest ended process */
  struct supervisor_report report;
};

static double seconds_of(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

/* Reaps an ended child; orphans become our children. False: none has ended, or none is left. */
static bool reap(struct supervised *s, int options) {
  struct rusage used;
  int status;
  const pid_t process = wait4(-1, &status, options, &used);
  if (process <= 0)
    return process < 0 && errno == EINTR;
  s->reaped_cpu += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  s->peak_memory = fmax(s->peak_memory, 1024.0 * (double)used.ru_maxrss);
  if (process == s->program) {
    s->ended = true;
    s->report.status = status;
  }
  return true;
}

static void note_idle(struct supervised *s, const struct process_tree *tree) {
  const double now = timing_now();
  const bool computed = tree->cpu_seconds > s->live_cpu;
  if (!tree->is_busy && !computed)
    s->idle += now - s->looked_at;
  s->looked_at = now;
  s->live_cpu = tree->cpu_seconds;
}

static bool is_over(double used, double limit) { return limit > 0 && used > limit; }

static enum supervisor_end look(struct supervised *s) {
  const struct supervisor_limits *l = s->limits;
  struct process_tree tree;
  if (l->cpu_seconds || l->idle_seconds || l->memory || l->processes) {
    process_tree_look(&tree);
    note_idle(s, &tree);
    if (l->memory && tree.memory > l->memory)
      return SUPERVISOR_MEMORY;
    if (l->processes && tree.processes > l->processes)
      return SUPERVISOR_PROCESSES;
    if (is_over(s->reaped_cpu + tree.cpu_seconds, l->cpu_seconds))
      return SUPERVISOR_CPU;
    if (is_over(s->idle, l->idle_seconds))
      return SUPERVISOR_IDLE;
  }
  return is_over(timing_now() - s->start, l->seconds) ? SUPERVISOR_WALL : SUPERVISOR_ENDED;
}

static void watch(struct supervised *s, const sigset_t *signals) {
  double wait = first_look;
  while (!s->ended && s->report.end == SUPERVISOR_ENDED) {
    const int signal = sigtimedwait(signals, NULL, &(struct timespec){.tv_nsec = (long)(1e9 * wait)});
    while (reap(s, WNOHANG))
      ;
    if (signal == SIGTERM)
      s->report.end = SUPERVISOR_WALL;
    else if (!s->ended)
      s->report.end = look(s);
    wait = between_looks;
  }
}

/* Kills all processes: a process that is orphaned meanwhile becomes our child and is killed next. */
static void stop_all(struct supervised *s) {
  do {
    kill(-s->program, SIGKILL);
    process_tree_kill();
  } while (reap(s, 0));
}

/* Limits that no check has seen: the kernel's time limit, and memory used only between two checks. */
static void note_end(struct supervised *s) {
  if (*is_not_started)
    s->report.end = SUPERVISOR_CANNOT_RUN;
  if (s->report.end == SUPERVISOR_ENDED && is_over(s->peak_memory, (double)s->limits->memory))
    s->report.end = SUPERVISOR_MEMORY;
  if (s->report.end == SUPERVISOR_ENDED && WIFSIGNALED(s->report.status) &&
      is_over(s->reaped_cpu, s->limits->cpu_seconds))
    s->report.end = SUPERVISOR_CPU;
  s->report.cpu_seconds = s->reaped_cpu;
}

/* The program's pipes must not stay open here. */
static int keep_only(int report) {
  const int kept = dup2(report, STDERR_FILENO + 1);
  close_from(STDERR_FILENO + 2);
  return kept;
}

_Noreturn static void supervise(const struct supervisor_order *order, pid_t caller, const sigset_t *signals,
                                int report) {
  struct supervised s = {.limits = order->limits, .start = timing_now(), .looked_at = timing_now()};
  signal(SIGCHLD, SIG_DFL);
  setpgid(0, 0); /* a suite that kills its group must not kill the supervisor */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  is_not_started =
      mmap(NULL, sizeof *is_not_started, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (getppid() != caller || is_not_started == MAP_FAILED)
    _exit(CANNOT_RUN);
  s.program = fork();
  if (s.program == 0)
    become(order);
  if (s.program < 0)
    _exit(CANNOT_RUN);
  report = keep_only(report);
  watch(&s, signals);
  stop_all(&s);
  note_end(&s);
  _exit(write(report, &s.report, sizeof s.report) == sizeof s.report ? 0 : CANNOT_RUN);
}

pid_t supervisor_start(const struct supervisor_order *order, int *report) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return -1;
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, &before); /* before the caller's handlers can run in the child */
  const pid_t caller = getpid(), supervisor = fork();
  if (supervisor == 0)
    supervise(order, caller, &signals, ends[1]);
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  *report = ends[0];
  if (supervisor < 0)
    close(ends[0]);
  return supervisor;
}
