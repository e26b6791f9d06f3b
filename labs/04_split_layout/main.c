/* Lab 04: the program around split_layout.cu. It sweeps, packs, and makes the table of left neighbours. split.c has
 * the arrays, product.c the matrix product, sweeps.h the options and the input of sweeps. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written yet. */
#include "split_layout.h"

#include "allocate.h"
#include "error.h"
#include "product.h"
#include "progress.h"
#include "split.h"
#include "stopwatch.h"
#include "sweeps.h"

#include <limits.h>

/* --- options --- */

enum variant { SPLIT, FLOAT4, FUSED, VARIANTS };
static const char *const variant_names[] = {
    [SPLIT] = "split", [FLOAT4] = "float4", [FUSED] = "fused", [VARIANTS] = NULL};
static const char *const function_names[] = {
    [SPLIT] = "gs_split_half_sweep", [FLOAT4] = "gs_split_float4", [FUSED] = "gs_fused"};
static const char *const kernel_names[] = {
    [SPLIT] = "half_sweep_kernel", [FLOAT4] = "float4_kernel", [FUSED] = "fused_kernel"};
static const char *const colour_names[] = {[GRID_RED] = "red", [GRID_BLACK] = "black", NULL};

static struct sweeps_settings *const s = &sweeps_settings;
static int variant = SPLIT, fuse = 7, colour;
static const char *red_path, *black_path;
static struct product product = {
    .variant = PRODUCT_TILE, .m = 1024, .n = 1024, .k = 1024, .sizes = "1024,2048,4096"};

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"),
    OPTIONS_INT("fuse", &fuse, 1, FUSED_MAX, "fused: sweeps in one pass over memory"),
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
    OPTIONS_INT("fuse", &fuse, 1, FUSED_MAX, "fused: sweeps in one pass over memory"),
    SWEEPS_SIZES,
    SWEEPS_REPEATS,
    SWEEPS_SEED,
    SWEEPS_CSV,
    OPTIONS_END,
};
static const struct options_option pack_options[] = {
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_U,
    SWEEPS_F,
    SWEEPS_SEED,
    OPTIONS_STRING("red", &red_path, "FILE", "write u of the red points to this file: ny x pitch float32"),
    OPTIONS_STRING("black", &black_path, "FILE", "write u of the black points to this file"),
    OPTIONS_END,
};
static const struct options_option left_options[] = {
    SWEEPS_NX,
    SWEEPS_NY,
    OPTIONS_CHOICE("colour", &colour, colour_names, "colour of the points"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the table to this file: ny x pitch int32"),
    OPTIONS_END,
};
static const struct options_option sgemm_options[] = {
    OPTIONS_CHOICE("variant", &product.variant, product_names, "kernel to run"),
    OPTIONS_INT("m", &product.m, SGEMM_MIN, SGEMM_MAX, "rows of A and C"),
    OPTIONS_INT("n", &product.n, SGEMM_MIN, SGEMM_MAX, "columns of B and C"),
    OPTIONS_INT("k", &product.k, SGEMM_MIN, SGEMM_MAX, "columns of A, rows of B"),
    OPTIONS_STRING("a", &product.a_path, "FILE", "m x k float32; random if not given"),
    OPTIONS_STRING("b", &product.b_path, "FILE", "k x n float32; random if not given"),
    SWEEPS_SEED,
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write C to this file: m x n float32"),
    OPTIONS_END,
};
static const struct options_option sgemm_table_options[] = {
    OPTIONS_STRING("sizes", &product.sizes, "LIST", "m = n = k"),
    SWEEPS_REPEATS,
    SWEEPS_SEED,
    SWEEPS_CSV,
    OPTIONS_END,
};

enum command { APPLY, TABLE, PACK, LEFT, SGEMM, SGEMM_TABLE, COMMANDS };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE] = {"table", "time of a sweep of each variant", table_options},
    [PACK] = {"pack", "u in the split layout", pack_options},
    [LEFT] = {"left", "indices of the west neighbours of one colour", left_options},
    [SGEMM] = {"sgemm", "C = A B", sgemm_options},
    [SGEMM_TABLE] = {"sgemm-table", "time of C = A B", sgemm_table_options},
    OPTIONS_END,
};

/* --- sweeps --- */

static int half_sweep(const struct split *d, int v, int c) {
  if (v == FLOAT4)
    return gs_split_float4(d->g.nx, d->g.ny, d->pitch, c, d->h2f[c], d->u[!c], d->u[c]);
  return gs_split_half_sweep(d->g.nx, d->g.ny, d->pitch, c, d->h2f[c], d->u[!c], d->u[c]);
}

/* The new values are in the second arrays, which take the place of the first. */
static int fused_sweeps(struct split *d, int sweeps) {
  if (!d->next[GRID_RED]) {
    split_allocate(d, d->next);
    split_poison(d, d->next);
  }
  const int part = gs_fused(d->g.nx, d->g.ny, d->pitch, sweeps, d->h2f[GRID_RED], d->h2f[GRID_BLACK],
                            d->u[GRID_RED], d->u[GRID_BLACK], d->next[GRID_RED], d->next[GRID_BLACK]);
  for (int c = GRID_RED; c <= GRID_BLACK; c++) {
    float *u = d->u[c];
    d->u[c] = d->next[c];
    d->next[c] = u;
  }
  return part;
}

