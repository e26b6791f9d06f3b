/* A process that looks after one program and all that it starts, whatever that does: starts it, stops it at
 * its limits, and leaves nothing of it behind. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a program and all that it starts may use together. 0: as much as it wants. */
struct supervisor_limits {
  double cpu_seconds;     /* of computing: the same under load */
  double idle_seconds;    /* in which none of its threads wants to compute */
  double seconds;         /* of wall clock, for programs of our own and against a machine that is too busy */
  uint64_t memory;        /* bytes that are resident */
  uint64_t file;          /* bytes of each file that it writes, standard output included */
  int processes;          /* at a time */
  uint64_t device_memory; /* bytes, of a simulated GPU */
  uint64_t launch;        /* instructions of warps in a launch on it */
  bool foreign;           /* it gets few descriptors and variables of the environment */
};

enum supervisor_end {
  SUPERVISOR_ENDED,      /* by itself */
  SUPERVISOR_CANNOT_RUN, /* it was never started */
  SUPERVISOR_CPU,
  SUPERVISOR_IDLE,
  SUPERVISOR_WALL,
  SUPERVISOR_MEMORY,
  SUPERVISOR_PROCESSES,
};

struct supervisor_report {
  enum supervisor_end end;
  int status; /* as of waitpid() */
  double cpu_seconds;
};

struct supervisor_order {
  const char *const *arguments; /* the first is a path; NULL at the end */
  int input, output;            /* descriptors, or -1: /dev/null and output_path */
  const char *output_path, *messages_path;
  const struct supervisor_limits *limits;
};

/* Starts the supervisor; -1: it cannot be. It writes a struct supervisor_report to the descriptor *report
 * when nothing of the program is left; SIGTERM, or the end of the caller, makes it stop the program. */
pid_t supervisor_start(const struct supervisor_order *order, int *report);

#endif
