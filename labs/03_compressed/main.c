/* Lab 03: the program around compressed.cu. sweeps.h has the filter and the table of times. This file adds
 * the columns of a colour, the geometry of a launch, and the times of sweeps by few warps. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written yet. */
#include "compressed.h"

#include "allocate.h"
#include "cuda_check.h"
#include "sizes.h"
#include "stopwatch.h"
#include "sweeps.h"
#include "table.h"

static int compressed_half_sweep(void *arrays, int colour) {
  struct sweeps_interleaved *d = arrays;
  return gs_compressed_half_sweep(d->g.nx, d->g.ny, colour, d->h2f, d->u);
}

static int blocks = 132;

static int walk_half_sweep(void *arrays, int colour) {
  struct sweeps_interleaved *d = arrays;
  return gs_walk_half_sweep(d->g.nx, d->g.ny, colour, blocks, d->h2f, d->u);
}

enum variant { COMPRESSED, WALK };
static const struct sweeps_variant variants[] = {[COMPRESSED] = {.name = "compressed",
                                                                 .function = "gs_compressed_half_sweep",
                                                                 .kernel = "compressed_kernel",
                                                                 .layout = &sweeps_interleaved_layout,
                                                                 .half_sweep = compressed_half_sweep},
                                                 [WALK] = {.name = "walk",
                                                           .function = "gs_walk_half_sweep",
                                                           .kernel = "walk_kernel",
                                                           .layout = &sweeps_interleaved_layout,
                                                           .half_sweep = walk_half_sweep}};

/* --- options --- */

static const char *const variant_names[] = {[COMPRESSED] = "compressed", [WALK] = "walk", NULL};
static const char *const colours[] = {[GRID_RED] = "red", [GRID_BLACK] = "black", NULL};
static int variant, colour = GRID_RED, calls = 1;
static const char *blocks_list = "33,66,132,264,528,1056,2112";
enum { BLOCKS_MAX = 65535 };

#define BLOCKS_OPTION OPTIONS_INT("blocks", &blocks, 1, BLOCKS_MAX, "walk: blocks of 32 x 2 threads")

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), BLOCKS_OPTION,
    SWEEPS_APPLY_OPTIONS, OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), BLOCKS_OPTION,
    SWEEPS_SERVE_OPTIONS, OPTIONS_END};
static const struct options_option table_options[] = {SWEEPS_TABLE_OPTIONS, OPTIONS_END};
static const struct options_option columns_options[] = {
    SWEEPS_GRID_OPTIONS,
    OPTIONS_CHOICE("colour", &colour, colours, "colour of the points"),
    OPTIONS_INT("calls", &calls, 1, 1000,
                "calls of compressed_columns; the first of several has a smaller grid and the other colour"),
    HEAP_OPTION,
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the columns to this file, int32, and do not print them"),
    OPTIONS_END};
static const struct options_option geometry_options[] = {SWEEPS_GRID_OPTIONS, OPTIONS_END};
static const struct options_option flight_options[] = {
    SWEEPS_GRID_OPTIONS, OPTIONS_STRING("blocks", &blocks_list, "LIST", "blocks of 32 x 2 threads"),
    SWEEPS_SEED_OPTION, SWEEPS_CSV_OPTION, OPTIONS_END};

enum command { APPLY, TABLE, COLUMNS, GEOMETRY, FLIGHT, SERVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE] = {"table", "time of a sweep", table_options},
    [COLUMNS] = {"columns", "column of each compressed index, row by row", columns_options},
    [GEOMETRY] = {"geometry", "threads and blocks of a launch", geometry_options},
    [FLIGHT] = {"flight", "time of a sweep by few warps", flight_options},
    [SERVE] = {"serve", SWEEPS_SERVE_HELP, serve_options},
    OPTIONS_END,
};

/* --- columns and geometry --- */

static struct grid grid_from_options(void) {
  struct grid g;
  float *u, *f;
  sweeps_read(&g, &u, &f); /* these commands read no files, so --nx and --ny set the grid */
  return g;
}

