/* The program around fused.cu, on_chip.cu, sgemm.cu and cg.cu: checks their results and measures them. --help
 * lists the commands.
 *
 * Exit status: 0; 1 when bits differ or CUDA failed; 2 for bad input. */
#include "records.h"
#include "blas.h"
#include "split_layout.h"

#include "allocate.h"
#include "error.h"
#include "grid.h"
#include "options.h"
#include "random.h"
#include "reference.h"
#include "setup.h"
#include "sizes.h"
#include "stopwatch.h"
#include "table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *sizes_list, *csv_path, *method;
static int repeats = 11;
#define TABLE_OPTIONS                                                                                        \
  OPTIONS_STRING("sizes", &sizes_list, "LIST", "numbers of points, or of entries, per row"),                 \
      OPTIONS_INT("repeats", &repeats, 1, 1000, "repeats of each measurement, after one warm-up"),           \
      OPTIONS_STRING("csv", &csv_path, "FILE", "write the table to this file"), OPTIONS_END
static const struct options_option table_options[] = {TABLE_OPTIONS};
static const struct options_option cg_options[] = {
    OPTIONS_STRING("method", &method, "NAME", "only this one: reduced, sweeps or \"on chip\""),
    TABLE_OPTIONS};
static const struct options_option check_options[] = {OPTIONS_END};

enum command { CHECK, FUSED, SGEMM, CG };
static const struct options_command commands[] = {
    [CHECK] = {"check", "compare the bits of all kernels with references on the host", check_options},
    [FUSED] = {"fused", "time of a sweep, eight of them in one pass", table_options},
    [SGEMM] = {"sgemm", "time of C = A B, step by step, beside cuBLAS", table_options},
    [CG] = {"cg", "time of conjugate gradients for f = 1, beside lab 06's", cg_options},
    OPTIONS_END,
};

static const double omega = 1.9;

static float *random_floats(struct random *random, size_t count) {
  float *values = allocate_zeroed(count, sizeof *values);
  for (size_t n = 0; n < count; n++)
    values[n] = random_float(random, -1, 1);
  return values;
}

/* values: NULL: all bits set, which is NaN */
static float *device_floats(size_t count, const float *values) {
  float *array;
  CUDA_CHECK(cudaMalloc((void **)&array, count * sizeof *array));
  if (values)
    CUDA_CHECK(cudaMemcpy(array, values, count * sizeof *array, cudaMemcpyHostToDevice));
  else
    CUDA_CHECK(cudaMemset(array, 0xff, count * sizeof *array));
  return array;
}

static float *fetch_floats(size_t count, const float *array) {
  float *values = allocate_zeroed(count, sizeof *values);
  CUDA_CHECK(cudaMemcpy(values, array, count * sizeof *values, cudaMemcpyDeviceToHost));
  return values;
}

static void finish(void) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

/* --- sweeps --- */

enum method { GAUSS_SEIDEL, SOR, SOR_ON_CHIP, METHODS };
static const char *const method_names[] = {"Gauss-Seidel", "SOR", "SOR on chip"};
enum { ON_CHIP = 1000 }; /* sweeps in a launch that is measured */

/* buffers: for SOR_ON_CHIP, which does so many sweeps. False if the grid is too large. */
static bool sweep(const struct records_grid *g, enum method method, int sweeps, float *buffers) {
  double each[2 * RECORDS_SWEEPS];
  for (int half = 0; half < 2 * RECORDS_SWEEPS; half++)
    each[half] = omega;
  if (method == SOR_ON_CHIP)
    return records_sor_on_chip(g, 4, omega, sweeps, buffers);
  if (method == SOR)
    records_sor(g, 4, each);
  else
    records_gs(g);
  return true;
}

static void free_grid(struct records_grid *d) {
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    CUDA_CHECK(cudaFree((void *)d->h2f[colour]));
    CUDA_CHECK(cudaFree((void *)d->u[colour]));
    CUDA_CHECK(cudaFree(d->out[colour]));
  }
}

