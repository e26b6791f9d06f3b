/* A class that several graders grade at once, on one machine or on several: each takes its share. */
#pragma once

#include "error.h"

struct share {
  int number, count; /* the number-th of count, from 1; count 0: everything */
};

/* Reads "K/N", with 1 <= K <= N. */
bool share_read(const char *text, struct share *share, struct error *error);

/* Whether the entry, from 0, belongs to the share: each entry belongs to one of the N shares. */
bool share_has(struct share share, int entry);

/* Locks the file, which is made if it is missing, until the descriptor is closed by this process and by those that
 * it forked. wait: until no other process holds it; otherwise returns -1 if one does. Holds between machines where
 * flock does: on NFS, too, but not if it is mounted with nolock or local_lock. */
int share_lock(const char *path, bool wait);

/* The seed in the file, which only its owner can read. given: written there first; 0: one is drawn if the file has
 * none. All graders get the same one. */
int share_seed(const char *path, int given);
