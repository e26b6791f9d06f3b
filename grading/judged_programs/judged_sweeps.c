#include "judged_sweeps.h"

#include "allocate.h"
#include "judged_grids.h"
#include "progress.h"
#include "stopwatch.h"

#include <stdlib.h>

int judged_earlier;

/* --- the interleaved layout --- */

static int interleaved_open(struct grid g, const float *h2f, const float *u, void **arrays) {
  struct sweeps_arrays *d = allocate_zeroed(1, sizeof *d);
  *d = sweeps_open(g, h2f, u);
  *arrays = d;
  return 0;
}

static int interleaved_get(const void *arrays, float *u) {
  sweeps_get(arrays, u);
  return 0;
}

static void interleaved_close(void *arrays) {
  sweeps_close(arrays);
  free(arrays);
}

static void interleaved_open_far(struct grid g, const float *u, void **arrays) {
  struct sweeps_arrays *d = allocate_zeroed(1, sizeof *d);
  d->g = g;
  judged_far_open(grid_points(g) * sizeof *d->u, 2, (void **[]){(void **)&d->h2f, (void **)&d->u});
  judged_far_put(d->u, grid_points(g), grid_points(judged_far_strip(g)), sizeof *u, u);
  *arrays = d;
}

static void interleaved_get_far(const void *arrays, float *u) {
  const struct sweeps_arrays *d = arrays;
  judged_far_get(d->u, grid_points(d->g), grid_points(judged_far_strip(d->g)), sizeof *u, u);
}

const struct judged_layout judged_interleaved = {interleaved_open, interleaved_get, interleaved_close,
                                                 interleaved_open_far, interleaved_get_far};

/* --- sweeps --- */

static void check_written(int part, const struct judged_sweeps *sweeps) {
  unwritten_check(part, sweeps->function);
}

/* Queues count sweeps, or half-sweeps, and does not wait. The watch is marked. */
static struct stopwatch queue_passes(const struct judged_sweeps *sweeps, void *arrays, int count) {
  struct heap heap = heap_watch(sweeps->function);
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0, done; n < count; n += done) {
    check_written(sweeps->pass(arrays, count - n, &done), sweeps);
    heap_note_call(&heap);
    CUDA_CHECK(cudaGetLastError());
    progress_show("%s: sweep %d of %d", sweeps->name, n + done, count);
  }
  heap_check(&heap);
  stopwatch_mark(watch);
  return watch;
}

/* Milliseconds of these. */
static double time_passes(const struct judged_sweeps *sweeps, void *arrays, int count) {
  return stopwatch_read(queue_passes(sweeps, arrays, count));
}

/* What a function keeps from these sweeps does not fit the next ones: sides exchanged, fewer rows, then u and h²f. */
static void sweep_earlier(const struct judged_sweeps *sweeps, struct grid g, const float *h2f,
                          const float *u) {
  const struct {
    struct grid g;
    const float *h2f, *u;
  } others[] = {{grid_make(g.ny, g.nx), h2f, u}, {judged_fewer_rows(g), h2f, u}, {g, u, h2f}};
  for (size_t n = 0; judged_earlier > 0 && n < sizeof others / sizeof *others; n++) {
    void *arrays;
    check_written(sweeps->layout->open(others[n].g, others[n].h2f, others[n].u, &arrays), sweeps);
    time_passes(sweeps, arrays, judged_earlier);
    sweeps->layout->close(arrays);
  }
}

static int apply_far(const struct judged_sweeps *sweeps) {
  const struct grid g = sweeps_grid(), strip = judged_far_strip(g);
  float *u = judged_far_values(strip);
  void *arrays;
  sweeps->layout->open_far(g, u, &arrays);
  queue_passes(sweeps, arrays, sweeps_settings.sweeps);
  sweeps->layout->get_far(arrays, u);
  sweeps->layout->close(arrays);
  fields_write(sweeps_settings.out_path, NPY_FLOAT32, strip, u);
  free(u);
  return 0;
}

int judged_sweeps_apply(const struct judged_sweeps *sweeps) {
  const struct sweeps_settings *s = &sweeps_settings;
  void *arrays;
  if (judged_far > 0)
    return apply_far(sweeps);
  fields_check_output(s->out_path);
  struct sweeps_input in = sweeps_input();
  sweep_earlier(sweeps, in.g, in.h2f, in.u);
  check_written(sweeps->layout->open(in.g, in.h2f, in.u, &arrays), sweeps);
  const struct stopwatch watch = queue_passes(sweeps, arrays, s->sweeps);
  /* the first wait: any wait of the function itself comes before it */
  check_written(sweeps->layout->get(arrays, in.u), sweeps);
  const double ms = stopwatch_read(watch);
  sweeps->layout->close(arrays);
  sweeps_print(sweeps->name, in.g, ms);
  fields_write(s->out_path, NPY_FLOAT32, in.g, in.u);
  sweeps_free(&in);
  return 0;
}

/* --- the server --- */

enum { SERVED_INPUTS = 1 << 20 };

struct served {
  const struct judged_sweeps *sweeps;
  struct grid g;
  float *h2f, *pool; /* u of a request begins at one of SERVED_INPUTS places of the pool */
};

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct served *served = context;
  const struct judged_sweeps *sweeps = served->sweeps;
  void *arrays;
  check_written(sweeps->layout->open(served->g, served->h2f, served->pool + seed % SERVED_INPUTS, &arrays),
                sweeps);
  const double ms = time_passes(sweeps, arrays, count);
  check_written(sweeps->layout->get(arrays, u), sweeps);
  sweeps->layout->close(arrays);
  return ms;
}

int judged_sweeps_serve(const struct judged_sweeps *sweeps) {
  struct random random = random_seed((uint64_t)sweeps_settings.seed);
  const struct grid g = sweeps_grid();
  float *f = fields_random(&random, g);
  struct served served = {.sweeps = sweeps, .g = g, .h2f = sweeps_h2f(g, f)};
  const size_t count = grid_points(g) + SERVED_INPUTS;
  served.pool = allocate_zeroed(count, sizeof *served.pool);
  for (size_t k = 0; k < count; k++)
    served.pool[k] = random_float(&random, -1, 1);
  const int status = serve(grid_points(g) * sizeof *f, answer, &served);
  free(served.pool);
  free(served.h2f);
  free(f);
  return status;
}