/* Both colours of an interleaved array in device memory; padding is NaN. */
static void split_to_device(struct grid g, const float *values, const float **colours) {
  const size_t points = grid_split_points(g);
  const int pitch = grid_pitch(g.nx);
  float *both = allocate_zeroed(2 * points, sizeof *both);
  grid_split_pack(g, sizeof *both, values, both, both + points);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    for (int i = 0; i < g.ny; i++)
      for (int jh = grid_colour_columns(g, i, colour); jh < pitch; jh++)
        both[(size_t)colour * points + (size_t)(i * pitch + jh)] = NAN;
    colours[colour] = device_floats(points, both + (size_t)colour * points);
  }
  free(both);
}

static void reference_sweeps(struct grid g, enum method method, int sweeps, const float *h2f, float *u) {
  for (int half = 0; half < 2 * sweeps; half++)
    if (method != GAUSS_SEIDEL)
      reference_sor_half_sweep_float(g, 0, omega, half & 1, h2f, u);
    else
      reference_gs_half_sweep_float(g, 0, half & 1, h2f, u);
}

static bool check_sweeps(int nx, int ny, enum method method, int sweeps) {
  const struct grid g = grid_make(nx, ny);
  const size_t points = grid_split_points(g);
  struct random random = random_seed((uint64_t)nx * 1000 + (uint64_t)ny);
  float *u = random_floats(&random, grid_points(g)), *h2f = random_floats(&random, grid_points(g)),
        *result = allocate_zeroed(grid_points(g), sizeof *result);
  struct records_grid d = {.nx = nx, .ny = ny, .pitch = grid_pitch(nx)};
  split_to_device(g, u, d.u);
  split_to_device(g, h2f, d.h2f);
  float *out[2];
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    d.out[colour] = device_floats(points, NULL);
  float *buffers = device_floats(records_on_chip_bytes(&d) / sizeof(float), NULL);
  const bool fits = sweep(&d, method, sweeps, buffers);
  finish();
  CUDA_CHECK(cudaFree(buffers));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    out[colour] = fetch_floats(points, d.out[colour]);
  grid_split_unpack(g, sizeof *result, out[GRID_RED], out[GRID_BLACK], result);
  reference_sweeps(g, method, sweeps, h2f, u);
  const bool equal = fits && memcmp(result, u, grid_points(g) * sizeof *u) == 0;
  if (!equal)
    printf("%s, %d x %d points: %s those of %d sweeps on the host\n", method_names[method], nx, ny,
           fits ? "bits differ from" : "the grid is too large for", sweeps);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    free(out[colour]);
  free(u);
  free(h2f);
  free(result);
  free_grid(&d);
  return equal;
}

/* --- products --- */

static struct records_product product_make(int m, int n, int k, const float *a, const float *b) {
  return (struct records_product){.m = m,
                                  .n = n,
                                  .k = k,
                                  .a = device_floats((size_t)m * (size_t)k, a),
                                  .b = device_floats((size_t)k * (size_t)n, b),
                                  .c = device_floats((size_t)m * (size_t)n, NULL)};
}

static void free_product(struct records_product *p) {
  CUDA_CHECK(cudaFree((void *)p->a));
  CUDA_CHECK(cudaFree((void *)p->b));
  CUDA_CHECK(cudaFree(p->c));
}

static void reference_multiply(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int row = 0; row < m; row++)
    for (int inner = 0; inner < k; inner++)
      for (int column = 0; column < n; column++)
        c[row * n + column] = fmaf(a[row * k + inner], b[inner * n + column], c[row * n + column]);
}

