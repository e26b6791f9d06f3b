/* Lab 04: the program around split_layout.cu. sweeps.h has the filter and the table of times. This file
 * adds the packed arrays, the table of left neighbours and the matrix product. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed; 2 for bad input; 3 when a part is not written yet. */
#include "split_layout.h"

#include "allocate.h"
#include "error.h"
#include "random.h"
#include "sizes.h"
#include "stopwatch.h"
#include "sweeps.h"
#include "table.h"

#include <stdint.h>
#include <string.h>

/* --- the split layout on the device --- */

struct split {
  struct grid g;
  int pitch;
  float *h2f[2], *u[2]; /* by colour */
  float *next[2];       /* for fused sweeps, else NULL */
};

/* --pack: who packs and unpacks for sweeps; PACK_WIDE: the host, into rows that are longer than they need be. */
enum { PACK_ON_DEVICE, PACK_ON_HOST, PACK_WIDE };
static const char *const packers[] = {
    [PACK_ON_DEVICE] = "device", [PACK_ON_HOST] = "host", [PACK_WIDE] = "wide", NULL};
static int packer = PACK_ON_DEVICE, wider; /* wider: places of a row beyond those that it needs */

static int pitch_of(struct grid g) {
  enum { WIDER = 32 };
  return grid_pitch(g.nx) + (packer == PACK_WIDE ? WIDER : wider);
}

static size_t split_bytes(struct grid g) { return (size_t)pitch_of(g) * (size_t)g.ny * sizeof(float); }

static void split_allocate(struct grid g, float **colours) {
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    CUDA_CHECK(cudaMalloc((void **)&colours[colour], split_bytes(g)));
}

static int calls = 1; /* of a function; the last one counts */

/* Both colours go to the device in one copy, like the interleaved array. */
static int pack_on_host(const struct split *d, const float *values, float *const *colours) {
  const size_t points = grid_split_points(d->g), bytes = points * sizeof(float);
  const size_t row = bytes / (size_t)d->g.ny, pitch = (size_t)d->pitch * sizeof(float);
  float *both = allocate_zeroed(2 * points, sizeof *both), *sent;
  grid_split_pack(d->g, sizeof *both, values, both, both + points);
  CUDA_CHECK(cudaMalloc((void **)&sent, 2 * bytes));
  CUDA_CHECK(cudaMemcpy(sent, both, 2 * bytes, cudaMemcpyHostToDevice));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    if (pitch > row) /* padding may hold any number */
      CUDA_CHECK(cudaMemset(colours[colour], 0xff, split_bytes(d->g)));
    CUDA_CHECK(cudaMemcpy2D(colours[colour], pitch, sent + (size_t)colour * points, row, row, (size_t)d->g.ny,
                            cudaMemcpyDeviceToDevice));
  }
  CUDA_CHECK(cudaFree(sent));
  free(both);
  return 0;
}

/* Zeros the padding of a colour, whose rows have grid_pitch places. In every second row an odd nx leaves a place more. */
static void clear_padding(const struct split *d, int colour, float *u) {
  const size_t places = (size_t)grid_pitch(d->g.nx), place = sizeof *u, pitch = places * place,
               width = ((size_t)d->g.nx + 1) / 2;
  const size_t first = grid_colour_columns(d->g, 0, colour) < (int)width ? 0 : 1, rows = (size_t)d->g.ny;
  CUDA_CHECK(cudaMemset2D(u + width, pitch, 0, pitch - width * place, rows));
  if (d->g.nx % 2)
    CUDA_CHECK(cudaMemset2D(u + first * places + width - 1, 2 * pitch, 0, place, (rows - first + 1) / 2));
}

