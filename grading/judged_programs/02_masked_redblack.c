/* Lab 02, as the suite runs it: other calls of a function before the one that counts, another 1/h², and a server. */
#define main lab_main
#include "../../labs/02_masked_redblack/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "judged.h"
#include "judged_grids.h"
#include "judged_sweeps.h"

#include <math.h>

static int calls = 1;
static double given_inv_h2;

static const struct options_option more_apply[] = {JUDGED_EARLIER, JUDGED_FAR, HEAP_OPTION, OPTIONS_END};
static const struct options_option more_residual[] = {
    OPTIONS_INT("calls", &calls, 1, 1000,
                "calls of residual_norm; the last one counts, and earlier ones have other grids"),
    OPTIONS_DOUBLE("inv-h2", &given_inv_h2, 0, 1e12, "1/h² that residual_norm gets; 0: (nx − 1)²"),
    JUDGED_FAR,
    HEAP_OPTION,
    OPTIONS_END,
};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, methods_names, "variant of the sweep"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_SEED,
    OPTIONS_END,
};

static int judged_pass(void *arrays, int limit, int *done) {
  (void)limit;
  *done = 1;
  return pass(arrays);
}

static struct residual open_with_spacing(struct grid g, const float *f) {
  struct residual r = residual_open(g, f);
  if (given_inv_h2 > 0)
    r.inv_h2 = given_inv_h2;
  return r;
}

/* u: device memory. What residual_norm keeps of another grid does not fit the calls that count. */
static void residual_of_other_grid(struct grid g, const float *f, const float *u) {
  struct residual r = open_with_spacing(g, f);
  residual_of(&r, u);
  residual_close(&r);
}

/* The norm by the last of the calls. The first have sides exchanged, then fewer rows. */
static double residual_of_calls(const struct residual *r, const float *f, const float *u) {
  const struct grid others[] = {grid_make(r->g.ny, r->g.nx), judged_fewer_rows(r->g)};
  struct heap heap = heap_watch("residual_norm");
  double norm = NAN;
  for (int n = 0; n < calls; n++)
    if (n < calls - 1 && n < 2) {
      residual_of_other_grid(others[n], f, u);
    } else {
      norm = residual_of(r, u);
      heap_note_call(&heap);
    }
  heap_check(&heap);
  return norm;
}

/* The largest grid, on arrays without values. */
static int judged_residual_far(void) {
  struct residual r = {.g = sweeps_grid(), .inv_h2 = 1};
  float *u;
  judged_far_open(grid_points(r.g) * sizeof *u, 2, (void **[]){(void **)&r.f, (void **)&u});
  CUDA_CHECK(cudaMalloc((void **)&r.row_sums, (size_t)r.g.ny * sizeof *r.row_sums));
  residual_of(&r, u);
  return judged_far_close(3, (void *[]){r.f, u, r.row_sums});
}

static int judged_jacobi_far(void) {
  const struct grid g = sweeps_grid();
  float *h2f, *u, *next;
  judged_far_open(grid_points(g) * sizeof *u, 3, (void **[]){(void **)&h2f, (void **)&u, (void **)&next});
  unwritten_check(jacobi_sweep(g.nx, g.ny, h2f, u, next), "jacobi_sweep");
  return judged_far_close(3, (void *[]){h2f, u, next});
}

static int judged_residual(void) {
  struct sweeps_input in = sweeps_input();
  struct sweeps_arrays d = sweeps_open(in.g, in.f, in.u);
  struct residual r = open_with_spacing(in.g, in.f);
  print_residual(residual_of_calls(&r, in.f, d.u), r.norm_f);
  residual_close(&r);
  sweeps_close(&d);
  sweeps_free(&in);
  return 0;
}

int main(int argc, char **argv) {
  enum { SERVE = COMMANDS };
  const struct options_command judged[] = {
      [APPLY] = {NULL, "sweeps of u", judged_options(apply_options, more_apply)},
      [TABLE] = commands[TABLE],
      [RACE] = commands[RACE],
      [RESIDUAL] = {"residual", "the residual of u", judged_options(residual_options, more_residual)},
      [SOLVE] = commands[SOLVE],
      [SERVE] = {"serve", JUDGED_SERVE_HELP, serve_options},
      OPTIONS_END,
  };
  const int command = options_parse("parallel Gauss-Seidel, judged", judged, argc, argv);
  const struct judged_sweeps sweeps = {methods_names[variant], function_of_pass(), &judged_interleaved,
                                       judged_pass};
  switch (command) {
  case APPLY:
    check_colour();
    return judged_far > 0 && variant == JACOBI ? judged_jacobi_far() : judged_sweeps_apply(&sweeps);
  case RESIDUAL:
    return judged_far > 0 ? judged_residual_far() : judged_residual();
  case SERVE:
    return judged_sweeps_serve(&sweeps);
  default:
    return run(command);
  }
}
