/* Lab 06: the program around pcg.cu. It reads or makes the problem, calls the contract, and writes .npy and CSV files.
 * solver.c has the calls of the solvers; study.c and times.c are two more commands. --help lists the commands.
 *
 * Exit status: 0; 1 when CUDA failed or a solver did not converge; 2 for bad input; 3 when a part is
 * not written yet. */
#include "pcg.h"
#include "plural.h"

#include "allocate.h"
#include "error.h"
#include "frames.h"
#include "reference.h"
#include "solver.h"
#include "stopwatch.h"
#include "study.h"
#include "times.h"

#include <math.h>
#include <stdlib.h>

enum { FAILED_STATUS = 1 };

/* --- options --- */

static struct sweeps_settings *const s = &sweeps_settings;
static int method = CG, limit = 100000, check_every = 32, frame_count = 60, frame_every = 1;
static double shift, omega = NAN;
static const char *x_path, *y_path;

#define OPTION_OMEGA OPTIONS_DOUBLE("omega", &omega, 0, 2, SOLVER_OMEGA_HELP)
static const struct options_option solve_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names,
                   "plain; fused; red-black preconditioner; only black points; plain with a sparse matrix; "
                   "natural order and Jacobi, both on the host"),
    OPTIONS_STRING("matrix", &solver_matrix_path, "FILE",
                   "csr: this matrix, such as lab 01 writes: (row, column, value) of each entry, float64"),
    OPTION_OMEGA,
    SETUP_TOLERANCE,
    OPTIONS_INT("limit", &limit, 1, 10000000, "largest number of iterations"),
    OPTIONS_INT("check-every", &check_every, 1, 1024,
                "fused, reduced: iterations between two checks by the host"),
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_U,
    SETUP_F,
    SETUP_PROBLEM,
    SETUP_SEED,
    SETUP_OUT,
    OPTIONS_DOUBLE("shift", &shift, -1e12, 1e12, "added to kappa²; a negative one can make A indefinite"),
    OPTIONS_STRING("history", &sweeps_settings.csv_path, "FILE", "write the residuals to this file"),
    OPTIONS_END,
};
static const struct options_option dot_options[] = {
    OPTIONS_STRING("x", &x_path, "FILE", "a vector: float64"),
    OPTIONS_STRING("y", &y_path, "FILE", "another vector of the same length"),
    OPTIONS_END,
};
static const struct options_option ssor_options[] = {
    OPTION_OMEGA,
    SETUP_KAPPA,
    OPTIONS_STRING("r", &sweeps_settings.f_path, "FILE", "r: ny x nx values"),
    OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write z to this file: ny x nx float64"),
    OPTIONS_END,
};
static const struct options_option frames_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names, "as for a solve"),
    OPTION_OMEGA,
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    SETUP_PROBLEM,
    SETUP_SEED,
    FRAMES_COUNT(&frame_count),
    FRAMES_EVERY(&frame_every),
    FRAMES_OUT(&sweeps_settings.out_path),
    OPTIONS_END,
};

enum command { SOLVE, DOT, SSOR, FRAMES, STUDY, TABLE, COMMANDS };
static const struct options_command commands[] = {
    [SOLVE] = {NULL, "iterations until the residual is small", solve_options},
    [DOT] = {"dot", "the product of two vectors", dot_options},
    [SSOR] = {"ssor", "the preconditioner applied to r", ssor_options},
    [FRAMES] = {"frames", "u after each iteration, for an animation", frames_options},
    [STUDY] = {"study", "convergence by method and order of the unknowns", study_options},
    [TABLE] = {"table", "time of an iteration", times_options},
    OPTIONS_END,
};

/* --- solve --- */

static struct solver_run solve_once(struct setup *p, double factor) {
  return solver_run((enum method)method, factor, p, shift,
                    (struct pcg_control){setup_settings.tolerance, limit, check_every, NULL, NULL, NULL});
}

static int solve(struct setup *p, double factor) {
  if (method >= NATURAL && shift != 0)
    error_die("--shift %g: expected 0 for --method %s", shift, solver_names[method]);
  if (solver_matrix_path && method != CSR)
    error_die("--matrix %s: expected --method csr, not %s", solver_matrix_path, solver_names[method]);
  const struct solver_run run = solve_once(p, factor);
  printf("%s: nx %d, ny %d, kappa %g, ", solver_names[method], p->g.nx, p->g.ny, setup_settings.kappa);
  if (method == PCG || method == NATURAL)
    printf("omega %.6f, ", factor);
  printf("%s after %d iteration%s", solver_status[run.result.status], run.result.iterations,
         PLURAL(run.result.iterations));
  if (run.ms >= 0)
    printf(", %.4f ms", run.ms);
  printf("\nrelative residual %.3e", run.result.relative_residual);
  if (shift == 0)
    printf("; recomputed on the host: %.3e",
           reference_relative_residual(p->g, setup_settings.kappa, p->f, p->u));
  printf("\n");
  fields_write(s->out_path, NPY_FLOAT64, p->g, p->u);
  struct history history = history_open(s->csv_path);
  solver_add_history(&history, solver_names[method], &run);
  history_close(&history);
  free(run.history);
  return run.result.status == PCG_CONVERGED ? 0 : FAILED_STATUS;
}

