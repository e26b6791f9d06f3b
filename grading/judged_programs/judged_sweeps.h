/* Sweeps of the student's program (sweeps.h) as the suites run them: sweeps of other arrays before those that count,
 * heap.h, and a server for the grader's clock. */
#pragma once

#include "heap.h"
#include "judged_far.h"
#include "serve.h"
#include "sweeps.h"

/* Arrays on the device. open copies h2f and u there, get copies u back, and close releases them, even if open or get
 * reported an unwritten part. */
struct judged_layout {
  int (*open)(struct grid g, const float *h2f, const float *u, void **arrays);
  int (*get)(const void *arrays, float *u);
  void (*close)(void *arrays);
  /* The same for arrays whose last rows alone have values (judged_far.h). */
  void (*open_far)(struct grid g, const float *u, void **arrays);
  void (*get_far)(const void *arrays, float *u);
};
extern const struct judged_layout judged_interleaved; /* arrays: a struct sweeps_arrays */

struct judged_sweeps {
  const char *name;     /* of the variant */
  const char *function; /* the contract's function, for the message that a part is not written */
  const struct judged_layout *layout;
  int (*pass)(void *arrays, int limit,
              int *done); /* *done: its sweeps, from 1 to limit. Returns 0, or the unwritten part */
};

extern int judged_earlier;
#define JUDGED_EARLIER                                                                                       \
  OPTIONS_INT("earlier", &judged_earlier, 0, 1000,                                                           \
              "first so many sweeps of each of three others: nx and ny exchanged, fewer rows, other arrays")

/* The sweeps of u. Prints what the student's program prints. Returns the exit status. */
int judged_sweeps_apply(const struct judged_sweeps *sweeps);

/* Sweeps of a random u, as serve.h says: the answer is u, ny rows of nx floats. f is the same for all requests, u is
 * not 0 on the boundary. Returns the exit status. */
int judged_sweeps_serve(const struct judged_sweeps *sweeps);
