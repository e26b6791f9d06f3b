/* Shared code of the suites of labs that sweep: runs of the filter in common/lab_frame/sweeps.h, judged by
 * the float reference, reference_gs_half_sweep_float. */
#pragma once

#include "data.h"
#include "lab_suite.h"
#include "reference.h"
#include "rules.h"
#include <stdint.h>

/* Whether the run's counters are kept (counters_run) or measured (counters_measure). A tried run may fail. */
enum sweep_counting { SWEEP_PLAIN, SWEEP_COUNTED, SWEEP_MEASURED, SWEEP_TRIED };

/* One run: sweeps of u. */
struct sweep_run {
  const char *variant;
  const char *colour; /* "red" or "black": half-sweeps; NULL: whole sweeps */
  struct grid g;
  int sweeps;
  const char *what;   /* u and f, in words */
  const float *u, *f; /* grid functions; u is given on the boundary */
  enum sweep_counting counting;
  int fuse;       /* sweeps in one pass, of a program that has --fuse; 0: the program's own number */
  int blocks;     /* of a launch, of a program that has --blocks; 0: the program's own number */
  bool earlier;   /* sweeps of other grids and arrays come first */
  enum data data; /* of sweep_check_random */
};

/* A suite's own explanation of a wrong result, or NULL if it has none; it precedes the common ones. */
extern const char *(*sweep_explain)(const struct sweep_run *run, const float *got);

/* An option of all runs of the filter, such as "--pack" "host"; NULL: none. */
extern const char *sweep_option, *sweep_option_value;

/* nx, ny: smallest, hand-worked, odd, even, rectangular; one thread, block or warp more or less. */
extern const int sweep_sizes[][2];
enum { SWEEP_SIZES = 15 };

/* Uniform in [−1, 1), on the boundary too; not zero anywhere. The caller frees it. */
float *sweep_random_field(struct grid g, uint64_t seed);
/* The same, with values of this kind. */
float *sweep_field(struct grid g, uint64_t seed, enum data data);

/* u after the run, by the program and by the reference. The caller frees the results. NULL: a tried run failed. */
float *sweep_run_program(const struct sweep_run *run);
float *sweep_run_reference(const struct sweep_run *run);

/* True if the boundary is unchanged and every interior value is the step from its neighbours, each of them
 * old or new. A sweep in place gives such a result in any order of the points. Otherwise first is the
 * index of a point that is not. */
bool sweep_is_mixture(const struct sweep_run *run, const float *got, size_t *first);

/* Fails the test unless got equals expected up to rounding. Adds a remark if the order of operations
 * differs from the contract's. */
void sweep_judge(const struct sweep_run *run, const float *expected, const float *got);

/* Compares the program with the reference: up to rounding, or bit for bit. */
void sweep_check(const struct sweep_run *run);
void sweep_check_bits(const struct sweep_run *run);

/* sweep_check on random u, and f so that h²·f is of the size of u. */
void sweep_check_random(struct sweep_run run);

/* sweep_check on random u and f, for each of sweep_sizes: one sweep, or alternately a red or black half-sweep. */
void sweep_check_sizes(const char *variant);
void sweep_check_half_sweeps(const char *variant);

/* Random u and f on grids larger than a program may assume: whole sweeps, or the half-sweeps of each colour, which
 * keep the rules. */
void sweep_check_large(const char *variant);
void sweep_check_large_half_sweeps(const char *variant, const struct rules *rules);
/* A half-sweep of the largest grid (far.h); the last one in a test, since it stops the checks. */
void sweep_check_far(const char *variant, const char *function);

/* Random u and f: the result is that of the reference, and the program keeps the rules of the function that it calls
 * rules->calls times. The last two take the last run, which was not SWEEP_PLAIN. */
void sweep_check_rules(const char *variant, const char *colour, const struct rules *rules);
void sweep_expect_rules(const struct sweep_run *run, const struct rules *rules);
/* What a message about stores adds if kernels used atomics instead; "" otherwise. */
const char *sweep_advice_on_atomics(void);
void sweep_expect_stores(const struct sweep_run *run,
                         const char *function); /* one per point to be computed */

/* The run of a counter item: its result is compared, and it keeps the rules, since work that no kernel does would
 * cost nothing. rules: of all calls in these sweeps. False: a real GPU has no counters. */
bool sweep_measure(const char *variant, const struct rules *rules, struct grid g, int sweeps);

/* Of a counter item whose metric is the modelled time: a sweep of arrays larger than the second-level cache. */
bool sweep_measure_memory(const char *variant, const struct rules *rules);

/* A large grid whose rows begin at a sector's start: in other rows a warp needs more sectors. */
struct grid sweep_aligned_grid(uint64_t purpose);

/* Whole sweeps give the same bits for every order of blocks and warps and every number of host threads.
 * Only the simulated GPU lets a test choose these. */
void sweep_check_orders(const char *variant);

/* The 4 x 4 grid of the handouts, interior u = 1 2 / 3 4, h2f = 4 8 / 12 16, zero boundary: red first becomes
 * 2.25 and 5.25, then black 3.875 and 4.875. */
void sweep_check_by_hand(const char *variant, const char *colour);

/* Bad files and options of the filter and the table are refused. */
void sweep_check_bad_inputs(const char *variant);
