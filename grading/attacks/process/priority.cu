// Takes precedence over the grader and its neighbours, or leaves it to them.
#include <sched.h>
ATTACK {
  const struct sched_param most = {.sched_priority = 99};
  deed_if(sched_setscheduler(0, SCHED_FIFO, &most) == 0, "the program has real-time priority");
  deed_if(setpriority(PRIO_PROCESS, 0, -20) == 0, "the program has raised its priority");
  const int file = open("/proc/self/oom_score_adj", O_WRONLY);
  deed_if(file >= 0 && write(file, "-1000", 5) == 5, "the kernel would not end this program first");
  const int session = open("/proc/self/autogroup", O_WRONLY);
  deed_if(session >= 0 && write(session, "19", 2) == 2,
          "its session has a low priority, so that a run takes long");
}
