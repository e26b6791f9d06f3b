/* All processes that descend from the calling one, as /proc shows them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct process_tree {
  int processes;
  uint64_t memory;    /* resident bytes; shared memory counts for each process */
  double cpu_seconds; /* of all processes, and of children that they have waited for */
  bool is_busy;       /* a thread runs, is runnable, or waits for a disk */
};

void process_tree_look(struct process_tree *tree);

/* Sends SIGKILL to the children of the calling process. */
void process_tree_kill(void);
