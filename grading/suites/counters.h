/* Counters of the simulated GPU from a run of a lab program, by kernel, under Nsight Compute's names. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>

/* In a test: runs the suite's program, as lab_suite_expect_success does, and keeps its counters. False if
 * the program is linked with a real GPU's runtime, which has no counters. */
bool counters_run(const char *const *arguments);

/* In a test: runs the suite's program with race checks. Returns the first race report without the folder
 * of its file, "" if there is none, and NULL if the program is linked with a real GPU's runtime. Valid
 * until the next call. */
const char *counters_race(const char *const *arguments);

/* The sum of a column over all launches in the last run of kernels whose names begin with kernel ("" for
 * all). At least one must have been launched. */
double counters_sum(const char *kernel, const char *column);

/* Fraction of the 32 lanes that are active in memory and floating-point instructions. */
double counters_active_lanes(const char *kernel);
/* For loads and stores of global memory: requested bytes per 32-byte sector. */
double counters_bytes_per_sector(const char *kernel);

#endif
