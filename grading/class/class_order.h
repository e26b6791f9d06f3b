/* How a class is graded. */
#pragma once

#include "machine.h"
#include "share.h"

struct class_order {
  const char *folder, *out;
  const char *formats;                 /* as for report_save, or NULL */
  const struct installation_lab *only; /* the only lab that counts; NULL: all labs of the kit */
  const struct machine *machine;       /* as in struct judge_order */
  int jobs;
  int limit_seconds;  /* as in struct judge_order */
  int seed;           /* as in struct judge_order; 0: that in out, else a random one */
  bool seed_each;     /* draw a seed for each submission */
  bool leaderboard;   /* as in struct judge_order; the whole class's in out/leaderboard.csv */
  bool again;         /* keep nothing */
  struct share share; /* only these entries, and no summary */
};
