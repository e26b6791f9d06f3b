#include "times.h"

#include "allocate.h"
#include "plural.h"
#include "sizes.h"
#include "solver.h"
#include "stopwatch.h"
#include "table.h"

#include <stdlib.h>

enum { CHECK_EVERY = 32 };
static int iterations = 64;
static const char *sizes_list = "1024,2048,4096";

const struct options_option times_options[] = {
    OPTIONS_STRING("sizes", &sizes_list, "LIST", "grid points per row and per column"),
    SWEEPS_REPEATS,
    OPTIONS_INT("iterations", &iterations, 1, 100000, "iterations of each run of a solver"),
    SWEEPS_CSV,
    OPTIONS_END,
};

/* Bytes per grid point that an iteration of CG moves if it stores A p; 0: unknown. It reads r, p, A p, p, u, r
 * and writes p, A p, u, r once each; reduced CG does so for half the points. These methods have the same measure, so
 * that they can be compared, although the fused kernels never store A p and move 64 and 32 bytes. A row of the sparse
 * matrix adds five values, five columns and a row start. */
static const int method_bytes[] = {
    [CG] = 80, [FUSED] = 80, [PCG] = 0, [REDUCED] = 40, [CSR] = 80 + 5 * 12 + 4};

/* Returns 0 and milliseconds per iteration, or the part that is not written. */
static int time_method(enum method m, const struct pcg_grid *g, const struct pcg_csr *matrix,
                       const double *h2f, double *u, double *samples, double *ms) {
  const struct pcg_control control = {0, iterations, CHECK_EVERY, NULL, NULL, m == CSR ? matrix : NULL};
  struct pcg_result result = {0};
  int part = 0;
  for (int n = -1; n < sweeps_settings.repeats && !part; n++) {
    CUDA_CHECK(cudaMemset(u, 0, (size_t)pcg_elements(g) * sizeof *u));
    const struct stopwatch watch = stopwatch_start();
    part = solver_call(m, g, 1, h2f, u, control, &result);
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
  }
  const int done = result.iterations > 0 ? result.iterations : 1;
  *ms = timing_summarise((size_t)sweeps_settings.repeats, samples).median / done;
  return part;
}

static void time_size(struct grid g, struct table *table) {
  setup_settings.problem = PROBLEM_RANDOM;
  struct setup p = setup_of(g);
  const struct pcg_grid grid = solver_grid(g, 0);
  const size_t bytes = (size_t)pcg_elements(&grid) * sizeof(double);
  double *h2f = setup_to_device(g, g.h * g.h, p.f), *u = setup_to_device(g, 1, p.u), ms;
  double *samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *samples);
  const double copied = 2.0 * (double)bytes / stopwatch_copy(u, h2f, bytes, sweeps_settings.repeats, samples);
  struct pcg_csr matrix = solver_matrix(g, 0);
  for (int m = 0; m < NATURAL; m++) {
    const int part = time_method((enum method)m, &grid, &matrix, h2f, u, samples, &ms);
    const double rate = method_bytes[m] * (double)grid_points(g) / ms;
    struct table_cell (*const cell)(double) = method_bytes[m] ? table_number : table_hidden;
    const struct table_cell row[] = {table_number(g.nx),    table_text(solver_names[m]), table_number(ms),
                                     cell(method_bytes[m]), cell(rate * 1e-6),           cell(rate / copied)};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  free(samples);
  solver_matrix_free(&matrix);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  setup_free(&p);
}

int times_show(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"method", -10, NULL, "method", NULL},
                                                {"iteration (ms)", 15, "%.4f", "iteration_ms", "%.6f"},
                                                {"bytes", 10, "%.0f", "bytes_per_point", "%.0f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(sizes_list, PCG_MIN, PCG_MAX);
  struct table table;
  table_open(
      &table, sweeps_settings.csv_path, columns,
      "device %s; time of an iteration by device events, median of %d run%s of %d iteration%s, start and end of the solver included; bytes per grid point are those of CG that stores A p, and for csr those of the matrix",
      stopwatch_device(), sweeps_settings.repeats, PLURAL(sweeps_settings.repeats), iterations,
      PLURAL(iterations));
  for (int n = 0; n < sizes.count; n++)
    time_size(grid_make(sizes.n[n], sizes.n[n]), &table);
  free(sizes.n);
  return table_close(&table);
}
