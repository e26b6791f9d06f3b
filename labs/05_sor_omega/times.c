#include "times.h"

#include "allocate.h"
#include "plural.h"
#include "sizes.h"
#include "solver.h"
#include "stopwatch.h"
#include "table.h"

enum timed { TIMED_SWEEP, TIMED_SOLVE, TIMED_MIXED, TIMED };
static const struct {
  const char *name, *function;
  int bytes; /* the fewest that a sweep must move, per point */
} timed[TIMED] = {[TIMED_SWEEP] = {"sweep", "sor_half_sweep", 32},
                  [TIMED_SOLVE] = {"solve", "sor_solve", 32},
                  [TIMED_MIXED] = {"mixed", "sor_solve_mixed", 16}};

/* Returns the time of those sweeps in ms, or −n if part n is not written. */
static double time_once(const struct times *times, enum timed what, struct solver_arrays *d, double factor) {
  const struct sor_control control = {0, times->sweeps, times->check_every, NULL};
  struct sor_result result;
  int part = 0;
  const struct stopwatch watch = stopwatch_start();
  if (what == TIMED_SOLVE)
    part = sor_solve(&d->g, factor, d->h2f, d->u, control, &result);
  else if (what == TIMED_MIXED)
    part = sor_solve_mixed(&d->g, factor, d->h2f, d->u, control, &result);
  else
    for (int n = 0; n < 2 * times->sweeps && !part; n++)
      part = sor_half_sweep(&d->g, factor, n % 2, d->h2f, d->u);
  CUDA_CHECK(cudaGetLastError());
  const double ms = stopwatch_stop(watch);
  return part ? -part : ms;
}

static void time_size(const struct times *times, struct grid g, struct table *table) {
  setup_settings.problem = PROBLEM_RANDOM;
  struct setup p = {g, setup_right_hand_side(g), setup_right_hand_side(g)};
  struct solver_arrays d = solver_open(&p);
  const size_t bytes = (size_t)sor_elements(&d.g) * sizeof *d.u;
  double *samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *samples);
  const double copied =
      2.0 * (double)bytes / stopwatch_copy(d.u, d.h2f, bytes, sweeps_settings.repeats, samples);
  for (int what = 0; what < TIMED; what++) {
    double ms = 0;
    for (int n = -1; n < sweeps_settings.repeats && ms >= 0; n++)
      samples[n < 0 ? 0 : n] = ms = time_once(times, (enum timed)what, &d, 1.5);
    const int part = ms < 0 ? (int)-ms : 0;
    ms = timing_summarise((size_t)sweeps_settings.repeats, samples).median / times->sweeps;
    const double rate = timed[what].bytes * (double)grid_points(g) / ms;
    const struct table_cell row[] = {table_number(g.nx), table_text(timed[what].name), table_number(ms),
                                     table_number(rate * 1e-6), table_number(rate / copied)};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  free(samples);
  solver_close(&d);
  setup_free(&p);
}

int times_show(const struct times *times) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -8, NULL, "variant", NULL},
                                                {"sweep (ms)", 12, "%.4f", "sweep_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(times->sizes, SOR_MIN, SOR_MAX);
  struct table table;
  table_open(
      &table, sweeps_settings.csv_path, columns,
      "device %s; time of a sweep by device events, median of %d run%s of %d sweep%s; solvers compute a residual every %d sweep%s",
      stopwatch_device(), sweeps_settings.repeats, PLURAL(sweeps_settings.repeats), times->sweeps,
      PLURAL(times->sweeps), times->check_every, PLURAL(times->check_every));
  for (int n = 0; n < sizes.count; n++)
    time_size(times, grid_make(sizes.n[n], sizes.n[n]), &table);
  free(sizes.n);
  return table_close(&table);
}
