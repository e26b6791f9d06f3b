/* Lab 01: the program around stencil.cu. It reads or makes u, calls the contract, compares and times, and
 * writes .npy and CSV files; --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA or csr_assemble went wrong; 2 for bad input; 3 when a part is not written yet.
 */
#include "stencil.h"

#include "allocate.h"
#include "error.h"
#include "fields.h"
#include "grid.h"
#include "npy.h"
#include "options.h"
#include "output.h"
#include "problem.h"
#include "random.h"
#include "reference.h"
#include "stopwatch.h"
#include "timing.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { FAILED_STATUS = 1, UNWRITTEN_STATUS = 3 };

enum variant { CSR, NAIVE, TILED, MARCHING, VARIANTS };
static const char *const variant_names[] = {
    [CSR] = "csr", [NAIVE] = "naive", [TILED] = "tiled", [MARCHING] = "marching", [VARIANTS] = NULL};

struct kernel {
  int (*apply)(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f);
  const char *function, *global; /* of the contract; of the kernel it launches */
  int border;                    /* width of the frame of grid points that the device arrays leave out */
};
static const struct kernel kernels[VARIANTS] = {
    [NAIVE] = {apply_naive, "apply_naive", "naive_kernel", 0},
    [TILED] = {apply_tiled, "apply_tiled", "tiled_kernel", 1},
    [MARCHING] = {apply_marching, "apply_marching", "marching_kernel", 0}};

/* --- options --- */

static int variant = NAIVE, nx, ny, seed = 1, launches = 1, repeats = 11;
static double kappa;
static const char *u_path, *out_path, *matrix_path, *csv_path, *sizes = "500,600,700,800,900";

#define OPTION_GRID                                                                                          \
  OPTIONS_INT("nx", &nx, STENCIL_MIN, STENCIL_MAX, "grid points per row; 65 unless --u says"),               \
      OPTIONS_INT("ny", &ny, STENCIL_MIN, STENCIL_MAX, "grid points per column; as nx unless --u says"),     \
      OPTIONS_DOUBLE("kappa", &kappa, 0, 1e6, "Helmholtz parameter")
#define OPTION_SEED OPTIONS_INT("seed", &seed, 0, INT_MAX, "of the random u, which is 0 on the boundary")
#define OPTION_CSV OPTIONS_STRING("csv", &csv_path, "FILE", "write the table there too")

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "which A"),
    OPTION_GRID,
    OPTIONS_STRING("u", &u_path, "FILE", "ny x nx float32; random unless given"),
    OPTION_SEED,
    OPTIONS_STRING("out", &out_path, "FILE", "write A u there: ny x nx float32, float64 for csr"),
    OPTIONS_STRING("matrix", &matrix_path, "FILE", "csr: write (row, column, value) of each entry, float64"),
    OPTIONS_END,
};
static const struct options_option compare_options[] = {
    OPTION_GRID,
    OPTION_SEED,
    OPTIONS_INT("launches", &launches, 1, 1000, "of each kernel, in turn; their median time is shown"),
    OPTION_CSV,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &repeats, 1, 1000, "of each measurement, after one to warm up"),
    OPTION_SEED,
    OPTION_CSV,
    OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTION_GRID,
    OPTIONS_STRING("out", &out_path, "FILE", "write u there: ny x nx float64"),
    OPTIONS_END,
};

enum command { APPLY, COMPARE, TABLE, SOLVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "f = A u", apply_options},
    [COMPARE] = {"compare", "all variants on one random u: error, identity, time of the kernel",
                 compare_options},
    [TABLE] = {"table", "time of each kernel, alone and with transfers", table_options},
    [SOLVE] = {"solve", "the solution of A u = 1 by a direct method on the host", solve_options},
    OPTIONS_END,
};

static struct grid grid_from_options(void) {
  nx = nx ? nx : 65;
  return grid_make(nx, ny ? ny : nx);
}

/* --- input and output --- */

__attribute__((noreturn)) static void die_unwritten(int part, const char *function) {
  fprintf(stderr, "stencil: %s: TODO(%d): not written yet\n", function, part);
  exit(UNWRITTEN_STATUS);
}

