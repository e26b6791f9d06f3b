#include "pool.h"
#include "allocate.h"
#include "error.h"
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
  pid_t process;
  FILE *answer; /* a file without a name */
};

static struct job start(int n, json_t *(*task)(int, void *), void *context) {
  struct job job = {.answer = tmpfile()};
  fflush(NULL);
  if (!job.answer || (job.process = fork()) < 0)
    error_die("cannot start a process: %s", strerror(errno));
  if (job.process == 0) {
    program_enter_directory();
    json_t *result = task(n, context);
    const bool told = result && json_dumpf(result, job.answer, 0) == 0 && fflush(job.answer) == 0;
    exit(told ? 0 : 1);
  }
  return job;
}

static json_t *finish(struct job *job, int status) {
  rewind(job->answer);
  json_t *result = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? json_loadf(job->answer, 0, NULL) : NULL;
  fclose(job->answer);
  return result;
}

void pool_run(int count, int jobs, json_t *(*task)(int n, void *context), void *context, json_t **results) {
  struct job *all = allocate_zeroed((size_t)count, sizeof *all);
  for (int started = 0, ended = 0; ended < count;) {
    if (started < count && started - ended < jobs) {
      all[started] = start(started, task, context);
      started++;
      continue;
    }
    int status;
    const pid_t process = wait(&status);
    if (process < 0 && errno != EINTR)
      error_die("lost a process: %s", strerror(errno));
    for (int n = 0; process > 0 && n < started; n++)
      if (all[n].process == process) {
        results[n] = finish(&all[n], status);
        ended++;
      }
  }
  free(all);
}
