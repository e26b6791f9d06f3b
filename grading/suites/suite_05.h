/* What the files of lab 05's suite share. */
#pragma once

#include "lab_suite.h"
#include "solve_suite.h"

/* The tests of the other files. */
extern const struct lab_test suite_05_radius[], suite_05_solve[], suite_05_study[];

/* In a test: ends an item that cannot be judged because another part is wrong, or has a finding of the checks.
 * need: like "the sweeps of part 1 are right". */
void suite_05_skip_if(bool wrong, const char *need);

/* In a test, of an item that needs them: skips it if sweeps, or the residual of part 4, are wrong. */
void suite_05_need_sweeps(void);
void suite_05_need_residual(void);

enum { HALVES = 8 }; /* half-sweeps of suite_05_use_of_sweeps */

/* In a test: what four sweeps do by themselves. A half-sweep that waits, leaks or launches too much costs
 * its own item alone, not the parts that call it. */
struct solve_use suite_05_use_of_sweeps(void);
enum { SUITE_05_MOVED = 4096 }; /* bytes of sums and counters that may be copied for each residual */

/* In a test: fails it if a run has more than `most` bytes of copies within the device, unless half-sweeps do. */
void suite_05_check_moves(const char *what, const struct solve_use *use, double most, const char *units);
bool suite_05_sweeps_leave_memory(void); /* of the host, or objects */

/* In a test: fails it if a run leaves something, or relies on an order that nothing promises, unless half-sweeps do. */
void suite_05_check_end(const char *what, const struct solve_use *use);

/* In a test, after a counted run on a large grid: fails it if a launch takes far longer than memory needs and than a
 * half-sweep or, in the study and in part 6, the residual: these have their own items. */
void suite_05_check_longest(const char *what, const struct solve_use *use, struct grid g);

/* In a test: like solve_suite_check_memory_calls, unless half-sweeps make such calls. */
void suite_05_check_memory_calls(const char *what, const struct solve_use *use, double most,
                                 const char *units);

/* In a test: fails it if a run copies more than `most` bytes to the host, unless half-sweeps do. */
void suite_05_check_fetched(const char *what, const struct solve_use *use, double most);

/* In a test: whether a half-sweep leaves the host idle. */
bool suite_05_sweeps_are_idle(void);

/* In a test: fails it if a solver sends its result from the host; h2f and u come from the program. */
void suite_05_check_sent(const char *what, const struct solve_use *use, struct grid g);

/* Atomic additions in the last counted run, and what is wrong with them. */
#define SUITE_05_ATOMICS                                                                                     \
  "atomic additions of floating-point numbers: expected none: such a sum depends on the order of the blocks"
double suite_05_atomics(void);

/* solve --precision; an omega of 0 is replaced by the optimal one, from the reference. */
struct program_result suite_05_run_solve(const struct solve *s);

/* Runs the solver to its tolerance and judges the residual of u, computed here. */
void suite_05_check_solved(const struct solve *s);

/* In a test: earlier calls must not change what a call of the solver computes (solve_suite.h). */
void suite_05_check_later_calls(const char *precision);
void suite_05_check_wide(const char *precision);

/* Reads a method's rows of h.csv, at most SUITE_05_ROWS, and returns their number. */
enum { SUITE_05_ROWS = 1024 };
int suite_05_read_history(const char *method, int *sweep, double *residual);

/* Compares a row of a history. Another rounding gets a remark. */
void suite_05_check_residual(const char *what, int sweep, double got, double expected);

/* In a test: what arrays on the device hold when a run frees them shows the sign of its last residual, that of u. Its
 * norm does not. Fails if an array is −h²r, and none is h²r. */
void suite_05_begin_sign(void);
void suite_05_check_sign(const char *what, struct grid g, double kappa, const double *h2f, const double *u);

/* In the order of operations that sor_omega.h specifies: h²·f; ‖v‖ of both colours in one vector; ‖h²r‖. The
 * caller frees h²·f. */
double *suite_05_h2f(struct grid g, const double *f);
double suite_05_norm(struct grid g, const double *v);
double suite_05_residual_norm(struct grid g, double kappa, const double *h2f, const double *u);
