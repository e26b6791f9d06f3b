/* The problem of a program in double: options, files, device. */
#include "setup.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "heap.h"
#include "reference.h"

#include <stdlib.h>

struct setup_settings setup_settings = {.problem = PROBLEM_CONSTANT};
const char *const setup_problems[] = {[PROBLEM_CONSTANT] = "constant",
                                      [PROBLEM_EIGEN] = "eigen",
                                      [PROBLEM_MANUFACTURED] = "manufactured",
                                      [PROBLEM_RANDOM] = "random",
                                      NULL};

static struct sweeps_settings *const s = &sweeps_settings;

static void check_zero_boundary(struct grid g, const double *u) {
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      if (!grid_is_interior(g, i, j) && u[grid_index(g, i, j)] != 0)
        error_die("%s: u = %g at boundary point (%d, %d): expected 0 on the boundary", s->u_path,
                  u[grid_index(g, i, j)], i, j);
}

void setup_set_wider(const char *text) {
  enum { MULTIPLE = 32, MOST = 1024 };
  char *end;
  const long wider = strtol(text, &end, 10);
  if (*end || end == text || wider < 0 || wider > MOST || wider % MULTIPLE != 0)
    error_die("--wider %s: expected a multiple of %d, at most %d", text, MULTIPLE, MOST);
  setup_settings.wider = (int)wider;
}

int setup_pitch(struct grid g) { return grid_pitch(g.nx) + setup_settings.wider; }

struct grid setup_grid(void) {
  const int nx = s->nx ? s->nx : 66;
  return grid_make(nx, s->ny ? s->ny : nx);
}

double *setup_right_hand_side(struct grid g) {
  const struct problem problem = {.kind = (enum problem_kind)setup_settings.problem,
                                  .kappa = setup_settings.kappa,
                                  .p = 1,
                                  .q = 1,
                                  .seed = (uint64_t)s->seed};
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  problem_rhs(&problem, g, f);
  return f;
}

struct setup setup_of(struct grid g) {
  return (struct setup){g, setup_right_hand_side(g), allocate_zeroed(grid_points(g), sizeof(double))};
}

struct setup setup_from_options(void) {
  struct setup p = {0};
  if (s->u_path)
    p.u = fields_read(s->u_path, NPY_FLOAT64, s->nx, s->ny, NULL, &p.g);
  if (s->f_path)
    p.f = fields_read(s->f_path, NPY_FLOAT64, p.u ? p.g.nx : s->nx, p.u ? p.g.ny : s->ny, s->u_path, &p.g);
  if (!p.u && !p.f)
    p.g = setup_grid();
  if (p.u)
    check_zero_boundary(p.g, p.u);
  else
    p.u = allocate_zeroed(grid_points(p.g), sizeof *p.u);
  if (!p.f)
    p.f = setup_right_hand_side(p.g);
  return p;
}

void setup_free(struct setup *p) {
  free(p->f);
  free(p->u);
}

static struct setup of_call(const struct setup *p, int call) {
  const struct grid g = call == SETUP_EXCHANGED    ? grid_make(p->g.ny, p->g.nx)
                        : call == SETUP_FEWER_ROWS ? fields_fewer_rows(p->g)
                                                   : p->g;
  struct setup other = {g, allocate_zeroed(grid_points(g), sizeof *p->f),
                        allocate_zeroed(grid_points(g), sizeof *p->u)};
  for (size_t k = 0; k < grid_points(g); k++) {
    other.f[k] = call == SETUP_OTHER_F ? 3 * p->f[k] + 1 : p->f[k];
    other.u[k] = p->u[k];
  }
  return other;
}

double setup_other_factor(double factor) { return 0.25 + factor / 2; }

void setup_solve_earlier(const struct setup *p, int calls, const char *function, double factor,
                         void (*solve)(struct setup *problem, double factor)) {
  struct heap heap = heap_watch(function);
  for (int n = 0; n < calls - 1; n++) {
    struct setup other = of_call(p, n);
    solve(&other, n < SETUP_OTHERS ? setup_other_factor(factor) : factor);
    setup_free(&other);
    if (n >= SETUP_OTHERS)
      heap_note_call(&heap);
  }
  heap_check(&heap);
}

double setup_formula_omega(struct grid g) {
  return reference_omega_optimal(reference_jacobi_radius(g, setup_settings.kappa));
}

double *setup_to_device(struct grid g, double factor, const double *values) {
  const size_t half = grid_split_points(g), rows = 2 * (size_t)g.ny;
  const size_t row = (size_t)grid_pitch(g.nx) * sizeof(double),
               pitch = (size_t)setup_pitch(g) * sizeof(double);
  double *scaled = allocate_zeroed(grid_points(g), sizeof *scaled);
  double *split = allocate_zeroed(2 * half, sizeof *split), *array;
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++)
      scaled[k] = factor * values[k];
  grid_split_pack(g, sizeof *split, scaled, split, split + half);
  CUDA_CHECK(cudaMalloc((void **)&array, rows * pitch));
  if (pitch > row)
    CUDA_CHECK(cudaMemset(array, 0, rows * pitch));
  CUDA_CHECK(cudaMemcpy2D(array, pitch, split, row, row, rows, cudaMemcpyHostToDevice));
  free(split);
  free(scaled);
  return array;
}

void setup_from_device(struct grid g, const double *array, double *values) {
  const size_t half = grid_split_points(g), rows = 2 * (size_t)g.ny;
  const size_t row = (size_t)grid_pitch(g.nx) * sizeof(double),
               pitch = (size_t)setup_pitch(g) * sizeof(double);
  double *split = allocate_zeroed(2 * half, sizeof *split);
  CUDA_CHECK(cudaMemcpy2D(split, row, array, pitch, row, rows, cudaMemcpyDeviceToHost));
  grid_split_unpack(g, sizeof *split, split, split + half, values);
  free(split);
}

enum { SERVED_ROWS = 1024 };

struct setup_served setup_serve(struct grid g) {
  if (g.nx % 64 != 0)
    error_die("--nx %d: expected a multiple of 64", g.nx);
  const struct grid tall = {g.nx, g.ny + SERVED_ROWS, g.h};
  struct setup_served served = {.g = g};
  struct random random = random_seed((uint64_t)s->seed);
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
void setup_take(const struct setup_served *served, uint64_t seed) {
  const size_t half = grid_split_points(served->g), pitch = half / (size_t)served->g.ny;
  const size_t first = seed % (SERVED_ROWS / 2) * 2 * pitch;
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    double *u = served->u + (size_t)colour * half;
    CUDA_CHECK(cudaMemcpy(u, served->pool[colour] + first, half * sizeof *u, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(u, 0, pitch * sizeof *u));
    CUDA_CHECK(cudaMemset(u + half - pitch, 0, pitch * sizeof *u));
  }
}

void setup_answer(const struct setup_served *served, void *values) {
  CUDA_CHECK(cudaMemcpy(values, served->u, 2 * grid_split_points(served->g) * sizeof *served->u,
                        cudaMemcpyDeviceToHost));
}
