/* A process that supervises one program and all its processes: it starts the program, stops it at its
 * limits, and leaves no process behind. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Limits of a program together with all its processes. 0: unlimited. */
struct supervisor_limits {
  double cpu_seconds;     /* of CPU time: the same under load */
  double idle_seconds;    /* during which no thread is runnable */
  double seconds;         /* of wall time, for our own programs and for overloaded machines */
  uint64_t memory;        /* bytes that are resident */
  uint64_t file;          /* bytes of each file that it writes, standard output included */
  int processes;          /* at a time */
  uint64_t device_memory; /* bytes, of a simulated GPU */
  uint64_t launch;        /* instructions of warps in a launch on it */
  bool foreign;           /* it gets few descriptors and environment variables */
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

/* Starts the supervisor; -1 if that fails. When no process of the program is left, it writes a struct
 * supervisor_report to the descriptor *report. SIGTERM, or the end of the caller, makes it stop the
 * program. */
pid_t supervisor_start(const struct supervisor_order *order, int *report);
