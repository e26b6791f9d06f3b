#include "judged_setup.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "judged_grids.h"

#include <stdlib.h>

void judged_set_wider(const char *text) {
  enum { MULTIPLE = 32, MOST = 1024 };
  char *end;
  const long wider = strtol(text, &end, 10);
  if (*end || end == text || wider < 0 || wider > MOST || wider % MULTIPLE != 0)
    error_die("--wider %s: expected a multiple of %d, at most %d", text, MULTIPLE, MOST);
  setup_settings.wider = (int)wider;
}

static struct setup of_call(const struct setup *p, int call) {
  const struct grid g = call == JUDGED_EXCHANGED    ? grid_make(p->g.ny, p->g.nx)
                        : call == JUDGED_FEWER_ROWS ? judged_fewer_rows(p->g)
                                                    : p->g;
  struct setup other = {g, allocate_zeroed(grid_points(g), sizeof *p->f),
                        allocate_zeroed(grid_points(g), sizeof *p->u)};
  for (size_t k = 0; k < grid_points(g); k++) {
    other.f[k] = call == JUDGED_OTHER_F ? 3 * p->f[k] + 1 : p->f[k];
    other.u[k] = p->u[k];
  }
  return other;
}

double judged_other_factor(double factor) { return 0.25 + factor / 2; }

void judged_solve_earlier(const struct setup *p, int calls, const char *function, double factor,
                          void (*solve)(struct setup *problem, double factor)) {
  struct heap heap = heap_watch(function);
  for (int n = 0; n < calls - 1; n++) {
    struct setup other = of_call(p, n);
    solve(&other, n < JUDGED_OTHERS ? judged_other_factor(factor) : factor);
    setup_free(&other);
    if (n >= JUDGED_OTHERS)
      heap_note_call(&heap);
  }
  heap_check(&heap);
}

enum { SERVED_ROWS = 1024 };

struct judged_served judged_serve(struct grid g) {
  if (g.nx % 64 != 0)
    error_die("--nx %d: expected a multiple of 64", g.nx);
  const struct grid tall = {g.nx, g.ny + SERVED_ROWS, g.h};
  struct judged_served served = {.g = g};
  struct random random = random_seed((uint64_t)sweeps_settings.seed);
  double *values = allocate_zeroed(grid_points(tall), sizeof *values);
  for (int i = 0; i < tall.ny; i++)
    for (int j = 1; j < tall.nx - 1; j++)
      values[grid_index(tall, i, j)] = random_double(&random, -1, 1);
  served.h2f = setup_to_device(g, g.h * g.h, values);
  CUDA_CHECK(cudaMalloc((void **)&served.u, 2 * grid_split_points(g) * sizeof *served.u));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    served.pool[colour] = allocate_zeroed(grid_split_points(tall), sizeof *values);
  grid_split_pack(tall, sizeof *values, values, served.pool[GRID_RED], served.pool[GRID_BLACK]);
  free(values);
  return served;
}

/* Shifts by an even number of rows keep the colour of points. */
void judged_take(const struct judged_served *served, uint64_t seed) {
  const size_t half = grid_split_points(served->g), pitch = half / (size_t)served->g.ny;
  const size_t first = seed % (SERVED_ROWS / 2) * 2 * pitch;
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    double *u = served->u + (size_t)colour * half;
    CUDA_CHECK(cudaMemcpy(u, served->pool[colour] + first, half * sizeof *u, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(u, 0, pitch * sizeof *u));
    CUDA_CHECK(cudaMemset(u + half - pitch, 0, pitch * sizeof *u));
  }
}

void judged_answer(const struct judged_served *served, void *values) {
  CUDA_CHECK(cudaMemcpy(values, served->u, 2 * grid_split_points(served->g) * sizeof *served->u,
                        cudaMemcpyDeviceToHost));
}
