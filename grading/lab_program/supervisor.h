/* A process that supervises one program and all its processes: it starts the program, and the simulated GPU that it
 * uses, stops them at their limits, and leaves no process behind. The device is the supervisor's: the program has only
 * one end of a socket, and neither its environment nor its end changes what the device writes for the grader. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Limits of a program together with all its processes. 0: unlimited. */
struct supervisor_limits {
  double cpu_seconds;     /* of CPU time: the same under load */
  double idle_seconds;    /* during which no thread is runnable */
  double waiting_seconds; /* during which threads only wait, uninterruptibly: for a disk, or after vfork() */
  double seconds;         /* of wall time, for our own programs and for overloaded machines */
  uint64_t memory;        /* bytes that are resident */
  uint64_t file;          /* bytes of each file that it writes, standard output included */
  int processes;          /* at a time */
  uint64_t device_memory; /* bytes, of a simulated GPU */
  uint64_t launch;        /* instructions of warps in a launch on it */
  uint64_t
      failing_call; /* request to the simulated GPU that it lets fail, from 1: a call for memory, a copy or a launch */
  uint64_t failing_launch; /* the same, of launches alone */
  bool foreign;            /* it gets few descriptors and environment variables */
  const struct jail *jail; /* in which it runs; NULL: none */
};

enum supervisor_end {
  SUPERVISOR_ENDED,      /* by itself */
  SUPERVISOR_CANNOT_RUN, /* it was never started */
  SUPERVISOR_REFUSED, /* it was never started, but another program was, in its place: see program_run_foreign */
  SUPERVISOR_CPU,
  SUPERVISOR_IDLE,
  SUPERVISOR_WALL,
  SUPERVISOR_MEMORY,
  SUPERVISOR_PROCESSES,
};

/* How the device process of the simulated GPU ended. */
enum supervisor_device {
  SUPERVISOR_DEVICE_NONE,
  SUPERVISOR_DEVICE_ENDED,     /* with the program, or stopped with it at a limit */
  SUPERVISOR_DEVICE_MALFORMED, /* the program sent it what no CUDA runtime sends */
  SUPERVISOR_DEVICE_FLOODED,   /* a file that it writes reached the limit */
  SUPERVISOR_DEVICE_OUTLIVED,  /* it still had work of the program when that had ended */
  SUPERVISOR_DEVICE_FAILED,    /* by a fault of its own, or of the machine */
};

struct supervisor_report {
  enum supervisor_end end;
  enum supervisor_device device;
  int status;                                        /* as of waitpid() */
  double cpu_seconds, idle_seconds, waiting_seconds; /* as in the limits */
  double peak_memory; /* bytes, of its largest ended process, or of all at a check */
  bool out_of_memory; /* the kernel killed a process during the run, for want of memory */
  bool
      is_grouped; /* out_of_memory is then said of the program's own processes, and the machine lacked memory */
};

/* Descriptors that the program finds open beside 0 to 2: the socket to the device, and its files from the second on. */
enum { SUPERVISOR_SOCKET = 3, SUPERVISOR_FILES = 4 };

struct supervisor_order {
  const char *const *arguments; /* the first is a path; NULL at the end */
  const char *folder;           /* in which it starts; NULL: the caller's */
  int input, output, messages;  /* descriptors; input may be -1: /dev/null */
  const char *device;           /* the simulated GPU's device process, which the supervisor starts; or NULL */
  int device_messages;          /* a descriptor for all that the device prints */
  const int *files;
  int file_count;
  const struct supervisor_limits *limits;
};

/* Starts the supervisor; -1 if that fails. When no process of the program is left, it writes a struct supervisor_report
 * to the descriptor *report. SIGTERM, or the end of the caller, makes it stop the program. */
pid_t supervisor_start(const struct supervisor_order *order, int *report);
