/* The result of a grading: JSON, schema checkerboard/result/v1. Reports are made from it alone.
 * result.schema.json is its JSON Schema.
 *
 *   {"schema": "checkerboard/result/v1", "kit": "0.6.0", "rubrics": SHA-256,
 *    "judge": SHA-256, "limits": SHA-256, "submission": {"name": …, "sha256": …}, "mode": "counters" | "time"
 * | "merged", "isolation": "none", "seed": 1, "device": "simulated H200", "verdict": …, "points": 87.5,
 * "max_points": 100, "seconds": 3.2, "message": …, "labs": [{"lab": "03_compressed", "verdict": …, "points":
 * …, "max_points": …, "message": …, "lines": [
 *      {"id": "03/lanes", "title": …, "kind": "correctness" | "counter" | "time", "part": 3, "verdict": …,
 *       "points": …, "max_points": …, "message": …, "remark": …, "shown": …, "hint": "./kit hint 03 3",
 *       "public": true,
 *       "measured": 0.97, "unit": …, "none_at": 0.55, "full_at": 0.95, "formula": …, "source": …,
 *       "noise": 0.004, "milliseconds": {"submission": …, "reference": …, "overhead": …, "events": …,
 *         "copy": …}}]}],
 *    "ladders": [{"work": "a red-black Gauss-Seidel sweep", "bytes": 12, "clock": "model" | "GPU", "rungs": [
 *      {"rung": "masked", "lab": "02_masked_redblack", "of_copy": 0.34, "reference": 0.35, "message": …}]}]}
 *
 * What decided the grade is named by content: rubrics, those of all labs; judge, the sources of suites,
 * grader, simulated GPU, lab programs and solutions, the same on every machine; limits, the file of grade
 * calibrate, "" where the rubrics' own limits held. Results in which these differ are neither kept nor
 * merged.
 *
 * A lab whose kernels were counted also has, of its first dozen kernels,
 *   "kernels": [{"kernel": "half_sweep_kernel", "run": "--variant split …", "file": "split_layout.cu",
 *     "launches": 2, "lines": [{"line": 41, "text": …, "lanes": 0.97, "load_requests": 9000, …}],
 *     "accesses": [{"line": 41, "operation": "load", "space": "global" | "shared", "bytes": 4, "cost": 8,
 *       "lanes": "0 8 16 - …"}]}]
 * with the counts of SIMGPU_LINES that are not zero, and requests of one warp that waste, or the first: where
 * each of its 32 lanes reads or writes, from the first sector touched, and the sectors or wavefronts that
 * this costs.
 *
 * Ladders are those that the submission's labs stand on, where they were asked for: bytes a point that the
 * work moves at least, over the time that the rung's kernels take, modelled or measured, over the bandwidth
 * of a copy by the same clock. Rungs without of_copy are not reached: message says why, unless their lab was
 * not graded. milliseconds.copy is what a copy of the item's bytes takes.
 *
 * The second half of an item is a counter item's, the last row a time item's; what is not known is left out.
 * Verdicts of items: those of outcomes.h, PASS, COMPILE, MISSING where no file was handed in, SKIPPED where
 * the part measured is not correct, INCONCLUSIVE times, which cost nothing, and SUSPECT ones, which a person
 * must look at. A lab's verdict, and the whole's, is the gravest: INFRA, VIOLATION, COMPILE, CRASH, TIMEOUT,
 * MEMORY, OUTPUT, SUSPECT, WRONG (missing, unwritten and skipped included), INCONCLUSIVE, PASS; MISSING when
 * all is. With INFRA, a fault of the grader or the machine, points are null: that is no grade. The message of
 * the whole says why it is INFRA, or what was found instead of a lab's file; stopped_after is the limit of
 * wall time, in s, that items were stopped at, left out where it stopped none. In mode "time" the points are
 * those of time items alone: a half that merge joins with the other. Two gradings of a submission without a
 * GPU differ in seconds at most. */
#ifndef RESULT_H
#define RESULT_H

#include "error.h"
#include "rubric.h"
#include "submission.h"
#include <jansson.h>
#include <stdio.h>

/* A JSON string of any bytes: what is not UTF-8, and control characters but for newlines, become '?'. */
json_t *result_string(const char *text);

/* Where a result comes from. */
struct result_origin {
  const char *kit;                      /* version */
  const char *rubrics, *judge, *limits; /* SHA-256 */
  const char *mode, *device;
};

/* An item without measurement; points are the rubric's when the verdict is PASS. */
json_t *result_item(const struct rubric_item *item, const char *verdict, const char *message);

/* What an item that is measured has beside that; points are those of the value. */
void result_measure(json_t *json, const struct rubric_item *item, double measured, const char *unit,
                    const char *formula);

/* Adds points and verdict, from its items. message: "" or what is wrong with the lab as a whole. */
json_t *result_lab(const char *lab, json_t *items, const char *message);

/* The whole, from its labs, both of which it owns from now on. */
json_t *result_whole(const struct submission *submission, const struct result_origin *origin, json_t *labs,
                     double seconds);

/* The record of a fault: no points, no labs. */
json_t *result_infra(const struct submission *submission, const struct result_origin *origin,
                     const char *message);

/* Takes the points of a whole that was judged: the part with this id met a fault of the machine. */
void result_make_infra(json_t *whole, const char *id, const char *message);

const char *result_verdict(const json_t *result); /* of an item, a lab, the whole */

/* Writes the file, whole or not at all, and its directory entry. */
bool result_write(const json_t *result, const char *path, struct error *error);

/* For people, on a terminal: a line of text for each item of each lab. */
void result_print(const json_t *result, FILE *out);

/* The same in pieces, as they become known: a lab's items, unless it has a message, what stands below them,
 * what stands below all labs. */
void result_print_item(const json_t *item, FILE *out);
void result_print_lab_end(const json_t *lab, FILE *out);
void result_print_end(const json_t *result, FILE *out);

#endif