static bool check_products(int m, int n, int k) {
  const size_t entries = (size_t)m * (size_t)n;
  struct random random = random_seed((uint64_t)m + (uint64_t)n + (uint64_t)k);
  float *a = random_floats(&random, (size_t)m * (size_t)k),
        *b = random_floats(&random, (size_t)k * (size_t)n),
        *expected = allocate_zeroed(entries, sizeof *expected);
  struct records_product p = product_make(m, n, k, a, b);
  reference_multiply(m, n, k, a, b, expected);
  bool all_equal = true;
  for (enum records_step step = 0; step < RECORDS_STEPS; step++) {
    CUDA_CHECK(cudaMemset(p.c, 0xff, entries * sizeof *p.c));
    const bool taken = records_multiply(step, &p);
    finish();
    float *c = fetch_floats(entries, p.c);
    const bool equal = taken && memcmp(c, expected, entries * sizeof *c) == 0;
    if (!equal)
      printf("product, step %s, m %d, n %d, k %d: bits differ from those of fmaf on the host\n",
             records_step_names[step], m, n, k);
    all_equal &= equal;
    free(c);
  }
  free_product(&p);
  free(a);
  free(b);
  free(expected);
  return all_equal;
}

/* --- conjugate gradients --- */

static const double tolerance = 1e-6;

enum solver { REDUCED, BY_SWEEPS, CG_ON_CHIP, SOLVERS };
static const char *const solver_names[] = {"reduced", "sweeps", "on chip"};

struct solved {
  struct pcg_result result;
  double ms;
};

/* h2f: device memory in the layout of pcg.h. The time includes the allocations of the solver. False if the grid
 * is too large. */
static bool solve(enum solver solver, const struct pcg_grid *g, const double *h2f, double *u,
                  struct solved *solved) {
  const size_t bytes = (size_t)pcg_elements(g) * sizeof(double);
  const struct pcg_control control = {
      .tolerance = tolerance, .limit = 100000, .check_every = 64, .dot = pcg_dot};
  bool fits = true;
  CUDA_CHECK(cudaMemset(u, 0, bytes));
  const struct stopwatch watch = stopwatch_start();
  if (solver == CG_ON_CHIP)
    fits = records_cg_on_chip(g, h2f, u, control, &solved->result);
  else if (solver == BY_SWEEPS)
    records_cg(g, h2f, u, control, &solved->result);
  else
    reduced_cg(g, h2f, u, control, &solved->result);
  CUDA_CHECK(cudaGetLastError());
  solved->ms = stopwatch_stop(watch);
  return fits;
}

static struct pcg_grid pcg_grid_of(int nx, int ny, double kappa) {
  const double h = grid_make(nx, ny).h;
  return (struct pcg_grid){nx, ny, grid_pitch(nx), 4 + kappa * kappa * h * h};
}

static double *right_hand_side(const struct pcg_grid *g, enum problem_kind kind) {
  const struct grid grid = grid_make(g->nx, g->ny);
  setup_settings.problem = kind;
  double *f = setup_right_hand_side(grid), *h2f = setup_to_device(grid, grid.h * grid.h, f);
  free(f);
  return h2f;
}

