/* Lab 01: the program around stencil.cu. It reads or makes u, calls the contract, compares and times, and
 * writes .npy and CSV files. matrix.c has the assembled matrix, device.c the kernels. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA or csr_assemble failed; 2 for bad input; 3 when a part is not written yet.
 */
#include "stencil.h"

#include "allocate.h"
#include "device.h"
#include "error.h"
#include "fields.h"
#include "heap.h"
#include "matrix.h"
#include "options.h"
#include "problem.h"
#include "reference.h"
#include "sizes.h"
#include "stopwatch.h"
#include "table.h"
#include "unwritten.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* --- options --- */

static int variant = NAIVE, nx, ny, seed = 1, calls = 1, last_rows, launches = 1, repeats = 11;
static double kappa, inv_h2;
static const char *u_path, *out_path, *matrix_path, *csv_path, *sizes = "500,600,700,800,900";

#define OPTION_GRID                                                                                          \
  OPTIONS_INT("nx", &nx, STENCIL_MIN, STENCIL_MAX, "grid points per row; 65, or as in --u"),                 \
      OPTIONS_INT("ny", &ny, STENCIL_MIN, STENCIL_MAX, "grid points per column; nx, or as in --u"),          \
      OPTIONS_DOUBLE("kappa", &kappa, 0, 1e6, "Helmholtz parameter")
#define OPTION_SEED OPTIONS_INT("seed", &seed, 0, INT_MAX, "seed of the random u, which is 0 on the boundary")
#define OPTION_CSV OPTIONS_STRING("csv", &csv_path, "FILE", "also write the table to this file")

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, device_names, "variant of A u"),
    OPTION_GRID,
    OPTIONS_DOUBLE("inv-h2", &inv_h2, 0, 1e12, "1/h² that the function gets; 0: (nx − 1)²"),
    OPTIONS_STRING("u", &u_path, "FILE", "ny x nx values, rounded to float32; random if not given"),
    OPTION_SEED,
    OPTIONS_STRING("out", &out_path, "FILE", "write A u to this file: ny x nx float32, float64 for csr"),
    OPTIONS_INT("calls", &calls, 1, 1000,
                "calls of the function; the last one counts, and earlier ones have other grids"),
    HEAP_OPTION,
    OPTIONS_INT("last-rows", &last_rows, 1, STENCIL_MAX, "write only so many rows, the last ones"),
    OPTIONS_STRING("matrix", &matrix_path, "FILE", "csr: write (row, column, value) of each entry, float64"),
    OPTIONS_END,
};
static const struct options_option compare_options[] = {
    OPTION_GRID,
    OPTION_SEED,
    OPTIONS_INT("launches", &launches, 1, 1000,
                "launches of each kernel, one after the other; the median time is shown"),
    OPTION_CSV,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &repeats, 1, 1000, "repeats of each measurement, after one warm-up"),
    OPTION_SEED,
    OPTION_CSV,
    OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTION_GRID,
    OPTIONS_STRING("out", &out_path, "FILE", "write u to this file: ny x nx float64"),
    OPTIONS_END,
};

enum command { APPLY, COMPARE, TABLE, SOLVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "f = A u", apply_options},
    [COMPARE] = {"compare", "all variants on the same random u: error, equal bits, time of the kernel",
                 compare_options},
    [TABLE] = {"table", "time of each kernel, alone and with transfers", table_options},
    [SOLVE] = {"solve", "the solution of A u = 1 by a direct method on the host", solve_options},
    OPTIONS_END,
};

static struct grid grid_from_options(void) {
  nx = nx ? nx : 65;
  return grid_make(nx, ny ? ny : nx);
}

/* --- input --- */

static float *random_field(struct grid g) {
  struct random random = random_seed((uint64_t)seed);
  return fields_random(&random, g);
}

static void check_zero_boundary(struct grid g, const float *u) {
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j) && u[grid_index(g, i, j)] != 0)
        error_die("%s: u = %g at boundary point (%d, %d): --variant %s expects 0 on the boundary", u_path,
                  u[grid_index(g, i, j)], i, j, device_names[variant]);
}

