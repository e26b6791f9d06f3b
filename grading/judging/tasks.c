#define _GNU_SOURCE /* memfd_create */
#include "tasks.h"
#include "allocate.h"
#include "error.h"
#include "plural.h"
#include "timing.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct job {
  bool is_started;
  int slot;
  pid_t process; /* while it runs */
  FILE *answer;  /* in memory: a full disk must not lose it */
};

static int slot; /* of a task in a task: their sum, since only one of the two pools has more than one job */

int tasks_slot(void) { return slot; }

static int free_slot(const struct job *jobs, int count) {
  int free = 0;
  for (int n = 0; n < count; n++)
    if (jobs[n].process && jobs[n].slot == free) {
      free++;
      n = -1;
    }
  return free;
}

static struct job start(const struct tasks_work *work, int n, int in, const sigset_t *signals) {
  const int answer = memfd_create("answer", MFD_CLOEXEC);
  struct job job = {.is_started = true, .slot = in, .answer = answer < 0 ? NULL : fdopen(answer, "w+")};
  const pid_t pool = getpid();
  fflush(NULL);
  if (!job.answer || (job.process = fork()) < 0)
    error_die("cannot start a process: %s", strerror(errno));
  if (job.process == 0) {
    slot += in;
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* tasks stop when the pool is killed */
    if (getppid() != pool)
      _exit(1);
    sigprocmask(SIG_SETMASK, signals, NULL);
    json_t *result = work->task(n, work->context);
    const bool told = result && json_dumpf(result, job.answer, 0) == 0 && fflush(job.answer) == 0;
    exit(told ? 0 : 1);
  }
  return job;
}

static json_t *finish(struct job *job, int status) {
  rewind(job->answer);
  json_t *result = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? json_loadf(job->answer, 0, NULL) : NULL;
  fclose(job->answer);
  job->process = 0;
  return result;
}

/* The first task that can start, or -1. */
static int next_task(const struct tasks_work *work, const struct job *jobs) {
  for (int n = 0; n < work->count; n++)
    if (!jobs[n].is_started && (!work->ready || work->ready(n, work->context)))
      return n;
  return -1;
}

/* The job that has ended; -1: the time is up. */
static int wait_for_one(const struct tasks_work *work, const struct job *jobs, double deadline, int *status) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  for (;;) {
    const pid_t process = waitpid(-1, status, WNOHANG);
    if (process < 0 && errno != EINTR)
      error_die("lost a process: %s", strerror(errno));
    for (int n = 0; process > 0 && n < work->count; n++)
      if (jobs[n].process == process)
        return n;
    if (process != 0)
      continue;
    const double left = deadline - timing_now();
    if (left <= 0)
      return -1;
    sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = (long)(1e9 * fmin(left, 0.5))});
  }
}

/* Ends running tasks. Neither they nor unstarted tasks get a result. */
static void stop(const struct tasks_work *work, struct job *jobs) {
  for (int n = 0; n < work->count; n++)
    if (jobs[n].process)
      kill(jobs[n].process, SIGTERM);
  for (int n = 0; n < work->count; n++) {
    if (jobs[n].is_started && !jobs[n].process)
      continue;
    if (jobs[n].process) {
      TEMP_FAILURE_RETRY(waitpid(jobs[n].process, NULL, 0));
      fclose(jobs[n].answer);
    }
    work->done(n, NULL, work->context);
  }
}

static void run_all(const struct tasks_work *work, struct job *all, int jobs, double deadline,
                    const sigset_t *signals) {
  for (int running = 0, ended = 0; ended < work->count;) {
    const int next = running < jobs && timing_now() < deadline ? next_task(work, all) : -1;
    if (next >= 0) {
      all[next] = start(work, next, free_slot(all, work->count), signals);
      running++;
      continue;
    }
    if (running == 0 && timing_now() < deadline)
      error_die("%d task%s cannot start: each waits for another task", work->count - ended,
                PLURAL(work->count - ended));
    int status;
    const int n = running > 0 ? wait_for_one(work, all, deadline, &status) : -1;
    if (n < 0) {
      stop(work, all);
      return;
    }
    work->done(n, finish(&all[n], status), work->context);
    running--;
    ended++;
  }
}

void tasks_run(const struct tasks_work *work, int jobs) { tasks_run_until(work, jobs, INFINITY); }

void tasks_run_until(const struct tasks_work *work, int jobs, double deadline) {
  struct job *all = allocate_zeroed((size_t)work->count, sizeof *all);
  sigset_t child, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before);
  run_all(work, all, jobs, deadline, &before);
  sigprocmask(SIG_SETMASK, &before, NULL);
  free(all);
}
