/* Lab 08's suite: what the device says about the order of a run's work. */
#pragma once

#include "grid.h"
#include <stdbool.h>

enum { SUITE_08_MOST = 8 }; /* GPUs */

/* How the interior rows of a grid are split. */
struct gpu_work_split {
  int gpus, rows[SUITE_08_MOST];
};
struct grid gpu_work_grid(int nx, const struct gpu_work_split *split);
const char *gpu_work_list(const struct gpu_work_split *split); /* "5,1,3"; valid until the next call */
/* "3 GPUs with 5, 1 and 3 rows" of nx points; valid until the next call */
const char *gpu_work_words(int nx, const struct gpu_work_split *split);

/* In a test, after a run between the two calls: what it did, from SIMGPU_WORK. False: a real GPU has no such record. */
void gpu_work_record(void);
bool gpu_work_read(int nx, const struct gpu_work_split *split);

/* Each exchange of one colour copies one row in each direction between neighbours, and nothing else. */
void gpu_work_check_copies(const char *function, int exchanges);
/* Nothing that uses the same rows can run at the same time. */
void gpu_work_check_order(const char *function);
/* Border rows are computed by themselves and sent while the inner rows are computed. */
void gpu_work_check_overlap(int sweeps);
