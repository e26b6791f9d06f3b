/* What a student sees of the run that failed a test: a command that repeats it, and its launches in words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The sides of the grid of a run, from its arguments and its input files. False: they do not say. */
bool failed_run_grid(const char *const *arguments, int *nx, int *ny);

/* The points of this grid, or the products of entries in a matrix product; 0 or less: the arguments do not say. */
double failed_run_points(const char *const *arguments);

/* In a test: keeps the arguments of a run, which end with NULL and begin after the program's name. The others keep
 * those of a run with a finding beside, and, after the test, take them instead. */
void failed_run_keep(const char *const *arguments);
void failed_run_keep_finding(const char *const *arguments);
void failed_run_use_finding(void);

/* Writes the command that repeats the kept run: "./kit lab 01 --variant naive --nx 4 --ny 4". "" if none is kept. test:
 * "01/naive". folder: gets the input files, and the command names them; "": none. True if it does. */
bool failed_run_command(const char *test, const char *folder, char *text, size_t size);

/* Appends to text what the launches of the last counted run were: "the run launches naive_kernel with 4 x 5 blocks of
 * 32 x 8 threads: 128 x 40 threads for 100 x 37 points". In lab 03, a thread has a pair of columns. test: "01/naive" */
void failed_run_launches(const char *test, const char *counters, char *text, size_t size);

/* Whether the launches explain the message: values that were not written, or blocks and threads exchanged. Changes a
 * message that asks for more blocks, if the launches have a thread for each point. */
bool failed_run_explain(const char *launches, char *message, size_t size);

/* After a failed test: the arguments for a run that only shows its launches; they end with NULL. False:
 * none is kept. */
bool failed_run_arguments(const char *arguments[], size_t most);
