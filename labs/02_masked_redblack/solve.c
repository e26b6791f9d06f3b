#include "solve.h"

#include "masked_redblack.h"
#include "plural.h"
#include "progress.h"
#include "reference.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>

const char *solve_name(enum method m) { return m == MASKED ? "gs" : methods_names[m]; }

/* Sweeps of one method and their result. */
struct solution {
  int sweeps;
  double residual;    /* relative */
  double contraction; /* factor of the residual per sweep, between the last two checks */
};

/* In float the residual stops falling when rounding errors are as large as the gain of a sweep. */
enum { STALLED_CHECKS = 100 };

static struct solution iterate(enum method m, const struct solve *stop, const struct residual *r,
                               struct sweeps_arrays *d, struct history *history) {
  struct solution s = {.residual = residual_of(r, d->u) / r->norm_f};
  double best = s.residual;
  history_add(history, solve_name(m), 0, s.residual);
  for (int checks_since_best = 0; s.residual > stop->tolerance && s.sweeps < stop->limit;) {
    const int until = stop->limit - s.sweeps < stop->check_every ? stop->limit : s.sweeps + stop->check_every;
    const double before = s.residual;
    const int first = s.sweeps;
    for (; s.sweeps < until; s.sweeps++) {
      const int part = methods_sweep(m, d);
      unwritten_check(part, methods_functions[m]);
    }
    s.residual = residual_of(r, d->u) / r->norm_f;
    s.contraction = pow(s.residual / before, 1.0 / (s.sweeps - first));
    history_add(history, solve_name(m), s.sweeps, s.residual);
    checks_since_best = s.residual < best ? 0 : checks_since_best + 1;
    best = fmin(best, s.residual);
    if (checks_since_best == STALLED_CHECKS)
      break;
  }
  return s;
}

/* Asymptotic contraction per sweep: ρ of the Jacobi matrix, ρ² for Gauss–Seidel (Saad, §4.2 and theorem 4.7). */
static double theory(enum method m, struct grid g) {
  const double rho = reference_jacobi_radius(g, 0);
  return m == MASKED ? rho * rho : rho;
}

bool solve_to_tolerance(enum method m, const struct solve *stop, const float *h2f, float *u,
                        const struct residual *r, struct history *history) {
  const struct grid g = r->g;
  struct sweeps_arrays d = sweeps_open(g, h2f, u);
  const double start = timing_now();
  const struct solution s = iterate(m, stop, r, &d, history);
  progress_clear();
  printf("%-8s%8d sweeps, relative residual %.3e, contraction per sweep %.6f (theory %.6f), %.2f s\n",
         solve_name(m), s.sweeps, s.residual, s.contraction, theory(m, g), timing_now() - start);
  sweeps_get(&d, u);
  sweeps_close(&d);
  if (s.residual <= stop->tolerance)
    return true;
  fprintf(stderr,
          "masked_redblack: %s: %s after %d sweep%s: expected a relative residual of at most --tol %g\n",
          solve_name(m), s.sweeps < stop->limit ? "the residual no longer decreases" : "--limit was reached",
          s.sweeps, PLURAL(s.sweeps), stop->tolerance);
  return false;
}