static int unpack_on_host(const struct split *d, float *u) {
  const size_t points = grid_split_points(d->g), bytes = points * sizeof(float);
  const size_t row = bytes / (size_t)d->g.ny, pitch = (size_t)d->pitch * sizeof(float);
  float *both = allocate_zeroed(2 * points, sizeof *both), *fetched;
  CUDA_CHECK(cudaMalloc((void **)&fetched, 2 * bytes));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    float *copy = fetched + (size_t)colour * points;
    CUDA_CHECK(cudaMemcpy2D(copy, row, d->u[colour], pitch, row, (size_t)d->g.ny, cudaMemcpyDeviceToDevice));
    clear_padding(d, colour, copy);
  }
  CUDA_CHECK(cudaMemcpy(both, fetched, 2 * bytes, cudaMemcpyDeviceToHost));
  grid_split_unpack(d->g, sizeof *both, both, both + points, u);
  CUDA_CHECK(cudaFree(fetched));
  free(both);
  return 0;
}

/* The grid of a call. What a function keeps from earlier calls does not fit the last one: first fewer columns, then fewer
 * rows. */
static struct grid grid_of_call(struct grid g, int call) {
  if (call < calls - 1 && call == 0)
    return grid_make(fields_fewer_rows(grid_make(g.ny, g.nx)).ny, g.ny);
  return call < calls - 1 && call == 1 ? fields_fewer_rows(g) : g;
}

