/* Shared code of the suites of labs in double: command lines, output of a program, grid functions in float64. */
#pragma once

#include "grid.h"
#include "program.h"
#include <stdbool.h>
#include <stdint.h>

/* A command line that a test builds. The added words must live longer than it. */
struct arguments {
  const char *list[32];
  char text[16][40];
  int count, texts;
};
void arguments_add(struct arguments *a, const char *word);
void arguments_add_number(struct arguments *a, const char *option, double value);
void arguments_add_grid(struct arguments *a, struct grid g, double kappa);

/* A run of a solver; NULL means f = 1 and u0 = 0. */
struct solve {
  const char *method;
  struct grid g;
  double kappa, shift, omega; /* omega: 0 for the program's own */
  double tolerance;
  int check_every, limit;
  const double *f, *u0;
  const char *dot;       /* NULL, or that of --dot */
  struct solve_use *use; /* NULL, or receives what the run did */
  double per;            /* of a counter item: the run is measured beyond the last one (counters.h) */
  bool is_wide;          /* rows on the device are longer than they need be */
  int calls;             /* of the solver; earlier ones have other problems. 0: one */
};

/* The program stopped because a part is not written. */
bool solve_suite_is_unwritten(const struct program_result *result);

/* What a run did, from the totals of the simulated GPU (counters.h). On a real GPU known is false. */
struct solve_use {
  bool known;
  double launches, host_waits, starved_waits, bytes_to_host, bytes_to_device, managed_bytes;
  double bytes_on_device; /* copied there */
  double leaks;           /* bytes that are never freed */
  double pinned, objects; /* pinned allocations, and streams, events and graphs, that are left */
  double concurrent, concurrent_copies,
      early;             /* launches and copies that nothing orders; values used without a wait */
  double memory_calls;   /* that allocate or free, for which the host may wait */
  double launch_waits;   /* for launches that the host had not waited for */
  double mapped_writes;  /* launches that changed mapped memory */
  double host_functions; /* that a stream called */
  double graphs_made;    /* executable ones */
};

/* Waits, and functions of the host for which a stream waits. */
double solve_suite_waits(const struct solve_use *use);

/* Waits after which the device has too little work. Functions of the host count if they are the only way in which the
 * host can know that the device has come so far. */
double solve_suite_starved_waits(const struct solve_use *use);

/* True if a run leaves something behind, or relies on an order that nothing promises. Then text says so. check
 * fails the test. */
bool solve_suite_name_end(const char *what, const struct solve_use *use, char *text, size_t size);
void solve_suite_check_end(const char *what, const struct solve_use *use);

/* In a test, after a counted run: whether a launch takes far longer than memory needs for so many bytes of each of
 * `points`, as a launch of one block does. check fails the test if so; fail says it. */
bool solve_suite_is_slow(double points, double bytes);
void solve_suite_check_longest(const char *what, double points, double bytes);
void solve_suite_fail_slow(const char *what, const char *slow, double points, double ns);

/* In a test: what the last counted run did; known: the result of counters_run or counters_end. */
struct solve_use solve_suite_use(bool known);

/* In a test: runs the suite's program, as lab_suite_run does, and returns what it did in *use. */
struct program_result solve_suite_watch(const char *const *arguments, struct solve_use *use);

/* What a run did beyond another one. */
struct solve_use solve_suite_beyond(const struct solve_use *more, const struct solve_use *less);

/* In a test: fails it if a run has more than `most` calls that allocate or free. units: "20 sweeps" */
void solve_suite_check_memory_calls(const char *what, const struct solve_use *use, double most,
                                    const char *units);

/* In a test: fails it if fewer kernels were launched than the work needs. */
void solve_suite_check_launched(const char *what, const struct solve_use *use, double least);

/* In a test: fails it if the run sends more to the device than the program itself does, `uploads` bytes. A host that
 * computes must send its result, by a copy or in managed memory, even if a kernel puts it in place. */
void solve_suite_check_sent(const char *what, const struct solve_use *use, double uploads);
bool solve_suite_sends(const struct solve_use *use, double uploads);

/* In a test: the device received u and h²·f of the last run (traffic.h). NULL: f = 1, u = 0. */
void solve_suite_check_inputs(struct grid g, const double *f, const double *u);

/* In a test: operations in double by threads of kernels in the last counted run; a fused one counts once. */
double solve_suite_operations(void);

/* In a test: runs the solver, which writes u to out.npy and its residuals to h.csv. command: NULL for the
 * program's first; option: the one that selects the method. An unwritten part fails the test. */
struct program_result solve_suite_run(const struct solve *s, const char *command, const char *option);

/* In a test: fails it if earlier calls, with other problems, change what a call of the solver computes. A run with a
 * single call that fails is for other tests. Returns what to say of memory of the host that each call leaves allocated,
 * NULL if there is none: what the solver calls may leave it, too. */
const char *solve_suite_check_later_calls(struct solve s, const char *command, const char *option);

/* In a test: the same for any command with --calls, by what it prints apart from times. */
const char *solve_suite_check_later_output(const char *what, struct arguments arguments);

/* In a test: fails it if a solver whose first guess solves the system without any rounding makes more than no steps to
 * the tolerance 0. s: its method and dot. units: "sweeps". */
void solve_suite_check_solved_before(struct solve s, const char *command, const char *option,
                                     const char *units);
/* The same for a first guess that is only within the tolerance. */
void solve_suite_check_nearly_solved(struct solve s, const char *command, const char *option,
                                     const char *units);

/* In a test: fails it if a solver's s.limit steps give another u where the pitch is longer than it need be. */
void solve_suite_check_wide(struct solve s, const char *command, const char *option);

/* In a test: fails it unless runs with other block orders and other numbers of host threads write the same h.csv.
 */
void solve_suite_check_bits(const char *what, const char *const *arguments);

/* A hint, if a u whose relative residual is above the tolerance meets another criterion: relative to the first residual
 * in h.csv, absolute, or by the square. f_norm: of h2f. Otherwise "". */
const char *solve_suite_criterion_hint(double residual, double f_norm, double tolerance);

/* A hint, if a relative error is that of float arithmetic; otherwise "". */
const char *solve_suite_float_hint(double relative_error);

/* In a test: the number after `before` in the output of the program. */
double solve_suite_said(const struct program_result *result, const char *before);

/* In a test: fails it unless the run ended with this exit status and printed these words on standard output. */
void solve_suite_check_ending(const char *what, const struct program_result *result, int status,
                              const char *words);

/* Grid functions; the caller frees them. */
double *solve_suite_random(struct grid g, uint64_t seed); /* in [−1, 1), zero on the boundary */
double *solve_suite_ones(struct grid g);                  /* zero on the boundary */
double *solve_suite_copy(struct grid g, const double *u);
void solve_suite_write(const char *path, struct grid g, const double *u);
double *solve_suite_read(const char *path, struct grid g);