static void write_array(const char *path, enum npy_type type, size_t rows, size_t columns, void *data) {
  struct error error;
  const struct npy array = {.type = type, .rank = 2, .shape = {rows, columns}, .data = data};
  if (path && !npy_write(path, &array, &error))
    error_die("%s", error.text);
}

static float *random_field(struct grid g) {
  struct random random = random_seed((uint64_t)seed);
  return fields_random(&random, g);
}

static void check_zero_boundary(struct grid g, const float *u) {
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j) && u[grid_index(g, i, j)] != 0)
        error_die("%s: u = %g at boundary point (%d, %d): --variant %s expects 0 on the boundary", u_path,
                  u[grid_index(g, i, j)], i, j, variant_names[variant]);
}

/* --- the matrix, on the host --- */

static double inv_h2(struct grid g) { return (double)(g.nx - 1) * (g.nx - 1); }

__attribute__((noreturn)) static void die_matrix(const char *array, int place, int value, int low, int high) {
  fprintf(stderr, "stencil: csr_assemble: %s[%d] = %d: expected %d to %d\n", array, place, value, low, high);
  exit(FAILED_STATUS);
}

/* So that the product cannot reach outside its arrays, whatever csr_assemble wrote. */
static void check_matrix(const struct reference_csr *a, int capacity) {
  for (int k = 0; k <= a->rows; k++) {
    const int low = k > 0 ? a->row_start[k - 1] : 0, high = k > 0 ? capacity : 0;
    if (a->row_start[k] < low || a->row_start[k] > high)
      die_matrix("row_start", k, a->row_start[k], low, high);
  }
  for (int e = 0; e < a->row_start[a->rows]; e++)
    if (a->column[e] < 0 || a->column[e] >= a->rows)
      die_matrix("column", e, a->column[e], 0, a->rows - 1);
}

static void write_matrix(const struct reference_csr *a) {
  const size_t entries = (size_t)a->row_start[a->rows];
  double *triples = allocate_zeroed(3 * entries, sizeof *triples), *next = triples;
  for (int k = 0; k < a->rows; k++)
    for (int e = a->row_start[k]; e < a->row_start[k + 1]; e++) {
      *next++ = k;
      *next++ = a->column[e];
      *next++ = a->value[e];
    }
  write_array(matrix_path, NPY_FLOAT64, entries, 3, triples);
  free(triples);
}

/* f = A u in double by the assembled matrix. Returns 0 or the part that is not written. */
static int matrix_apply(struct grid g, const float *u, double *f) {
  const size_t entries = reference_csr_entries(g), points = grid_points(g);
  if (entries > INT_MAX)
    error_die("--nx %d --ny %d: %zu matrix entries: expected at most %d", g.nx, g.ny, entries, INT_MAX);
  struct reference_csr a = {.rows = (int)points,
                            .row_start = allocate_zeroed(points + 1, sizeof *a.row_start),
                            .column = allocate_zeroed(entries, sizeof *a.column),
                            .value = allocate_zeroed(entries, sizeof *a.value)};
  memset(a.row_start, 0xff, (points + 1) * sizeof *a.row_start);
  const int part = csr_assemble(g.nx, g.ny, inv_h2(g), kappa * kappa, a.row_start, a.column, a.value);
  if (part == 0) {
    check_matrix(&a, (int)entries);
    double *x = allocate_zeroed(points, sizeof *x);
    for (size_t k = 0; k < points; k++)
      x[k] = u[k];
    reference_csr_multiply(&a, x, f);
    free(x);
    if (matrix_path)
      write_matrix(&a);
  }
  reference_csr_free(&a);
  return part;
}

/* --- the kernels, on the device --- */

/* One kernel's arrays: the grid without a frame of border points. */
struct device {
  const struct kernel *kernel;
  struct grid g;
  float *u, *f;
};

static size_t device_row_bytes(const struct device *d) {
  return (size_t)(d->g.nx - 2 * d->kernel->border) * sizeof(float);
}
static size_t device_rows(const struct device *d) { return (size_t)(d->g.ny - 2 * d->kernel->border); }

/* The first of the host's points that the device has too. */
static size_t device_offset(const struct device *d) {
  return grid_index(d->g, d->kernel->border, d->kernel->border);
}

