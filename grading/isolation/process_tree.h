/* All processes that descend from the calling one, as /proc shows them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_tree {
  int processes;
  uint64_t memory;    /* resident bytes and page tables; shared memory counts for each process */
  double cpu_seconds; /* of all processes, and of children that they have waited for */
  bool is_running;    /* a thread runs or is runnable */
  bool is_waiting;    /* a thread cannot be interrupted: it waits for a disk, or for a child after vfork() */
};

void process_tree_look(struct process_tree *tree);

/* Sends SIGKILL to the children of the calling process, except to spared. Returns how many there were. */
int process_tree_kill(pid_t spared);
