/* Runs grids on the host's cores. */
#pragma once

#include "device/counters.h"
#include "device/machine.h"
#include "source_report.h"

struct launch_request {
  struct module *module;
  const struct kernel *kernel;
  uint32_t grid[3], block[3], cluster[3], shared_dynamic; /* cluster: 0 for that of the kernel */
  const uint8_t *params;                                  /* kernel->ptx->param_bytes bytes */
  bool cooperative, large_clusters;                       /* of up to CLUSTER_BLOCKS_OPTIN blocks */
  uint64_t workspace;           /* cooperative: device address of 16 bytes, zero at first */
  struct text *printed;         /* receives the kernel's output, in the order of its blocks; may be NULL */
  struct source_report *report; /* receives the instruction statistics; may be NULL */
  struct addresses *addresses;  /* receives the addresses of one warp; may be NULL */
  struct steps *steps;          /* receives the instructions of one warp; may be NULL */
  struct breaks *breaks;        /* or NULL */
  uint64_t number;
  uint64_t instructions_before; /* of the host's grid that led to this one, which share the launch's budget */
  struct checks *checks;        /* or NULL */
  const struct order *order;    /* of blocks and warps */
};

/* Runs a grid to its end. Fills the counters even after a fault, which it reports on standard error. Results
 * and counters do not depend on the number of host threads. Blocks are independent, except in a kernel with
 * an atomic whose result depends on their order: its result is used, or it adds floats, exchanges or
 * compares. Such a kernel runs its blocks in order on one thread. */
enum sim_status launch_run(const struct launch_request *request, struct counters *counters);