static struct device device_open(enum variant v, struct grid g) {
  struct device d = {.kernel = &kernels[v], .g = g};
  CUDA_CHECK(cudaMalloc((void **)&d.u, device_row_bytes(&d) * device_rows(&d)));
  CUDA_CHECK(cudaMalloc((void **)&d.f, device_row_bytes(&d) * device_rows(&d)));
  return d;
}

static void device_close(struct device *d) {
  CUDA_CHECK(cudaFree(d->u));
  CUDA_CHECK(cudaFree(d->f));
}

static void device_put(struct device *d, const float *u) {
  CUDA_CHECK(cudaMemcpy2D(d->u, device_row_bytes(d), u + device_offset(d), (size_t)d->g.nx * sizeof(float),
                          device_row_bytes(d), device_rows(d), cudaMemcpyHostToDevice));
}

/* Leaves the frame of f as it is. */
static void device_get(const struct device *d, float *f) {
  CUDA_CHECK(cudaMemcpy2D(f + device_offset(d), (size_t)d->g.nx * sizeof(float), d->f, device_row_bytes(d),
                          device_row_bytes(d), device_rows(d), cudaMemcpyDeviceToHost));
}

/* A value that the kernel does not write shall be NaN. */
static void device_poison(struct device *d) {
  CUDA_CHECK(cudaMemset(d->f, 0xff, device_row_bytes(d) * device_rows(d)));
}

static int device_launch(const struct device *d) {
  const int part =
      d->kernel->apply(d->g.nx, d->g.ny, (float)inv_h2(d->g), (float)(kappa * kappa), d->u, d->f);
  CUDA_CHECK(cudaGetLastError());
  return part;
}

/* --- f = A u --- */

static void apply_matrix(struct grid g, const float *u) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  const int part = matrix_apply(g, u, f);
  if (part)
    die_unwritten(part, "csr_assemble");
  printf("csr: %zu entries\n", reference_csr_entries(g));
  write_array(out_path, NPY_FLOAT64, (size_t)g.ny, (size_t)g.nx, f);
  free(f);
}

static void apply_kernel(struct grid g, const float *u) {
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  memcpy(f, u, grid_points(g) * sizeof *f); /* a kernel without boundary leaves this one: the identity */
  struct device d = device_open((enum variant)variant, g);
  device_put(&d, u);
  device_poison(&d);
  const struct stopwatch watch = stopwatch_start();
  const int part = device_launch(&d);
  if (part)
    die_unwritten(part, d.kernel->function);
  const double ms = stopwatch_stop(watch);
  device_get(&d, f);
  device_close(&d);
  printf("%s: nx %d, ny %d, kappa %g: %.4f ms\n", variant_names[variant], g.nx, g.ny, kappa, ms);
  write_array(out_path, NPY_FLOAT32, (size_t)g.ny, (size_t)g.nx, f);
  free(f);
}

static int run_apply(void) {
  if (matrix_path && variant != CSR)
    error_die("--matrix %s: expected --variant csr, not %s", matrix_path, variant_names[variant]);
  struct grid g;
  float *u;
  if (u_path) {
    u = fields_read(u_path, NPY_FLOAT32, nx, ny, NULL, &g);
  } else {
    g = grid_from_options();
    u = random_field(g);
  }
  if (kernels[variant].border)
    check_zero_boundary(g, u);
  if (variant == CSR)
    apply_matrix(g, u);
  else
    apply_kernel(g, u);
  free(u);
  return 0;
}

/* --- compare --- */

struct comparison {
  int part;         /* not written; 0 when it is */
  int launch;       /* number of the kernel's first launch in this process, from 1 */
  double error;     /* largest |f - A u| over largest |A u|, A u in double */
  bool identical;   /* same bits as the first kernel that is written */
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
  row->part = matrix_apply(g, u, f);
  row->error = relative_error(grid_points(g), f, expected);
  row->median_ms = NAN;
  free(f);
}