/* --- f = A u --- */

/* What a function keeps from earlier calls does not fit the last one. Each has another kappa; the first has sides exchanged,
 * the second fewer rows, the third the grid of the last one. */
enum { EXCHANGED, FEWER_ROWS, SAME_GRID };
static bool is_other(int call) { return call < calls - 1 && call <= SAME_GRID; }

static struct grid grid_of_call(struct grid g, int call) {
  if (!is_other(call) || call == SAME_GRID)
    return g;
  return call == EXCHANGED ? grid_make(g.ny, g.nx) : fields_fewer_rows(g);
}

static double kappa_of_call(int call) { return is_other(call) ? kappa + 1 : kappa; }

static double inv_h2_of_call(struct grid g) { return inv_h2 > 0 ? inv_h2 : (double)(g.nx - 1) * (g.nx - 1); }

static void write_result(struct grid g, const float *f) {
  const int rows = last_rows && last_rows < g.ny ? last_rows : g.ny;
  fields_write_array(out_path, NPY_FLOAT32, (size_t)rows, (size_t)g.nx, f + grid_index(g, g.ny - rows, 0));
}

static void apply_matrix(struct grid g, const float *u) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  struct heap heap = heap_watch("csr_assemble");
  for (int n = 0; n < calls; n++) {
    unwritten_check(matrix_apply(grid_of_call(g, n), inv_h2_of_call(grid_of_call(g, n)), kappa_of_call(n),
                                 is_other(n) ? NULL : matrix_path, u, f),
                    heap.function);
    if (!is_other(n))
      heap_note_call(&heap);
  }
  heap_check(&heap);
  printf("csr: %zu entries\n", reference_csr_entries(g));
  fields_write(out_path, NPY_FLOAT64, g, f);
  free(f);
}

static void apply_kernel(struct grid g, const float *u) {
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  memcpy(f, u, grid_points(g) * sizeof *f); /* a kernel without boundary leaves it as the identity requires */
  struct device d = device_open((enum variant)variant, g, kappa);
  device_put(&d, u);
  device_poison(&d);
  struct heap heap = heap_watch(d.kernel->function);
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < calls; n++) {
    struct device of_call = d;
    of_call.g = grid_of_call(g, n);
    of_call.inv_h2 = inv_h2_of_call(of_call.g);
    if (kappa > 0) /* the term with kappa may be unwritten */
      of_call.kappa2 = (float)(kappa_of_call(n) * kappa_of_call(n));
    if (n > 0)
      device_poison(&d);
    unwritten_check(device_launch(&of_call), d.kernel->function);
    if (!is_other(n))
      heap_note_call(&heap);
  }
  stopwatch_mark(watch);
  device_get(&d, f); /* the first wait: any wait of the function itself comes before it */
  const double ms = stopwatch_read(watch);
  heap_check(&heap);
  device_close(&d);
  printf("%s: nx %d, ny %d, kappa %g: %.4f ms\n", device_names[variant], g.nx, g.ny, kappa, ms);
  write_result(g, f);
  free(f);
}

/* f begins as NaN, so that a missing copy is detected. */
static void apply_from_host(struct grid g, const float *u) {
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  const double start = timing_now();
  struct heap heap = heap_watch("apply_host");
  unsigned char *other = calls > 1 ? device_open_other() : NULL;
  for (int n = 0; n < calls; n++) {
    const struct grid of_call = grid_of_call(g, n);
    memset(f, 0xff, grid_points(g) * sizeof *f);
    unwritten_check(
        apply_host(of_call.nx, of_call.ny, (float)inv_h2_of_call(of_call), (float)(kappa * kappa), u, f),
        heap.function);
    if (!is_other(n))
      heap_note_call(&heap);
  }
  heap_check(&heap);
  if (other)
    device_check_other(other, heap.function);
  printf("host: nx %d, ny %d, kappa %g: %.4f ms with transfers\n", g.nx, g.ny, kappa,
         1e3 * (timing_now() - start));
  write_result(g, f);
  free(f);
}

