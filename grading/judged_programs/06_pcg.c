/* Lab 06, as the suite runs it: other problems and other calls before the one that counts, wider rows, dot products
 * that correct code on the host computes, and a server. */
#define main lab_main
#include "../../labs/06_pcg/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "judged.h"
#include "judged_far.h"
#include "judged_grids.h"
#include "judged_setup.h"

enum { DEVICE_DOT, HOST_DOT };
static const char *const dots[] = {[DEVICE_DOT] = "device", [HOST_DOT] = "host", NULL};
static int calls = 1, dot = DEVICE_DOT;

#define DOT_OPTION                                                                                           \
  OPTIONS_CHOICE("dot", &dot, dots,                                                                          \
                 "dot products of the solvers: pcg_dot; a correct one on the host, to test a solver alone")

static const struct options_option more_solve[] = {DOT_OPTION, JUDGED_WIDER, JUDGED_CALLS(&calls),
                                                   HEAP_OPTION, OPTIONS_END};
static const struct options_option more_calls[] = {JUDGED_CALLS(&calls), JUDGED_FAR, HEAP_OPTION,
                                                   OPTIONS_END};
static const struct options_option more_study[] = {DOT_OPTION, OPTIONS_END};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("method", &method, solver_names, "solver to run on the device"),
    OPTION_OMEGA,
    OPTIONS_INT("check-every", &check_every, 1, 1024,
                "fused, reduced: iterations between two checks by the host"),
    SWEEPS_NX,
    SWEEPS_NY,
    SETUP_KAPPA,
    OPTIONS_END,
};

static int dot_on_host(int n, const double *x, const double *y, double *partial, double *result) {
  const size_t count = (size_t)n, bytes = count * sizeof *x;
  double *a = allocate_zeroed(2 * count, sizeof *a), *b = a + count;
  (void)partial;
  CUDA_CHECK(cudaMemcpy(a, x, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(b, y, bytes, cudaMemcpyDeviceToHost));
  const double sum = reference_dot_blocks(count, a, b);
  CUDA_CHECK(cudaMemcpy(result, &sum, sizeof sum, cudaMemcpyHostToDevice));
  free(a);
  return 0;
}

/* --- solve --- */

static void solve_and_forget(struct setup *p, double factor) { free(solve_once(p, factor).history); }

static int judged_solve(void) {
  struct setup p = setup_from_options();
  const double factor = solver_omega(omega, p.g);
  judged_solve_earlier(&p, calls, solver_functions[method], factor, solve_and_forget);
  const int status = solve(&p, factor);
  setup_free(&p);
  return status;
}

/* --- dot, ssor --- */

static int judged_dot(void) {
  const struct vectors v = vectors_open();
  struct heap heap = heap_watch("pcg_dot");
  for (int n = 1; n < calls; n++) {
    vectors_dot(&v, (v.count + 1) / 2);
    heap_note_call(&heap);
  }
  heap_check(&heap);
  vectors_dot(&v, v.count);
  vectors_show(&v);
  return 0;
}

/* What ssor_apply keeps of this call does not fit the one that counts. */
static void ssor_of_fewer_rows(const struct preconditioned *whole) {
  const struct grid g = judged_fewer_rows(whole->g);
  const struct preconditioned p = {.g = g,
                                   .factor = judged_other_factor(whole->factor),
                                   .r = setup_to_device(g, g.h * g.h, whole->values),
                                   .z = setup_to_device(g, 1, whole->values)};
  preconditioned_apply(&p);
  CUDA_CHECK(cudaFree(p.r));
  CUDA_CHECK(cudaFree(p.z));
}

static int judged_ssor(void) {
  const struct preconditioned p = preconditioned_open();
  struct heap heap = heap_watch("ssor_apply");
  for (int n = 1; n < calls; n++) {
    if (n == 2) /* r must not change */
      preconditioned_apply(&p);
    else
      ssor_of_fewer_rows(&p);
    heap_note_call(&heap);
  }
  heap_check(&heap);
  preconditioned_apply(&p);
  preconditioned_show(&p);
  return 0;
}

/* --- the largest grid --- */

static int judged_dot_far(void) {
  const struct pcg_grid g = solver_grid(grid_make(PCG_MAX, PCG_MAX), 0);
  struct vectors v = {.count = pcg_elements(&g)};
  judged_far_open((size_t)v.count * sizeof *v.x, 2, (void **[]){(void **)&v.x, (void **)&v.y});
  CUDA_CHECK(cudaMalloc((void **)&v.work, (PCG_DOT_BLOCKS + 1) * sizeof *v.work));
  vectors_dot(&v, v.count);
  vectors_show(&v);
  return 0;
}

static int judged_ssor_far(void) {
  struct preconditioned p = {.g = grid_make(PCG_MAX, PCG_MAX), .factor = 1};
  const struct pcg_grid g = solver_grid(p.g, 0);
  judged_far_open((size_t)pcg_elements(&g) * sizeof *p.r, 2, (void **[]){(void **)&p.r, (void **)&p.z});
  preconditioned_apply(&p);
  return judged_far_close(2, (void *[]){p.r, p.z});
}

/* --- the server --- */

static double answer(void *context, uint64_t seed, int count, void *u) {
  const struct judged_served *served = context;
  const struct pcg_grid g = solver_grid(served->g, shift);
  struct pcg_result result = {0};
  judged_take(served, seed);
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(solver_call((enum method)method, &g, solver_omega(omega, served->g), served->h2f, served->u,
                              (struct pcg_control){0, count, check_every, NULL, NULL, NULL}, &result),
                  solver_functions[method]);
  const double ms = stopwatch_stop(watch);
  judged_answer(served, u);
  return ms;
}

static int serve_requests(void) {
  if (method >= CSR)
    error_die("--method %s: expected a method on the device without a matrix", solver_names[method]);
  struct judged_served served = judged_serve(sweeps_grid());
  return serve(grid_points(served.g) * sizeof(double), answer, &served);
}

int main(int argc, char **argv) {
  enum { SERVE = COMMANDS };
  const struct options_command judged[] = {
      [SOLVE] = {NULL, "iterations until the residual is small", judged_options(solve_options, more_solve)},
      [DOT] = {"dot", "the product of two vectors", judged_options(dot_options, more_calls)},
      [SSOR] = {"ssor", "the preconditioner applied to r", judged_options(ssor_options, more_calls)},
      [FRAMES] = commands[FRAMES],
      [STUDY] = {"study", "convergence by method and order of the unknowns",
                 judged_options(study_options, more_study)},
      [TABLE] = commands[TABLE],
      [SERVE] = {"serve", "answers requests \"SEED ITERATIONS\" on standard input, for the grader's clock",
                 serve_options},
      OPTIONS_END,
  };
  const int command =
      options_parse("conjugate gradients and their preconditioner, judged", judged, argc, argv);
  if (dot == HOST_DOT)
    solver_dot = dot_on_host;
  switch (command) {
  case SOLVE:
    return judged_solve();
  case DOT:
    return judged_far > 0 ? judged_dot_far() : judged_dot();
  case SSOR:
    return judged_far > 0 ? judged_ssor_far() : judged_ssor();
  case SERVE:
    return serve_requests();
  default:
    return runs[command]();
  }
}
