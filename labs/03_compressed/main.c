/* Lab 03: the program around compressed.cu. It sweeps, and adds the columns of a colour, the geometry of a launch, and
 * the times of sweeps by few warps. sweeps.h has the options and the input. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written yet. */
#include "compressed.h"

#include "allocate.h"
#include "cuda_check.h"
#include "progress.h"
#include "sizes.h"
#include "stopwatch.h"
#include "sweeps.h"
#include "table.h"

/* --- options --- */

enum variant { COMPRESSED, WALK };
static const char *const variant_names[] = {[COMPRESSED] = "compressed", [WALK] = "walk", NULL};
static const char *const function_names[] = {
    [COMPRESSED] = "gs_compressed_half_sweep", [WALK] = "gs_walk_half_sweep"};
static const char *const colours[] = {[GRID_RED] = "red", [GRID_BLACK] = "black", NULL};
enum { BLOCKS_MAX = 65535 };

static struct sweeps_settings *const s = &sweeps_settings;
static int variant, blocks = 132, colour = GRID_RED;
static const char *blocks_list = "33,66,132,264,528,1056,2112";

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"),
    OPTIONS_INT("blocks", &blocks, 1, BLOCKS_MAX, "walk: blocks of 32 x 2 threads"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_U,
    SWEEPS_F,
    SWEEPS_SEED,
    SWEEPS_SWEEPS,
    SWEEPS_COLOUR,
    SWEEPS_OUT,
    OPTIONS_END,
};
static const struct options_option table_options[] = {
    SWEEPS_SIZES, SWEEPS_REPEATS, SWEEPS_SEED, SWEEPS_CSV, OPTIONS_END,
};
static const struct options_option columns_options[] = {
    SWEEPS_NX,
    SWEEPS_NY,
    OPTIONS_CHOICE("colour", &colour, colours, "colour of the points"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the columns to this file, int32, and do not print them"),
    OPTIONS_END,
};
static const struct options_option geometry_options[] = {SWEEPS_NX, SWEEPS_NY, OPTIONS_END};
static const struct options_option flight_options[] = {
    OPTIONS_STRING("blocks", &blocks_list, "LIST", "blocks of 32 x 2 threads"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_SEED,
    SWEEPS_CSV,
    OPTIONS_END,
};

enum command { APPLY, TABLE, COLUMNS, GEOMETRY, FLIGHT, COMMANDS };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE] = {"table", "time of a sweep", table_options},
    [COLUMNS] = {"columns", "column of each compressed index, row by row", columns_options},
    [GEOMETRY] = {"geometry", "threads and blocks of a launch", geometry_options},
    [FLIGHT] = {"flight", "time of a sweep by few warps", flight_options},
    OPTIONS_END,
};

/* --- sweeps --- */

/* These return 0, or the part that is not written, and do not wait for the device. */
static int half_sweep(const struct sweeps_arrays *d, int v, int of_colour) {
  if (v == WALK)
    return gs_walk_half_sweep(d->g.nx, d->g.ny, of_colour, blocks, d->h2f, d->u);
  return gs_compressed_half_sweep(d->g.nx, d->g.ny, of_colour, d->h2f, d->u);
}

static int sweep(const struct sweeps_arrays *d, int v) {
  const int part = half_sweep(d, v, GRID_RED);
  return part ? part : half_sweep(d, v, GRID_BLACK);
}

/* A sweep of --variant, or a half-sweep if there is a --colour. */
static int pass(const struct sweeps_arrays *d) {
  if (s->colour == SWEEPS_BOTH)
    return sweep(d, variant);
  return half_sweep(d, variant, s->colour == SWEEPS_RED ? GRID_RED : GRID_BLACK);
}

static int run_apply(void) {
  fields_check_output(s->out_path);
  struct sweeps_input in = sweeps_input();

  struct sweeps_arrays d = sweeps_open(in.g, in.h2f, in.u);
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < s->sweeps; n++) {
    unwritten_check(pass(&d), function_names[variant]);
    CUDA_CHECK(cudaGetLastError());
    progress_show("%s: sweep %d of %d", variant_names[variant], n + 1, s->sweeps);
  }
  const double ms = stopwatch_stop(watch);
  sweeps_get(&d, in.u);
  sweeps_close(&d);

  sweeps_print(variant_names[variant], in.g, ms);
  fields_write(s->out_path, NPY_FLOAT32, in.g, in.u);
  sweeps_free(&in);
  return 0;
}

/* --- their times --- */

