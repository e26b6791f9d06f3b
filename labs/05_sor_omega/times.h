/* The table of lab 05: times of a sweep, alone and in both solvers. */
#pragma once

struct times {
  const char *sizes;       /* grid points per row and per column, separated by commas */
  int sweeps, check_every; /* sweeps of each run of a solver; sweeps between two residuals */
};

/* Prints the table, by --repeats and --csv of sweeps.h. Returns the exit status. */
int times_show(const struct times *times);
