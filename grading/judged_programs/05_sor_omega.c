/* Lab 05, as the suite runs it: other problems before the one that counts, wider rows, a matrix with rows of both
 * signs, and a server. */
#define main lab_main
#include "../../labs/05_sor_omega/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "judged.h"
#include "judged_far.h"
#include "judged_grids.h"
#include "judged_setup.h"

static int calls = 1;

static const struct options_option more_apply[] = {HEAP_OPTION, JUDGED_WIDER, JUDGED_FAR, OPTIONS_END};
static const struct options_option more_radius[] = {JUDGED_CALLS(&calls), HEAP_OPTION, OPTIONS_END};
static const struct options_option more_solve[] = {JUDGED_WIDER, JUDGED_CALLS(&calls), HEAP_OPTION,
                                                   OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTION_OMEGA, SWEEPS_NX, SWEEPS_NY, SETUP_KAPPA, OPTIONS_END,
};

/* --- sweeps --- */

static void judged_split(const struct setup *p, double omega) {
  struct solver_arrays d = solver_open(p);
  const int first = s->colour == SWEEPS_BLACK ? GRID_BLACK : GRID_RED,
            last = s->colour == SWEEPS_RED ? GRID_RED : GRID_BLACK;
  struct heap heap = heap_watch("sor_half_sweep");
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < s->sweeps; n++) {
    for (int colour = first; colour <= last; colour++)
      unwritten_check(sor_half_sweep(&d.g, omega, colour, d.h2f, d.u), heap.function);
    heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaGetLastError());
  print_sweeps(p, omega, stopwatch_stop(watch));
  setup_from_device(p->g, d.u, p->u);
  solver_close(&d);
}

/* A half-sweep of the largest grid. */
static void judged_split_far(void) {
  const struct grid g = sweeps_grid(), strip = judged_far_strip(g);
  const size_t half = grid_split_points(g), count = grid_split_points(strip);
  float *values = judged_far_values(strip);
  double *u = allocate_zeroed(grid_points(strip), sizeof *u),
         *colours = allocate_zeroed(2 * count, sizeof *u);
  struct solver_arrays d = {.g = solver_grid(g)};
  for (size_t k = 0; k < grid_points(strip); k++)
    u[k] = values[k];
  grid_split_pack(strip, sizeof *u, u, colours, colours + count);
  judged_far_open(2 * half * sizeof *d.u, 2, (void **[]){(void **)&d.h2f, (void **)&d.u});
  for (size_t c = 0; c < 2; c++)
    judged_far_put(d.u, (c + 1) * half, count, sizeof *u, colours + c * count);
  unwritten_check(sor_half_sweep(&d.g, 1, s->colour == SWEEPS_BLACK ? GRID_BLACK : GRID_RED, d.h2f, d.u),
                  "sor_half_sweep");
  CUDA_CHECK(cudaGetLastError());
  for (size_t c = 0; c < 2; c++)
    judged_far_get(d.u, (c + 1) * half, count, sizeof *u, colours + c * count);
  solver_close(&d);
  grid_split_unpack(strip, sizeof *u, colours, colours + count, u);
  fields_write(s->out_path, NPY_FLOAT64, strip, u);
  free(colours);
  free(u);
  free(values);
}

/* Some rows of the matrix have the other sign, and so has their f: a function for any matrix must not rely on the signs
 * or zeros of this one. */
static void judged_sequential(const struct setup *p, double omega) {
  const size_t n = grid_points(p->g);
  double *dense = sequential_matrix(p->g);
  judged_couple(n, dense);
  for (size_t k = 0; k < n * n; k++)
    dense[k] *= judged_sign(p->g, k / n);
  for (size_t k = 0; k < n; k++)
    p->f[k] *= judged_sign(p->g, k);
  print_sweeps(p, omega, sequential_sweeps(p, dense, omega));
  free(dense);
}

static int judged_apply(void) {
  check_colour();
  if (judged_far > 0) {
    judged_split_far();
    return 0;
  }
  struct setup p = setup_from_options();
  const double omega = factor_choose(p.g);
  if (variant == SEQUENTIAL)
    judged_sequential(&p, omega);
  else
    judged_split(&p, omega);
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  setup_free(&p);
  return 0;
}

/* --- radius --- */

static struct radius_control radius_control(void) {
  return (struct radius_control){factor_settings.radius_tolerance, factor_settings.limit};
}

/* Of the operator on a grid, or as a sparse matrix. */
static void radius_of(struct grid g, bool is_matrix) {
  struct reference_csr a = {0};
  if (is_matrix) {
    a = reference_csr_assemble(g, setup_settings.kappa);
    solver_radius_of_matrix(&a, radius_control());
  } else {
    solver_radius_of_grid(g, radius_control());
  }
}

/* What a function keeps from these calls does not fit the one on g. The last ones are equal, for --heap. */
static void radius_earlier(struct grid g, bool is_matrix) {
  const struct grid small = grid_make(7, 5);
  struct heap heap = heap_watch(is_matrix ? "jacobi_radius_csr" : "jacobi_radius_grid");
  for (int n = 0; n < calls - 1; n++) {
    radius_of(n == 0 ? grid_make(small.ny, small.nx) : n == 1 ? judged_fewer_rows(g) : small, is_matrix);
    if (n > 1)
      heap_note_call(&heap);
  }
  heap_check(&heap);
}

static int judged_radius(void) {
  const bool is_file = factor_settings.matrix_path != NULL;
  radius_earlier(is_file ? grid_make(6, 6) : sweeps_grid(), is_file || factor_settings.from_csr);
  return factor_show_radius();
}

/* --- solve --- */

static void solve_and_forget(struct setup *p, double omega) { free(solve_once(p, omega).control.history); }

static int judged_solve(void) {
  struct setup p = setup_from_options();
  const double omega = factor_choose(p.g);
  judged_solve_earlier(&p, calls, solver_functions[precision], omega, solve_and_forget);
  const int status = solve(&p, omega);
  setup_free(&p);
  return status;
}

/* --- the server --- */

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct judged_served *served = context;
  struct solver_arrays d = {solver_grid(served->g), served->h2f, served->u};
  judged_take(served, seed);
  const double ms = time_sweeps(&d, factor_choose(served->g), count);
  judged_answer(served, u);
  return ms;
}

static int serve_requests(void) {
  struct judged_served served = judged_serve(sweeps_grid());
  return serve(grid_points(served.g) * sizeof(double), answer, &served);
}

int main(int argc, char **argv) {
  enum { SERVE = COMMANDS };
  const struct options_command judged[] = {
      [APPLY] = {NULL, "sweeps of SOR", judged_options(apply_options, more_apply)},
      [OMEGA] = commands[OMEGA],
      [RADIUS] = {"radius", "spectral radius by power iteration",
                  judged_options(factor_radius_options, more_radius)},
      [SOLVE] = {"solve", "sweeps until the residual is small", judged_options(solve_options, more_solve)},
      [FRAMES] = commands[FRAMES],
      [STUDY] = commands[STUDY],
      [TABLE] = commands[TABLE],
      [SERVE] = {"serve", JUDGED_SERVE_HELP, serve_options},
      OPTIONS_END,
  };
  const int command = options_parse("successive over-relaxation and its factor, judged", judged, argc, argv);
  switch (command) {
  case APPLY:
    return judged_apply();
  case RADIUS:
    return judged_radius();
  case SOLVE:
    return judged_solve();
  case SERVE:
    return serve_requests();
  default:
    return run(command);
  }
}
