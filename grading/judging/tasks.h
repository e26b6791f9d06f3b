/* Runs tasks in processes, several in parallel; each returns JSON. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Tasks 0 to count − 1. task runs in its own process; ready and done run in this one. done owns the
 * result, NULL if the process returned none. ready: whether task n can start yet; NULL: always. */
struct tasks_work {
  int count;
  bool (*ready)(int n, void *context);
  json_t *(*task)(int n, void *context);
  void (*done)(int n, json_t *result, void *context);
  void *context;
};

/* In a task: a number that no other running task has, below the number of jobs. */
int tasks_slot(void);

/* Runs all tasks, at most jobs at once, the first ready one first. Ends the program if tasks remain but
 * none can start. */
void tasks_run(const struct tasks_work *work, int jobs);

/* The same until the deadline, a time of timing_now(). It then ends running tasks; done gets NULL for them
 * and for unstarted ones. */
void tasks_run_until(const struct tasks_work *work, int jobs, double deadline);
