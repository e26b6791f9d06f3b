/* Residual histories of iterative methods: a CSV file that is complete or absent, and a progress line.
 *
 *   struct history history = history_open(csv_path);
 *   history_add(&history, "jacobi", sweep, relative_residual);    as often as the residual is known
 *   history_close(&history);
 *
 * Columns: method,iteration,relative_residual, the last with all its bits (%.17g). One file may hold several
 * methods, one after the other; commands/plot/convergence.py draws it. Failures end the program with one
 * line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include "output.h"

C_LINKAGE_BEGIN

struct history {
  struct output csv; /* csv.stream is NULL if no file was requested */
};

struct history history_open(const char *path); /* path: NULL for no file, only the progress line */
void history_add(struct history *history, const char *method, int iteration, double relative_residual);
void history_close(struct history *history);

C_LINKAGE_END
