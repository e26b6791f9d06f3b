/* The result of a grading: JSON, schema checkerboard/result/v2. Reports are made from nothing else.
 * result.schema.json is its JSON Schema.
 *
 *   {"schema": "checkerboard/result/v2", "kit": "0.6.1", "rubrics": SHA-256, "judge": SHA-256, "limits": SHA-256,
 *    "submission": {"name": …, "sha256": …}, "mode": "counters" | "time" | "merged",
 *    "isolation": {"level": "none" | "reduced" | "full", "missing": …}, "seed": 1, "device": "simulated H200",
 *    "verdict": …, "points": 87.5, "max_points": 100, "seconds": 3.2, "message": …,
 *    "labs": [{"lab": "03_compressed", "verdict": …, "points": …, "max_points": …, "message": …, "items": [
 *      {"id": "03/lanes", "title": …, "kind": "correctness" | "counter" | "time", "part": 3, "verdict": …,
 *       "points": …, "max_points": …, "bonus": true, "message": …, "remark": …, "shown": …, "printed": …,
 *       "hint": "./kit hint 03 3", "public": true,
 *       "measured": 0.97, "previous": 0.5, "meaning": …, "unit": …, "none_at": 0.55, "full_at": 0.95, "formula": …,
 *       "source": …, "noise": 0.004,
 *       "milliseconds": {"submission": …, "reference": …, "overhead": …, "events": …, "copy": …}}]}],
 *    "leaderboard": [{"item": "03/copy", "title": …, "value": 0.46, "unit": …, "order": "desc"}],
 *    "ladders": [{"work": "a red-black Gauss-Seidel sweep", "bytes": 12, "clock": "model" | "GPU", "rungs": [
 *      {"rung": "masked", "lab": "02_masked_redblack", "of_copy": 0.34, "reference": 0.35, "message": …}]}]}
 *
 * Hashes identify everything that decided the grade. rubrics: the rubrics of all labs. judge: the sources of suites,
 * grader, simulated GPU, lab programs and solutions, the same on every machine. limits: the file of grade calibrate, ""
 * if the rubrics' own limits applied. Results with different hashes are neither kept nor merged.
 *
 * A lab whose kernels were counted also has, of its first dozen kernels,
 *   "kernels": [{"kernel": "half_sweep_kernel", "run": "--variant split …", "file": "split_layout.cu",
 *     "launches": 2, "lines": [{"line": 41, "text": …, "lanes": 0.97, "load_requests": 9000, …}],
 *     "accesses": [{"line": 41, "operation": "load", "space": "global" | "shared", "bytes": 4, "cost": 8,
 *       "lanes": "0 8 16 - …"}]}]
 * with the counts of SIMGPU_LINES that are not zero, and the wasteful requests of one warp, or else the
 * first: the offset of each of its 32 lanes from the first sector, and the cost in sectors or wavefronts.
 *
 * The leaderboard is there if it was requested (--leaderboard): the speeds of items, for a course to compare.
 *
 * Ladders are those of the submission's labs, if requested. bytes: the fewest bytes per point that the
 * work moves. of_copy: these bytes divided by the time of the rung's kernels, modelled or measured,
 * divided by the bandwidth of a copy by the same clock. A rung without of_copy was not reached: message
 * says why, unless its lab was not graded. milliseconds.copy: time of a copy of the item's bytes.
 *
 * An item with bonus: true counts neither for max_points nor for the verdict of its lab. Its points are part of the
 * points of the lab and of the whole, which then also have "bonus", these points, and "max_bonus": a lab can have
 * "points": 106, "max_points": 100, "bonus": 6, "max_bonus": 14. Bonus items that are judged alone decide it.
 *
 * Counter and time items have the members from measured on; noise and milliseconds are those of time items.
 * previous, the value of an earlier check, and meaning, what full marks say, are in the results of check alone.
 * Unknown members are absent. Verdicts of items: those of outcomes.h, COMPILE, MISSING (no file), SKIPPED (the measured
 * part is not correct), INCONCLUSIVE (a time that costs no points) and SUSPECT (a time that a person must check). A
 * lab's verdict, and the whole's, is the gravest: INFRA, VIOLATION, COMPILE, CRASH, TIMEOUT, MEMORY, OUTPUT, SUSPECT,
 * WRONG (missing, unwritten and skipped included), INCONCLUSIVE, PASS; MISSING when all is. With INFRA, a fault of the
 * grader or the machine, points are null and there is no grade. The message of the whole gives the reason for INFRA, or
 * the file found instead of a lab's file. seed: of everything that the suites draw; --seed repeats a grading with it.
 * printed: the last 20 lines on standard output of the run that failed an item. stopped_after: the limit of wall time
 * in seconds that stopped items; absent if it stopped none. In mode "time" the points are those of time items only:
 * merge joins this half with the other. Two gradings of a submission without a GPU differ in seconds at most. */
#pragma once

#include "error.h"
#include "rubric.h"
#include "submission.h"
#include <jansson.h>
#include <stdio.h>

/* A JSON string of any bytes: invalid UTF-8 and control characters except newlines become '?', and paths lose the
 * folders of the grader (working_folder_drop). */
json_t *result_string(const char *text);

/* Origin of a result. */
struct result_origin {
  const char *kit;                      /* version */
  const char *rubrics, *judge, *limits; /* SHA-256 */
  int seed;                             /* of the suites' random sizes and inputs */
  const char *mode, *device;
  const char *isolation, *missing; /* level, and what level full lacks on this machine; NULL: "none", "" */
};

/* An item without a measurement; it has the rubric's points if the verdict is PASS, else none. */
json_t *result_item(const struct rubric_item *item, const char *verdict, const char *message);

/* Additional members of a measured item; points are those of the value. */
void result_measure(json_t *json, const struct rubric_item *item, double measured, const char *unit,
                    const char *formula);

/* Adds points and verdict, from its items. message: "" or what is wrong with the lab as a whole. */
json_t *result_lab(const char *lab, json_t *items, const char *message);

/* The whole, from its labs; it takes over both arguments. */
json_t *result_whole(const struct submission *submission, const struct result_origin *origin, json_t *labs,
                     double seconds);

/* The record of a fault: no points, no labs. */
json_t *result_infra(const struct submission *submission, const struct result_origin *origin,
                     const char *message);

/* Removes the points of a judged whole, because a fault of the machine hit the part with this id. */
void result_make_infra(json_t *whole, const char *id, const char *message);

const char *result_verdict(const json_t *result); /* of an item, a lab, the whole */
const char *result_fault(
    const json_t *json); /* the reason for INFRA: its own message, or that of the first part with INFRA */

/* Writes the complete file and its directory entry, or nothing. */
bool result_write(const json_t *result, const char *path, struct error *error);

/* The points of a graded lab or whole in words: "106 of 100 points (bonus: 6 of 14)". */
void result_print_points(const json_t *json, FILE *out);

/* For people, on a terminal: a line of text for each item of each lab. */
void result_print(const json_t *result, FILE *out);

/* The same in pieces: a lab's items unless it has a message, the lines below them, and the lines below all labs. */
void result_print_item(const json_t *item, FILE *out);
void result_print_lab_end(const json_t *lab, FILE *out);
void result_print_end(const json_t *result, FILE *out);
