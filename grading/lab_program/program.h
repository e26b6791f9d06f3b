/* Lab programs as processes: run one in a directory of its own, keep what it said, read what it wrote.
 *
 * What a program does is data here: a crash, a hang or a malformed file ends up in a struct program_result or
 * an error, never in the suite. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "supervisor.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_TEXT_MAX = 8192 };

struct program_result {
  bool timed_out; /* of any sort of time */
  int status;     /* exit status, or -1 after a signal */
  int signal;     /* that ended it, else 0 */
  struct supervisor_report report;
  struct supervisor_limits limits;
  char output[PROGRAM_TEXT_MAX];  /* the beginning of standard output */
  char message[PROGRAM_TEXT_MAX]; /* the beginning of standard error */
};

/* A program that runs. */
struct program {
  pid_t supervisor;
  int report; /* a descriptor */
  struct supervisor_limits limits;
};

/* For the programs of students, on a simulated GPU. */
extern const struct supervisor_limits program_limits;

/* Makes a temporary directory in $TMPDIR, one per process at a time; atexit removes it with all in it, or
 * this. */
const char *program_make_directory(void);
void program_remove_directory(void);

/* Makes one and changes to it; changes back and removes it. */
void program_enter_directory(void);
void program_leave_directory(void);

/* Runs arguments[0], a path, with arguments (NULL at the end). The current directory gets two files,
 * stdout.txt and stderr.txt. When this returns, nothing that the program started is left. Ends the calling
 * program when it cannot start a process. */
struct program_result program_run_within(const char *const *arguments,
                                         const struct supervisor_limits *limits);

/* The same, with programs of our own: in this environment, for at most so many seconds. */
struct program_result program_run(const char *const *arguments, double seconds);

/* The two halves of that. input, output: descriptors for standard input and output; -1: /dev/null and
 * stdout.txt. messages: the file for standard error. program_finish waits seconds at most, then stops it. */
struct program program_start(const char *const *arguments, int input, int output, const char *messages,
                             const struct supervisor_limits *limits);
struct program_result program_finish(const struct program *program, double seconds, const char *messages);

/* One line on how a program ended: its first line on standard error, a signal, a limit. */
void program_describe(const struct program_result *result, char *text, size_t size);

/* PASS after exit status 0 within the limits, else what it deserves: TIMEOUT, MEMORY, OUTPUT, CRASH,
 * VIOLATION (more processes than any program of a lab has use for), WRONG (exit status 2, a refusal),
 * UNWRITTEN (3), or INFRA, the machine's or the simulated GPU's fault. */
const char *program_verdict(const struct program_result *result);

#endif
