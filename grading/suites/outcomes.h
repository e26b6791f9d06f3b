/* The outcomes of a suite's tests: the JSON file of --outcomes.
 *
 *   {"suite": "03_compressed", "tests": [{"name": "03/index", "verdict": "WRONG", "message": "…", "printed":
 * "…", "remarks": [], "shown": "…", "per": 60000, "counted": "--variant naive …"}]}
 *
 * Verdicts: PASS; WRONG results; CRASH, TIMEOUT, MEMORY and VIOLATION of the program; OUTPUT files that are missing or
 * malformed; UNWRITTEN parts; SKIPPED items, which wait for a correct result of another one; INFRA, a fault of the
 * suite or of the simulated GPU, which says nothing about the program. shown: a finding that a passed test expects;
 * absent if there is none.
 * printed: the last lines on standard output of the run that failed a test; absent if there are none.
 * per and counted: the divisor and the arguments of a counted run; absent if there is none. Text is valid
 * UTF-8, whatever the program wrote. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { OUTCOMES_MAX = 32, OUTCOMES_TEXT = 8192 };

struct outcome {
  const char *name;
  /* "" if there is none: */
  char verdict[16], message[OUTCOMES_TEXT], printed[4000], remark[1024], shown[1024], counted[512];
  double per; /* of the counted run */
};

/* Writes text as a JSON string with its quotes; bytes that are not UTF-8 become '?'. */
void outcomes_put_string(FILE *stream, const char *text);

/* Writes the complete file, or ends the program with one line and no file. */
void outcomes_write(const char *path, const char *suite, int count, const struct outcome *outcomes);