/* The largest difference of two solutions, relative to the largest value. */
static double difference(const struct pcg_grid *g, const double *x, const double *y) {
  const size_t count = (size_t)pcg_elements(g);
  double *a = allocate_zeroed(count, sizeof *a), *b = allocate_zeroed(count, sizeof *b), most = 0, scale = 0;
  CUDA_CHECK(cudaMemcpy(a, x, count * sizeof *a, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(b, y, count * sizeof *b, cudaMemcpyDeviceToHost));
  for (size_t n = 0; n < count; n++) {
    most = fmax(most, fabs(a[n] - b[n]));
    scale = fmax(scale, fabs(a[n]));
  }
  free(a);
  free(b);
  return most / scale;
}

static bool check_cg(int nx, int ny, double kappa) {
  const struct pcg_grid g = pcg_grid_of(nx, ny, kappa);
  const size_t bytes = (size_t)pcg_elements(&g) * sizeof(double);
  double *h2f = right_hand_side(&g, PROBLEM_RANDOM), *u, *expected;
  CUDA_CHECK(cudaMalloc((void **)&u, bytes));
  CUDA_CHECK(cudaMalloc((void **)&expected, bytes));
  struct solved slow, fast;
  bool good = solve(REDUCED, &g, h2f, expected, &slow);
  for (enum solver solver = BY_SWEEPS; solver < SOLVERS; solver++) {
    const bool fits = solve(solver, &g, h2f, u, &fast);
    const int most = solver == BY_SWEEPS ? 3 + slow.result.iterations / 2 : 1 + slow.result.iterations;
    const double apart = difference(&g, expected, u);
    if (fits && fast.result.status == PCG_CONVERGED && fast.result.relative_residual <= tolerance * 1.01 &&
        fast.result.iterations <= most && apart < 1e-4)
      continue;
    good = false;
    printf(
        "CG, %s, %d x %d points, kappa %g: status %d after %d iterations (lab 06: %d), residual %.2e, difference %.1e\n",
        solver_names[solver], nx, ny, kappa, (int)fast.result.status, fast.result.iterations,
        slow.result.iterations, fast.result.relative_residual, apart);
  }
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  CUDA_CHECK(cudaFree(expected));
  return good;
}

static int run_check(void) {
  static const struct {
    int nx, ny;
  } grids[] = {{3, 3},     {4, 5},    {5, 4},     {17, 33},  {128, 64},  {255, 100},  {256, 256}, {257, 63},
               {258, 300}, {259, 31}, {481, 500}, {500, 17}, {1000, 41}, {1023, 400}, {2049, 70}, {36, 1100}};
  static const struct {
    int nx, ny, sweeps;
  } small_grids[] = {{3, 3, 1},      {4, 5, 3},     {17, 33, 4},  {127, 96, 5}, {128, 97, 8},  {129, 99, 9},
                     {241, 176, 12}, {256, 177, 4}, {257, 30, 7}, {500, 17, 6}, {36, 500, 10}, {401, 300, 9}};
  static const struct {
    int m, n, k;
  } products[] = {{128, 256, 16}, {256, 512, 80}, {384, 256, 48}, {1280, 256, 16}, {128, 1024, 32}};
  enum {
    GRIDS = sizeof grids / sizeof *grids,
    SMALL_GRIDS = sizeof small_grids / sizeof *small_grids,
    PRODUCTS = sizeof products / sizeof *products
  };
  static const struct {
    int nx, ny;
    double kappa;
  } solves[] = {{3, 4, 0}, {4, 5, 0}, {17, 33, 0}, {66, 64, 0}, {127, 40, 3}, {130, 128, 0}};
  enum { SOLVES = sizeof solves / sizeof *solves };
  bool equal = true, solved = true;
  for (int n = 0; n < GRIDS; n++)
    for (enum method method = 0; method < SOR_ON_CHIP; method++)
      equal &= check_sweeps(grids[n].nx, grids[n].ny, method, RECORDS_SWEEPS);
  for (int n = 0; n < SMALL_GRIDS; n++)
    equal &= check_sweeps(small_grids[n].nx, small_grids[n].ny, SOR_ON_CHIP, small_grids[n].sweeps);
  for (int n = 0; n < SOLVES; n++)
    solved &= check_cg(solves[n].nx, solves[n].ny, solves[n].kappa);
  for (int n = 0; n < PRODUCTS; n++)
    equal &= check_products(products[n].m, products[n].n, products[n].k);
  if (equal)
    printf("sweeps by Gauss-Seidel and SOR on %d grids, and %d steps of %d products: the bits of the host\n",
           GRIDS + SMALL_GRIDS, RECORDS_STEPS, PRODUCTS);
  if (solved)
    printf(
        "conjugate gradients on %d grids: the solutions of lab 06, with sweeps in half of the iterations, at most\n",
        SOLVES);
  return equal && solved ? 0 : 1;
}

/* --- tables --- */

/* Frees the sizes. Returns the exit status. */
static int fill(struct table *table, struct sizes sizes, void (*add_rows)(int size, struct table *table)) {
  for (int n = 0; n < sizes.count; n++)
    add_rows(sizes.n[n], table);
  free(sizes.n);
  return table_close(table);
}

/* False if the method does not take the grid. */
static bool time_sweeps(const struct records_grid *d, enum method method, float *buffers,
                        struct timing_summary *ms) {
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  const int sweeps = method == SOR_ON_CHIP ? ON_CHIP : RECORDS_SWEEPS;
  bool fits = true;
  for (int n = -1; n < repeats && fits; n++) {
    const struct stopwatch watch = stopwatch_start();
    fits = sweep(d, method, sweeps, buffers);
    CUDA_CHECK(cudaGetLastError());
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch) / sweeps;
  }
  *ms = timing_summarise((size_t)repeats, samples);
  free(samples);
  return fits;
}

