/* Convergence by method and order of the unknowns. Each study prints a table. */
#pragma once

#include "sizes.h"

enum study_kind {
  STUDY_HISTORIES, /* the residual after each iteration */
  STUDY_GROWTH     /* iterations by n */
};

struct study {
  double tolerance;       /* on the relative residual */
  int limit, check_every; /* as in struct pcg_control */
  const char *csv;        /* file, or NULL */
  struct sizes sizes;     /* grid points per row and per column of STUDY_GROWTH */
};

/* STUDY_HISTORIES is on the grid of the options (setup.h). */
void study_run(enum study_kind kind, const struct study *study);
