/* Counters of the simulated GPU from runs of a lab program, by kernel, under Nsight Compute's names. */
#pragma once

#include "grid.h"

#include <stdbool.h>

/* In a test: runs the suite's program, as lab_suite_expect_success does, and keeps its counters and totals.
 * False if the program is linked with a real GPU's runtime, which has none. */
bool counters_run(const char *const *arguments);

/* The same for a run between the two calls, whatever its exit status: a solver at its limit has 1. */
void counters_begin(void);
bool counters_end(void);

/* counters_run, and the run records the requests of a warp. Then: the least number of rows between two stores of that
 * warp to global memory, 0 if all are in one row. */
bool counters_run_requests(const char *const *arguments);
double counters_row_step(double row_bytes);

/* The same in a test of a counter item. The grader measures the item's metric in this run: the suite's own
 * code compares its result, so that the counted run is a judged run. per: the divisor of a metric that needs
 * one, such as points times sweeps. */
bool counters_measure(const char *const *arguments, double per);

/* The same for a run between this call and counters_end. */
void counters_begin_measure(const char *const *arguments, double per);

/* The same for the difference of two runs: the metric measures what this run does beyond the last counted one.
 * Work of both runs, such as that before the iterations, cancels, so no kernel needs a name. per: the divisor
 * of the difference. */
void counters_begin_beyond(const char *const *arguments, double per);

/* In a test: runs the suite's program with race checks. Returns the first race report without the folder of its file,
 * "" if there is none, and NULL if the program is linked with a real GPU's runtime. Valid until the next call. */
const char *counters_race(const char *const *arguments);

/* The sum of a column over all launches in the last run of kernels whose names begin with kernel ("" for
 * all). At least one must have been launched. */
double counters_sum(const char *kernel, const char *column);

/* The name of the first kernel of the last run; "" on a real GPU. */
void counters_kernel(char *text, size_t size);

/* "of naive_kernel, fill_kernel": the names of the last run's kernels. Valid until the next call. */
const char *counters_kernels(void);

/* Whether the last run launched a kernel of this name. */
bool counters_have_kernel(const char *name);

/* The blocks, and the threads, of all launches in the last run. */
double counters_blocks(void);
/* The blocks of the launch that has fewest of them. */
double counters_fewest_blocks(void);
double counters_threads(void);

/* The modelled time of the longest launch in the last run, nanoseconds. */
double counters_longest_launch(void);

/* NULL, or why a launch of the last run is slow, in words. Few warps do nearly all of its work: one executes a fortieth
 * of the instructions or more, and 16 times as many as the average. Or fewer than two lanes of a warp work; small
 * launches do not count for these two. Or it prints or sleeps, which the modelled time leaves out. */
const char *counters_slow_launch(void);
void counters_check_slow_launch(const char *what);
/* NULL, or what is wrong with a launch of the last run whose requests need more than 20 sectors on average, in words:
 * that is more than any coalesced access of up to 16 bytes needs. Small launches do not count. */
const char *counters_scattered_launch(void);
/* In a test: fails it if a kernel of the last run needs far more registers than its launch bounds leave. */
void counters_check_spills(const char *what);
/* In a test: fails it if the time of a point of this grid is far longer than the usual one. */
void counters_check_odd(const char *what, struct grid odd, double time,
                        double usual); /* in a test: fails it with these words */

/* Of the launches in the last run, the largest ratio of the instructions of the longest warp to those of the average.
 * Small launches do not count: 0 if there are no others. */
double counters_longest_warp(void);

/* After counters_measure: of one warp's loads of shared memory after its first cp.async, the fraction that it does
 * while copies that it has not waited for are on their way; 1 if there are none. */
double counters_loads_beside_copies(void);

/* The same of its loads of shared memory between loads of global memory and the next stores to shared memory: the
 * fraction that it does while values are on their way through registers; 1 if there are none. */
double counters_loads_beside_values(void);

/* A total of the last run, such as "idle_waits": simgpu/docs/counters.md lists them. */
double counters_total(const char *name);

/* Fraction of the 32 lanes that are active in memory and floating-point instructions. */
double counters_active_lanes(const char *kernel);
/* For loads and stores of global memory: requested bytes per 32-byte sector. */
double counters_bytes_per_sector(const char *kernel);
