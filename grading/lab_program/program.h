/* Lab programs as processes: runs one in its own directory, keeps its output, reads its files.
 *
 * A crash, a hang or a malformed file becomes a struct program_result or an error. It never affects the
 * suite. */
#pragma once

#include "supervisor.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_TEXT_MAX = 8192 };
#define PROGRAM_OUTPUT "stdout.txt" /* where program_run_within writes standard output */

struct program_result {
  bool timed_out; /* at any limit of time */
  int status;     /* exit status, or -1 after a signal */
  int signal;     /* that ended it, else 0 */
  struct supervisor_report report;
  struct supervisor_limits limits;
  char output[PROGRAM_TEXT_MAX];  /* the beginning of standard output */
  char message[PROGRAM_TEXT_MAX]; /* the beginning of standard error */
};

/* A running program. */
struct program {
  pid_t supervisor;
  int report; /* a descriptor */
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

/* Runs arguments[0], a path, with arguments (NULL at the end). Writes stdout.txt and stderr.txt to the
 * current directory. When it returns, no process of the program is left. Ends the calling program if it
 * cannot start a process. */
struct program_result program_run_within(const char *const *arguments,
                                         const struct supervisor_limits *limits);

/* The same for our own programs: with this environment, for at most the given seconds of wall time. */
struct program_result program_run(const char *const *arguments, double seconds);

/* The two halves of program_run_within. input, output: descriptors for standard input and output; -1: /dev/null and
 * stdout.txt. messages: the file for standard error. program_finish waits at most the given seconds, then
 * stops the program. */
struct program program_start(const char *const *arguments, int input, int output, const char *messages,
                             const struct supervisor_limits *limits);
struct program_result program_finish(const struct program *program, double seconds, const char *messages);

/* Shortens each "/folder/of/the/grader/stencil.cu:41" in text to "stencil.cu:41": the folder differs between
 * runs. */
void program_drop_folders(char *text);

/* One line on how a program ended: its first line on standard error, a signal, a limit. */
void program_describe(const struct program_result *result, char *text, size_t size);

/* PASS after exit status 0 within the limits. Otherwise TIMEOUT, MEMORY, OUTPUT, CRASH, VIOLATION (more
 * processes than any lab program needs), WRONG (exit status 2, a refusal), UNWRITTEN (3), or INFRA, a
 * fault of the machine or of the simulated GPU. */
const char *program_verdict(const struct program_result *result);
