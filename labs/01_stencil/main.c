/* Lab 01: the program around stencil.cu. It reads or makes u, calls the contract, compares, and writes .npy and CSV
 * files. matrix.c has the assembled matrix, device.c the kernels, compare.c and times.c two more commands. --help
 * lists them all.
 *
 * Exit status: 0; 1 when CUDA or csr_assemble failed; 2 for bad input; 3 when a part is not written yet.
 */
#include "stencil.h"

#include "allocate.h"
#include "csr_matrix.h"
#include "device.h"
#include "error.h"
#include "fields.h"
#include "options.h"
#include "problem.h"
#include "reference.h"
#include "stopwatch.h"
#include "times.h"
#include "unwritten.h"
#include "variant_table.h"

#include <limits.h>
#include <string.h>

/* --- options --- */

static int variant = NAIVE, nx, ny, seed = 1;
static double kappa;
static const char *u_path, *out_path, *csr_matrix_path, *csv_path;
static struct variant_table compare = {.launches = 1};
static struct times times = {.sizes = "500,600,700,800,900", .repeats = 11};

/* The rows of several commands. */
#define OPTION_NX OPTIONS_INT("nx", &nx, STENCIL_MIN, STENCIL_MAX, "grid points per row; 65, or as in --u")
#define OPTION_NY OPTIONS_INT("ny", &ny, STENCIL_MIN, STENCIL_MAX, "grid points per column; nx, or as in --u")
#define OPTION_KAPPA OPTIONS_DOUBLE("kappa", &kappa, 0, 1e6, "Helmholtz parameter")
#define OPTION_SEED OPTIONS_INT("seed", &seed, 0, INT_MAX, "seed of the random u, which is 0 on the boundary")
#define OPTION_CSV OPTIONS_STRING("csv", &csv_path, "FILE", "also write the table to this file")

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, device_names, "variant of A u; scale: u/h²"),
    OPTION_NX,
    OPTION_NY,
    OPTION_KAPPA,
    OPTIONS_STRING("u", &u_path, "FILE", "ny x nx values, rounded to float32; random if not given"),
    OPTION_SEED,
    OPTIONS_STRING("out", &out_path, "FILE", "write A u to this file: ny x nx float32, float64 for csr"),
    OPTIONS_STRING("matrix", &csr_matrix_path, "FILE",
                   "csr: write (row, column, value) of each entry, float64"),
    OPTIONS_END,
};
static const struct options_option compare_options[] = {
    OPTION_NX,
    OPTION_NY,
    OPTION_KAPPA,
    OPTION_SEED,
    OPTIONS_INT("launches", &compare.launches, 1, 1000,
                "launches of each kernel, one after the other; the median time is shown"),
    OPTION_CSV,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    OPTIONS_STRING("sizes", &times.sizes, "LIST", "grid points per row and per column"),
    OPTIONS_INT("repeats", &times.repeats, 1, 1000, "repeats of each measurement, after one warm-up"),
    OPTION_SEED,
    OPTION_CSV,
    OPTIONS_END,
};
static const struct options_option solve_options[] = {
    OPTIONS_STRING("out", &out_path, "FILE", "write u to this file: ny x nx float64"),
    OPTION_NX,
    OPTION_NY,
    OPTION_KAPPA,
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

/* u from the file of the options, or random; the caller frees it. */
static float *input(struct grid *g) {
  if (csr_matrix_path && variant != CSR)
    error_die("--matrix %s: expected --variant csr, not %s", csr_matrix_path, device_names[variant]);
  if (!u_path) {
    *g = grid_from_options();
    return random_field(*g);
  }
  float *u = fields_read(u_path, NPY_FLOAT32, nx, ny, NULL, g);
  if (device_kernels[variant].border)
    check_zero_boundary(*g, u);
  return u;
}

/* --- f = A u --- */

static void run_matrix(struct grid g, const float *u) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  unwritten_check(csr_matrix_apply(g, kappa, csr_matrix_path, u, f), "csr_assemble");
  printf("csr: %zu entries\n", reference_csr_entries(g));
  fields_write(out_path, NPY_FLOAT64, g, f);
  free(f);
}

/* f begins as u: a kernel without boundary leaves it there, as the identity requires. */
static void run_kernel(struct grid g, const float *u) {
  float *f = memcpy(allocate_zeroed(grid_points(g), sizeof *f), u, grid_points(g) * sizeof *f);
  struct device d = device_open((enum variant)variant, g, kappa);
  device_put(&d, u);
  device_poison(&d);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(device_launch(&d), d.kernel->function);
  const double ms = stopwatch_stop(watch);
  device_get(&d, f);
  device_close(&d);
  printf("%s: nx %d, ny %d, kappa %g: %.4f ms\n", device_names[variant], g.nx, g.ny, kappa, ms);
  fields_write(out_path, NPY_FLOAT32, g, f);
  free(f);
}

/* f begins as NaN, so that a missing copy is detected. */
static void run_host(struct grid g, const float *u) {
  float *f = memset(allocate_zeroed(grid_points(g), sizeof *f), 0xff, grid_points(g) * sizeof *f);
  const double inv_h2 = (double)(g.nx - 1) * (g.nx - 1), start = timing_now();
  unwritten_check(apply_host(g.nx, g.ny, (float)inv_h2, (float)(kappa * kappa), u, f), "apply_host");
  printf("host: nx %d, ny %d, kappa %g: %.4f ms with transfers\n", g.nx, g.ny, kappa,
         1e3 * (timing_now() - start));
  fields_write(out_path, NPY_FLOAT32, g, f);
  free(f);
}

static int run_apply(void) {
  struct grid g;
  float *u = input(&g);
  if (variant == CSR)
    run_matrix(g, u);
  else if (variant == HOST)
    run_host(g, u);
  else
    run_kernel(g, u);
  free(u);
  return 0;
}

/* --- the other commands --- */

static int run_compare(void) {
  fields_check_output(csv_path);
  const struct grid g = grid_from_options();
  compare.kappa = kappa;
  compare.seed = seed;
  compare.csv = csv_path;
  float *u = random_field(g);
  const int status = variant_table_show(&compare, g, u);
  free(u);
  return status;
}

static int run_table(void) {
  times.seed = seed;
  times.csv = csv_path;
  return times_show(&times);
}

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

static int run(int command) {
  switch (command) {
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

int main(int argc, char **argv) { return run(options_parse("the discrete Laplacian", commands, argc, argv)); }
