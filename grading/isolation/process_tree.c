#include "process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { DEPTH_MAX = 64, PROCESSES_MAX = 1 << 16 };

/* Calls visit for each child of the thread. */
static void each_child(pid_t process, pid_t thread, void (*visit)(pid_t child, int depth, void *context),
                       int depth, void *context) {
  char path[64];
  int child;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, thread);
  FILE *children = fopen(path, "r");
  while (children && fscanf(children, "%d", &child) == 1)
    visit(child, depth, context);
  if (children)
    fclose(children);
}

/* The state of a process or thread: the fields of proc_pid_stat(5) after the name, which may hold any bytes. */
struct state {
  char state;
  unsigned long user, system;
  long children_user, children_system, threads, pages;
};

static bool read_state(const char *path, struct state *s) {
  char text[1024];
  FILE *file = fopen(path, "r");
  const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  if (file)
    fclose(file);
  const char *behind = strrchr(text, ')');
  return behind &&
         sscanf(behind + 1,
                " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %ld %*d %*u %*u %ld",
                &s->state, &s->user, &s->system, &s->children_user, &s->children_system, &s->threads,
                &s->pages) == 7;
}

/* Bytes of page tables: a page that is read only costs nothing else. */
static uint64_t read_page_tables(pid_t process, pid_t thread) {
  char path[64], text[4096];
  unsigned long long kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", process, thread);
  FILE *file = fopen(path, "r");
  const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  if (file)
    fclose(file);
  const char *line = strstr(text, "\nVmPTE:");
  if (line)
    sscanf(line, "\nVmPTE: %llu", &kilobytes);
  return kilobytes << 10;
}

/* Bytes of the memory that a process's threads share; 0 if this one has ended, as the first one can before others. */
static uint64_t memory_of(const struct state *s, pid_t process, pid_t thread) {
  return s->pages > 0
             ? (uint64_t)s->pages * (uint64_t)sysconf(_SC_PAGESIZE) + read_page_tables(process, thread)
             : 0;
}

static void note_state(const struct state *s, struct process_tree *tree) {
  tree->is_running |= s->state == 'R';
  tree->is_waiting |= s->state == 'D';
}

static void add_process(pid_t process, int depth, void *context);

/* Returns the bytes of their memory. */
static uint64_t add_threads(pid_t process, int depth, struct process_tree *tree) {
  char path[320];
  struct state s;
  uint64_t memory = 0;
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *threads = opendir(path);
  for (struct dirent *entry; threads && (entry = readdir(threads));) {
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/stat", process, entry->d_name);
    if ((memory == 0 || !tree->is_running) && read_state(path, &s)) {
      note_state(&s, tree);
      memory = memory ? memory : memory_of(&s, process, atoi(entry->d_name));
    }
    each_child(process, atoi(entry->d_name), add_process, depth + 1, tree);
  }
  if (threads)
    closedir(threads);
  return memory;
}

static void add_process(pid_t process, int depth, void *context) {
  struct process_tree *tree = context;
  struct state s;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  if (depth > DEPTH_MAX || tree->processes >= PROCESSES_MAX || !read_state(path, &s))
    return;
  tree->processes++;
  tree->cpu_seconds += (double)(s.user + s.system + (unsigned long)(s.children_user + s.children_system)) /
                       (double)sysconf(_SC_CLK_TCK);
  note_state(&s, tree);
  if (s.threads > 1) {
    tree->memory += add_threads(process, depth, tree);
  } else {
    tree->memory += memory_of(&s, process, process);
    each_child(process, process, add_process, depth + 1, tree);
  }
}

void process_tree_look(struct process_tree *tree) {
  *tree = (struct process_tree){0};
  each_child(getpid(), getpid(), add_process, 0, tree);
}

struct killing {
  pid_t spared;
  int count;
};

static void kill_one(pid_t child, int depth, void *context) {
  struct killing *killing = context;
  (void)depth;
  if (child == killing->spared)
    return;
  kill(child, SIGKILL);
  killing->count++;
}

int process_tree_kill(pid_t spared) {
  struct killing killing = {.spared = spared};
  each_child(getpid(), getpid(), kill_one, 0, &killing);
  return killing.count;
}
