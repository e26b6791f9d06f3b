#include "sweeps.h"
#include "allocate.h"
#include "plural.h"
#include "progress.h"
#include "reference.h"
#include "stopwatch.h"

#include <stdlib.h>

const char *const sweeps_colours[] = {
    [SWEEPS_BOTH] = "both", [SWEEPS_RED] = "red", [SWEEPS_BLACK] = "black", NULL};
struct sweeps_settings sweeps_settings = {.seed = 1, .sweeps = 1, .repeats = 11, .sizes = "1024,2048,4096"};

/* --- input --- */

struct grid sweeps_grid(void) {
  const int nx = sweeps_settings.nx ? sweeps_settings.nx : 65;
  return grid_make(nx, sweeps_settings.ny ? sweeps_settings.ny : nx);
}

void sweeps_read(struct grid *g, float **u, float **f) {
  const struct sweeps_settings *s = &sweeps_settings;
  *u = *f = NULL;
  if (s->u_path)
    *u = fields_read(s->u_path, NPY_FLOAT32, s->nx, s->ny, NULL, g);
  if (s->f_path)
    *f = fields_read(s->f_path, NPY_FLOAT32, *u ? g->nx : s->nx, *u ? g->ny : s->ny, s->u_path, g);
  if (!*u && !*f)
    *g = sweeps_grid();
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

struct sweeps_input sweeps_input(void) {
  struct sweeps_input in;
  sweeps_read(&in.g, &in.u, &in.f);
  sweeps_fill_random(in.g, &in.u, &in.f);
  in.h2f = sweeps_h2f(in.g, in.f);
  return in;
}

void sweeps_free(struct sweeps_input *in) {
  free(in->h2f);
  free(in->f);
  free(in->u);
}

/* --- arrays --- */

static float *device_copy(struct grid g, const float *values) {
  float *array;
  CUDA_CHECK(cudaMalloc((void **)&array, grid_points(g) * sizeof *array));
  CUDA_CHECK(cudaMemcpy(array, values, grid_points(g) * sizeof *array, cudaMemcpyHostToDevice));
  return array;
}

struct sweeps_arrays sweeps_open(struct grid g, const float *h2f, const float *u) {
  return (struct sweeps_arrays){.g = g, .h2f = device_copy(g, h2f), .u = device_copy(g, u)};
}

void sweeps_get(const struct sweeps_arrays *d, float *u) {
  CUDA_CHECK(cudaMemcpy(u, d->u, grid_points(d->g) * sizeof *u, cudaMemcpyDeviceToHost));
}

void sweeps_close(struct sweeps_arrays *d) {
  CUDA_CHECK(cudaFree(d->h2f));
  CUDA_CHECK(cudaFree(d->u));
  CUDA_CHECK(cudaFree(d->next));
}

void sweeps_print(const char *variant, struct grid g, double ms) {
  const int sweeps = sweeps_settings.sweeps;
  progress_clear();
  printf("%s: nx %d, ny %d, %d sweep%s", variant, g.nx, g.ny, sweeps, PLURAL(sweeps));
  if (sweeps > 0)
    printf(", %.4f ms each", ms / sweeps);
  printf("\n");
}

/* --- the table of times --- */

enum { BYTES_PER_POINT = 3 * sizeof(float) };

/* Time in ms of a copy that moves as many bytes as a sweep must. */
static double time_copy(struct grid g, const float *u, double *samples) {
  float *source = device_copy(g, u), *target = device_copy(g, u);
  const double ms =
      stopwatch_copy(target, source, grid_points(g) * sizeof *u, sweeps_settings.repeats, samples);
  CUDA_CHECK(cudaFree(source));
  CUDA_CHECK(cudaFree(target));
  return ms * BYTES_PER_POINT / (2 * sizeof *u);
}

void sweeps_times_open(struct sweeps_times *t) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -12, NULL, "variant", NULL},
                                                {NULL, 0, NULL, "kernel", NULL},
                                                {"sweep (ms)", 12, "%.4f", "sweep_ms", "%.6f"},
                                                {"GB/s", 10, "%.1f", "gigabytes_per_s", "%.3f"},
                                                {"of copy", 10, "%.2f", "fraction_of_copy", "%.4f"},
                                                TABLE_END};
  *t = (struct sweeps_times){.sizes = sizes_read(sweeps_settings.sizes, FIELDS_MIN, FIELDS_MAX)};
  table_open(&t->table, sweeps_settings.csv_path, columns,
             "device %s; time of a sweep by device events, median of %d", stopwatch_device(),
             sweeps_settings.repeats);
  t->samples = allocate_zeroed((size_t)sweeps_settings.repeats, sizeof *t->samples);
}

bool sweeps_times_next(struct sweeps_times *t) {
  float *f = NULL;
  free(t->h2f);
  free(t->u);
  t->h2f = t->u = NULL;
  if (t->next == t->sizes.count)
    return false;
  const int n = t->sizes.n[t->next++];
  t->g = grid_make(n, n);
  sweeps_fill_random(t->g, &t->u, &f);
  t->h2f = sweeps_h2f(t->g, f);
  free(f);
  t->copy_ms = time_copy(t->g, t->u, t->samples);
  return true;
}

void sweeps_times_row(struct sweeps_times *t, const char *name, const char *kernel, int part) {
  const double ms = timing_summarise((size_t)sweeps_settings.repeats, t->samples).median;
  const struct table_cell row[] = {table_number(t->g.nx),
                                   table_text(name),
                                   table_text(kernel),
                                   table_number(ms),
                                   table_number(BYTES_PER_POINT * (double)grid_points(t->g) / (ms * 1e6)),
                                   table_number(t->copy_ms / ms)};
  if (part)
    table_unwritten(&t->table, row, 2, NULL, part);
  else
    table_row(&t->table, row);
}

int sweeps_times_close(struct sweeps_times *t) {
  free(t->samples);
  free(t->sizes.n);
  return table_close(&t->table);
}
