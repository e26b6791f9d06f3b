/* Grades one lab of a submission, in steps: its program is made, then each item is judged by itself, so that
 * items can be judged at the same time. Every step belongs in a process of its own. */
#ifndef JUDGE_LAB_H
#define JUDGE_LAB_H

#include "machine.h"
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct judge_lab {
  const struct installation *kit;
  const struct installation_lab *lab;
  const struct machine *machine; /* measure times on it; NULL: judge correctness and count */
  const char *text;              /* NULL: not handed in */
  size_t size;
  const char *reason;          /* why there is no text; NULL or "": not handed in */
  bool climbs;                 /* the rungs, too */
  const char *const *names;    /* the items to judge, NULL at the end; none: all */
  char directory[PATH_MAX];    /* that source and program are put in; judge_lab_make makes it */
  json_t *made;                /* what judge_lab_make said */
  json_t *items[RUBRIC_ITEMS]; /* what judge_lab_line said, by place in the rubric */
  bool stopped[RUBRIC_ITEMS];  /* it said nothing: the time of the submission was up */
};

/* Compiles the text: {"verdict": "PASS"}, or COMPILE or INFRA with a message. */
json_t *judge_lab_make(const struct judge_lab *judged);

/* Whether the item, by its place in the rubric, has to be judged, because it is named or a named one needs
 * it. Time items are judged apart from the others, and wait for none of them; rungs, when no item is named.
 */
bool judge_lab_wants(const struct judge_lab *judged, int item);

/* Whether the program is made and the items that this one needs are judged. */
bool judge_lab_is_ready(const struct judge_lab *judged, int item);

/* An item of the result (result.h). Of a rung, which stands in no result: measured is its fraction of copy
 * bandwidth, by modelled time. */
json_t *judge_lab_item(const struct judge_lab *judged, int item);

/* Whether there is a program; without one, items say nothing that the lab's message does not say. */
bool judge_lab_is_made(const struct judge_lab *judged);

/* How many items of the lab before this one ran without an end. */
int judge_lab_timeouts(const struct judge_lab *judged, int item);

/* For one item after the other, in their order: after two that did not end, none counts that needs a run,
 * even if it was judged at the same time: the number of jobs changes no grade. */
void judge_lab_give_up(struct judge_lab *judged, int item);

/* For one item after the other, in their order: puts what the compiler warned of below the first that did not
 * pass for what is written. It may have known why. */
void judge_lab_add_warning(struct judge_lab *judged, int item);

/* The lab's part of the result, from what the steps said. */
json_t *judge_lab_result(const struct judge_lab *judged);

/* Frees what the steps said. */
void judge_lab_free(struct judge_lab *judged);

#endif
