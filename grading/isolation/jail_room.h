/* A jail that is kept for several runs of one program: its namespaces take ten times as long to make as to enter. Each
 * run has an empty jail_folder of its own, and no process outlives it. Only for jails with namespaces. */
#pragma once

#include "jail.h"

#include <sys/types.h>

struct jail_room {
  pid_t init; /* process 1 of the room, as its caller sees it; 0: there is no room */
  int handle; /* its pidfd */
  int keeper; /* a socket to the process that keeps it; when its last copy is closed, the room ends */
};

/* Opens a room for the jail's programs, unless it is open; its programs see the files of jail->readable. False: this
 * machine has no rooms, and every run makes its own jail. */
bool jail_room_open(struct jail_room *room, const struct jail *jail);

/* In a child after fork(), of which it becomes the parent: runs the program in the room and ends as it ends. Returns
 * only if it fails, after one line on standard error. */
void jail_room_run(const struct jail_room *room, const struct jail *jail, const char *const *arguments);

/* After a run: ends all processes that are left in the room, or else the room. */
void jail_room_sweep(const struct jail_room *room);
