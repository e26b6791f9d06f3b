/* Grades one lab of a submission, in steps: compiles its program, then judges each item separately, so
 * that items can be judged in parallel. Every step runs in its own process. */
#pragma once

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
  int seed;                    /* of the suites' random sizes and inputs */
  const char *out;             /* a folder for what repeats a fault of the simulated GPU; NULL: none */
  char inputs[PATH_MAX];       /* the folder for input files of runs that failed; "": none */
  const char *const *names;    /* the items to judge, NULL at the end; empty: all items */
  char directory[PATH_MAX];    /* for source and program; judge_lab_make creates it */
  json_t *made;                /* result of judge_lab_make */
  json_t *items[RUBRIC_ITEMS]; /* results of judge_lab_item, by index in the rubric */
  bool stopped[RUBRIC_ITEMS];  /* no result: the submission's time was up */
};

/* Compiles the text: {"verdict": "PASS"}, or COMPILE or INFRA with a message. */
json_t *judge_lab_make(const struct judge_lab *judged);

/* Whether the item (an index in the rubric) must be judged: it is named, or a named one needs it. Time
 * items are judged separately and wait for no other item. Rungs are not judged: they show other items. */
bool judge_lab_wants(const struct judge_lab *judged, int item);

/* Whether the program is compiled and the items that this one needs are judged. */
bool judge_lab_is_ready(const struct judge_lab *judged, int item);

/* An item of the result (result.h). */
json_t *judge_lab_item(const struct judge_lab *judged, int item);

/* Whether there is a program. Without one, items add nothing to the lab's message. */
bool judge_lab_is_made(const struct judge_lab *judged);

/* Number of items of the lab before this one that timed out. bonus: with those that have bonus, which stop
 * only each other. */
int judge_lab_timeouts(const struct judge_lab *judged, int item, bool bonus);

/* Call it for each item in order. After two timeouts, no item that needs a run counts, even if it was
 * judged in parallel, so the number of jobs changes no grade. */
void judge_lab_give_up(struct judge_lab *judged, int item);

/* Call it for each item in order. Adds the compiler's warning to the first written item that failed, since
 * the warning may explain the failure. */
void judge_lab_add_warning(struct judge_lab *judged, int item);

/* Call it for each item in order. Replaces a message that an earlier item of the lab has by its name, and
 * drops what the program printed then. */
void judge_lab_spare_repetition(struct judge_lab *judged, int item);

/* The lab's part of the result, from the results of the steps. */
json_t *judge_lab_result(const struct judge_lab *judged);

/* Frees the results of the steps. */
void judge_lab_free(struct judge_lab *judged);