/* Returns 0, or the part that is not written. */
static int time_sweeps(const struct sweeps_arrays *d, double *samples) {
  for (int n = -1; n < s->repeats; n++) {
    const struct stopwatch watch = stopwatch_start();
    const int part = sweep(d, COMPRESSED);
    CUDA_CHECK(cudaGetLastError());
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch);
    if (part)
      return part;
    progress_show("%s: sweep %d of %d", variant_names[COMPRESSED], n + 2, s->repeats + 1);
  }
  return 0;
}

static int run_table(void) {
  struct sweeps_times t;
  sweeps_times_open(&t);
  while (sweeps_times_next(&t)) {
    struct sweeps_arrays d = sweeps_open(t.g, t.h2f, t.u);
    const int part = time_sweeps(&d, t.samples);
    sweeps_close(&d);
    sweeps_times_row(&t, variant_names[COMPRESSED], "compressed_kernel", part);
  }
  return sweeps_times_close(&t);
}

/* --- columns and geometry --- */

/* To the file of --out, or on the terminal. */
static void show_columns(struct grid g, int width, const int *columns) {
  if (s->out_path) {
    npy_save(s->out_path, NPY_INT32, (size_t)g.ny, (size_t)width, columns);
    return;
  }
  for (int i = 0; i < g.ny; i++) {
    printf("row %d:", i);
    for (int jh = 0; jh < width; jh++)
      printf(" %d", columns[i * width + jh]);
    printf("\n");
  }
}

static int run_columns(void) {
  const struct grid g = sweeps_grid();
  const int width = (g.nx + 1) / 2;
  fields_check_output(s->out_path);
  const size_t count = (size_t)g.ny * (size_t)width;
  int *columns = allocate_zeroed(count, sizeof *columns), *device_columns;
  CUDA_CHECK(cudaMalloc((void **)&device_columns, count * sizeof *columns));
  CUDA_CHECK(cudaMemset(device_columns, 0xff, count * sizeof *columns)); /* unwritten entries are −1 */
  unwritten_check(compressed_columns(g.nx, g.ny, colour, device_columns), "compressed_columns");
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(columns, device_columns, count * sizeof *columns, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device_columns));
  show_columns(g, width, columns);
  free(columns);
  return 0;
}

static int run_geometry(void) {
  const struct grid g = sweeps_grid();
  int block[2] = {0}, grid[2] = {0};
  unwritten_check(launch_geometry(g.nx, g.ny, block, grid), "launch_geometry");
  printf("block %d %d, grid %d %d\n", block[0], block[1], grid[0], grid[1]);
  return 0;
}

/* --- sweeps by few warps --- */

enum { BYTES_PER_POINT = 3 * sizeof(float) };

/* The second of two sweeps: the first one is the warm-up. Returns the unwritten part, or 0. */
static int time_walk(const struct sweeps_arrays *d, double *ms) {
  for (int run = 0; run < 2; run++) {
    const struct stopwatch watch = stopwatch_start();
    const int part = sweep(d, WALK);
    CUDA_CHECK(cudaGetLastError());
    if (part)
      return part;
    *ms = stopwatch_stop(watch);
  }
  return 0;
}

static int run_flight(void) {
  static const struct table_column columns[] = {{"blocks", 8, "%.0f", "blocks", "%.0f"},
                                                {"warps", 8, "%.0f", "warps", "%.0f"},
                                                {"sweep (ms)", 12, "%.4f", "sweep_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                TABLE_END};
  if (!s->nx)
    s->nx = 4096;
  struct sweeps_input in = sweeps_input();
  const struct sizes sizes = sizes_read_option("blocks", blocks_list, 1, BLOCKS_MAX);
  struct table table;
  struct sweeps_arrays d = sweeps_open(in.g, in.h2f, in.u);
  table_open(&table, s->csv_path, columns, "device %s; %d x %d points, time of a sweep by device events",
             stopwatch_device(), in.g.nx, in.g.ny);
  for (int n = 0; n < sizes.count; n++) {
    double ms = 1;
    blocks = sizes.n[n];
    unwritten_check(time_walk(&d, &ms), function_names[WALK]);
    table_row(&table, (const struct table_cell[]){
                          table_number(blocks), table_number(2 * blocks), table_number(ms),
                          table_number(BYTES_PER_POINT * (double)grid_points(in.g) / (ms * 1e6))});
  }
  sweeps_close(&d);
  free(sizes.n);
  sweeps_free(&in);
  return table_close(&table);
}

static int run(int command) {
  switch (command) {
  case TABLE:
    return run_table();
  case COLUMNS:
    return run_columns();
  case GEOMETRY:
    return run_geometry();
  case FLIGHT:
    return run_flight();
  default:
    return run_apply();
  }
}

int main(int argc, char **argv) {
  return run(options_parse("one thread per point of one colour", commands, argc, argv));
}
