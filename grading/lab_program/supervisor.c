#define _GNU_SOURCE /* closefrom */
#include "supervisor.h"
#include "all_bytes.h"
#include "jail.h"
#include "jail_room.h"
#include "memory_group.h"
#include "out_of_memory.h"
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
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 4 }; /* descriptors of the supervisor */
enum { OPEN_FILES = 256, VARIABLES = 32, CANNOT_RUN = 127 };
enum { OF_THE_JAIL = 2 }; /* processes of a jail that are not the program's */
/* Exit statuses of the device: simgpu/device/server.h. */
enum { DEVICE_REFUSES = 3, DEVICE_CUT_SHORT = 4 };
static const double between_looks = 0.05, device_end = 0.01; /* seconds */
static const double between_own_looks = 0.2; /* at programs of the grader, which stay in bounds */
static const double after_warning = 0.5;     /* of CPU time, of a program with a device */
static const double device_grace = 20;       /* seconds of CPU time in which the device writes its files */
static const double device_patience = 120;   /* of wall time, on an overloaded machine */

/* --- in the child, before it becomes the program --- */

/* Shared with the supervisor until exec: an exit status could be the program's own. */
static volatile struct { bool is_not_started, is_grouped; } * shared;

_Noreturn static void give_up(void) {
  shared->is_not_started = true;
  _exit(CANNOT_RUN);
}

static void close_from(int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  closefrom(first);
#else
  for (int n = first; n < OPEN_FILES; n++)
    close(n);
#endif
}

/* The descriptor that the child finds as number `place`; -1: none. */
struct placed {
  int descriptor, place;
};

/* Moves all of them out of the way first, since the numbers may overlap, and closes all others. */
static void place(struct placed *placed, int count) {
  int next = STDERR_FILENO + 1;
  for (int n = 0; n < count; n++)
    if (placed[n].descriptor >= 0 &&
        (placed[n].descriptor = fcntl(placed[n].descriptor, F_DUPFD, OPEN_FILES / 2)) < 0)
      give_up();
  for (int n = 0; n < count; n++) {
    if (placed[n].descriptor < 0)
      close(placed[n].place);
    else if (dup2(placed[n].descriptor, placed[n].place) < 0)
      give_up();
    next = placed[n].place >= next ? placed[n].place + 1 : next;
  }
  close_from(next);
}

static void limit(int resource, uint64_t most) {
  if (most)
    setrlimit(resource, &(struct rlimit){most, most});
}

/* CPU seconds, whole ones, after which a program that computes alone gets SIGXCPU: it can still say where
 * it is (endless.h).
 * 0: none. */
static rlim_t warning(const struct supervisor_limits *limits, bool has_device) {
  return has_device && limits->cpu_seconds >= 1 ? (rlim_t)limits->cpu_seconds : 0;
}

static void set_limits(const struct supervisor_limits *limits, bool has_device) {
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit(RLIMIT_FSIZE, limits->file);
  if (limits->cpu_seconds) { /* per process; the supervisor limits the sum */
    const rlim_t hard = (rlim_t)ceil(limits->cpu_seconds) + 5;
    const rlim_t soft = warning(limits, has_device);
    setrlimit(RLIMIT_CPU, &(struct rlimit){soft ? soft : hard, hard});
  }
  if (limits->foreign)
    limit(RLIMIT_NOFILE, OPEN_FILES);
#if !defined(__SANITIZE_ADDRESS__)
  if (limits
          ->foreign) /* between two checks; addresses alone, such as those that the runtime reserves, do not count */
    limit(RLIMIT_DATA, 2 * limits->memory);
#endif
}

/* Between two checks a program can use all memory: then Linux must kill it, not the grader. */
static void be_the_first_to_go(void) {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY);
  if (file < 0)
    return;
  dprintf(file, "1000");
  close(file);
}

static void set_number(const char *name, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  if (value && setenv(name, text, 1) != 0)
    give_up();
}

