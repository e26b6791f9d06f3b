/* The outcomes of a suite's tests: the JSON file of --outcomes.
 *
 *   {"suite": "03_compressed", "tests": [{"name": "03/index", "verdict": "WRONG", "message": "…", "remarks":
 * [], "shown": "…"}]}
 *
 * Verdicts: PASS; WRONG results; CRASH, TIMEOUT, MEMORY and VIOLATION of the program; OUTPUT files that are
 * missing or malformed; UNWRITTEN parts; INFRA, a fault of the suite or of the simulated GPU, which says
 * nothing about the program. shown: what a passed test found that was asked for, left out where there is
 * nothing. Text is valid UTF-8, whatever the program wrote. */
#ifndef OUTCOMES_H
#define OUTCOMES_H

#include <stdbool.h>
#include <stdio.h>

enum { OUTCOMES_MAX = 32, OUTCOMES_TEXT = 8192 };

struct outcome {
  const char *name;
  char verdict[16], message[OUTCOMES_TEXT], remark[1024], shown[1024]; /* "" where there is none */
};

/* Writes text as a JSON string, quotes included; bytes that are no UTF-8 become '?'. */
void outcomes_put_string(FILE *stream, const char *text);

/* Writes the file, whole or not at all; ends the program when that is not possible. */
void outcomes_write(const char *path, const char *suite, int count, const struct outcome *outcomes);

#endif
