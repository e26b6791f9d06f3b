/* What hostile submissions share. The runner puts this text at the beginning of each of them, after a line
 * "#define WITH …", which tells the cases of one file apart. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ATTACK { … } runs before main. */
#define ATTACK static void __attribute__((constructor)) attack(void)

/* Reports that an attack reached its aim. The runner finds the word in the student's report. */
static inline void deed(const char *what) {
  fprintf(stderr, "DEED: %s\n", what);
  printf("DEED: %s\n", what);
  fflush(stdout);
  _exit(1);
}
static inline void deed_if(bool reached, const char *what) {
  if (reached)
    deed(what);
}

/* Shows the beginning of a file, if it can be read. */
static inline void show_file(const char *path) {
  char text[4096];
  FILE *file = fopen(path, "r");
  if (!file)
    return;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fprintf(stderr, "%s\n", text);
  _exit(1);
}

static inline void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (file && fputs(text, file) >= 0)
    fclose(file);
}

/* The value of an argument of this program, such as --out; NULL if there is none. */
static inline char *argument(const char *name) {
  static char line[65536];
  const int file = open("/proc/self/cmdline", O_RDONLY);
  const ssize_t length = read(file, line, sizeof line - 1);
  close(file);
  for (char *at = line; at < line + length; at += strlen(at) + 1)
    if (strcmp(at, name) == 0)
      return at + strlen(at) + 1;
  return NULL;
}

/* Calls what(pid) for each process except this one and those of the device. */
static inline void for_each_process(void (*what)(pid_t)) {
  DIR *stream = opendir("/proc");
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    if (atoi(entry->d_name) > 1 && atoi(entry->d_name) != getpid())
      what(atoi(entry->d_name));
}
