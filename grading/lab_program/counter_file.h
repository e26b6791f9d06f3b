/* The file of SIMGPU_COUNTERS: CSV, a row per launch, written by the device process. */
#pragma once

#include "error.h"

/* Names of the files of a counted run, in one folder. Less: the counters of a shorter run, if only what the
 * counted run has beyond it is measured. */
#define COUNTER_FILE_COUNTERS "counters.csv"
#define COUNTER_FILE_LESS "less.csv"
#define COUNTER_FILE_LINES "lines.csv"
#define COUNTER_FILE_REQUESTS "addresses.csv"
#define COUNTER_FILE_TOTALS "totals.csv"

/* The sum of a column over the launches of kernels whose names begin with kernel ("" for all). False when the
 * file or the column is missing, or no such kernel was launched. */
bool counter_file_sum(const char *path, const char *kernel, const char *column, double *sum,
                      struct error *error);

/* Whether a kernel's name, without its result type, starts with beginning. */
bool counter_file_is_named(const char *kernel, const char *beginning);
