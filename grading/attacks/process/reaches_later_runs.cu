// A run leaves something to the runs after it: in the first process of its namespace, in limits and priorities of
// processes that stay, or in the numbers of processes.
// with: NUMBERS LIMITS PRIORITY MEMORY SIGNALS
// base: solution
// points: 100
// expect: PASS WRONG
// seconds: 120
#define NUMBERS 1
#define LIMITS 2
#define PRIORITY 3
#define MEMORY 4
#define SIGNALS 5
#include <sched.h>

/* An earlier run of this item left its mark: processes that were there before this one. */
static void each(void (*what)(pid_t)) {
  for (pid_t n = 1; n < 64; n++)
    if (n != getpid() && kill(n, 0) == 0)
      what(n);
}

static void limits_of(pid_t process) {
  struct rlimit now, mark = {77, 77};
  if (syscall(SYS_prlimit64, process, RLIMIT_NICE, NULL, &now) == 0 && now.rlim_cur == 77)
    deed("a limit of an earlier run is seen");
  mark = (struct rlimit){0, 0};
  if (syscall(SYS_prlimit64, process, RLIMIT_CORE, &mark, NULL) == 0)
    deed("limits of a process that stays can be changed");
}

static void priority_of(pid_t process) {
  struct sched_param zero = {0};
  if (setpriority(PRIO_PROCESS, (id_t)process, 19) == 0 ||
      sched_setscheduler(process, SCHED_BATCH, &zero) == 0)
    deed("the priority of a process that stays can be changed");
}

static void memory_of(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  const int file =
      open(path, O_RDWR); /* without a room, each run has a bubblewrap of its own, which ends with it */
  if (file >= 0)
    deed("the memory of a process that stays can be written");
}

ATTACK {
  if (WITH == NUMBERS) {
    const pid_t child = fork();
    if (child == 0)
      _exit(0);
    waitpid(child, NULL, 0);
    deed_if(getpid() > 3 || child > 4, "numbers of processes tell how many runs there were");
  }
  if (WITH == LIMITS)
    each(limits_of);
  if (WITH == PRIORITY)
    each(priority_of);
  if (WITH == MEMORY)
    each(memory_of);
  if (WITH == SIGNALS)
    for (int n = 1; n < 64; n++)
      kill(1, n);
}