/* The time of a copy that moves 12 bytes a point. */
static double time_copy(size_t points) {
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  const size_t count = (points * 3 + 1) / 2; /* 6 bytes a point are read, and 6 written */
  float *source = device_floats(count, NULL), *target = device_floats(count, NULL);
  const double ms = stopwatch_copy(target, source, count * sizeof *source, repeats, samples);
  CUDA_CHECK(cudaFree(source));
  CUDA_CHECK(cudaFree(target));
  free(samples);
  return ms;
}

/* True if out has the bits of as many sweeps by lab 04's kernel. */
static bool same_as_lab(const struct records_grid *d, size_t points) {
  float *u[2];
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    u[colour] = device_floats(points, NULL);
    CUDA_CHECK(cudaMemcpy(u[colour], d->u[colour], points * sizeof(float), cudaMemcpyDeviceToDevice));
  }
  for (int half = 0; half < 2 * RECORDS_SWEEPS; half++)
    gs_split_half_sweep(d->nx, d->ny, d->pitch, half & 1, d->h2f[half & 1], u[!(half & 1)], u[half & 1]);
  finish();
  bool same = true;
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    float *expected = fetch_floats(points, u[colour]), *result = fetch_floats(points, d->out[colour]);
    const struct grid g = grid_make(d->nx, d->ny);
    for (int i = 0; i < d->ny; i++)
      same &= memcmp(expected + (size_t)i * (size_t)d->pitch, result + (size_t)i * (size_t)d->pitch,
                     (size_t)grid_colour_columns(g, i, colour) * sizeof(float)) == 0;
    CUDA_CHECK(cudaFree(u[colour]));
    free(expected);
    free(result);
  }
  return same;
}

static void fused_rows(int size, struct table *table) {
  const struct grid g = grid_make(size, size);
  const size_t points = grid_split_points(g);
  const double copy = time_copy(grid_points(g));
  struct records_grid d = {.nx = size, .ny = size, .pitch = grid_pitch(size)};
  struct random random = random_seed(1);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    float *h2f = random_floats(&random, points), *u = random_floats(&random, points);
    d.h2f[colour] = device_floats(points, h2f);
    d.u[colour] = device_floats(points, u);
    d.out[colour] = device_floats(points, NULL);
    free(h2f);
    free(u);
  }
  float *buffers = device_floats(records_on_chip_bytes(&d) / sizeof(float), NULL);
  for (enum method method = 0; method < METHODS; method++) {
    struct timing_summary ms;
    if (!time_sweeps(&d, method, buffers, &ms))
      continue;
    table_row(table, (struct table_cell[]){
                         table_number(size), table_text(method_names[method]), table_number(ms.median),
                         table_number(ms.spread), table_number(copy), table_number(copy / ms.median),
                         method == GAUSS_SEIDEL ? table_flag(same_as_lab(&d, points)) : table_none()});
  }
  CUDA_CHECK(cudaFree(buffers));
  free_grid(&d);
}