/* Packs values by way of an interleaved array on the device. */
static int pack(const struct split *d, const float *values, float *const *colours) {
  float *interleaved;
  const size_t bytes = grid_points(d->g) * sizeof *interleaved;
  CUDA_CHECK(cudaMalloc((void **)&interleaved, bytes));
  CUDA_CHECK(cudaMemcpy(interleaved, values, bytes, cudaMemcpyHostToDevice));
  int part = 0;
  struct heap heap = heap_watch("split_pack");
  for (int n = 0; n < calls && !part; n++) {
    const struct grid g = grid_of_call(d->g, n);
    part = split_pack(g.nx, g.ny, pitch_of(g), interleaved, colours[GRID_RED], colours[GRID_BLACK]);
    if (n > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFree(interleaved));
  return part;
}

static int split_open(struct grid g, const float *h2f, const float *u, void **arrays) {
  struct split *d = allocate_zeroed(1, sizeof *d);
  *d = (struct split){.g = g, .pitch = pitch_of(g)};
  *arrays = d;
  split_allocate(g, d->h2f);
  split_allocate(g, d->u);
  int (*const to_colours)(const struct split *, const float *, float *const *) =
      packer == PACK_ON_DEVICE ? pack : pack_on_host;
  const int part = to_colours(d, h2f, d->h2f);
  return part ? part : to_colours(d, u, d->u);
}

/* A point that is not unpacked remains NaN. */
static int split_get(const void *arrays, float *u) {
  const struct split *d = arrays;
  float *interleaved;
  const size_t bytes = grid_points(d->g) * sizeof *interleaved;
  if (packer != PACK_ON_DEVICE)
    return unpack_on_host(d, u);
  CUDA_CHECK(cudaMalloc((void **)&interleaved, bytes));
  CUDA_CHECK(cudaMemset(interleaved, 0xff, bytes));
  int part = 0;
  struct heap heap = heap_watch("split_unpack");
  for (int n = 0; n < calls && !part; n++) {
    const struct grid g = grid_of_call(d->g, n);
    part = split_unpack(g.nx, g.ny, pitch_of(g), d->u[GRID_RED], d->u[GRID_BLACK], interleaved);
    if (n > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(u, interleaved, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(interleaved));
  return part;
}

static void split_close(void *arrays) {
  struct split *d = arrays;
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    CUDA_CHECK(cudaFree(d->h2f[colour]));
    CUDA_CHECK(cudaFree(d->u[colour]));
    CUDA_CHECK(cudaFree(d->next[colour]));
  }
  free(d);
}

static const struct sweeps_layout split_layout = {split_open, split_get, split_close};

/* --- variants --- */

static int half_sweep(void *arrays, int colour) {
  struct split *d = arrays;
  return gs_split_half_sweep(d->g.nx, d->g.ny, d->pitch, colour, d->h2f[colour], d->u[!colour], d->u[colour]);
}

static int half_sweep_float4(void *arrays, int colour) {
  struct split *d = arrays;
  return gs_split_float4(d->g.nx, d->g.ny, d->pitch, colour, d->h2f[colour], d->u[!colour], d->u[colour]);
}

static void poison(const struct split *d) {
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    CUDA_CHECK(cudaMemset(d->next[colour], 0xff, split_bytes(d->g)));
}

static int fused_sweeps(void *arrays, int sweeps) {
  struct split *d = arrays;
  if (!d->next[GRID_RED]) {
    split_allocate(d->g, d->next);
    poison(d); /* a value that the first pass does not write remains NaN */
  }
  const int part = gs_fused(d->g.nx, d->g.ny, d->pitch, sweeps, d->h2f[GRID_RED], d->h2f[GRID_BLACK],
                            d->u[GRID_RED], d->u[GRID_BLACK], d->next[GRID_RED], d->next[GRID_BLACK]);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    float *u = d->u[colour];
    d->u[colour] = d->next[colour];
    d->next[colour] = u;
  }
  return part;
}

enum variant { SPLIT, FLOAT4, FUSED, VARIANTS };
static const char *const variant_names[] = {
    [SPLIT] = "split", [FLOAT4] = "float4", [FUSED] = "fused", [VARIANTS] = NULL};
static struct sweeps_variant variants[VARIANTS] = {
    [SPLIT] = {.name = "split",
               .function = "gs_split_half_sweep",
               .kernel = "half_sweep_kernel",
               .layout = &split_layout,
               .half_sweep = half_sweep},
    [FLOAT4] = {.name = "float4",
                .function = "gs_split_float4",
                .kernel = "float4_kernel",
                .layout = &split_layout,
                .half_sweep = half_sweep_float4},
    [FUSED] = {.name = "fused",
               .function = "gs_fused",
               .kernel = "fused_kernel",
               .layout = &split_layout,
               .fused = fused_sweeps,
               .at_once = 7},
};

enum sgemm_variant { NAIVE, TILE, PIPELINED, SGEMM_VARIANTS };
static const char *const sgemm_names[] = {
    [NAIVE] = "naive", [TILE] = "tile", [PIPELINED] = "pipelined", [SGEMM_VARIANTS] = NULL};
static const struct {
  int (*multiply)(int m, int n, int k, const float *a, const float *b, float *c);
  const char *function, *kernel;
} sgemm_variants[SGEMM_VARIANTS] = {[NAIVE] = {sgemm_naive, "sgemm_naive", "naive_kernel"},
                                    [TILE] = {sgemm_tile, "sgemm_tile", "tile_kernel"},
                                    [PIPELINED] = {sgemm_pipelined, "sgemm_pipelined", "pipelined_kernel"}};

/* --- options --- */

static int variant = SPLIT, sgemm_variant = TILE, m = 1024, n = 1024, k = 1024, colour;
static const char *red_path, *black_path, *a_path, *b_path, *table_sizes = "1024,2048,4096";
static const char *const colour_names[] = {[GRID_RED] = "red", [GRID_BLACK] = "black", NULL};

#define FUSE_OPTION                                                                                          \
  OPTIONS_INT("fuse", &variants[FUSED].at_once, 1, FUSED_MAX, "fused: sweeps in one pass over memory")

#define CALLS_OPTION(functions)                                                                              \
  OPTIONS_INT("calls", &calls, 1, 1000, "calls of " functions ", one after the other")

#define WIDER_OPTION                                                                                         \
  OPTIONS_INT("wider", &wider, 0, 1024, "places by which rows are longer than they need be: a multiple of 32")

static const struct options_option apply_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"),
    FUSE_OPTION,
    OPTIONS_CHOICE(
        "pack", &packer, packers,
        "who packs: split_pack; correct code on the host, to test a sweep alone, also into longer rows"),
    WIDER_OPTION,
    CALLS_OPTION("split_pack and split_unpack for an array"),
    SWEEPS_APPLY_OPTIONS,
    OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"), FUSE_OPTION,
    SWEEPS_SERVE_OPTIONS, OPTIONS_END};
