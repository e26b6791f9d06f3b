/* The problem of a program in double: options, files, device. */
#include "setup.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "reference.h"

#include <stdlib.h>

struct setup_settings setup_settings = {.problem = PROBLEM_CONSTANT, .tolerance = 1e-6};
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

int setup_pitch(struct grid g) { return grid_pitch(g.nx) + setup_settings.wider; }

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
    p.g = sweeps_grid();
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