static int run_fused(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"method", -13, NULL, "method", NULL},
                                                {"sweep (ms)", 11, "%.5f", "ms", "%.6f"},
                                                {"spread (ms)", 12, "%.5f", "spread_ms", "%.6f"},
                                                {"copy (ms)", 10, "%.4f", "copy_ms", "%.6f"},
                                                {"of copy", 8, "%.2f", "of_copy", "%.4f"},
                                                {"bits of lab 04", 15, NULL, "same_bits", NULL},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(sizes_list ? sizes_list : "1024,8192,16384", 3, 32768);
  struct table table;
  table_open(
      &table, csv_path, columns,
      "device %s; %d sweeps in a pass, %d on chip, medians of %d; copy: 12 bytes a point by cudaMemcpy",
      stopwatch_device(), RECORDS_SWEEPS, ON_CHIP, repeats);
  return fill(&table, sizes, fused_rows);
}

/* The kernels of the table: lab 04's, the steps of sgemm.cu, and cuBLAS before and after them. */
enum { BLAS_BEFORE, NAIVE, TILE, PIPELINED, FIRST_STEP, BLAS_AFTER = FIRST_STEP + RECORDS_STEPS, KERNELS };

static bool multiply(int kernel, const struct records_product *p) {
  static int (*const lab[])(int, int, int, const float *, const float *, float *) = {
      [NAIVE] = sgemm_naive, [TILE] = sgemm_tile, [PIPELINED] = sgemm_pipelined};
  if (kernel == BLAS_BEFORE || kernel == BLAS_AFTER)
    return blas_multiply(p->n, p->a, p->b, p->c);
  if (kernel < FIRST_STEP)
    return lab[kernel](p->m, p->n, p->k, p->a, p->b, p->c) == 0;
  return records_multiply((enum records_step)(kernel - FIRST_STEP), p);
}

static const char *kernel_name(int kernel) {
  static const char *const names[] = {"cuBLAS", "naive", "tile", "pipelined"};
  return kernel == BLAS_AFTER  ? "cuBLAS again"
         : kernel < FIRST_STEP ? names[kernel]
                               : records_step_names[kernel - FIRST_STEP];
}

/* False if the kernel does not take this size. */
static bool time_product(int kernel, const struct records_product *p, struct timing_summary *ms) {
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  bool taken = true;
  for (int n = -1; n < repeats && taken; n++) {
    const struct stopwatch watch = stopwatch_start();
    taken = multiply(kernel, p);
    CUDA_CHECK(cudaGetLastError());
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
  }
  *ms = timing_summarise((size_t)repeats, samples);
  free(samples);
  return taken;
}

static void sgemm_rows(int size, struct table *table) {
  const size_t entries = (size_t)size * (size_t)size;
  struct random random = random_seed(1);
  float *a = random_floats(&random, entries), *b = random_floats(&random, entries), *expected = NULL;
  struct records_product p = product_make(size, size, size, a, b);
  struct timing_summary ms[KERNELS];
  bool taken[KERNELS], same[KERNELS];
  for (int kernel = 0; kernel < KERNELS; kernel++) {
    CUDA_CHECK(cudaMemset(p.c, 0xff, entries * sizeof(float)));
    taken[kernel] = time_product(kernel, &p, &ms[kernel]);
    float *c = fetch_floats(entries, p.c);
    if (kernel == NAIVE)
      expected = c;
    same[kernel] = expected && memcmp(c, expected, entries * sizeof *c) == 0;
    if (c != expected)
      free(c);
  }
  const double blas = fmin(ms[BLAS_BEFORE].median, ms[BLAS_AFTER].median);
  for (int kernel = 0; kernel < KERNELS; kernel++) {
    const double median = ms[kernel].median, flop = 2.0 * size * size * size;
    if (taken[kernel])
      table_row(table, (struct table_cell[]){
                           table_number(size), table_text(kernel_name(kernel)), table_number(median),
                           table_number(ms[kernel].spread), table_number(flop / median * 1e-9),
                           taken[BLAS_BEFORE] ? table_number(blas / median) : table_none(),
                           kernel == BLAS_BEFORE ? table_none() : table_flag(same[kernel])});
  }
  free_product(&p);
  free(a);
  free(b);
  free(expected);
}

