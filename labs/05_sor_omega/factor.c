#include "factor.h"

#include "error.h"
#include "plural.h"
#include "solver.h"
#include "stopwatch.h"
#include "triples.h"

#include <math.h>

struct factor_settings factor_settings = {
    .omega = NAN, .rho = NAN, .radius_tolerance = 1e-4, .limit = 100000};

static const struct factor_settings *const f = &factor_settings;

const struct options_option factor_omega_options[] = {
    OPTIONS_DOUBLE("rho", &factor_settings.rho, 0, 1, "spectral radius of the Jacobi matrix, 1 excluded"),
    OPTIONS_END,
};
const struct options_option factor_radius_options[] = {
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    OPTIONS_FLAG("csr", &factor_settings.from_csr, "use the grid's operator as a sparse matrix"),
    OPTIONS_STRING("matrix", &factor_settings.matrix_path, "FILE",
                   "use this matrix: (row, column, value) of each entry, float64"),
    OPTIONS_DOUBLE("tolerance", &factor_settings.radius_tolerance, 0, 1,
                   "bound on the error of rho, relative to |1 - rho|"),
    OPTIONS_INT("limit", &factor_settings.limit, 1, 100000000, FACTOR_LIMIT_HELP),
    OPTIONS_END,
};

static double young(double radius) {
  double optimal = NAN;
  unwritten_check(omega_optimal(radius, &optimal), "omega_optimal");
  return optimal;
}

static struct radius_control radius_control(void) {
  return (struct radius_control){f->radius_tolerance, f->limit};
}

double factor_choose(struct grid g) {
  if (f->omega <= 0 || f->omega >= 2)
    error_die("--omega %g: expected a number above 0 and below 2", f->omega);
  if (!isnan(f->omega))
    return f->omega;
  if (f->source == FACTOR_FORMULA)
    return setup_formula_omega(g);
  const struct stopwatch watch = stopwatch_start();
  const struct radius_result found = solver_radius_of_grid(g, radius_control());
  const double ms = stopwatch_stop(watch);
  if (found.status != SOR_CONVERGED || !(found.rho >= 0 && found.rho < 1))
    error_die("power iteration: %s after %d sweep%s, rho %.9g: expected a radius below 1; raise --limit, or "
              "give --omega",
              solver_status[found.status], found.applications, PLURAL(found.applications), found.rho);
  printf("omega %.6f by power iteration: %d sweep%s, %.4f ms\n", young(found.rho), found.applications,
         PLURAL(found.applications), ms);
  return young(found.rho);
}

int factor_show_omega(void) {
  if (!(f->rho < 1))
    error_die("--rho %g: expected a number from 0 to below 1", f->rho);
  printf("rho %.17g: omega %.17g\n", f->rho, young(f->rho));
  return 0;
}

int factor_show_radius(void) {
  if (f->matrix_path && (f->from_csr || sweeps_settings.nx || sweeps_settings.ny))
    error_die("--matrix %s: expected no --nx, --ny or --csr with it", f->matrix_path);
  const struct grid g = sweeps_grid();
  struct reference_csr a = {0};
  if (f->matrix_path || f->from_csr)
    a = f->matrix_path ? triples_read(f->matrix_path) : reference_csr_assemble(g, setup_settings.kappa);
  const struct stopwatch watch = stopwatch_start();
  const struct radius_result found =
      a.rows ? solver_radius_of_matrix(&a, radius_control()) : solver_radius_of_grid(g, radius_control());
  const double ms = stopwatch_stop(watch);
  printf("rho %.12f: %s after %d application%s of B², %.4f ms\n", found.rho, solver_status[found.status],
         found.applications, PLURAL(found.applications), ms);
  if (found.rho < 1)
    printf("omega %.12f\n", reference_omega_optimal(found.rho));
  if (!f->matrix_path)
    printf("formula: rho %.12f, omega %.12f\n", reference_jacobi_radius(g, setup_settings.kappa),
           setup_formula_omega(g));
  return found.status == SOR_CONVERGED ? 0 : FACTOR_FAILED_STATUS;
}
