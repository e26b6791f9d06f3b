#define _GNU_SOURCE /* program_invocation_short_name */
#include "sweeps.h"
#include "allocate.h"
#include "output.h"
#include "progress.h"
#include "reference.h"
#include "serve.h"
#include "stopwatch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_POINT = 3 * sizeof(float) };
enum { BOTH, RED, BLACK };

const char *const sweeps_colours[] = {[BOTH] = "both", [RED] = "red", [BLACK] = "black", NULL};
struct sweeps_settings sweeps_settings = {.seed = 1, .sweeps = 1, .repeats = 11, .sizes = "1024,2048,4096"};

void sweeps_die_unwritten(int part, const char *function) {
  progress_clear();
  fprintf(stderr, "%s: %s: TODO(%d): not written yet\n", program_invocation_short_name, function, part);
  exit(SWEEPS_UNWRITTEN_STATUS);
}

/* --- the interleaved layout --- */

static float *device_copy(struct grid g, const float *values) {
  float *array;
  CUDA_CHECK(cudaMalloc((void **)&array, grid_points(g) * sizeof *array));
  CUDA_CHECK(cudaMemcpy(array, values, grid_points(g) * sizeof *array, cudaMemcpyHostToDevice));
  return array;
}

static int interleaved_open(struct grid g, const float *h2f, const float *u, void **arrays) {
  struct sweeps_interleaved *d = allocate_zeroed(1, sizeof *d);
  *d = (struct sweeps_interleaved){.g = g, .h2f = device_copy(g, h2f), .u = device_copy(g, u)};
  *arrays = d;
  return 0;
}

static int interleaved_get(const void *arrays, float *u) {
  const struct sweeps_interleaved *d = arrays;
  CUDA_CHECK(cudaMemcpy(u, d->u, grid_points(d->g) * sizeof *u, cudaMemcpyDeviceToHost));
  return 0;
}

static void interleaved_close(void *arrays) {
  struct sweeps_interleaved *d = arrays;
  CUDA_CHECK(cudaFree(d->h2f));
  CUDA_CHECK(cudaFree(d->u));
  CUDA_CHECK(cudaFree(d->next));
  free(d);
}

const struct sweeps_layout sweeps_interleaved_layout = {interleaved_open, interleaved_get, interleaved_close};

/* --- the filter --- */

void sweeps_read(struct grid *g, float **u, float **f) {
  const struct sweeps_settings *s = &sweeps_settings;
  *u = *f = NULL;
  if (s->u_path)
    *u = fields_read(s->u_path, NPY_FLOAT32, s->nx, s->ny, NULL, g);
  if (s->f_path)
    *f = fields_read(s->f_path, NPY_FLOAT32, *u ? g->nx : s->nx, *u ? g->ny : s->ny, s->u_path, g);
  if (!*u && !*f) {
    const int nx = s->nx ? s->nx : 65;
    *g = grid_make(nx, s->ny ? s->ny : nx);
  }
}

/* Both are drawn, f first, so that neither depends on where the other comes from. */
void sweeps_fill_random(struct grid g, float **u, float **f) {
  struct random random = random_seed((uint64_t)sweeps_settings.seed);
  float *random_f = fields_random(&random, g), *random_u = fields_random(&random, g);
  if (*f)
    free(random_f);
  else
    *f = random_f;
  if (*u)
    free(random_u);
  else
    *u = random_u;
}

float *sweeps_h2f(struct grid g, const float *f) {
  float *h2f = allocate_zeroed(grid_points(g), sizeof *h2f);
  reference_h2f_float(g, f, h2f);
  return h2f;
}

static int sweep(const struct sweeps_variant *variant, void *arrays) {
  if (variant->sweep)
    return variant->sweep(arrays);
  const int part = variant->half_sweep(arrays, GRID_RED);
  return part ? part : variant->half_sweep(arrays, GRID_BLACK);
}

/* One pass of at most limit sweeps; *done: how many it was. */
static int pass(const struct sweeps_variant *variant, void *arrays, int limit, int *done) {
  *done = 1;
  if (!variant->fused)
    return sweep(variant, arrays);
  *done = limit < variant->at_once ? limit : variant->at_once;
  return variant->fused(arrays, *done);
}

