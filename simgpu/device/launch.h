/* Grids onto host cores. */
#ifndef SIMGPU_LAUNCH_H
#define SIMGPU_LAUNCH_H

#include "counters.h"
#include "machine.h"
#include "source_report.h"

struct launch_request {
  struct module *module;
  const struct kernel *kernel;
  uint32_t grid[3], block[3], shared_dynamic;
  const uint8_t *params; /* kernel->ptx->param_bytes of them */
  bool cooperative;
  uint64_t workspace;   /* cooperative: device address of 16 bytes, zero at first */
  struct text *printed; /* what the kernel prints is appended, in the order of its blocks; may be NULL */
  struct source_report *report; /* gets what each source line did; may be NULL */
  struct addresses *addresses;  /* gets what one warp touched, under this number; may be NULL */
  uint64_t number;
  struct checks *checks;     /* or NULL */
  const struct order *order; /* of blocks and warps */
};

/* Run a grid to its end. Counters are filled in either case; a fault is told on standard error. Results and
 * counters do not depend on the number of host threads: blocks are independent, and a kernel with an atomic
 * that is not (its result is used, or it adds floats, exchanges or compares) runs its blocks on one, in
 * order. */
enum sim_status launch_run(const struct launch_request *request, struct counters *counters);

#endif
