/* The problem of a program in double: read from options and files, copied to the device.
 *
 *   static const struct options_option solve_options[] = {SETUP_OPTIONS, …, OPTIONS_END};
 *   struct setup p = setup_from_options();
 *   double *u = setup_to_device(p.g, 1, p.u);
 *
 * −Δu + κ²u = f, u = 0 on the boundary; f from a file or one of problem.h, u the initial guess from a file or
 * 0. --nx, --ny, --u, --f, --out and --seed are those of sweeps.h. Bad input ends the program with one line
 * and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include "problem.h"
#include "heap.h"
#include "sweeps.h"

#define SWEEPS_GRID_OPTIONS SWEEPS_NX, SWEEPS_NY
#define SWEEPS_CSV_OPTION SWEEPS_CSV
#define SWEEPS_SERVE_HELP "answers requests \"SEED SWEEPS\" on standard input, for the grader's clock"

C_LINKAGE_BEGIN

struct setup_settings {
  int problem; /* an enum problem_kind */
  double kappa;
  int wider; /* elements by which rows on the device are longer than they need be */
};
extern struct setup_settings setup_settings;
extern const char *const setup_problems[]; /* --problem */

#define SETUP_KAPPA_OPTION OPTIONS_DOUBLE("kappa", &setup_settings.kappa, 0, 1e6, "Helmholtz parameter")
#define SETUP_PROBLEM_OPTION                                                                                 \
  OPTIONS_CHOICE("problem", &setup_settings.problem, setup_problems,                                         \
                 "the right-hand side, if --f is not given")
#define SETUP_SEED_OPTION                                                                                    \
  OPTIONS_INT("seed", &sweeps_settings.seed, 0, 1 << 30, "seed of a random right-hand side")
#define SETUP_OPTIONS                                                                                        \
  SWEEPS_GRID_OPTIONS, SETUP_KAPPA_OPTION,                                                                   \
      OPTIONS_STRING("u", &sweeps_settings.u_path, "FILE",                                                   \
                     "initial u: ny x nx values, 0 on the boundary; 0 if not given"),                        \
      OPTIONS_STRING("f", &sweeps_settings.f_path, "FILE", "right-hand side: ny x nx values"),               \
      SETUP_PROBLEM_OPTION, SETUP_SEED_OPTION,                                                               \
      OPTIONS_CALL("wider", setup_set_wider, "N",                                                            \
                   "elements by which rows are longer than they need be: a multiple of 32"),                 \
      OPTIONS_STRING("out", &sweeps_settings.out_path, "FILE", "write u to this file: ny x nx float64")

void setup_set_wider(const char *text);
int setup_pitch(struct grid g); /* of arrays on the device */

struct setup {
  struct grid g;
  double *f, *u; /* host, interleaved */
};

struct grid setup_grid(void);                 /* of --nx and --ny, 66 by default */
double *setup_right_hand_side(struct grid g); /* of --problem; the caller frees it */
struct setup setup_of(struct grid g);         /* that right-hand side, u = 0 */
struct setup setup_from_options(void);        /* from the files too */
void setup_free(struct setup *p);

/* The calls before the one that counts: what a solver keeps from their problems does not fit p. First sides are exchanged,
 * then there are fewer rows, then another f, all with another factor; from SETUP_OTHERS on they are equal to p, for --heap.
 * function: its name; solve: calls it with the factor, and frees what it returns. */
enum { SETUP_EXCHANGED, SETUP_FEWER_ROWS, SETUP_OTHER_F, SETUP_OTHERS };
double setup_other_factor(double factor); /* between 0 and 2, as this one; another one, except for 0.5 */
void setup_solve_earlier(const struct setup *p, int calls, const char *function, double factor,
                         void (*solve)(struct setup *problem, double factor));
#define SETUP_CALLS_OPTION(calls)                                                                            \
  OPTIONS_INT("calls", calls, 1, 1000,                                                                       \
              "calls of the function; the last one counts, and earlier ones have other problems")

/* Young's optimal factor for --kappa from the reference, so that a solver runs before omega_optimal is
 * written. */
double setup_formula_omega(struct grid g);

/* factor·values inside and 0 on the boundary, split, both colours in one new array on the device; factor 1
 * keeps every bit. */
double *setup_to_device(struct grid g, double factor, const double *values);
void setup_from_device(struct grid g, const double *array, double *values); /* the inverse, with factor 1 */

/* For programs that serve (serve.h): h2f of one random f for all requests, and a random u for each request,
 * both on the device and split. The answer is u, split too. nx is a multiple of 64, so that the answer has no
 * padding and as many elements as the grid has points. */
struct setup_served {
  struct grid g;
  double *h2f, *u;
  double *pool[2]; /* of each colour, on the host: u of a request begins at one of its rows */
};
struct setup_served setup_serve(struct grid g);
void setup_take(const struct setup_served *served, uint64_t seed);  /* a request's u */
void setup_answer(const struct setup_served *served, void *values); /* u to the host */

C_LINKAGE_END
