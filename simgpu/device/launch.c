#include "launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "block.h"
#include "breaks.h"
#include "checks.h"
#include "copy_async.h"
#include "device/report.h"
#include "fault.h"
#include "gather.h"
#include "launch_limits.h"
#include "model.h"
#include "native.h"
#include "order.h"
#include "registers.h"
#include "residents.h"
#include "steps.h"
#include "trace.h"
#include "turns.h"
#include "worker.h"

enum { FEW_INSTRUCTIONS = 20000 }; /* warp instructions that take as long as waking and awaiting threads */
enum { MAX_RUN = 64, LONG_SLICE = 1 << 16 };
#define DEFAULT_BUDGET UINT64_C(10000000000) /* about a minute of one warp's instructions */

static uint64_t chosen_number(const char *variable, uint64_t otherwise) {
  const char *chosen = getenv(variable);
  uint64_t number = chosen ? strtoull(chosen, NULL, 10) : 0;
  return number ? number : otherwise;
}

static void fill_specials(struct launch *launch) {
  for (uint32_t w = 0; w < launch->warps; w++)
    for (uint32_t l = 0; l < LANES; l++) {
      uint32_t thread = w * LANES + l, bit = 1u << l;
      uint32_t values[] = {thread % launch->block[0],
                           thread / launch->block[0] % launch->block[1],
                           thread / launch->block[0] / launch->block[1],
                           l,
                           w,
                           bit,
                           bit - 1,
                           bit | (bit - 1),
                           ~(bit | (bit - 1)),
                           ~(bit - 1)};
      for (uint32_t i = 0; i < PTX_CTAID_X; i++)
        launch->warp_specials[w].value[i][l] = values[i];
    }
}

/* Number of host threads that help a launch and cannot change its results. */
static unsigned count_workers(const struct launch *l) {
  const struct kernel *k = l->kernel;
  const bool was_short = k->last_instructions > 0 && k->last_instructions < FEW_INSTRUCTIONS;
  if (k->is_ordered || l->cooperative || l->checks || l->steps || l->breaks || order_is_chosen(l->order) ||
      was_short)
    return 1;
  const unsigned limit = worker_limit();
  return worker_start(limit > l->blocks ? (unsigned)l->blocks : limit);
}

/* The blocks of a cluster in each dimension: as the launch or the kernel says, or one block. */
static void cluster_of(const struct launch_request *r, uint32_t cluster[3]) {
  const uint32_t *given = r->cluster[0] ? r->cluster : r->kernel->ptx->cluster;
  for (int d = 0; d < 3; d++)
    cluster[d] = given[0] && given[d] ? given[d] : 1;
}

static void prepare_launch(struct launch *launch, const struct launch_request *r) {
  static struct warp_specials *specials;
  static uint64_t specials_bytes;
  memcpy(launch->grid, r->grid, sizeof launch->grid);
  memcpy(launch->block, r->block, sizeof launch->block);
  launch->threads = r->block[0] * r->block[1] * r->block[2];
  launch->warps = (launch->threads + LANES - 1) / LANES;
  launch->blocks = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2];
  launch->shared_dynamic = r->shared_dynamic;
  launch->shared_bytes = r->kernel->shared_static;
  if (r->shared_dynamic)
    launch->shared_bytes = r->kernel->shared_dynamic_base + r->shared_dynamic;
  launch->warp_specials = specials =
      block_memory(specials, &specials_bytes, launch->warps * sizeof *specials);
  fill_specials(launch);
  cluster_of(r, launch->cluster);
  launch->cluster_blocks = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
  launch->explicit_cluster = r->cluster[0] || r->kernel->ptx->cluster[0];
  launch->turns = launch->warps > 1 && launch->module->device->memory.lenient ? MOST_TURNS : 0;
  launch->time_slice = r->cooperative || launch->cluster_blocks > 1 ? SHORT_SLICE : LONG_SLICE;
}

