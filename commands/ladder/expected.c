/* ladder_expected --nx N --sweeps S --out FILE: computes on the host the bits that every rung of the ladder must
 * give: S red-black Gauss-Seidel sweeps of the random u and f that sweeps.h makes for seed 1. */
#include "allocate.h"
#include "error.h"
#include "fields.h"
#include "options.h"
#include "reference.h"

#include <stdlib.h>

static int nx = 4096, sweeps = 7;
static const char *out_path;

static const struct options_option sweep_options[] = {
    OPTIONS_INT("nx", &nx, FIELDS_MIN, FIELDS_MAX, "grid points per row and per column"),
    OPTIONS_INT("sweeps", &sweeps, 0, 1000000, "how many"),
    OPTIONS_STRING("out", &out_path, "FILE", "write u there: nx x nx float32"),
    OPTIONS_END,
};
static const struct options_command commands[] = {{NULL, "sweeps of a random u", sweep_options}, OPTIONS_END};

int main(int argc, char **argv) {
  options_parse("red-black Gauss-Seidel on the host", commands, argc, argv);
  const struct grid g = grid_make(nx, nx);
  struct random random = random_seed(1);
  float *f = fields_random(&random, g), *u = fields_random(&random, g); /* in the order of sweeps.c */
  float *h2f = allocate_zeroed(grid_points(g), sizeof *h2f);
  reference_h2f_float(g, f, h2f);
  for (int n = 0; n < 2 * sweeps; n++)
    reference_gs_half_sweep_float(g, 0, n % 2 ? GRID_BLACK : GRID_RED, h2f, u);
  fields_write(out_path, NPY_FLOAT32, g, u);
  free(h2f);
  free(u);
  free(f);
  return 0;
}