static void print_columns(struct grid g, int width, const int *columns) {
  for (int i = 0; i < g.ny; i++) {
    printf("row %d:", i);
    for (int jh = 0; jh < width; jh++)
      printf(" %d", columns[i * width + jh]);
    printf("\n");
  }
}

static int run_columns(void) {
  const struct grid g = grid_from_options();
  const int width = (g.nx + 1) / 2;
  fields_check_output(sweeps_settings.out_path);
  const size_t count = (size_t)g.ny * (size_t)width;
  int *columns = allocate_zeroed(count, sizeof *columns), *device_columns;
  CUDA_CHECK(cudaMalloc((void **)&device_columns, count * sizeof *columns));
  struct heap heap = heap_watch("compressed_columns");
  for (int n = 0; n < calls; n++) {
    const int less =
        n == 0 &&
        calls > 1; /* what a function keeps from the first of several calls does not fit the others */
    CUDA_CHECK(cudaMemset(device_columns, 0xff, count * sizeof *columns)); /* unwritten entries are −1 */
    unwritten_check(compressed_columns(g.nx - less, g.ny - less, colour ^ less, device_columns),
                    heap.function);
    CUDA_CHECK(cudaGetLastError());
    if (n > 0)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaMemcpy(columns, device_columns, count * sizeof *columns, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device_columns));
  if (sweeps_settings.out_path)
    fields_write_array(sweeps_settings.out_path, NPY_INT32, (size_t)g.ny, (size_t)width, columns);
  else
    print_columns(g, width, columns);
  free(columns);
  return 0;
}

static int run_geometry(void) {
  const struct grid g = grid_from_options();
  int block[2] = {0}, grid[2] = {0};
  unwritten_check(launch_geometry(g.nx, g.ny, block, grid), "launch_geometry");
  printf("block %d %d, grid %d %d\n", block[0], block[1], grid[0], grid[1]);
  return 0;
}

/* --- sweeps by few warps --- */

enum { BYTES_PER_POINT = 3 * sizeof(float) };

/* The second of two sweeps: the first one is the warm-up. Returns the unwritten part, or 0. */
static int time_walk(struct sweeps_interleaved *d, double *ms) {
  for (int run = 0; run < 2; run++) {
    const struct stopwatch watch = stopwatch_start();
    for (int c = GRID_RED; c <= GRID_BLACK; c++) {
      const int part = walk_half_sweep(d, c);
      CUDA_CHECK(cudaGetLastError());
      if (part)
        return part;
    }
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
  if (!sweeps_settings.nx)
    sweeps_settings.nx = 4096;
  const struct grid g = grid_from_options();
  const struct sizes sizes = sizes_read_option("blocks", blocks_list, 1, BLOCKS_MAX);
  float *u = NULL, *f = NULL;
  void *arrays;
  struct table table;
  sweeps_fill_random(g, &u, &f);
  float *h2f = sweeps_h2f(g, f);
  variants[WALK].layout->open(g, h2f, u, &arrays);
  table_open(&table, sweeps_settings.csv_path, columns,
             "device %s; %d x %d points, time of a sweep by device events", stopwatch_device(), g.nx, g.ny);
  for (int n = 0; n < sizes.count; n++) {
    double ms = 1;
    blocks = sizes.n[n];
    unwritten_check(time_walk(arrays, &ms), variants[WALK].function);
    table_row(&table, (const struct table_cell[]){
                          table_number(blocks), table_number(2 * blocks), table_number(ms),
                          table_number(BYTES_PER_POINT * (double)grid_points(g) / (ms * 1e6))});
  }
  variants[WALK].layout->close(arrays);
  free(sizes.n);
  free(h2f);
  free(f);
  free(u);
  return table_close(&table);
}

int main(int argc, char **argv) {
  switch (options_parse("one thread per point of one colour", commands, argc, argv)) {
  case TABLE:
    return sweeps_table(1, &variants[COMPRESSED]);
  case COLUMNS:
    return run_columns();
  case GEOMETRY:
    return run_geometry();
  case FLIGHT:
    return run_flight();
  case SERVE:
    return sweeps_serve(&variants[variant]);
  default:
    return sweeps_apply(&variants[variant]);
  }
}