static int run_apply(void) {
  if (matrix_path && variant != CSR)
    error_die("--matrix %s: expected --variant csr, not %s", matrix_path, device_names[variant]);
  struct grid g;
  float *u;
  if (u_path) {
    u = fields_read(u_path, NPY_FLOAT32, nx, ny, NULL, &g);
  } else {
    g = grid_from_options();
    u = random_field(g);
  }
  if (device_kernels[variant].border)
    check_zero_boundary(g, u);
  if (variant == CSR)
    apply_matrix(g, u);
  else if (variant == HOST)
    apply_from_host(g, u);
  else
    apply_kernel(g, u);
  free(u);
  return 0;
}

/* --- compare --- */

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

static void compare_matrix(struct grid g, const float *u, const double *expected, struct comparison *row) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  row->part = matrix_apply(g, (double)(g.nx - 1) * (g.nx - 1), kappa, matrix_path, u, f);
  row->error = relative_error(grid_points(g), f, expected);
  row->median_ms = NAN;
  free(f);
}

/* Times the kernels alternately, so that noise affects all of them. */
static void time_kernels(struct device *devices, struct comparison *rows) {
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

static void compare_kernels(struct grid g, const float *u, const double *expected, struct comparison *rows) {
  const size_t points = grid_points(g);
  float *f = allocate_zeroed(points, sizeof *f), *first = NULL;
  double *wide = allocate_zeroed(points, sizeof *wide);
  struct device devices[KERNELS];
  for (int v = NAIVE; v < KERNELS; v++) {
    rows[v].ms = allocate_zeroed((size_t)launches, sizeof *rows[v].ms);
    devices[v] = device_open((enum variant)v, g, kappa);
    device_put(&devices[v], u);
  }
  time_kernels(devices, rows);
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
    rows[v].median_ms = timing_summarise((size_t)launches, rows[v].ms).median;
    free(rows[v].ms);
  }
  free(first);
  free(wide);
  free(f);
}

static const char *function_name(enum variant v) {
  return v == CSR ? "csr_assemble" : device_kernels[v].function;
}

