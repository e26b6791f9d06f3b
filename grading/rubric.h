/* A lab's rubric, grading/rubric/NN.cfg: the only place where points and limits live. */
#ifndef RUBRIC_H
#define RUBRIC_H

#include "error.h"
#include "metric.h"

enum { RUBRIC_LINES = 48, RUBRIC_NEEDS = 4, RUBRIC_WORDS = 24 };

enum rubric_kind { RUBRIC_CORRECTNESS, RUBRIC_COUNTER };
extern const char *const rubric_kinds[]; /* "correctness", "counter" */

struct rubric_line {
  const char *id, *title;
  enum rubric_kind kind;
  int part; /* the TODO that it judges */
  double points;
  /* of a counter line: */
  const char *needs[RUBRIC_NEEDS]; /* correctness lines without which it does not count, NULL at the end */
  const char *run[RUBRIC_WORDS];   /* arguments of the program, NULL at the end */
  const char *kernel;              /* beginning of the names of the kernels that count; "": all */
  const struct metric *metric;
  double per, none_at, full_at; /* full points at one limit, none at the other, linear between */
};

struct rubric {
  const char *lab, *program; /* "03_compressed", "compressed" */
  int count;
  struct rubric_line lines[RUBRIC_LINES];
  void *owner; /* of the strings */
};

/* False when the file is missing or malformed, an id stands twice or a need names no correctness line before.
 */
bool rubric_read(const char *path, struct rubric *rubric, struct error *error);
void rubric_free(struct rubric *rubric);

/* The points of a value measured, rounded to hundredths. */
double rubric_points(const struct rubric_line *line, double measured);

#endif
