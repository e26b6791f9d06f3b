/* The table of lab 01: times of A u by each kernel, beside a copy and the host. */
#pragma once

struct times {
  const char *sizes, *csv; /* grid points per row and per column, separated by commas; a file, or NULL */
  int repeats, seed;       /* repeats of each measurement, after one warm-up; seed of the random u */
};

/* Prints the table. Returns the exit status. */
int times_show(const struct times *times);
