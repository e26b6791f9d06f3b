#include "sweeps.h"
#include "allocate.h"
#include "plural.h"
#include "progress.h"
#include "reference.h"
#include "serve.h"
#include "sizes.h"
#include "stopwatch.h"
#include "table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_POINT = 3 * sizeof(float) };
enum { BOTH, RED, BLACK };

const char *const sweeps_colours[] = {[BOTH] = "both", [RED] = "red", [BLACK] = "black", NULL};
struct sweeps_settings sweeps_settings = {.seed = 1, .sweeps = 1, .repeats = 11, .sizes = "1024,2048,4096"};

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

/* Draws u and f in any case, f first, so that neither depends on the source of the other. */
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

/* One pass of at most limit sweeps; *done: their number. */
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

static const char *function_of(const struct sweeps_variant *variant) {
  const bool half = sweeps_settings.colour != BOTH && variant->half_function;
  return half ? variant->half_function : variant->function;
}

static void check_written(int part, const struct sweeps_variant *variant) {
  unwritten_check(part, function_of(variant));
}

/* Queues count sweeps, or half-sweeps, and does not wait. The watch is marked. */
static struct stopwatch queue_passes(const struct sweeps_variant *variant, void *arrays, int count) {
  struct heap heap = heap_watch(function_of(variant));
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0, done; n < count; n += done) {
    check_written(half_sweep_or_pass(variant, arrays, count - n, &done), variant);
    heap_note_call(&heap);
    CUDA_CHECK(cudaGetLastError());
    progress_show("%s: sweep %d of %d", variant->name, n + done, count);
  }
  heap_check(&heap);
  stopwatch_mark(watch);
  return watch;
}

/* Milliseconds of these. */
static double time_passes(const struct sweeps_variant *variant, void *arrays, int count) {
  return stopwatch_read(queue_passes(variant, arrays, count));
}

/* What a function keeps from these sweeps does not fit the next ones: sides exchanged, fewer rows, then u and h²f. */
static void sweep_earlier(const struct sweeps_variant *variant, struct grid g, const float *h2f,
                          const float *u) {
  const struct {
    struct grid g;
    const float *h2f, *u;
  } others[] = {{grid_make(g.ny, g.nx), h2f, u}, {fields_fewer_rows(g), h2f, u}, {g, u, h2f}};
  for (size_t n = 0; sweeps_settings.earlier > 0 && n < sizeof others / sizeof *others; n++) {
    void *arrays;
    check_written(variant->layout->open(others[n].g, others[n].h2f, others[n].u, &arrays), variant);
    time_passes(variant, arrays, sweeps_settings.earlier);
    variant->layout->close(arrays);
  }
}

int sweeps_apply(const struct sweeps_variant *variant) {
  const struct sweeps_settings *s = &sweeps_settings;
  struct grid g;
  float *u, *f;
  void *arrays;
  if (s->colour != BOTH && !variant->half_sweep)
    error_die("--colour %s: %s has no half-sweeps: expected both", sweeps_colours[s->colour], variant->name);
  fields_check_output(s->out_path);
  sweeps_read(&g, &u, &f);
  sweeps_fill_random(g, &u, &f);
  float *h2f = sweeps_h2f(g, f);
  sweep_earlier(variant, g, h2f, u);
  check_written(variant->layout->open(g, h2f, u, &arrays), variant);
  const struct stopwatch watch = queue_passes(variant, arrays, s->sweeps);
  /* the first wait: any wait of the function itself comes before it */
  check_written(variant->layout->get(arrays, u), variant);
  const double ms = stopwatch_read(watch);
  variant->layout->close(arrays);
  progress_clear();
  printf("%s: nx %d, ny %d, %d sweep%s", variant->name, g.nx, g.ny, s->sweeps, PLURAL(s->sweeps));
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
  check_written(variant->layout->open(served->g, served->h2f, served->pool + seed % SERVED_INPUTS, &arrays),
                variant);
  const double ms = time_passes(variant, arrays, count);
  check_written(variant->layout->get(arrays, u), variant);
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

/* Time in ms of a copy that moves as many bytes as a sweep must. */
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

/* Returns 0 and the median, or the part that is not written. */
static int time_variant(const struct sweeps_variant *variant, struct grid g, const float *h2f, const float *u,
                        double *samples, double *ms) {
  void *arrays;
  int part = variant->layout->open(g, h2f, u, &arrays);
  if (!part)
    part = time_sweeps(variant, arrays, samples);
  variant->layout->close(arrays);
  *ms = timing_summarise((size_t)sweeps_settings.repeats, samples).median;
  return part;
}

/* One size: the copy, then every variant. */
static void time_size(struct grid g, int count, const struct sweeps_variant *variants, struct table *table) {
  double *samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *samples), ms;
  float *u = NULL, *f = NULL;
  sweeps_fill_random(g, &u, &f);
  float *h2f = sweeps_h2f(g, f);
  const double copy_ms = time_copy(g, u, samples);
  for (int v = 0; v < count; v++) {
    const int part = time_variant(&variants[v], g, h2f, u, samples, &ms);
    const struct table_cell row[] = {table_number(g.nx),
                                     table_text(variants[v].name),
                                     table_text(variants[v].kernel),
                                     table_number(ms),
                                     table_number(BYTES_PER_POINT * (double)grid_points(g) / (ms * 1e6)),
                                     table_number(copy_ms / ms)};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  free(samples);
  free(u);
  free(f);
  free(h2f);
}

int sweeps_table(int count, const struct sweeps_variant *variants) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -12, NULL, "variant", NULL},
                                                {NULL, 0, NULL, "kernel", NULL},
                                                {"sweep (ms)", 12, "%.4f", "sweep_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(sweeps_settings.sizes, FIELDS_MIN, FIELDS_MAX);
  struct table table;
  table_open(&table, sweeps_settings.csv_path, columns,
             "device %s; time of a sweep by device events, median of %d", stopwatch_device(),
             sweeps_settings.repeats);
  for (int k = 0; k < sizes.count; k++)
    time_size(grid_make(sizes.n[k], sizes.n[k]), count, variants, &table);
  free(sizes.n);
  return table_close(&table);
}
