#include "pool.h"
#include "allocate.h"
#include "error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
  bool is_started;
  pid_t process; /* while it runs */
  FILE *answer;  /* a file without a name */
};

static struct job start(const struct pool_work *work, int n) {
  struct job job = {.is_started = true, .answer = tmpfile()};
  fflush(NULL);
  if (!job.answer || (job.process = fork()) < 0)
    error_die("cannot start a process: %s", strerror(errno));
  if (job.process == 0) {
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
static int next_task(const struct pool_work *work, const struct job *jobs) {
  for (int n = 0; n < work->count; n++)
    if (!jobs[n].is_started && (!work->ready || work->ready(n, work->context)))
      return n;
  return -1;
}

/* The job that has ended. */
static int wait_for_one(const struct pool_work *work, const struct job *jobs, int *status) {
  for (;;) {
    const pid_t process = wait(status);
    if (process < 0 && errno != EINTR)
      error_die("lost a process: %s", strerror(errno));
    for (int n = 0; process > 0 && n < work->count; n++)
      if (jobs[n].process == process)
        return n;
  }
}

void pool_run(const struct pool_work *work, int jobs) {
  struct job *all = allocate_zeroed((size_t)work->count, sizeof *all);
  for (int running = 0, ended = 0; ended < work->count;) {
    const int next = running < jobs ? next_task(work, all) : -1;
    if (next >= 0) {
      all[next] = start(work, next);
      running++;
      continue;
    }
    if (running == 0)
      error_die("%d tasks wait for each other", work->count - ended);
    int status;
    const int n = wait_for_one(work, all, &status);
    work->done(n, finish(&all[n], status), work->context);
    running--;
    ended++;
  }
  free(all);
}