static const struct options_option table_options[] = {FUSE_OPTION, SWEEPS_TABLE_OPTIONS, OPTIONS_END};
static const struct options_option pack_options[] = {
    SWEEPS_FIELD_OPTIONS,
    SWEEPS_SEED_OPTION,
    OPTIONS_STRING("red", &red_path, "FILE", "write u of the red points to this file: ny x pitch float32"),
    OPTIONS_STRING("black", &black_path, "FILE", "write u of the black points to this file"),
    WIDER_OPTION,
    CALLS_OPTION("split_pack"),
    HEAP_OPTION,
    OPTIONS_END};
static const struct options_option left_options[] = {
    SWEEPS_GRID_OPTIONS, OPTIONS_CHOICE("colour", &colour, colour_names, "colour of the points"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE",
                   "write the table to this file: ny x pitch int32"),
    OPTIONS_END};
static const struct options_option sgemm_options[] = {
    OPTIONS_CHOICE("variant", &sgemm_variant, sgemm_names, "kernel to run"),
    OPTIONS_INT("m", &m, SGEMM_MIN, SGEMM_MAX, "rows of A and C"),
    OPTIONS_INT("n", &n, SGEMM_MIN, SGEMM_MAX, "columns of B and C"),
    OPTIONS_INT("k", &k, SGEMM_MIN, SGEMM_MAX, "columns of A, rows of B"),
    OPTIONS_STRING("a", &a_path, "FILE", "m x k float32; random if not given"),
    OPTIONS_STRING("b", &b_path, "FILE", "k x n float32; random if not given"),
    SWEEPS_SEED_OPTION,
    CALLS_OPTION("the function"),
    HEAP_OPTION,
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write C to this file: m x n float32"),
    OPTIONS_END};
static const struct options_option sgemm_table_options[] = {
    OPTIONS_STRING("sizes", &table_sizes, "LIST", "m = n = k"),
    OPTIONS_INT("repeats", &sweeps_settings.repeats, 1, 1000,
                "repeats of each measurement, after one warm-up"),
    SWEEPS_SEED_OPTION, SWEEPS_CSV_OPTION, OPTIONS_END};

enum command { APPLY, TABLE_OF_SWEEPS, PACK, LEFT, SGEMM, SGEMM_TABLE, SERVE };
static const struct options_command commands[] = {
    [APPLY] = {NULL, "sweeps of u", apply_options},
    [TABLE_OF_SWEEPS] = {"table", "time of a sweep of each variant", table_options},
    [PACK] = {"pack", "u in the split layout", pack_options},
    [LEFT] = {"left", "indices of the west neighbours of one colour", left_options},
    [SGEMM] = {"sgemm", "C = A B", sgemm_options},
    [SGEMM_TABLE] = {"sgemm-table", "time of C = A B", sgemm_table_options},
    [SERVE] = {"serve", SWEEPS_SERVE_HELP, serve_options},
    OPTIONS_END,
};

/* --- arrays in files --- */

static int run_pack(void) {
  struct grid g;
  float *u, *f;
  sweeps_read(&g, &u, &f);
  sweeps_fill_random(g, &u, &f);
  struct split d = {.g = g, .pitch = pitch_of(g)};
  split_allocate(g, d.next);
  poison(&d);
  unwritten_check(pack(&d, u, d.next), "split_pack");
  float *values = allocate_zeroed(split_bytes(g), 1);
  const char *const paths[] = {[GRID_RED] = red_path, [GRID_BLACK] = black_path};
  for (int c = GRID_RED; c <= GRID_BLACK; c++) {
    CUDA_CHECK(cudaMemcpy(values, d.next[c], split_bytes(g), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d.next[c]));
    fields_write_array(paths[c], NPY_FLOAT32, (size_t)g.ny, (size_t)d.pitch, values);
  }
  printf("nx %d, ny %d, pitch %d\n", g.nx, g.ny, d.pitch);
  free(values);
  free(f);
  free(u);
  return 0;
}

