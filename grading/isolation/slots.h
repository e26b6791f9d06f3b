/* The users of the parallel programs of a grader that runs as root: no other grader on this machine uses the same ones
 * at the same time, so that no program can end or disturb one of another submission. */
#pragma once

/* Takes slots, at most as many as wanted; waits until at least one is free. Returns how many. Without root, or without
 * a writable /run, there are no users to share: all that are wanted, from 0 on. */
int slots_take(int wanted);

/* The slot (jail.h) of a parallel job, from 0. */
int slots_of(int job);
