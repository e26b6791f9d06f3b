/* The penalty for a late submission: a percentage of its points per day, linear in time. */
#pragma once

#include "error.h"
#include <time.h>

struct late_time {
  time_t seconds;
  bool has_zone; /* false: by a clock of unknown zone */
};

struct late_policy {
  bool has_deadline;
  struct late_time deadline;
  double grace_minutes; /* after the deadline, without a penalty */
  double per_day;       /* percent of the points, from the end of the grace */
  double most;          /* limit of the penalty, percent */
};

/* Reads "2026-11-20 23:59", optionally with seconds, a zone ("Z", "+01:00") and a "T" instead of the blank. */
bool late_time_read(const char *text, struct late_time *time, struct error *error);

/* The percentage that a submission loses. Both times have a zone, or none has. */
double late_percent(const struct late_policy *policy, struct late_time submitted);
