/* Lab 03: the program around compressed.cu. sweeps.h has the filter and the table of times. This file adds
 * the columns of a colour and the geometry of a launch. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written yet. */
#include "compressed.h"

#include "allocate.h"
#include "cuda_check.h"
#include "sweeps.h"

static int compressed_half_sweep(void *arrays, int colour) {
  struct sweeps_interleaved *d = arrays;
  return gs_compressed_half_sweep(d->g.nx, d->g.ny, colour, d->h2f, d->u);
}

static const struct sweeps_variant variants[] = {{.name = "compressed",
                                                  .function = "gs_compressed_half_sweep",
                                                  .kernel = "compressed_kernel",
                                                  .layout = &sweeps_interleaved_layout,
                                                  .half_sweep = compressed_half_sweep}};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* --- options --- */

static const char *const variant_names[] = {"compressed", NULL};
static const char *const colours[] = {[GRID_RED] = "red", [GRID_BLACK] = "black", NULL};
static int variant, colour = GRID_RED;

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), SWEEPS_APPLY_OPTIONS,
    OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), SWEEPS_SERVE_OPTIONS,
    OPTIONS_END};
static const struct options_option table_options[] = {SWEEPS_TABLE_OPTIONS, OPTIONS_END};
static const struct options_option columns_options[] = {
    SWEEPS_GRID_OPTIONS, OPTIONS_CHOICE("colour", &colour, colours, "colour of the points"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the columns to this file, int32, and do not print them"),
    OPTIONS_END};
static const struct options_option geometry_options[] = {SWEEPS_GRID_OPTIONS, OPTIONS_END};

enum command { APPLY, TABLE, COLUMNS, GEOMETRY, SERVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE] = {"table", "time of a sweep", table_options},
    [COLUMNS] = {"columns", "column of each compressed index, row by row", columns_options},
    [GEOMETRY] = {"geometry", "threads and blocks of a launch", geometry_options},
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
  CUDA_CHECK(cudaMemset(device_columns, 0xff, count * sizeof *columns)); /* unwritten entries are −1 */
  unwritten_check(compressed_columns(g.nx, g.ny, colour, device_columns), "compressed_columns");
  CUDA_CHECK(cudaGetLastError());
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

int main(int argc, char **argv) {
  switch (options_parse("one thread per point of one colour", commands, argc, argv)) {
  case TABLE:
    return sweeps_table(VARIANTS, variants);
  case COLUMNS:
    return run_columns();
  case GEOMETRY:
    return run_geometry();
  case SERVE:
    return sweeps_serve(&variants[variant]);
  default:
    return sweeps_apply(&variants[variant]);
  }
}