static int half_sweep_or_pass(const struct sweeps_variant *variant, void *arrays, int limit, int *done) {
  *done = 1;
  if (sweeps_settings.colour == BOTH)
    return pass(variant, arrays, limit, done);
  return variant->half_sweep(arrays, sweeps_settings.colour == RED ? GRID_RED : GRID_BLACK);
}

static void die_if_unwritten(int part, const struct sweeps_variant *variant) {
  const bool half = sweeps_settings.colour != BOTH && variant->half_function;
  if (part)
    sweeps_die_unwritten(part, half ? variant->half_function : variant->function);
}

/* A file that cannot be written is bad input too: say so before the work, not after it. */
static void check_output(const char *path) {
  struct error error;
  if (path && !output_check(path, &error))
    error_die("%s", error.text);
}

/* Milliseconds of count sweeps, or half-sweeps. */
static double time_passes(const struct sweeps_variant *variant, void *arrays, int count) {
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0, done; n < count; n += done) {
    die_if_unwritten(half_sweep_or_pass(variant, arrays, count - n, &done), variant);
    CUDA_CHECK(cudaGetLastError());
    progress_show("%s: sweep %d of %d", variant->name, n + done, count);
  }
  return stopwatch_stop(watch);
}

int sweeps_apply(const struct sweeps_variant *variant) {
  const struct sweeps_settings *s = &sweeps_settings;
  struct grid g;
  float *u, *f;
  void *arrays;
  if (s->colour != BOTH && !variant->half_sweep)
    error_die("--colour %s: %s has no half-sweeps: expected both", sweeps_colours[s->colour], variant->name);
  check_output(s->out_path);
  sweeps_read(&g, &u, &f);
  sweeps_fill_random(g, &u, &f);
  float *h2f = sweeps_h2f(g, f);
  die_if_unwritten(variant->layout->open(g, h2f, u, &arrays), variant);
  const double ms = time_passes(variant, arrays, s->sweeps);
  die_if_unwritten(variant->layout->get(arrays, u), variant);
  variant->layout->close(arrays);
  progress_clear();
  printf("%s: nx %d, ny %d, %d sweeps", variant->name, g.nx, g.ny, s->sweeps);
  if (s->sweeps > 0)
    printf(", %.4f ms each", ms / s->sweeps);
  printf("\n");
  fields_write(s->out_path, NPY_FLOAT32, g, u);
  free(u);
  free(f);
  free(h2f);
  return 0;
}

/* --- the server --- */

enum { SERVED_INPUTS = 1 << 20 };

struct served {
  const struct sweeps_variant *variant;
  struct grid g;
  float *h2f, *pool; /* u of a request begins at one of SERVED_INPUTS places of the pool */
};

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct served *served = context;
  const struct sweeps_variant *variant = served->variant;
  void *arrays;
  die_if_unwritten(
      variant->layout->open(served->g, served->h2f, served->pool + seed % SERVED_INPUTS, &arrays), variant);
  const double ms = time_passes(variant, arrays, count);
  die_if_unwritten(variant->layout->get(arrays, u), variant);
  variant->layout->close(arrays);
  return ms;
}

int sweeps_serve(const struct sweeps_variant *variant) {
  struct random random = random_seed((uint64_t)sweeps_settings.seed);
  struct grid g;
  float *u, *f;
  sweeps_read(&g, &u, &f);
  f = fields_random(&random, g);
  struct served served = {.variant = variant, .g = g, .h2f = sweeps_h2f(g, f)};
  const size_t count = grid_points(g) + SERVED_INPUTS;
  served.pool = allocate_zeroed(count, sizeof *served.pool);
  for (size_t k = 0; k < count; k++)
    served.pool[k] = random_float(&random, -1, 1);
  const int status = serve(grid_points(g) * sizeof *u, answer, &served);
  free(served.pool);
  free(served.h2f);
  free(f);
  return status;
}

/* --- the table --- */

struct timing {
  int n;
  const struct sweeps_variant *variant;
  int part; /* not written; 0 when it is */
  double ms, gigabytes_per_s, of_copy;
};

/* Milliseconds in which a copy moves as many bytes as a sweep must. */
static double time_copy(struct grid g, const float *u, double *samples) {
  float *source = device_copy(g, u), *target = device_copy(g, u);
  const double ms =
      stopwatch_copy(target, source, grid_points(g) * sizeof *u, sweeps_settings.repeats, samples);
  CUDA_CHECK(cudaFree(source));
  CUDA_CHECK(cudaFree(target));
  return ms * BYTES_PER_POINT / (2 * sizeof *u);
}