/* All kernels in turn, so that a disturbance does not hit one alone. */
static void time_kernels(struct device *devices, struct comparison *rows) {
  int launch = 0;
  for (int n = 0; n < launches; n++)
    for (int v = NAIVE; v < VARIANTS; v++) {
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
  struct device devices[VARIANTS];
  for (int v = NAIVE; v < VARIANTS; v++) {
    rows[v].ms = allocate_zeroed((size_t)launches, sizeof *rows[v].ms);
    devices[v] = device_open((enum variant)v, g);
    device_put(&devices[v], u);
  }
  time_kernels(devices, rows);
  for (int v = NAIVE; v < VARIANTS; v++) {
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

static const char *function_name(enum variant v) { return v == CSR ? "csr_assemble" : kernels[v].function; }

static void print_comparison(struct grid g, const struct comparison *rows) {
  printf("nx %d, ny %d, kappa %g, seed %d, device %s\n", g.nx, g.ny, kappa, seed, stopwatch_device());
  printf("%-10s%16s%12s%14s\n", "variant", "relative error", "same bits", "kernel (ms)");
  for (int v = 0; v < VARIANTS; v++) {
    if (rows[v].part)
      printf("%-10s%s: TODO(%d): not written yet\n", variant_names[v], function_name((enum variant)v),
             rows[v].part);
    else if (v == CSR)
      printf("%-10s%16.1e%12s%14s\n", variant_names[v], rows[v].error, "-", "-");
    else
      printf("%-10s%16.1e%12s%14.4f\n", variant_names[v], rows[v].error, rows[v].identical ? "yes" : "no",
             rows[v].median_ms);
  }
}

static struct output csv_open(void) {
  struct output csv;
  struct error error;
  if (!output_open(&csv, csv_path, &error))
    error_die("%s", error.text);
  return csv;
}

static void csv_commit(struct output *csv) {
  struct error error;
  if (!output_commit(csv, &error))
    error_die("%s", error.text);
}

static void write_comparison(struct grid g, const struct comparison *rows) {
  struct output csv = csv_open();
  fprintf(csv.stream, "variant,kernel,launch,nx,ny,kappa,relative_error,identical,time_ms\n");
  for (int v = 0; v < VARIANTS; v++) {
    if (rows[v].part)
      continue;
    if (v == CSR)
      fprintf(csv.stream, "csr,,,%d,%d,%g,%.3e,,\n", g.nx, g.ny, kappa, rows[v].error);
    else
      fprintf(csv.stream, "%s,%s,%d,%d,%d,%g,%.3e,%d,%.6f\n", variant_names[v], kernels[v].global,
              rows[v].launch, g.nx, g.ny, kappa, rows[v].error, rows[v].identical, rows[v].median_ms);
  }
  csv_commit(&csv);
}

static int run_compare(void) {
  const struct grid g = grid_from_options();
  struct comparison rows[VARIANTS] = {0};
  float *u = random_field(g);
  double *wide = allocate_zeroed(grid_points(g), sizeof *wide);
  double *expected = allocate_zeroed(grid_points(g), sizeof *expected);
  for (size_t k = 0; k < grid_points(g); k++)
    wide[k] = u[k];
  reference_apply(g, kappa, wide, expected);
  compare_matrix(g, u, expected, &rows[CSR]);
  compare_kernels(g, u, expected, rows);
  print_comparison(g, rows);
  if (csv_path)
    write_comparison(g, rows);
  free(expected);
  free(wide);
  free(u);
  for (int v = 0; v < VARIANTS; v++)
    if (rows[v].part)
      return UNWRITTEN_STATUS;
  return 0;
}

/* --- table --- */

static int next_size(const char **rest) {
  return options_next_int("sizes", sizes, rest, STENCIL_MIN, STENCIL_MAX);
}

static double bandwidth(struct grid g, double ms) {
  return 2.0 * sizeof(float) * (double)grid_points(g) / (ms * 1e6);
}

/* Milliseconds that the device needs to copy one array of the grid to another. */
static double time_copy(struct grid g, const float *u, double *samples) {
  struct device d = device_open(NAIVE, g);
  device_put(&d, u);
  const double ms = stopwatch_copy(d.f, d.u, grid_points(g) * sizeof *u, repeats, samples);
  device_close(&d);
  return ms;
}

/* The kernel alone, by device events. Returns 0 or the part that is not written. */
static int time_kernel(enum variant v, struct grid g, const float *u, double *samples, double *median_ms) {
  struct device d = device_open(v, g);
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
    struct device d = device_open(v, g);
    device_put(&d, u);
    device_launch(&d);
    device_get(&d, f);
    device_close(&d);
    samples[n < 0 ? 0 : n] = 1e3 * (timing_now() - start);
  }
  return timing_summarise((size_t)repeats, samples).median;
}

struct timing {
  struct grid g;
  const char *name;                        /* a variant, or the copy that it is compared with */
  int part;                                /* not written; 0 when it is */
  double kernel_ms, transfers_ms, of_copy; /* transfers_ms: NaN for the copy */
};

/* One size: the copy, then every kernel. rows: VARIANTS elements. */
static void time_size(struct grid g, struct timing *rows) {
  float *u = random_field(g), *f = allocate_zeroed(grid_points(g), sizeof *f);
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  const double copy_ms = time_copy(g, u, samples);
  rows[0] = (struct timing){g, "copy", 0, copy_ms, NAN, 1};
  for (int v = NAIVE; v < VARIANTS; v++) {
    struct timing *row = &rows[v];
    *row = (struct timing){.g = g, .name = variant_names[v]};
    row->part = time_kernel((enum variant)v, g, u, samples, &row->kernel_ms);
    row->of_copy = copy_ms / row->kernel_ms;
    if (!row->part)
      row->transfers_ms = time_with_transfers((enum variant)v, g, u, f, samples);
  }
  free(samples);
  free(f);
  free(u);
}

static void print_timing(const struct timing *row) {
  printf("%6d  %-10s", row->g.nx, row->name);
  if (row->part)
    printf("TODO(%d): not written yet\n", row->part);
  else if (isnan(row->transfers_ms))
    printf("%12.4f%16s%10.1f%10.2f\n", row->kernel_ms, "-", bandwidth(row->g, row->kernel_ms), row->of_copy);
  else
    printf("%12.4f%16.4f%10.1f%10.2f\n", row->kernel_ms, row->transfers_ms, bandwidth(row->g, row->kernel_ms),
           row->of_copy);
}

static void write_timings(size_t count, const struct timing *rows) {
  struct output csv = csv_open();
  fprintf(csv.stream, "n,variant,kernel_ms,transfers_ms,gigabytes_per_s,fraction_of_copy\n");
  for (const struct timing *row = rows; row < rows + count; row++) {
    if (row->part)
      continue;
    fprintf(csv.stream, "%d,%s,%.6f,", row->g.nx, row->name, row->kernel_ms);
    if (!isnan(row->transfers_ms))
      fprintf(csv.stream, "%.6f", row->transfers_ms);
    fprintf(csv.stream, ",%.3f,%.4f\n", bandwidth(row->g, row->kernel_ms), row->of_copy);
  }
  csv_commit(&csv);
}

static int run_table(void) {
  size_t count = 0, done = 0;
  const char *rest = sizes;
  do
    next_size(&rest);
  while (count += VARIANTS, *rest);
  struct timing *rows = allocate_zeroed(count, sizeof *rows);
  int status = 0;
  printf(
      "device %s; medians of %d; kernel alone by device events, with allocation and transfers by the host's"
      " clock\n%6s  %-10s%12s%16s%10s%10s\n",
      stopwatch_device(), repeats, "N", "variant", "kernel (ms)", "transfers (ms)", "GB/s", "of copy");
  for (rest = sizes; *rest; done += VARIANTS) {
    const int n = next_size(&rest);
    time_size(grid_make(n, n), rows + done);
    for (int v = 0; v < VARIANTS; v++) {
      print_timing(&rows[done + (size_t)v]);
      if (rows[done + (size_t)v].part)
        status = UNWRITTEN_STATUS;
    }
  }
  if (csv_path)
    write_timings(count, rows);
  free(rows);
  return status;
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
  write_array(out_path, NPY_FLOAT64, (size_t)g.ny, (size_t)g.nx, u);
  free(u);
  return 0;
}

int main(int argc, char **argv) {
  switch (options_parse("the discrete Laplacian", commands, argc, argv)) {
  case COMPARE:
    return run_compare();
  case TABLE:
    return run_table();
  case SOLVE:
    return run_solve();
  default:
    return run_apply();
  }
}
