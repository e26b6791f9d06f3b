/* What the simulated GPU counted in a run of a lab program, by kernel, under Nsight Compute's names. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>

/* In a test: runs the program of the suite, as lab_suite_expect_success does, and keeps its counters.
 * False when the program is linked with a real GPU's runtime, which has none. */
bool counters_run(const char *const *arguments);

/* In a test: runs the program of the suite with checks for races on. The first report of one, without the
 * folder of its file, or "" when there is none; NULL when the program is linked with a real GPU's runtime.
 * Valid until the next call. */
const char *counters_race(const char *const *arguments);

/* The sum of a column over the launches, in the last run, of the kernels whose names begin with kernel (""
 * for all); at least one must have been launched. */
double counters_sum(const char *kernel, const char *column);

/* Fraction of the 32 lanes that are active in memory and floating-point instructions. */
double counters_active_lanes(const char *kernel);
/* Of the loads and stores of global memory: bytes that are asked for, of the 32 of each sector; sectors per
 * request. */
double counters_bytes_per_sector(const char *kernel);
double counters_sectors_per_request(const char *kernel);

#endif