/* Passes on no variables of the caller except library paths, the chosen GPU, the number of simulated ones,
 * and settings of sanitizers. Large arrays are in large pages: where a page fault takes microseconds, smaller
 * ones cost a fifth of a run. The C library counts blocks that a thread's cache keeps as used: without that
 * cache, grading/judged_programs/heap.h sees leaks alone. */
static char **short_environment(void) {
  static const char *const kept[] = {"PATH=",           "LD_LIBRARY_PATH=", "CUDA_VISIBLE_DEVICES=",
                                     "SIMGPU_DEVICES=", "ASAN_OPTIONS=",    "UBSAN_OPTIONS="};
  static char *environment[VARIABLES + 1] = {
      "LC_ALL=C", "TMPDIR=.", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.tcache_count=0"};
  int count = 3;
  for (char **variable = environ; *variable && count < VARIABLES; variable++)
    for (size_t n = 0; n < sizeof kept / sizeof *kept; n++)
      if (strncmp(*variable, kept[n], strlen(kept[n])) == 0)
        environment[count++] = *variable;
  return environment;
}

/* In a child, alone in its session. It gets SIGKILL when the supervisor ends. */
static void stand_alone(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int empty_input(void) {
  const int input = open("/dev/null", O_RDONLY);
  if (input < 0)
    give_up();
  return input;
}

/* Its descriptors come after the files; the program does not get them. */
_Noreturn static void be_jailed(const struct supervisor_order *order) {
  struct jail jail = *order->limits->jail;
  struct jail_room room = {.handle = SUPERVISOR_FILES + order->file_count + 1};
  jail.links = order->folder;
  jail.status = SUPERVISOR_FILES + order->file_count;
  if (jail.room)
    jail_room_run(&room, &jail, order->arguments);
  else
    jail_exec(&jail, order->arguments);
  give_up();
}

_Noreturn static void become(const struct supervisor_order *order, int socket, int jail_status,
                             int room_handle, const struct memory_group *group) {
  const char *path = order->arguments[0];
  struct placed placed[SUPERVISOR_FILES + OPEN_FILES / 8];
  int count = 0;
  out_of_memory_end = give_up;
  stand_alone();
  placed[count++] = (struct placed){order->input < 0 ? empty_input() : order->input, STDIN_FILENO};
  placed[count++] = (struct placed){order->output, STDOUT_FILENO};
  placed[count++] = (struct placed){order->messages, STDERR_FILENO};
  placed[count++] = (struct placed){socket, SUPERVISOR_SOCKET};
  for (int n = 0; n < order->file_count && n < OPEN_FILES / 8; n++)
    placed[count++] = (struct placed){order->files[n], SUPERVISOR_FILES + n};
  placed[count++] = (struct placed){jail_status, SUPERVISOR_FILES + order->file_count};
  placed[count++] = (struct placed){room_handle, SUPERVISOR_FILES + order->file_count + 1};
  place(placed, count);
  set_limits(order->limits, order->device != NULL);
  if (order->limits->foreign) {
    be_the_first_to_go();
    shared->is_grouped = memory_group_enter(group);
    environ = short_environment();
  }
  if (socket >= 0)
    set_number("SIMGPU_SOCKET", SUPERVISOR_SOCKET);
  if (order->limits->jail)
    be_jailed(order);
  if (!order->folder || chdir(order->folder) == 0)
    execv(path, (char *const *)(uintptr_t)order->arguments);
  dprintf(STDERR_FILENO, "%s: cannot run: %s\n", path, strerror(errno));
  give_up();
}

/* The device fails the request, not the program's runtime: no program can tell such a run before. */
static void choose_failure(const struct supervisor_limits *limits) {
  char launch[32];
  set_number("SIMGPU_FAIL", limits->failing_call);
  snprintf(launch, sizeof launch, "launch %llu", (unsigned long long)limits->failing_launch);
  if (limits->failing_launch && setenv("SIMGPU_FAIL", launch, 1) != 0)
    give_up();
}

/* Its environment is the grader's: it says what to count and to check, and where to write. */
_Noreturn static void become_device(const struct supervisor_order *order, int socket) {
  char number[16];
  stand_alone();
  struct placed placed[] = {{empty_input(), STDIN_FILENO},
                            {order->device_messages, STDOUT_FILENO},
                            {order->device_messages, STDERR_FILENO},
                            {socket, SUPERVISOR_SOCKET}};
  place(placed, sizeof placed / sizeof *placed);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit(RLIMIT_FSIZE, order->limits->file);
  set_number("SIMGPU_MEMORY", order->limits->device_memory);
  set_number("SIMGPU_LAUNCH_BUDGET", order->limits->launch);
  choose_failure(order->limits);
  set_number("SIMGPU_STRICT", 1);    /* what hardware lets pass by luck must not pass */
  setenv("SIMGPU_NATIVE", "off", 1); /* its cache is a folder that other programs can write to */
  if (order->limits->foreign)        /* the program names the files whose lines the device would print */
    setenv("SIMGPU_SOURCE_ROOT", "/nowhere", 1);
  snprintf(number, sizeof number, "%d", SUPERVISOR_SOCKET);
  execl(order->device, order->device, number, (char *)NULL);
  dprintf(STDERR_FILENO, "%s: cannot run: %s\n", order->device, strerror(errno));
  _exit(CANNOT_RUN);
}

/* --- the supervisor --- */

struct supervised {
  const struct supervisor_limits *limits;
  struct memory_group group;
  struct jail_room room; /* its handle is -1 if there is none */
  pid_t program, device; /* device: 0 if there is none */
  bool ended, device_ended;
  int jail_status; /* a descriptor, or -1 */
  int device_status;
  long kills;                             /* by the kernel, for want of memory, before the run */
  double start, idle, waiting, looked_at; /* seconds of wall time; looked_at: the last check */
  double reaped_cpu, live_cpu;            /* of ended processes; of live ones at the last check */
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
  if (process != s->device)
    s->report.peak_memory = fmax(s->report.peak_memory, 1024.0 * (double)used.ru_maxrss);
  if (process == s->program) {
    s->ended = true;
    s->report.status = jail_wait_status(s->limits->jail, status);
  }
  if (process == s->device) {
    s->device_ended = true;
    s->device_status = status;
  }
  return true;
}

/* Time in which nothing was computed, although nothing waited for a processor: a program that wakes up often
 * is idle, too. */
static void note_idle(struct supervised *s, const struct process_tree *tree) {
  const double now = timing_now(), cpu = s->reaped_cpu + tree->cpu_seconds;
  const double unused = fmax(0, now - s->looked_at - fmax(0, cpu - s->live_cpu));
  if (!tree->is_running)
    *(tree->is_waiting ? &s->waiting : &s->idle) += unused;
  s->looked_at = now;
  s->live_cpu = cpu;
}

static bool is_over(double used, double limit) { return limit > 0 && used > limit; }

/* The kernel may end one of several processes before a look sees how much they use, and the others wait for it. */
static bool is_over_in_group(struct memory_group_report group) { return group.has_killed && group.was_full; }

static enum supervisor_end look(struct supervised *s) {
  const struct supervisor_limits *l = s->limits;
  struct process_tree tree;
  if (l->cpu_seconds || l->idle_seconds || l->memory || l->processes) {
    process_tree_look(&tree);
    note_idle(s, &tree);
    s->report.peak_memory = fmax(s->report.peak_memory, (double)tree.memory);
    if ((l->memory && tree.memory > l->memory) || is_over_in_group(memory_group_look(&s->group)))
      return SUPERVISOR_MEMORY;
    if (l->processes && tree.processes > l->processes + (l->jail ? OF_THE_JAIL : 0))
      return SUPERVISOR_PROCESSES;
    if (is_over(s->reaped_cpu + tree.cpu_seconds,
                l->cpu_seconds + (warning(l, s->device) ? after_warning : 0)))
      return SUPERVISOR_CPU;
    if (is_over(s->idle, l->idle_seconds) || is_over(s->waiting, l->waiting_seconds))
      return SUPERVISOR_IDLE;
  }
  return is_over(timing_now() - s->start, l->seconds) ? SUPERVISOR_WALL : SUPERVISOR_ENDED;
}

static int wait_for_signal(const sigset_t *signals, double seconds) {
  return sigtimedwait(signals, NULL, &(struct timespec){.tv_nsec = (long)(1e9 * seconds)});
}

static void watch(struct supervised *s, const sigset_t *signals) {
  while (!s->ended && s->report.end == SUPERVISOR_ENDED) {
    const int signal = wait_for_signal(signals, s->limits->foreign ? between_looks : between_own_looks);
    while (reap(s, WNOHANG))
      ;
    if (signal == SIGTERM)
      s->report.end = SUPERVISOR_WALL;
    else if (!s->ended)
      s->report.end = look(s);
  }
}

static bool has_children(void) {
  siginfo_t child;
  return waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Kills all processes except the device: a process that is orphaned meanwhile becomes our child and is killed next. The
 * kernel is slow to forget a process whose children were read. So the device, which ends with the program, may end
 * first: often no child is left then. */
static void stop_program(struct supervised *s, const sigset_t *signals) {
  kill(-s->program, SIGKILL);
  if (s->device && s->report.end == SUPERVISOR_ENDED && !s->device_ended) {
    wait_for_signal(signals, device_end);
    while (reap(s, WNOHANG))
      ;
  }
  if (!has_children())
    return;
  while (process_tree_kill(s->device) > 0 && reap(s, 0))
    ;
}

/* At the end, when no child is spared: the kernel's list of children may lack one while another ends,
 * waitid() lacks none. */
static void stop_rest(struct supervised *s) {
  while (waitid(P_ALL, 0, &(siginfo_t){0}, WEXITED | WNOHANG | WNOWAIT) == 0) {
    process_tree_kill(0);
    if (!reap(s, WNOHANG))
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

/* CPU seconds of the device, which has not ended. */
static double device_cpu(const struct supervised *s) {
  struct process_tree tree;
  process_tree_look(&tree);
  return s->device_ended ? 0 : tree.cpu_seconds;
}

/* When the program's end of the socket is closed, the device writes its files and ends. What it does then was asked for
 * by the program, so it counts as the program's: a device that does not end has outlived it, and has not failed. */
static void end_device(struct supervised *s, const sigset_t *signals) {
  const double limit = timing_now() + device_patience, before = device_cpu(s);
  bool outlives = false;
  while (s->report.end == SUPERVISOR_ENDED && !s->device_ended && !outlives) {
    wait_for_signal(signals, device_end);
    while (reap(s, WNOHANG))
      ;
    outlives = !s->device_ended && (timing_now() > limit || device_cpu(s) - before > device_grace);
  }
  if (!s->device_ended)
    kill(s->device, SIGKILL);
  while (!s->device_ended && reap(s, 0))
    ;
  const int status = s->device_status;
  outlives |= WIFEXITED(status) && WEXITSTATUS(status) == DEVICE_CUT_SHORT;
  s->report.device = s->report.end != SUPERVISOR_ENDED                    ? SUPERVISOR_DEVICE_ENDED
                     : outlives                                           ? SUPERVISOR_DEVICE_OUTLIVED
                     : WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ ? SUPERVISOR_DEVICE_FLOODED
                     : WIFEXITED(status) && WEXITSTATUS(status) == DEVICE_REFUSES
                         ? SUPERVISOR_DEVICE_MALFORMED
                     : WIFEXITED(status) && WEXITSTATUS(status) == 0 ? SUPERVISOR_DEVICE_ENDED
                                                                     : SUPERVISOR_DEVICE_FAILED;
}

/* Processes that the kernel has killed for want of memory since the machine started; 0 if it does not tell. */
static long count_kills(void) {
  char line[128];
  long kills = 0;
  FILE *file = fopen("/proc/vmstat", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "oom_kill %ld", &kills) == 1)
      break;
  if (file)
    fclose(file);
  return kills;
}

/* In a group, the kernel's own count says whether the program has reached its limit; without one, any process of the
 * machine may have been killed. */
static void note_memory(struct supervised *s) {
  const struct memory_group_report group = memory_group_close(&s->group);
  s->report.is_grouped = shared->is_grouped;
  s->report.out_of_memory = shared->is_grouped ? group.has_killed : count_kills() > s->kills;
  if (s->report.end == SUPERVISOR_ENDED && is_over_in_group(group))
    s->report.end = SUPERVISOR_MEMORY;
}

/* It has ended by SIGXCPU from the kernel, which counts ticks of its clock: on a busy machine they are more
 * than the time. */
static bool is_warned(const struct supervised *s) {
  return WTERMSIG(s->report.status) == SIGXCPU &&
         is_over(2 * s->reaped_cpu, (double)warning(s->limits, s->device));
}

/* Limits that no check has seen: the kernel's time limit, and memory used only between two checks. */
static void note_end(struct supervised *s) {
  if (shared->is_not_started || (s->report.end == SUPERVISOR_ENDED && s->limits->jail &&
                                 !jail_has_started(s->limits->jail, s->jail_status)))
    s->report.end = SUPERVISOR_CANNOT_RUN;
  if (s->report.end == SUPERVISOR_ENDED && is_over(s->report.peak_memory, (double)s->limits->memory))
    s->report.end = SUPERVISOR_MEMORY;
  if (s->report.end == SUPERVISOR_ENDED && WIFSIGNALED(s->report.status) &&
      (is_over(s->reaped_cpu, s->limits->cpu_seconds) || is_warned(s)))
    s->report.end = SUPERVISOR_CPU;
  s->report.cpu_seconds = s->reaped_cpu;
  s->report.idle_seconds = s->idle;
  s->report.waiting_seconds = s->waiting;
  note_memory(s);
}

/* The program's pipes must not stay open here. */
static void keep_only(int *descriptors[], int count) {
  struct placed placed[KEPT];
  for (int n = 0; n < count; n++)
    placed[n] = (struct placed){*descriptors[n], STDERR_FILENO + 1 + n};
  place(placed, count);
  for (int n = 0; n < count; n++)
    *descriptors[n] = *descriptors[n] < 0 ? -1 : STDERR_FILENO + 1 + n;
}

_Noreturn static void supervise(const struct supervisor_order *order, pid_t caller, const sigset_t *signals,
                                int report) {
  struct supervised s = {.limits = order->limits,
                         .start = timing_now(),
                         .looked_at = timing_now(),
                         .kills = count_kills(),
                         .jail_status = order->limits->jail ? jail_open_status() : -1};
  const struct jail_room *room = order->limits->jail ? order->limits->jail->room : NULL;
  s.room = room ? *room : (struct jail_room){.handle = -1, .keeper = -1};
  int ends[2] = {-1, -1}; /* of the program and of the device */
  signal(SIGCHLD, SIG_DFL);
  setpgid(0, 0); /* a suite that kills its group must not kill the supervisor */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (getppid() != caller || shared == MAP_FAILED)
    _exit(CANNOT_RUN);
  if (order->device) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || (s.device = fork()) < 0)
      _exit(CANNOT_RUN);
    if (s.device == 0)
      become_device(order, ends[1]);
  }
  if (order->limits->foreign && order->limits->memory)
    memory_group_open(&s.group, order->limits->memory + order->limits->memory / 4);
  s.program = fork();
  if (s.program == 0)
    become(order, ends[0], s.jail_status, s.room.handle, &s.group);
  if (s.program < 0) {
    memory_group_close(&s.group);
    _exit(CANNOT_RUN);
  }
  keep_only((int *[KEPT]){&report, &s.jail_status, &s.room.handle, &s.room.keeper}, KEPT);
  watch(&s, signals);
  stop_program(&s, signals);
  jail_room_sweep(&s.room);
  if (s.device)
    end_device(&s, signals);
  stop_rest(&s);
  note_end(&s);
  _exit(all_bytes_write(report, &s.report, sizeof s.report) ? 0 : CANNOT_RUN);
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