static int run_sgemm(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"kernel", -13, NULL, "kernel", NULL},
                                                {"time (ms)", 10, "%.4f", "ms", "%.6f"},
                                                {"spread (ms)", 12, "%.4f", "spread_ms", "%.6f"},
                                                {"TFLOP/s", 8, "%.2f", "teraflop_per_s", "%.3f"},
                                                {"of cuBLAS", 10, "%.3f", "of_cublas", "%.4f"},
                                                {"bits of naive", 14, NULL, "same_bits", NULL},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(sizes_list ? sizes_list : "1024,2048,4096,8192", 1, 32768);
  struct table table;
  if (!blas_version())
    error_warn("cuBLAS not found: its rows are missing");
  table_open(&table, csv_path, columns, "device %s; C = A B, medians of %d; cuBLAS %s in FP32",
             stopwatch_device(), repeats, blas_version() ? blas_version() : "is missing");
  return fill(&table, sizes, sgemm_rows);
}

static void cg_rows(int size, struct table *table) {
  const struct pcg_grid g = pcg_grid_of(size, size, 0);
  double *h2f = right_hand_side(&g, PROBLEM_CONSTANT), *u,
         *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  CUDA_CHECK(cudaMalloc((void **)&u, (size_t)pcg_elements(&g) * sizeof *u));
  for (enum solver solver = 0; solver < SOLVERS; solver++) {
    struct solved solved;
    bool fits = !method || strcmp(method, solver_names[solver]) == 0;
    for (int n = -1; n < repeats && fits; n++) {
      fits = solve(solver, &g, h2f, u, &solved);
      samples[n < 0 ? 0 : n] = solved.ms;
    }
    if (!fits)
      continue;
    const struct timing_summary ms = timing_summarise((size_t)repeats, samples);
    table_row(table,
              (struct table_cell[]){table_number(size), table_text(solver_names[solver]),
                                    table_number(solved.result.iterations), table_number(ms.median),
                                    table_number(ms.spread), table_number(solved.result.relative_residual)});
  }
  free(samples);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
}

static int run_cg(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"method", -13, NULL, "method", NULL},
                                                {"iterations", 11, "%.0f", "iterations", "%.0f"},
                                                {"time (ms)", 10, "%.2f", "ms", "%.4f"},
                                                {"spread (ms)", 12, "%.2f", "spread_ms", "%.4f"},
                                                {"residual", 9, "%.2e", "relative_residual", "%.4e"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(sizes_list ? sizes_list : "512,1024,2048,4096", 3, 32768);
  struct table table;
  bool is_known = !method;
  for (enum solver solver = 0; solver < SOLVERS; solver++)
    is_known = is_known || strcmp(method, solver_names[solver]) == 0;
  if (!is_known)
    error_die("--method %s: expected reduced, sweeps or \"on chip\"", method);
  table_open(&table, csv_path, columns,
             "device %s; f = 1, to a relative residual of %g; medians of %d, with all allocations",
             stopwatch_device(), tolerance, repeats);
  return fill(&table, sizes, cg_rows);
}

int main(int argc, char **argv) {
  switch (options_parse("kernels at the limit of the GPU", commands, argc, argv)) {
  case FUSED:
    return run_fused();
  case SGEMM:
    return run_sgemm();
  case CG:
    return run_cg();
  default:
    return run_check();
  }
}
