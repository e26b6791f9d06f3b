/* Lab programs as processes: runs one in a folder of its own, and takes its output and its files through descriptors.
 *
 * A crash, a hang or a malformed file becomes a struct program_result or an error. It never affects the suite. */
#pragma once

#include "run_files.h"
#include "supervisor.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_TEXT_MAX = 8192 };

struct program_result {
  bool timed_out; /* at any limit of time */
  int status;     /* exit status, or -1 after a signal */
  int signal;     /* that ended it, else 0 */
  struct supervisor_report report;
  struct supervisor_limits limits;
  char output[PROGRAM_TEXT_MAX];  /* the beginning of standard output, unless that is a pipe */
  char message[PROGRAM_TEXT_MAX]; /* what the simulated GPU said, then the beginning of standard error */
  size_t said_by_device;          /* bytes of message */
};

/* What to run, and with what. */
struct program_order {
  const char *const *arguments; /* the first is a path; NULL at the end */
  const struct supervisor_limits *limits;
  const char *device;            /* the simulated GPU's device process; NULL: none */
  const struct run_files *files; /* NULL: none */
  int input, output;             /* descriptors; 0: /dev/null, and a file in memory */
};

/* A running program. */
struct program {
  pid_t supervisor;
  int report, output, messages, device_messages; /* descriptors */
  char folder[PATH_MAX];                         /* in which it runs; "": the caller's */
  struct supervisor_limits limits;
};

/* Limits for students' programs on a simulated GPU. */
extern const struct supervisor_limits program_limits;

/* Makes a temporary directory in $TMPDIR, one per process at a time. The next function or atexit removes
 * it with its contents. */
const char *program_make_directory(void);
void program_remove_directory(void);

/* The first makes a directory and changes to it; the second changes back and removes it. */
void program_enter_directory(void);
void program_leave_directory(void);

/* Runs a program. With files, it runs in a new folder that holds only links to them, and that is removed. When it
 * returns, no process of the program is left. Ends the calling program if it cannot start a process. */
struct program_result program_run_order(const struct program_order *order);

/* The same for a submission's program: that it cannot be started is a fault of the machine only if a program of our own
 * cannot be started either, in the same jail and by the same steps. */
struct program_result program_run_foreign(const struct program_order *order);

/* The same in the caller's folder, without a device or files. */
struct program_result program_run_within(const char *const *arguments,
                                         const struct supervisor_limits *limits);

/* The same for our own programs: with this environment, for at most the given seconds of CPU time, and half a minute of
 * none, which hold on a busy machine, too. */
struct program_result program_run(const char *const *arguments, double seconds);

/* The two halves of program_run_order. program_finish waits at most the given seconds, then stops the program. */
struct program program_start(const struct program_order *order);
struct program_result program_finish(const struct program *program, double seconds);

/* Shortens each "/folder/of/the/grader/stencil.cu:41" in text to "stencil.cu:41": the folder differs between runs. */
void program_drop_folders(char *text);

/* The beginning of these words in what the simulated GPU said, or NULL: what the program says does not count. */
const char *program_device_said(const struct program_result *result, const char *words);

/* One line on how a program ended: its first line on standard error, a signal, a limit. */
void program_describe(const struct program_result *result, char *text, size_t size);

/* PASS after exit status 0 within the limits. Otherwise TIMEOUT, MEMORY, OUTPUT, CRASH, VIOLATION (more
 * processes than any lab program needs, or malformed requests to the simulated GPU), WRONG (exit status 2, a
 * refusal), UNWRITTEN (3), or INFRA, a fault of the machine or of the simulated GPU that the supervisor itself saw. */
const char *program_verdict(const struct program_result *result);