static int time_sweeps(const struct sweeps_variant *variant, void *arrays, double *samples) {
  for (int n = -1; n < sweeps_settings.repeats; n++) {
    const struct stopwatch watch = stopwatch_start();
    int done;
    const int part = pass(variant, arrays, INT_MAX, &done);
    CUDA_CHECK(cudaGetLastError());
    samples[n < 0 ? 0 : n] = stopwatch_stop(watch) / done;
    if (part)
      return part;
    progress_show("%s: sweep %d of %d", variant->name, n + 2, sweeps_settings.repeats + 1);
  }
  return 0;
}

static struct timing time_variant(const struct sweeps_variant *variant, struct grid g, const float *h2f,
                                  const float *u, double *samples) {
  struct timing row = {.n = g.nx, .variant = variant};
  void *arrays;
  row.part = variant->layout->open(g, h2f, u, &arrays);
  if (!row.part)
    row.part = time_sweeps(variant, arrays, samples);
  variant->layout->close(arrays);
  if (!row.part)
    row.ms = timing_summarise((size_t)sweeps_settings.repeats, samples).median;
  return row;
}

static void print_timing(const struct timing *row) {
  progress_clear();
  printf("%6d  %-12s", row->n, row->variant->name);
  if (row->part)
    printf("TODO(%d): not written yet\n", row->part);
  else
    printf("%12.4f%10.1f%10.2f\n", row->ms, row->gigabytes_per_s, row->of_copy);
}

/* One size: the copy, then every variant. */
static void time_size(int n, int count, const struct sweeps_variant *variants, struct timing *rows) {
  const struct grid g = grid_make(n, n);
  double *samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *samples);
  float *u = NULL, *f = NULL;
  sweeps_fill_random(g, &u, &f);
  float *h2f = sweeps_h2f(g, f);
  const double copy_ms = time_copy(g, u, samples);
  for (int v = 0; v < count; v++) {
    rows[v] = time_variant(&variants[v], g, h2f, u, samples);
    rows[v].gigabytes_per_s = BYTES_PER_POINT * (double)grid_points(g) / (rows[v].ms * 1e6);
    rows[v].of_copy = copy_ms / rows[v].ms;
    print_timing(&rows[v]);
  }
  free(samples);
  free(u);
  free(f);
  free(h2f);
}

static void write_timings(size_t count, const struct timing *rows) {
  struct output csv;
  struct error error;
  if (!output_open(&csv, sweeps_settings.csv_path, &error))
    error_die("%s", error.text);
  fprintf(csv.stream, "n,variant,kernel,sweep_ms,gigabytes_per_s,fraction_of_copy\n");
  for (const struct timing *row = rows; row < rows + count; row++)
    if (!row->part)
      fprintf(csv.stream, "%d,%s,%s,%.6f,%.3f,%.4f\n", row->n, row->variant->name, row->variant->kernel,
              row->ms, row->gigabytes_per_s, row->of_copy);
  if (!output_commit(&csv, &error))
    error_die("%s", error.text);
}

static int next_size(const char **rest) {
  return options_next_int("sizes", sweeps_settings.sizes, rest, FIELDS_MIN, FIELDS_MAX);
}

int sweeps_table(int count, const struct sweeps_variant *variants) {
  size_t rows = 0, done = 0;
  const char *rest = sweeps_settings.sizes;
  do
    next_size(&rest);
  while (rows += (size_t)count, *rest);
  check_output(sweeps_settings.csv_path);
  struct timing *timings = allocate_zeroed(rows, sizeof *timings);
  printf("device %s; a sweep by device events, medians of %d\n%6s  %-12s%12s%10s%10s\n", stopwatch_device(),
         sweeps_settings.repeats, "N", "variant", "sweep (ms)", "GB/s", "of copy");
  for (rest = sweeps_settings.sizes; *rest; done += (size_t)count)
    time_size(next_size(&rest), count, variants, timings + done);
  int status = 0;
  for (size_t n = 0; n < rows; n++)
    if (timings[n].part)
      status = SWEEPS_UNWRITTEN_STATUS;
  if (sweeps_settings.csv_path)
    write_timings(rows, timings);
  free(timings);
  return status;
}
