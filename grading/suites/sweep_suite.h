/* What the suites of labs that sweep share: runs of the filter that common/lab_frame/sweeps.h describes,
 * judged by the float reference, reference_gs_half_sweep_float. */
#ifndef SWEEP_SUITE_H
#define SWEEP_SUITE_H

#include "lab_suite.h"
#include "reference.h"
#include <stdint.h>

/* One run: sweeps of u. */
struct sweep_run {
  const char *variant;
  const char *colour; /* "red" or "black": half-sweeps; NULL: whole sweeps */
  struct grid g;
  int sweeps;
  const char *what;   /* u and f, in words */
  const float *u, *f; /* grid functions; u is given on the boundary */
};

/* nx, ny: smallest, hand-worked, odd, even, rectangular; one thread, one block, one warp more or less. */
extern const int sweep_sizes[][2];
enum { SWEEP_SIZES = 14 };

/* Uniform in [−1, 1), on the boundary too; not zero anywhere. The caller frees it. */
float *sweep_random_field(struct grid g, uint64_t seed);

/* u after the run, by the program and by the reference. The caller frees the results. */
float *sweep_run_program(const struct sweep_run *run);
float *sweep_run_reference(const struct sweep_run *run);

/* True when, the boundary being as it was, every interior value is the step from its neighbours, each of them
 * old or new: what a sweep in place gives in any order of the points. Else first is the place of one that is
 * not. */
bool sweep_is_mixture(const struct sweep_run *run, const float *got, size_t *first);

/* Fails the test unless got equals expected up to rounding. Leaves a remark if the order of operations is
 * not that of the contract. got, expected: as above. */
void sweep_judge(const struct sweep_run *run, const float *expected, const float *got);

/* The program against the reference: judged, or equal bit for bit. */
void sweep_check(const struct sweep_run *run);
void sweep_check_bits(const struct sweep_run *run);

/* sweep_check on random u and f, for each of sweep_sizes: one sweep, or red and black half-sweeps in turn. */
void sweep_check_sizes(const char *variant);
void sweep_check_half_sweeps(const char *variant);

/* Whole sweeps give the same bits whatever the order of blocks and warps, and however many host threads
 * run them. Only the simulated GPU lets a test choose them. */
void sweep_check_orders(const char *variant);

/* The 4 x 4 grid of the handouts, interior u = 1 2 / 3 4, h2f = 4 8 / 12 16, zero boundary: red first becomes
 * 2.25 and 5.25, then black 3.875 and 4.875. */
void sweep_check_by_hand(const char *variant, const char *colour);

/* Bad files and options of the filter and the table are refused. */
void sweep_check_bad_inputs(const char *variant);

#endif