static int run_left(void) {
  const int nx = sweeps_settings.nx ? sweeps_settings.nx : 65;
  const struct grid g = grid_make(nx, sweeps_settings.ny ? sweeps_settings.ny : nx);
  const int pitch = grid_pitch(g.nx);
  int *left = allocate_zeroed(grid_split_points(g), sizeof *left);
  unwritten_check(split_left(g.ny, pitch, colour, left), "split_left");
  printf("%s: nx %d, ny %d, pitch %d\n", colour_names[colour], g.nx, g.ny, pitch);
  fields_write_array(sweeps_settings.out_path, NPY_INT32, (size_t)g.ny, (size_t)pitch, left);
  free(left);
  return 0;
}

/* --- the matrix product --- */

static float *read_matrix(const char *path, int rows, int columns) {
  struct npy array;
  struct error error;
  if (!npy_read(path, NPY_FLOAT32, 2, &array, &error) || !npy_check_finite(path, &array, &error))
    error_die("%s", error.text);
  if (array.shape[0] != (size_t)rows || array.shape[1] != (size_t)columns)
    error_die("%s: shape (%zu, %zu): expected (%d, %d) from --m, --n and --k", path, array.shape[0],
              array.shape[1], rows, columns);
  return array.data;
}

static float *random_matrix(struct random *random, int rows, int columns) {
  const size_t count = (size_t)rows * (size_t)columns;
  float *matrix = allocate_zeroed(count, sizeof *matrix);
  for (size_t e = 0; e < count; e++)
    matrix[e] = random_float(random, -1, 1);
  return matrix;
}

/* Device memory. */
struct matrices {
  int m, n, k;
  float *a, *b, *c;
};

static size_t matrix_bytes(int rows, int columns) { return (size_t)rows * (size_t)columns * sizeof(float); }

static float *device_matrix(int rows, int columns, const float *values) {
  float *matrix;
  CUDA_CHECK(cudaMalloc((void **)&matrix, matrix_bytes(rows, columns)));
  if (values)
    CUDA_CHECK(cudaMemcpy(matrix, values, matrix_bytes(rows, columns), cudaMemcpyHostToDevice));
  else /* an entry that is not written remains NaN */
    CUDA_CHECK(cudaMemset(matrix, 0xff, matrix_bytes(rows, columns)));
  return matrix;
}

/* A and B from files, or random. Draws A first, so that B does not depend on --a. */
static struct matrices matrices_open(int rows, int columns, int inner) {
  struct random random = random_seed((uint64_t)sweeps_settings.seed);
  float *random_a = random_matrix(&random, rows, inner), *random_b = random_matrix(&random, inner, columns);
  float *a = a_path ? read_matrix(a_path, rows, inner) : random_a;
  float *b = b_path ? read_matrix(b_path, inner, columns) : random_b;
  const struct matrices d = {.m = rows,
                             .n = columns,
                             .k = inner,
                             .a = device_matrix(rows, inner, a),
                             .b = device_matrix(inner, columns, b),
                             .c = device_matrix(rows, columns, NULL)};
  if (a != random_a)
    free(a);
  if (b != random_b)
    free(b);
  free(random_a);
  free(random_b);
  return d;
}

static void matrices_close(struct matrices *d) {
  CUDA_CHECK(cudaFree(d->a));
  CUDA_CHECK(cudaFree(d->b));
  CUDA_CHECK(cudaFree(d->c));
}

