#include "variant_table.h"

#include "allocate.h"
#include "csr_matrix.h"
#include "device.h"
#include "stopwatch.h"
#include "table.h"

#include <math.h>
#include <string.h>

struct comparison {
  int part;         /* the unwritten part, or 0 */
  int launch;       /* number of the kernel's first launch in this process, from 1 */
  double error;     /* largest |f - A u| over largest |A u|, A u in double */
  bool identical;   /* same bits as the first written kernel */
  double *ms;       /* one per launch */
  double median_ms; /* NaN for csr */
};

static double relative_error(size_t points, const double *got, const double *expected) {
  double error = 0, scale = 0;
  for (size_t k = 0; k < points; k++) {
    if (isnan(got[k]))
      return NAN;
    error = fmax(error, fabs(got[k] - expected[k]));
    scale = fmax(scale, fabs(expected[k]));
  }
  return error / scale;
}

static void compare_matrix(double kappa, struct grid g, const float *u, const double *expected,
                           struct comparison *row) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  row->part = csr_matrix_apply(g, kappa, NULL, u, f);
  row->error = relative_error(grid_points(g), f, expected);
  row->median_ms = NAN;
  free(f);
}

/* Times the kernels alternately, so that noise affects all of them. */
static void time_kernels(int launches, struct device *devices, struct comparison *rows) {
  int launch = 0;
  for (int n = 0; n < launches; n++)
    for (int v = NAIVE; v < KERNELS; v++) {
      if (rows[v].part)
        continue;
      device_poison(&devices[v]);
      const struct stopwatch watch = stopwatch_start();
      rows[v].part = device_launch(&devices[v]);
      rows[v].ms[n] = stopwatch_stop(watch);
      if (!rows[v].part && ++launch && n == 0)
        rows[v].launch = launch;
    }
}

static void compare_kernels(const struct variant_table *compare, struct grid g, const float *u,
                            const double *expected, struct comparison *rows) {
  const size_t points = grid_points(g);
  float *f = allocate_zeroed(points, sizeof *f), *first = NULL;
  double *wide = allocate_zeroed(points, sizeof *wide);
  struct device devices[KERNELS];
  for (int v = NAIVE; v < KERNELS; v++) {
    rows[v].ms = allocate_zeroed((size_t)compare->launches, sizeof *rows[v].ms);
    devices[v] = device_open((enum variant)v, g, compare->kappa);
    device_put(&devices[v], u);
  }
  time_kernels(compare->launches, devices, rows);
  for (int v = NAIVE; v < KERNELS; v++) {
    memcpy(f, u, points * sizeof *f);
    device_get(&devices[v], f);
    device_close(&devices[v]);
    for (size_t k = 0; k < points; k++)
      wide[k] = f[k];
    if (!first && !rows[v].part)
      first = memcpy(allocate_zeroed(points, sizeof *f), f, points * sizeof *f);
    rows[v].identical = first && memcmp(f, first, points * sizeof *f) == 0;
    rows[v].error = relative_error(points, wide, expected);
    rows[v].median_ms = timing_summarise((size_t)compare->launches, rows[v].ms).median;
    free(rows[v].ms);
  }
  free(first);
  free(wide);
  free(f);
}

static const char *function_name(enum variant v) {
  return v == CSR ? "csr_assemble" : device_kernels[v].function;
}

static int show_comparison(const struct variant_table *compare, struct grid g,
                           const struct comparison *rows) {
  static const struct table_column columns[] = {{"variant", -10, NULL, "variant", NULL},
                                                {NULL, 0, NULL, "kernel", NULL},
                                                {NULL, 0, NULL, "launch", "%.0f"},
                                                {NULL, 0, NULL, "nx", "%.0f"},
                                                {NULL, 0, NULL, "ny", "%.0f"},
                                                {NULL, 0, NULL, "kappa", "%g"},
                                                {"relative error", 16, "%.1e", "relative_error", "%.3e"},
                                                {"same bits", 12, NULL, "identical", NULL},
                                                {"kernel (ms)", 14, "%.4f", "time_ms", "%.6f"},
                                                TABLE_END};
  struct table table;
  table_open(&table, compare->csv, columns, "nx %d, ny %d, kappa %g, seed %d, device %s", g.nx, g.ny,
             compare->kappa, compare->seed, stopwatch_device());
  for (int v = 0; v < KERNELS; v++) {
    const bool csr = v == CSR;
    const struct table_cell row[] = {table_text(device_names[v]),
                                     csr ? table_none() : table_text(device_kernels[v].global),
                                     csr ? table_none() : table_number(rows[v].launch),
                                     table_number(g.nx),
                                     table_number(g.ny),
                                     table_number(compare->kappa),
                                     table_number(rows[v].error),
                                     csr ? table_none() : table_flag(rows[v].identical),
                                     csr ? table_none() : table_number(rows[v].median_ms)};
    if (rows[v].part)
      table_unwritten(&table, row, 1, function_name((enum variant)v), rows[v].part);
    else
      table_row(&table, row);
  }
  return table_close(&table);
}

int variant_table_show(const struct variant_table *compare, struct grid g, const float *u) {
  struct comparison rows[KERNELS] = {0};
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  double *expected = allocate_zeroed(grid_points(g), sizeof *expected);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = u[k];
  reference_apply(g, compare->kappa, wide, expected);
  compare_matrix(compare->kappa, g, u, expected, &rows[CSR]);
  compare_kernels(compare, g, u, expected, rows);
  free(expected);
  free(wide);
  return show_comparison(compare, g, rows);
}
