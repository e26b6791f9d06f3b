/* How convergence depends on the factor, on n and on precision. Each study prints a table. */
#pragma once

enum study_kind {
  STUDY_HISTORIES, /* the residual after each sweep, with five factors */
  STUDY_OMEGAS,    /* sweeps and contraction by factor, compared with theory */
  STUDY_GROWTH,    /* sweeps by n, for Gauss-Seidel and for SOR */
  STUDY_FLOOR      /* the smallest residual in double, float and mixed precision */
};

struct study {
  int sweeps, limit,
      check_every;         /* of each run; most sweeps of STUDY_GROWTH; between residuals of STUDY_FLOOR */
  double tolerance;        /* on the relative residual */
  const char *csv, *sizes; /* file, or NULL; grid points per row and per column of STUDY_GROWTH */
};

/* Uses the grid and problem of the options (setup.h); STUDY_GROWTH uses its sizes. */
void study_run(enum study_kind kind, const struct study *study);
