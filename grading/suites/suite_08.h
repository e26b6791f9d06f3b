/* Lab 08's suite: runs of the program on simulated GPUs, and what the device says about their order. */
#pragma once

#include "grid.h"
#include "solve_suite.h"

enum { SUITE_08_MOST = 8 }; /* GPUs */

/* How the interior rows of a grid are split. */
struct suite_08_split {
  int gpus, rows[SUITE_08_MOST];
};
struct grid suite_08_grid(int nx, const struct suite_08_split *split);
/* "3 GPUs with 5, 1 and 3 rows" of nx points; valid until the next call */
const char *suite_08_words(int nx, const struct suite_08_split *split);

/* The number of GPUs that the program sees, and the checks of its runs. False: a real machine has fewer of them. */
bool suite_08_begin(int gpus);
/* command NULL: sweeps. u and f are written to the files u.npy and f.npy. */
void suite_08_arguments(struct arguments *a, const char *command, const struct suite_08_split *split,
                        struct grid g, const double *u, const double *f);
/* The program succeeds; otherwise the test fails with its message and the likely cause. */
struct program_result suite_08_run(const char *function, const struct arguments *a);

/* In a test, after a run between the two calls: what it did, from SIMGPU_WORK. False: a real GPU has no such record. */
void suite_08_record(void);
bool suite_08_read(int nx, const struct suite_08_split *split);

/* Each exchange of one colour copies one row in each direction between neighbours, and nothing else. */
void suite_08_check_copies(const char *function, int exchanges);
/* Nothing that uses the same rows can run at the same time. */
void suite_08_check_order(const char *function);
/* Border rows are computed by themselves and sent while the inner rows are computed. */
void suite_08_check_overlap(int sweeps);
