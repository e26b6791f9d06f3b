/* A lab's rubric, grading/rubric/NN.cfg: the only place for points and limits. */
#pragma once

#include "error.h"
#include "metric.h"
#include <stddef.h>

enum { RUBRIC_ITEMS = 48, RUBRIC_NEEDS = 4, RUBRIC_WORDS = 24 };

enum rubric_kind { RUBRIC_CORRECTNESS, RUBRIC_COUNTER, RUBRIC_TIME, RUBRIC_RUNG };
extern const char *const rubric_kinds[]; /* "correctness", "counter", "time", "rung" */

/* The basis that a time is compared with. */
enum time_against { TIME_REFERENCE, TIME_COPY };
extern const char *const time_againsts[]; /* "reference", "copy" */

struct rubric_item {
  const char *id, *title;
  enum rubric_kind kind;
  int part; /* the TODO that it judges */
  double points;
  bool hidden;         /* public = false: students see only its points, together with those of hidden tests */
  bool bonus;          /* its points come on top of the lab's, and it never changes the lab's verdict */
  const char *meaning; /* of a value with full marks, one sentence for a student; NULL: none */
  const char *needs[RUBRIC_NEEDS]; /* correctness items without which it does not count, NULL at the end */
  /* of a counter item and of a time item: */
  double none_at, full_at; /* full marks at one limit, none at the other, linear between */
  double bytes;            /* the fewest that a sweep (iteration) moves, per grid point; of a rung, too */
  /* of a counter item: */
  const struct metric *metric;
  /* of a time item: */
  const char *run[RUBRIC_WORDS]; /* arguments of the program, NULL at the end */
  int count;                     /* sweeps (iterations) of a run */
  double per;                    /* grid points */
  enum time_against against;
  size_t element_size; /* of the result: sizeof(float) or sizeof(double) */
  double noise;        /* of a run: up to it, the measured value counts as it is */
  double within;       /* largest difference from the reference's result, relative, in the 2-norm */
  /* of a rung, which has no points: how fast a kernel is, on a ladder of those that do the same work */
  const char *work;
  double reference;    /* the solution's fraction of copy bandwidth, modelled */
  const char *time;    /* the time item that measures it; NULL: none does */
  const char *counter; /* the counter item that measures it by the model */
};

struct rubric {
  const char *lab, *program; /* "03_compressed", "compressed" */
  bool optional; /* the lab is judged only if it is named, and its points are not those of a course */
  int count;
  struct rubric_item items[RUBRIC_ITEMS];
  char sha256[65]; /* of the file */
  void *owner;     /* of the strings */
};

/* False if the file is missing or malformed, an id occurs twice, or needs names an item that is not a
 * correctness item above. */
bool rubric_read(const char *path, struct rubric *rubric, struct error *error);
void rubric_free(struct rubric *rubric);

/* The item of that id, or NULL. */
const struct rubric_item *rubric_find(const struct rubric *rubric, const char *id);

/* True when id is one of names, which ends with NULL, or names is empty. */
bool rubric_is_named(const char *id, const char *const *names);

/* Points of all items of a kind, either those with bonus or the others. */
double rubric_sum(const struct rubric *rubric, enum rubric_kind kind, bool bonus);

/* True when time items have points. */
bool rubric_has_time(const struct rubric *rubric);

/* The points of a value measured, rounded to hundredths. */
double rubric_points(const struct rubric_item *item, double measured);
