#include "times.h"

#include "allocate.h"
#include "device.h"
#include "fields.h"
#include "reference.h"
#include "sizes.h"
#include "stencil.h"
#include "stopwatch.h"
#include "table.h"

#include <math.h>

enum { CSR_MOST = 1 << 23 }; /* entries */

static double bandwidth(struct grid g, double ms) {
  return 2.0 * sizeof(float) * (double)grid_points(g) / (ms * 1e6);
}

/* Time in ms of a device copy of one array of the grid. */
static double time_copy(struct grid g, const float *u, int repeats, double *samples) {
  struct device d = device_open(NAIVE, g, 0);
  device_put(&d, u);
  const double ms = stopwatch_copy(d.f, d.u, grid_points(g) * sizeof *u, repeats, samples);
  device_close(&d);
  return ms;
}

/* Times the kernel alone, by device events. Returns 0 or the part that is not written. */
static int time_kernel(enum variant v, struct grid g, const float *u, int repeats, double *samples,
                       double *median_ms) {
  struct device d = device_open(v, g, 0);
  device_put(&d, u);
  int part = 0;
  for (int n = -1; n < repeats && !part; n++) {
    const struct stopwatch watch = stopwatch_start();
    part = device_launch(&d);
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
  }
  device_close(&d);
  *median_ms = timing_summarise((size_t)repeats, samples).median;
  return part;
}

/* Allocation, copy to the device, kernel, copy back and release, by the host's clock. */
static double time_with_transfers(enum variant v, struct grid g, const float *u, float *f, int repeats,
                                  double *samples) {
  for (int n = -1; n < repeats; n++) {
    const double start = timing_now();
    struct device d = device_open(v, g, 0);
    device_put(&d, u);
    device_launch(&d);
    device_get(&d, f);
    device_close(&d);
    samples[n < 0 ? 0 : n] = 1e3 * (timing_now() - start);
  }
  return timing_summarise((size_t)repeats, samples).median;
}

/* Time in ms of A u by one thread of the host. */
static double time_host(struct grid g, const float *u, float *f, int repeats, double *samples) {
  for (int n = -1; n < repeats; n++) {
    const double start = timing_now();
    reference_apply_float(g, 0, u, f);
    samples[n < 0 ? 0 : n] = 1e3 * (timing_now() - start);
  }
  return timing_summarise((size_t)repeats, samples).median;
}

/* The same by a matrix in CSR, in double; NaN if it takes more than 100 MB. */
static double time_csr(struct grid g, const float *u, int repeats, double *samples) {
  if (reference_csr_entries(g) > CSR_MOST)
    return NAN;
  struct reference_csr a = reference_csr_assemble(g, 0);
  double *x = allocate_zeroed(grid_points(g), sizeof *x), *f = allocate_zeroed(grid_points(g), sizeof *f);
  for (size_t k = 0; k < grid_points(g); k++)
    x[k] = u[k];
  for (int n = -1; n < repeats; n++) {
    const double start = timing_now();
    reference_csr_multiply(&a, x, f);
    samples[n < 0 ? 0 : n] = 1e3 * (timing_now() - start);
  }
  free(f);
  free(x);
  reference_csr_free(&a);
  return timing_summarise((size_t)repeats, samples).median;
}

/* The copy and the host alone have no transfers: this time is NaN. */
static struct table_cell time_cell(double ms) { return isnan(ms) ? table_none() : table_number(ms); }

static void show_row(struct table *table, struct grid g, const char *name, int part, double kernel_ms,
                     double transfers_ms, double copy_ms) {
  const struct table_cell row[] = {table_number(g.nx),
                                   table_text(name),
                                   table_number(kernel_ms),
                                   time_cell(transfers_ms),
                                   table_number(bandwidth(g, kernel_ms)),
                                   table_number(copy_ms / kernel_ms)};
  if (part)
    table_unwritten(table, row, 2, NULL, part);
  else
    table_row(table, row);
}

/* One size: the copy, the host alone, then every kernel. */
static void time_size(struct grid g, const struct times *times, struct table *table) {
  struct random random = random_seed((uint64_t)times->seed);
  float *u = fields_random(&random, g), *f = allocate_zeroed(grid_points(g), sizeof *f);
  const int repeats = times->repeats;
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  const double copy_ms = time_copy(g, u, repeats, samples);
  show_row(table, g, "copy", 0, copy_ms, NAN, copy_ms);
  show_row(table, g, "cpu", 0, time_host(g, u, f, repeats, samples), NAN, copy_ms);
  const double csr_ms = time_csr(g, u, repeats, samples);
  if (!isnan(csr_ms))
    show_row(table, g, "cpu_csr", 0, csr_ms, NAN, copy_ms);
  for (int v = NAIVE; v < KERNELS; v++) {
    double kernel_ms, transfers_ms = NAN;
    const int part = time_kernel((enum variant)v, g, u, repeats, samples, &kernel_ms);
    if (!part)
      transfers_ms = time_with_transfers((enum variant)v, g, u, f, repeats, samples);
    show_row(table, g, device_names[v], part, kernel_ms, transfers_ms, copy_ms);
  }
  free(samples);
  free(f);
  free(u);
}

int times_show(const struct times *times) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -10, NULL, "variant", NULL},
                                                {"kernel (ms)", 12, "%.4f", "kernel_ms", "%.6f"},
                                                {"transfers (ms)", 16, "%.4f", "transfers_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes list = sizes_read(times->sizes, STENCIL_MIN, STENCIL_MAX);
  struct table table;
  table_open(
      &table, times->csv, columns,
      "device %s; medians of %d; kernel time by device events, cpu and time with allocation and transfers by the host's clock",
      stopwatch_device(), times->repeats);
  for (int n = 0; n < list.count; n++)
    time_size(grid_make(list.n[n], list.n[n]), times, &table);
  free(list.n);
  return table_close(&table);
}
