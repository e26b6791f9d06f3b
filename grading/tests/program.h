/* Lab programs as processes: run one in a directory of its own, keep what it said, read what it wrote.
 *
 * What a program does is data here: a crash, a hang or a malformed file ends up in a struct program_result or
 * an error, never in the suite. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_TEXT_MAX = 8192 };

struct program_result {
  bool timed_out;
  int status;                     /* exit status, or -1 after a signal */
  int signal;                     /* that ended it, else 0 */
  char output[PROGRAM_TEXT_MAX];  /* the beginning of standard output */
  char message[PROGRAM_TEXT_MAX]; /* the beginning of standard error */
};

/* Makes a temporary directory, one per process at a time; atexit removes it with all in it, or this. */
const char *program_make_directory(void);
void program_remove_directory(void);

/* Makes one and changes to it; changes back and removes it. */
void program_enter_directory(void);
void program_leave_directory(void);

/* Runs arguments[0], a path, with arguments (NULL at the end) for at most seconds. The current directory gets
 * two files, stdout.txt and stderr.txt. Ends the calling program when it cannot start a process. */
struct program_result program_run(const char *const *arguments, double seconds);

/* The two halves of that. input, output: descriptors for standard input and output; -1: /dev/null and
 * stdout.txt. messages: the file for standard error. */
pid_t program_start(const char *const *arguments, int input, int output, const char *messages);
struct program_result program_finish(pid_t child, double seconds, const char *messages);

/* One line on how a program ended: its first line on standard error, a signal, a time limit. */
void program_describe(const struct program_result *result, char *text, size_t size);

#endif
