/* Work in processes of its own, several at once; each hands back JSON. */
#ifndef POOL_H
#define POOL_H

#include <jansson.h>
#include <stdbool.h>

/* Tasks 0 to count − 1. task runs in a process of its own; the others run here, and done owns the result,
 * NULL when the process did not come that far. ready: whether task n can start, after what is done; NULL:
 * always.
 */
struct pool_work {
  int count;
  bool (*ready)(int n, void *context);
  json_t *(*task)(int n, void *context);
  void (*done)(int n, json_t *result, void *context);
  void *context;
};

/* Runs all tasks, at most jobs at once; of those that are ready the first is started first. Ends the program
 * when none is left that can run. */
void pool_run(const struct pool_work *work, int jobs);

/* The same until the deadline, of timing_now(): then what still runs is ended, and done gets NULL for it and
 * for all that was not started. */
void pool_run_until(const struct pool_work *work, int jobs, double deadline);

#endif