static int run_solve(void) {
  struct setup p = setup_from_options();
  const int status = solve(&p, solver_omega(omega, p.g));
  setup_free(&p);
  return status;
}

/* --- dot, ssor --- */

static double *vector_to_device(const char *option, const char *path, size_t *count) {
  struct error error;
  struct npy array;
  double *device;
  if (!path)
    error_die("%s: expected a file", option);
  if (!npy_read(path, NPY_FLOAT64, 1, &array, &error) || !npy_check_finite(path, &array, &error))
    error_die("%s", error.text);
  *count = npy_count(&array);
  if (*count == 0 || *count > 1 << 30)
    error_die("%s: %zu element%s: expected 1 to %d", path, *count, PLURAL(*count), 1 << 30);
  CUDA_CHECK(cudaMalloc((void **)&device, *count * sizeof *device));
  CUDA_CHECK(cudaMemcpy(device, array.data, *count * sizeof *device, cudaMemcpyHostToDevice));
  npy_free(&array);
  return device;
}

/* Device memory: x, y, and their product before the sums of blocks. */
struct vectors {
  int count;
  double *x, *y, *work;
};

static struct vectors vectors_open(void) {
  size_t nx, ny;
  struct vectors v = {.x = vector_to_device("--x", x_path, &nx)};
  v.y = vector_to_device("--y", y_path, &ny);
  v.count = (int)nx;
  if (nx != ny)
    error_die("%s: %zu element%s: expected %zu, as in %s", y_path, ny, PLURAL(ny), nx, x_path);
  CUDA_CHECK(cudaMalloc((void **)&v.work, (PCG_DOT_BLOCKS + 1) * sizeof *v.work));
  return v;
}

static void vectors_dot(const struct vectors *v, int count) {
  unwritten_check(pcg_dot(count, v->x, v->y, v->work + 1, v->work), "pcg_dot");
}

static void vectors_show(const struct vectors *v) {
  double sum;
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&sum, v->work, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(v->x));
  CUDA_CHECK(cudaFree(v->y));
  CUDA_CHECK(cudaFree(v->work));
  printf("dot %.17g\n", sum);
}

static int run_dot(void) {
  const struct vectors v = vectors_open();
  vectors_dot(&v, v.count);
  vectors_show(&v);
  return 0;
}

/* z = M⁻¹ r. The reference's M⁻¹ belongs to the operator without the factor h², so h²r replaces r. */
struct preconditioned {
  struct grid g;
  double factor, *values; /* r, later z, on the host */
  double *r, *z;          /* device memory */
};

static struct preconditioned preconditioned_open(void) {
  struct preconditioned p;
  if (!s->f_path)
    error_die("--r: expected a file");
  p.values = fields_read(s->f_path, NPY_FLOAT64, 0, 0, NULL, &p.g);
  p.factor = solver_omega(omega, p.g);
  p.r = setup_to_device(p.g, p.g.h * p.g.h, p.values);
  p.z = setup_to_device(p.g, 1, p.values);
  return p;
}

static void preconditioned_apply(const struct preconditioned *p) {
  const struct pcg_grid grid = solver_grid(p->g, 0);
  unwritten_check(ssor_apply(&grid, p->factor, p->r, p->z), "ssor_apply");
}

static void preconditioned_show(const struct preconditioned *p) {
  CUDA_CHECK(cudaGetLastError());
  setup_from_device(p->g, p->z, p->values);
  fields_write(s->out_path, NPY_FLOAT64, p->g, p->values);
  CUDA_CHECK(cudaFree(p->r));
  CUDA_CHECK(cudaFree(p->z));
  free(p->values);
}

static int run_ssor(void) {
  const struct preconditioned p = preconditioned_open();
  preconditioned_apply(&p);
  preconditioned_show(&p);
  return 0;
}

/* --- frames --- */

/* A solver keeps its u until it ends, so each frame is a run of its own. */
static int run_frames(void) {
  const struct grid g = sweeps_grid();
  const double factor = solver_omega(omega, g);
  struct frames frames = frames_open(s->out_path, g, frame_count);
  for (int n = 0; n <= frame_count; n++) {
    const struct pcg_control control = {0, n * frame_every, check_every, NULL, NULL, NULL};
    struct setup p = setup_of(g);
    if (n > 0)
      free(solver_run((enum method)method, factor, &p, 0, control).history);
    frames_add(&frames, p.u);
    setup_free(&p);
  }
  frames_close(&frames);
  return 0;
}

static int (*const runs[])(void) = {[SOLVE] = run_solve,   [DOT] = run_dot,     [SSOR] = run_ssor,
                                    [FRAMES] = run_frames, [STUDY] = study_run, [TABLE] = times_show};

int main(int argc, char **argv) {
  return runs[options_parse("conjugate gradients and their preconditioner", commands, argc, argv)]();
}