/* One pass over memory of at most limit sweeps; *done: their number. Returns 0, or the part that is not written. */
static int pass(struct split *d, int v, int limit, int *done) {
  *done = v != FUSED ? 1 : limit < fuse ? limit : fuse;
  if (v == FUSED)
    return fused_sweeps(d, *done);
  const int part = s->colour == SWEEPS_BLACK ? 0 : half_sweep(d, v, GRID_RED);
  return part || s->colour == SWEEPS_RED ? part : half_sweep(d, v, GRID_BLACK);
}

static void check_colour(void) {
  if (s->colour != SWEEPS_BOTH && variant == FUSED)
    error_die("--colour %s: fused has no half-sweeps: expected both", sweeps_colours[s->colour]);
}

static int run_apply(void) {
  struct split d;
  check_colour();
  fields_check_output(s->out_path);
  struct sweeps_input in = sweeps_input();
  unwritten_check(split_open(&d, in.g, in.h2f, in.u), function_names[variant]);
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0, done; n < s->sweeps; n += done) {
    unwritten_check(pass(&d, variant, s->sweeps - n, &done), function_names[variant]);
    CUDA_CHECK(cudaGetLastError());
    progress_show("%s: sweep %d of %d", variant_names[variant], n + done, s->sweeps);
  }
  const double ms = stopwatch_stop(watch);
  unwritten_check(split_from_colours(&d, in.u), function_names[variant]);
  split_close(&d);
  sweeps_print(variant_names[variant], in.g, ms);
  fields_write(s->out_path, NPY_FLOAT32, in.g, in.u);
  sweeps_free(&in);
  return 0;
}

/* Returns 0, or the part that is not written. */
static int time_sweeps(struct split *d, int v, double *samples) {
  for (int n = -1; n < s->repeats; n++) {
    const struct stopwatch watch = stopwatch_start();
    int done;
    const int part = pass(d, v, INT_MAX, &done);
    CUDA_CHECK(cudaGetLastError());
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch) / done;
    if (part)
      return part;
    progress_show("%s: sweep %d of %d", variant_names[v], n + 2, s->repeats + 1);
  }
  return 0;
}

static int run_table(void) {
  struct sweeps_times t;
  sweeps_times_open(&t);
  while (sweeps_times_next(&t))
    for (int v = 0; v < VARIANTS; v++) {
      struct split d;
      int part = split_open(&d, t.g, t.h2f, t.u);
      if (!part)
        part = time_sweeps(&d, v, t.samples);
      split_close(&d);
      sweeps_times_row(&t, variant_names[v], kernel_names[v], part);
    }
  return sweeps_times_close(&t);
}

/* --- the other commands --- */

static void show_packed(const struct split *d) {
  float *values = allocate_zeroed(split_bytes(d), 1);
  const char *const paths[] = {[GRID_RED] = red_path, [GRID_BLACK] = black_path};
  for (int c = GRID_RED; c <= GRID_BLACK; c++) {
    CUDA_CHECK(cudaMemcpy(values, d->next[c], split_bytes(d), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d->next[c]));
    npy_save(paths[c], NPY_FLOAT32, (size_t)d->g.ny, (size_t)d->pitch, values);
  }
  printf("nx %d, ny %d, pitch %d\n", d->g.nx, d->g.ny, d->pitch);
  free(values);
}

static int run_pack(void) {
  struct sweeps_input in = sweeps_input();
  struct split d = {.g = in.g, .pitch = grid_pitch(in.g.nx)};
  split_allocate(&d, d.next);
  split_poison(&d, d.next);
  unwritten_check(split_to_colours(&d, in.u, d.next), "split_pack");
  show_packed(&d);
  sweeps_free(&in);
  return 0;
}

static int run_left(void) {
  const struct grid g = sweeps_grid();
  const int pitch = grid_pitch(g.nx);
  int *left = allocate_zeroed(grid_split_points(g), sizeof *left);
  unwritten_check(split_left(g.ny, pitch, colour, left), "split_left");
  printf("%s: nx %d, ny %d, pitch %d\n", colour_names[colour], g.nx, g.ny, pitch);
  npy_save(s->out_path, NPY_INT32, (size_t)g.ny, (size_t)pitch, left);
  free(left);
  return 0;
}

static int run(int command) {
  switch (command) {
  case TABLE:
    return run_table();
  case PACK:
    return run_pack();
  case LEFT:
    return run_left();
  case SGEMM:
    return product_run(&product);
  case SGEMM_TABLE:
    return product_table(&product);
  default:
    return run_apply();
  }
}

int main(int argc, char **argv) {
  return run(options_parse("one array per colour, wide loads, tiles", commands, argc, argv));
}
