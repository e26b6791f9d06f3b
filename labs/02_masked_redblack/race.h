/* The naive sweep, several times from the same u. */
#pragma once

#include "grid.h"

/* Prints a line for each run. frames_path: where to write what differs from sequential sweeps, or NULL. */
void race_run(struct grid g, const float *h2f, const float *u, int runs, const char *frames_path);