static int show_comparison(struct grid g, const struct comparison *rows) {
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
  table_open(&table, csv_path, columns, "nx %d, ny %d, kappa %g, seed %d, device %s", g.nx, g.ny, kappa, seed,
             stopwatch_device());
  for (int v = 0; v < KERNELS; v++) {
    const bool csr = v == CSR;
    const struct table_cell row[] = {table_text(device_names[v]),
                                     csr ? table_none() : table_text(device_kernels[v].global),
                                     csr ? table_none() : table_number(rows[v].launch),
                                     table_number(g.nx),
                                     table_number(g.ny),
                                     table_number(kappa),
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

static int run_compare(void) {
  fields_check_output(csv_path);
  const struct grid g = grid_from_options();
  struct comparison rows[KERNELS] = {0};
  float *u = random_field(g);
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  double *expected = allocate_zeroed(grid_points(g), sizeof *expected);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = u[k];
  reference_apply(g, kappa, wide, expected);
  compare_matrix(g, u, expected, &rows[CSR]);
  compare_kernels(g, u, expected, rows);
  free(expected);
  free(wide);
  free(u);
  return show_comparison(g, rows);
}

/* --- table --- */

enum { CSR_MOST = 1 << 23 }; /* entries */

static double bandwidth(struct grid g, double ms) {
  return 2.0 * sizeof(float) * (double)grid_points(g) / (ms * 1e6);
}

/* Time in ms of a device copy of one array of the grid. */
static double time_copy(struct grid g, const float *u, double *samples) {
  struct device d = device_open(NAIVE, g, kappa);
  device_put(&d, u);
  const double ms = stopwatch_copy(d.f, d.u, grid_points(g) * sizeof *u, repeats, samples);
  device_close(&d);
  return ms;
}

/* Times the kernel alone, by device events. Returns 0 or the part that is not written. */
static int time_kernel(enum variant v, struct grid g, const float *u, double *samples, double *median_ms) {
  struct device d = device_open(v, g, kappa);
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
static double time_with_transfers(enum variant v, struct grid g, const float *u, float *f, double *samples) {
  for (int n = -1; n < repeats; n++) {
    const double start = timing_now();
    struct device d = device_open(v, g, kappa);
    device_put(&d, u);
    device_launch(&d);
    device_get(&d, f);
    device_close(&d);
    samples[n < 0 ? 0 : n] = 1e3 * (timing_now() - start);
  }
  return timing_summarise((size_t)repeats, samples).median;
}

/* The copy and the host alone have no transfers: this time is NaN. */
static struct table_cell time_cell(double ms) { return isnan(ms) ? table_none() : table_number(ms); }

static void show_timing(struct table *table, struct grid g, const char *name, int part, double kernel_ms,
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

/* Time in ms of A u by one thread of the host. */
static double time_host(struct grid g, const float *u, float *f, double *samples) {
  for (int n = -1; n < repeats; n++) {
    const double start = timing_now();
    reference_apply_float(g, kappa, u, f);
    samples[n < 0 ? 0 : n] = 1e3 * (timing_now() - start);
  }
  return timing_summarise((size_t)repeats, samples).median;
}

/* The same by a matrix in CSR, in double; NaN if it takes more than 100 MB. */
static double time_csr(struct grid g, const float *u, double *samples) {
  if (reference_csr_entries(g) > CSR_MOST)
    return NAN;
  struct reference_csr a = reference_csr_assemble(g, kappa);
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

/* One size: the copy, the host alone, then every kernel. */
static void time_size(struct grid g, struct table *table) {
  float *u = random_field(g), *f = allocate_zeroed(grid_points(g), sizeof *f);
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  const double copy_ms = time_copy(g, u, samples);
  show_timing(table, g, "copy", 0, copy_ms, NAN, copy_ms);
  show_timing(table, g, "cpu", 0, time_host(g, u, f, samples), NAN, copy_ms);
  const double csr_ms = time_csr(g, u, samples);
  if (!isnan(csr_ms))
    show_timing(table, g, "cpu_csr", 0, csr_ms, NAN, copy_ms);
  for (int v = NAIVE; v < KERNELS; v++) {
    double kernel_ms, transfers_ms = NAN;
    const int part = time_kernel((enum variant)v, g, u, samples, &kernel_ms);
    if (!part)
      transfers_ms = time_with_transfers((enum variant)v, g, u, f, samples);
    show_timing(table, g, device_names[v], part, kernel_ms, transfers_ms, copy_ms);
  }
  free(samples);
  free(f);
  free(u);
}

static int run_table(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -10, NULL, "variant", NULL},
                                                {"kernel (ms)", 12, "%.4f", "kernel_ms", "%.6f"},
                                                {"transfers (ms)", 16, "%.4f", "transfers_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes list = sizes_read(sizes, STENCIL_MIN, STENCIL_MAX);
  struct table table;
  table_open(
      &table, csv_path, columns,
      "device %s; medians of %d; kernel time by device events, cpu and time with allocation and transfers by the host's clock",
      stopwatch_device(), repeats);
  for (int n = 0; n < list.count; n++)
    time_size(grid_make(list.n[n], list.n[n]), &table);
  free(list.n);
  return table_close(&table);
}

/* --- solve --- */

static int run_solve(void) {
  const struct grid g = grid_from_options();
  const struct problem problem = {.kind = PROBLEM_CONSTANT, .kappa = kappa};
  double *u = allocate_zeroed(grid_points(g), sizeof *u);
  const double start = timing_now();
  problem_solution(&problem, g, u);
  printf("nx %d, ny %d, kappa %g: largest u %.6f, solved in %.3f s on the host\n", g.nx, g.ny, kappa,
         reference_norm_max(g, u), timing_now() - start);
  fields_write(out_path, NPY_FLOAT64, g, u);
  free(u);
  return 0;
}

int main(int argc, char **argv) {
  static int (*const runs[])(void) = {
      [APPLY] = run_apply, [COMPARE] = run_compare, [TABLE] = run_table, [SOLVE] = run_solve};
  return runs[options_parse("the discrete Laplacian", commands, argc, argv)]();
}
