/* The entries of a class (class.h), and their results under out. */
#pragma once

#include "class_order.h"
#include "submission.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>

struct class {
  struct installation *kit;
  const struct class_order *order;
  char folder[PATH_MAX], out[PATH_MAX];
  struct dirent **entries; /* of the order's share */
  json_t **results;        /* NULL: not graded yet */
  int count, *to_do;       /* places in entries */
  int told;                /* number of entries that were printed */
  int seed;                /* 0: each submission has its own */
  const json_t
      *like; /* a result that all others must match in what depends on the machine; NULL: the order */
};

/* Finds the entries, and removes the grader's files of entries that are gone. is_new: makes the folder out, if it is
 * missing. Ends the program if there are no entries. */
void entries_open(struct class *class, bool is_new);

/* Writes summary.csv and leaderboard.csv; every entry has its result. */
void entries_summarise(const struct class *class, bool leaderboard);

/* Frees everything that the caller does not own. Returns the exit status: 2 if a result is INFRA. */
int entries_close(struct class *class);

/* The folder of an entry's files, or one of them, until the next call. */
const char *entry_place(const struct class *class, int n, const char *file);

/* The lock of an entry, see share_lock. Only its holder writes the entry's files. */
int entry_lock(const struct class *class, int n, bool wait);

/* What was handed in. An unreadable submission is an empty one, and passed_over says why. */
struct submission entry_read(const struct class *class, int n);

/* The entry's result if it is current: a grade of what is handed in now, by this kit. Otherwise NULL, and why.
 * *pending: the entry's record until it is graded, INFRA with this message. */
json_t *entry_grade(const struct class *class, int n, const char *message, json_t **pending,
                    struct error *why);

/* Writes all files of an entry; result.json last, so that a grade is there only with its reports. */
void entry_write(const struct class *class, int n, const json_t *result);
