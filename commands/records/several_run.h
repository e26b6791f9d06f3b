/* The loops of one rank: sweeps, and conjugate gradients. Every rank calls them with the same arguments.
 *
 * The rows next to other ranks are computed first, in a stream of their own, and NCCL sends them from there while the
 * other rows are computed. */
#pragma once

#include "several.h"
#include "team.h"

/* The rows of a rank. uneven: later ranks have more rows, and the first one only two. Each rank needs two rows. */
struct several_part several_part_of(int nx, int ny, const struct team_self *self, bool uneven);
/* How many ranks a grid has rows for, at most `ranks`. */
int several_ranks(int ny, int ranks);

/* The result of a rank: the part's u by colour, or NULL; checksum: of all ranks */
struct several_result {
  struct several_part part;
  void *u[2]; /* on the device; several_free */
  unsigned long long checksum;
};
void several_free(struct several_result *result);

/* `repeats` batches of red-black sweeps, from and for random numbers; the time of the slowest rank in each,
 * after the first. */
void several_sweeps(const struct team_self *self, int nx, int ny, bool uneven, int sweeps, int repeats,
                    double *ms, struct several_result *result);

/* Lab 06's task from u = 0, without a history. seed: of the right-hand side, 0: f = 1. ms: of all
 * iterations, as above. */
struct several_task {
  int nx, ny;
  double kappa;
  unsigned seed;
  double tolerance;
  int limit;
};
void several_solve(const struct team_self *self, const struct several_task *task, bool uneven, int repeats,
                   double *ms, struct pcg_result *solved, struct several_result *result);
