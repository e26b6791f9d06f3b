/* Lab 08: the program around several_gpus.cu. It reads or makes the problem, calls the contract, and writes .npy files.
 * parts.c has the memory of the GPUs. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or rows are wrong; 2 for bad input; 3 when a part is not written yet. */
#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "parts.h"
#include "plural.h"
#include "setup.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- options --- */

static struct sweeps_settings *const s = &sweeps_settings;
static int gpus = 1, given_rows[SG_MOST], sweeps_before;
static double omega;
static bool has_rows, timed;

static void set_rows(const char *list) {
  const char *rest = list;
  for (gpus = 0; !has_rows; has_rows = !*rest, gpus++) {
    if (gpus == SG_MOST)
      error_die("--rows %s: expected at most %d numbers", list, SG_MOST);
    given_rows[gpus] = options_next_int("rows", list, &rest, 1, SG_MAX);
  }
}

#define GPUS OPTIONS_INT("gpus", &gpus, 1, SG_MOST, "number of GPUs")
#define ROWS                                                                                                 \
  OPTIONS_CALL("rows", set_rows, "LIST", "rows of each GPU, such as 5,1,3, instead of --gpus and sg_rows")
#define PROBLEM GPUS, ROWS, SWEEPS_NX, SWEEPS_NY, SETUP_U, SETUP_F, SETUP_PROBLEM, SETUP_SEED

static const struct options_option sweep_options[] = {
    PROBLEM,
    SWEEPS_SWEEPS,
    SWEEPS_COLOUR,
    OPTIONS_DOUBLE("omega", &omega, 0, 2, "relaxation factor; 0: the best one for the grid"),
    SETUP_OUT,
    OPTIONS_FLAG("time", &timed,
                 "print the time of a sweep; simulated GPUs share one clock, so it means nothing there"),
    OPTIONS_END,
};
static const struct options_option rows_options[] = {SWEEPS_NY, GPUS, OPTIONS_END};
static const struct options_option exchange_options[] = {
    PROBLEM,
    SWEEPS_SWEEPS,
    SWEEPS_COLOUR,
    OPTIONS_STRING(
        "out", &sweeps_settings.out_path, "FILE",
        "write the arrays of all parts, one after the other, with their halo rows; red ones first"),
    OPTIONS_END,
};
static const struct options_option residual_options[] = {
    PROBLEM, OPTIONS_INT("sweeps", &sweeps_before, 0, 1000, "sweeps of u before"), OPTIONS_END};

enum command { SWEEP, ROWS_OF_GPUS, EXCHANGE, RESIDUAL };
static const struct options_command commands[] = {
    [SWEEP] = {NULL, "sweeps of a grid", sweep_options},
    [ROWS_OF_GPUS] = {"rows", "the rows of each GPU", rows_options},
    [EXCHANGE] = {"exchange", "exchanges of halo rows, which are zero before", exchange_options},
    [RESIDUAL] = {"residual", "the square of the residual of u", residual_options},
    OPTIONS_END,
};

/* --- parts --- */

/* One more on each side: a part that a wrong index finds there is empty, and calls with it fail. */
static struct sg_part room[SG_MOST + 2], *const parts = room + 1;

static void check_count(int ny) {
  if (gpus > ny - 2)
    error_die("--gpus %d: the grid has %d interior row%s: expected at most as many GPUs", gpus, ny - 2,
              PLURAL(ny - 2));
}

static void check_given(int ny) {
  int sum = 0;
  for (int k = 0; k < gpus; k++)
    sum += given_rows[k];
  if (sum != ny - 2)
    error_die("--rows: %d row%s in all: expected %d, the interior rows of the grid", sum, PLURAL(sum),
              ny - 2);
}

static void split_rows(int ny) {
  check_count(ny);
  if (has_rows)
    check_given(ny);
  for (int k = 0, next = 1; k < gpus; next += given_rows[k++]) {
    parts[k] = (struct sg_part){.first = next, .count = given_rows[k]};
    if (!has_rows)
      unwritten_check(sg_rows(ny, gpus, k, &parts[k].first, &parts[k].count), "sg_rows");
  }
  parts_check_rows(parts, gpus, ny);
}

