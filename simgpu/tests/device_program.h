/* Programs on the simulated GPU as processes: starts and observes them. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct program {
  pid_t pid;
  int output, message; /* descriptors of its standard output and error */
};

struct program_result {
  int status; /* exit status; -1: a signal ended it; -2: it timed out */
  double seconds;
  char output[16384], message[16384]; /* the beginning of its output */
};

/* Starts arguments[0], a path, with the environment of this process. */
struct program program_start(const char *const *arguments);
/* Waits at most `seconds`, then kills it. */
struct program_result program_wait(struct program program, double seconds);
struct program_result program_run(const char *const *arguments, double seconds);

/* The device process that the program started, or 0. */
pid_t program_device(struct program program);

/* A file's text, to be freed. */
char *program_read_file(const char *path);

/* A column of the first row of a file that SIMGPU_COUNTERS named. */
unsigned long long program_counter(const char *path, const char *name);

/* The number of the line of folder/source that ends with `// HERE mark`. */
int program_marked_line(const char *folder, const char *source, const char *mark);