/* Once in a program: the second would say the same. */
static void remark_overrun(const struct launch *launch, const struct fault *overrun) {
  struct device *device = launch->module->device;
  if (overrun->kind && !device->remarked)
    fault_remark(launch, overrun);
  device->remarked |= overrun->kind;
}

static enum sim_status refuse(const struct launch_request *r) {
  const enum sim_status refused =
      limits_refuse(r->kernel, r->grid, r->block, r->shared_dynamic, r->cooperative);
  uint32_t cluster[3];
  cluster_of(r, cluster);
  return refused ? refused
                 : limits_refuse_cluster(r->kernel, r->grid, cluster, r->cooperative,
                                         r->large_clusters ? CLUSTER_BLOCKS_OPTIN : CLUSTER_BLOCKS);
}

enum sim_status launch_run(const struct launch_request *r, struct counters *counters) {
  const enum sim_status refused = refuse(r);
  if (refused != SIM_OK)
    return refused;
  const uint64_t launch_budget = chosen_number("SIMGPU_LAUNCH_BUDGET", UINT64_MAX);
  if (launch_budget <= r->instructions_before) {
    limits_report(r->kernel,
                  "the grids that led to it spent the %" PRIu64 " instructions of SIMGPU_LAUNCH_BUDGET",
                  launch_budget);
    return SIM_FAULT_NO_PROGRESS;
  }
  struct launch launch = {.module = r->module,
                          .kernel = r->kernel,
                          .params = r->params,
                          .budget = chosen_number("SIMGPU_BUDGET", DEFAULT_BUDGET),
                          .launch_budget = launch_budget - r->instructions_before,
                          .every = chosen_number("SIMGPU_EVERY", 1),
                          .model_seed = chosen_number("SIMGPU_MODEL_SEED", 0),
                          .cooperative = r->cooperative,
                          .workspace = r->workspace,
                          .checks = r->checks,
                          .order = r->order,
                          .number = r->number,
                          .fault_block = UINT64_MAX};
  copy_async_chosen(&launch.loses_copies);
  prepare_launch(&launch, r);
  launch.steps = steps_begin(r->steps, &launch);
  launch.breaks = breaks_begin(r->breaks, &launch);
  const unsigned count = count_workers(&launch);
  launch.workers = count;
  launch.room = (int64_t)residents_at_most(&launch) - (launch.cooperative ? 0 : count);
  launch.run = launch.blocks / (8 * count) + 1 < MAX_RUN ? launch.blocks / (8 * count) + 1 : MAX_RUN;
  if ((launch.addresses = r->addresses))
    addresses_begin(r->addresses, &launch);
  if (model_needs_trace(&launch))
    trace_choose(&launch, model_l1_share(&launch));
  if (r->checks)
    checks_begin(r->checks, &launch);
  launch.native = block_can_run() ? native_begin(&launch) : NULL;
  struct worker *workers = worker_run(&launch, count);
  trace_sample(&launch);
  if (r->checks)
    checks_end(r->checks, &launch);
  gather_counters(&launch, workers, count, counters, r->report);
  native_spent(&launch, counters->value[COUNTER_WARP_INSTRUCTIONS], true);
  ((struct kernel *)(uintptr_t)r->kernel)->last_instructions = /* our module owns it */
      counters->value[COUNTER_WARP_INSTRUCTIONS];
  if (r->addresses)
    addresses_end(r->addresses, &launch, r->number);
  counters->value[COUNTER_TIME_MODEL] = model_launch(&launch, counters);
  counters->value[COUNTER_SPILLS] = kernel_spills(r->kernel);
  gather_text(workers, count, r->printed);
  remark_overrun(&launch, gather_fault(workers, count, true));
  const struct fault *fault = gather_fault(workers, count, false);
  if (launch.steps)
    steps_end(launch.steps, &launch, r->number, fault);
  return fault->kind ? fault_report(&launch, fault) : SIM_OK;
}