/* Returns the unwritten part, or 0. Marks the watch, and does not wait. */
static int multiply(const struct matrices *d, int v, struct stopwatch watch) {
  int part = 0;
  struct heap heap = heap_watch(sgemm_variants[v].function);
  for (int call = 0; call < calls && !part; call++) {
    const bool is_other = call < calls - 1; /* fewer columns, then fewer rows, in parts of the arrays */
    const int columns = is_other && call == 0 ? (d->n + 1) / 2 : d->n,
              rows = is_other && call == 1 ? (d->m + 1) / 2 : d->m;
    part = sgemm_variants[v].multiply(rows, columns, d->k, d->a, d->b, d->c);
    if (call > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  stopwatch_mark(watch);
  return part;
}

static double teraflops(const struct matrices *d, double ms) { return 2.0 * d->m * d->n * d->k / (ms * 1e9); }

static int run_sgemm(void) {
  struct matrices d = matrices_open(m, n, k);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(multiply(&d, sgemm_variant, watch), sgemm_variants[sgemm_variant].function);
  float *c = allocate_zeroed((size_t)m * (size_t)n, sizeof *c);
  /* the first wait: any wait of the function itself comes before it */
  CUDA_CHECK(cudaMemcpy(c, d.c, matrix_bytes(m, n), cudaMemcpyDeviceToHost));
  const double ms = stopwatch_read(watch);
  matrices_close(&d);
  printf("%s: m %d, n %d, k %d: %.4f ms\n", sgemm_names[sgemm_variant], m, n, k, ms);
  fields_write_array(sweeps_settings.out_path, NPY_FLOAT32, (size_t)m, (size_t)n, c);
  free(c);
  return 0;
}

/* --- its table --- */

/* Returns the unwritten part, or 0 and the median time. */
static int time_sgemm(const struct matrices *d, int v, double *ms) {
  double *samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *samples);
  int part = 0;
  for (int r = -1; r < sweeps_settings.repeats && !part; r++) {
    const struct stopwatch watch = stopwatch_start();
    part = multiply(d, v, watch);
    samples[r < 0 ? 0 : r] = stopwatch_read(watch);
  }
  *ms = timing_summarise((size_t)sweeps_settings.repeats, samples).median;
  free(samples);
  return part;
}

static void time_size(int size, struct table *table) {
  struct matrices d = matrices_open(size, size, size);
  for (int v = 0; v < SGEMM_VARIANTS; v++) {
    double ms;
    const int part = time_sgemm(&d, v, &ms);
    const struct table_cell row[] = {table_number(size), table_text(sgemm_names[v]),
                                     table_text(sgemm_variants[v].kernel), table_number(ms),
                                     table_number(teraflops(&d, ms))};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  matrices_close(&d);
}

static int run_sgemm_table(void) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -12, NULL, "variant", NULL},
                                                {NULL, 0, NULL, "kernel", NULL},
                                                {"time (ms)", 12, "%.4f", "ms", "%.6f"},
                                                {"TFLOP/s", 10, "%.2f", "teraflop_per_s", "%.3f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(table_sizes, SGEMM_MIN, SGEMM_MAX);
  struct table table;
  table_open(&table, sweeps_settings.csv_path, columns,
             "device %s; time of C = A B by device events, median of %d", stopwatch_device(),
             sweeps_settings.repeats);
  for (int size = 0; size < sizes.count; size++)
    time_size(sizes.n[size], &table);
  free(sizes.n);
  return table_close(&table);
}

int main(int argc, char **argv) {
  const int command = options_parse("one array per colour, wide loads, tiles", commands, argc, argv);
  if (wider % 32 != 0)
    error_die("--wider %d: expected a multiple of 32", wider);
  switch (command) {
  case TABLE_OF_SWEEPS:
    return sweeps_table(VARIANTS, variants);
  case PACK:
    return run_pack();
  case LEFT:
    return run_left();
  case SGEMM:
    return run_sgemm();
  case SGEMM_TABLE:
    return run_sgemm_table();
  case SERVE:
    return sweeps_serve(&variants[variant]);
  default:
    return sweeps_apply(&variants[variant]);
  }
}
