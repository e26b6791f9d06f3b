/* Grades the labs of one submission, each in its own process. */
#pragma once

#include "judge_lab.h"
#include "result.h"
#include "submission.h"
#include <jansson.h>

/* only: a lab, or NULL for all. missing: also count labs that were not handed in. names: as for judge_lab.
 * told: where items are printed as they are judged, in their order, without result_print_end; NULL: nowhere. */
struct judge_order {
  const struct installation_lab *only;
  bool missing;
  int jobs;
  const struct machine *machine; /* measure times on it; NULL: judge correctness and count */
  bool climbs;                   /* also make the modelled ladders */
  const char *const *names;
  FILE *told;
  bool leaderboard;   /* also what a course may compare submissions by */
  int seed;           /* of the suites' random sizes and inputs */
  const char *out;    /* the folder of the submission's reports, or NULL */
  const char *inputs; /* the folder with a folder of each lab for input files of runs that failed, or NULL */
  const json_t *attempts; /* earlier checks, for a student (guide.h); NULL: none is wanted */
  int limit_seconds; /* of wall time for the submission: items not judged by then are TIMEOUT; 0: no limit */
};

struct result_origin judge_origin(const struct installation *kit, const struct judge_order *order);

/* Returns the result (result.h). */
json_t *judge_submission(const struct installation *kit, const struct submission *submission,
                         const struct judge_order *order);