/* The problem, its parts on the GPUs, and the halo rows of both colours if `exchanged`. */
static struct setup open_problem(bool exchanged) {
  struct setup problem = setup_from_options();
  split_rows(problem.g.ny);
  parts_find_gpus(gpus);
  parts_open(parts, gpus, problem.g, problem.f, problem.u);
  parts_wait(parts, gpus);
  for (int colour = 0; exchanged && colour < 2; colour++)
    unwritten_check(sg_exchange(parts, gpus, colour), "sg_exchange");
  if (exchanged)
    parts_wait(parts, gpus);
  return problem;
}

static void close_problem(struct setup *problem) {
  parts_close(parts, gpus);
  setup_free(problem);
}

/* --- commands --- */

static int show_rows(void) {
  const int ny = sweeps_grid().ny;
  split_rows(ny);
  for (int k = 0; k < gpus; k++)
    printf("GPU %d: rows %d to %d\n", k, parts[k].first, parts[k].first + parts[k].count - 1);
  return 0;
}

static bool is_wanted(int colour) { return s->colour == SWEEPS_BOTH || s->colour == SWEEPS_RED + colour; }

static void sweep(const struct setup *p, int sweeps) {
  const double factor = omega > 0 ? omega : setup_formula_omega(p->g);
  for (int n = 0; n < sweeps; n++)
    for (int colour = 0; colour < 2; colour++)
      if (is_wanted(colour))
        unwritten_check(sg_half_sweep(parts, gpus, factor, colour), "sg_half_sweep");
}

static int run_sweeps(void) {
  fields_check_output(s->out_path);
  struct setup p = open_problem(true);
  const double start = timing_now();
  sweep(&p, s->sweeps);
  parts_wait(parts, gpus);
  const double ms = 1000 * (timing_now() - start);
  parts_get(parts, gpus, p.g, p.u);
  printf("sweeps: nx %d, ny %d, %d GPU%s, %d sweep%s", p.g.nx, p.g.ny, gpus, PLURAL(gpus), s->sweeps,
         PLURAL(s->sweeps));
  if (timed && s->sweeps > 0)
    printf(", %.4f ms each", ms / s->sweeps);
  printf("\n");
  fields_write(s->out_path, NPY_FLOAT64, p.g, p.u);
  close_problem(&p);
  return 0;
}

static int run_exchange(void) {
  fields_check_output(s->out_path);
  struct setup p = open_problem(false);
  const size_t pitch = (size_t)parts->pitch, rows = (size_t)p.g.ny - 2 + 2 * (size_t)gpus;
  double *arrays = allocate_zeroed(2 * rows * pitch, sizeof *arrays), *next = arrays;
  for (int n = 0; n < s->sweeps; n++)
    for (int colour = 0; colour < 2; colour++)
      if (is_wanted(colour))
        unwritten_check(sg_exchange(parts, gpus, colour), "sg_exchange");
  parts_wait(parts, gpus);
  for (int colour = 0; colour < 2; colour++)
    for (int k = 0; k < gpus; k++, next += (size_t)(parts[k - 1].count + 2) * pitch)
      parts_get_array(&parts[k], colour, next);
  printf("exchange: nx %d, ny %d, %d GPU%s\n", p.g.nx, p.g.ny, gpus, PLURAL(gpus));
  npy_save(s->out_path, NPY_FLOAT64, 2 * rows, pitch, arrays);
  free(arrays);
  close_problem(&p);
  return 0;
}

static int run_residual(void) {
  double *row_squares, square = NAN;
  struct setup p = open_problem(true);
  CUDA_CHECK(cudaMallocHost((void **)&row_squares, (size_t)p.g.ny * sizeof *row_squares));
  sweep(&p, sweeps_before);
  unwritten_check(sg_residual(parts, gpus, p.g.ny, row_squares, &square), "sg_residual");
  parts_wait(parts, gpus);
  printf("residual %.17g, the sum of the squares of %zu points on %d GPU%s\n", square,
         grid_interior_points(p.g), gpus, PLURAL(gpus));
  CUDA_CHECK(cudaFreeHost(row_squares));
  close_problem(&p);
  return 0;
}

int main(int argc, char **argv) {
  static int (*const runs[])(void) = {
      [SWEEP] = run_sweeps, [ROWS_OF_GPUS] = show_rows, [EXCHANGE] = run_exchange, [RESIDUAL] = run_residual};
  s->sweeps = 1;
  return runs[options_parse("sweeps on several GPUs", commands, argc, argv)]();
}
