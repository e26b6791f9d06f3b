/* A group of processes whose memory the kernel counts and limits as a whole: a control group, version 1 or 2. It counts
 * what no process has resident: page tables, files in memory, shared pages. Root can make groups; an ordinary user can
 * where systemd has given the user that right. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct memory_group {
  char path[512]; /* "": there is none */
  bool is_unified;
};

/* Makes an empty group with this limit in bytes. False: none can be made here. */
bool memory_group_open(struct memory_group *group, uint64_t most);

/* Moves the calling process into the group; its children follow. False: there is none, or it stays where it is. */
bool memory_group_enter(const struct memory_group *group);

struct memory_group_report {
  bool
      has_killed; /* the kernel has killed one of its processes for want of memory, of the group or of the machine */
  bool was_full;
};

/* So far. */
struct memory_group_report memory_group_look(const struct memory_group *group);

/* When all processes of the group have ended: reports, and removes the group. */
struct memory_group_report memory_group_close(struct memory_group *group);
