#include "launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "block.h"
#include "checks.h"
#include "fault.h"
#include "gather.h"
#include "model.h"
#include "native.h"
#include "order.h"
#include "report.h"
#include "steps.h"
#include "trace.h"
#include "worker.h"

enum { FEW_INSTRUCTIONS = 20000 }; /* warp instructions that take as long as waking and awaiting threads */
enum { MAX_RUN = 64, LONG_SLICE = 1 << 16, SHORT_SLICE = 1 << 9 };
#define MOST_TOGETHER_BYTES (UINT64_C(4) << 30) /* registers and local memory of a cooperative launch */
#define DEFAULT_BUDGET UINT64_C(10000000000)    /* about a minute of one warp's instructions */

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

/* A cooperative launch needs all its blocks at once: the modelled device and the host must hold them. */
static enum sim_status refuse_together(uint64_t blocks, uint32_t threads, const struct launch_request *r) {
  uint32_t warps = (threads + LANES - 1) / LANES;
  uint32_t resident = model_device.max_threads_per_multiprocessor / (warps * LANES);
  if (resident > model_device.max_blocks_per_multiprocessor)
    resident = model_device.max_blocks_per_multiprocessor;
  if (blocks > (uint64_t)resident * MODEL_MULTIPROCESSORS)
    return SIM_TOO_MANY_RESOURCES;
  uint64_t bytes = r->kernel->frame_bytes + (uint64_t)r->kernel->local_bytes * LANES;
  return bytes > MOST_TOGETHER_BYTES / (blocks * warps) ? SIM_OUT_OF_MEMORY : SIM_OK;
}

/* Reports only the first refusals: a program that ignores errors may cause many. */
__attribute__((format(printf, 2, 3))) static void report_refused(const struct launch_request *r,
                                                                 const char *format, ...) {
  enum { MOST_LINES = 10 };
  static unsigned reported;
  char name[256];
  if (reported++ >= MOST_LINES)
    return;
  va_list args;
  va_start(args, format);
  fprintf(stderr, "simgpu: launch of %s refused: ", report_name(r->kernel->ptx->name, name, sizeof name));
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

static void report_shared(const struct launch_request *r) {
  const uint32_t most = MODEL_SHARED_OPTIN - r->kernel->shared_static;
  if (r->shared_dynamic > most)
    report_refused(r, "%u bytes of dynamic shared memory: at most %u beside the kernel's %u static bytes",
                   r->shared_dynamic, most, r->kernel->shared_static);
  else
    report_refused(r,
                   "%u bytes of dynamic shared memory: at most %u, or up to %u with cudaFuncSetAttribute(…, "
                   "cudaFuncAttributeMaxDynamicSharedMemorySize, …)",
                   r->shared_dynamic, r->kernel->shared_dynamic_max, most);
}

static bool within(const uint32_t size[3], const uint32_t most[3]) {
  return size[0] && size[1] && size[2] && size[0] <= most[0] && size[1] <= most[1] && size[2] <= most[2];
}

static enum sim_status refuse_launch(const struct launch_request *r) {
  static const uint32_t most_block[] = {1024, 1024, 64}, most_grid[] = {INT32_MAX, 65535, 65535};
  const uint32_t *grid = r->grid, *block = r->block;
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  const uint32_t most_threads = r->kernel->ptx->max_threads ? r->kernel->ptx->max_threads : MAX_BLOCK_THREADS;
  if (!within(grid, most_grid)) {
    report_refused(r, "a grid of %ux%ux%u blocks: expected 1 to %ux%ux%u", grid[0], grid[1], grid[2],
                   most_grid[0], most_grid[1], most_grid[2]);
    return SIM_INVALID_LAUNCH;
  }
  if (!within(block, most_block) || threads > MAX_BLOCK_THREADS) {
    report_refused(r, "a block of %ux%ux%u threads: expected 1 to %ux%ux%u, and at most %d in all", block[0],
                   block[1], block[2], most_block[0], most_block[1], most_block[2], MAX_BLOCK_THREADS);
    return SIM_INVALID_LAUNCH;
  }
  if (threads > most_threads) {
    report_refused(r, "a block of %ux%ux%u threads: the kernel's __launch_bounds__ allow at most %u",
                   block[0], block[1], block[2], most_threads);
    return SIM_TOO_MANY_RESOURCES;
  }
  if (r->kernel->shared_static > MODEL_SHARED_PER_BLOCK) {
    report_refused(r, "%u bytes of static shared memory: at most %d are allowed", r->kernel->shared_static,
                   MODEL_SHARED_PER_BLOCK);
    return SIM_TOO_MANY_RESOURCES;
  }
  if (r->shared_dynamic > r->kernel->shared_dynamic_max) {
    report_shared(r);
    return SIM_INVALID_LAUNCH;
  }
  if (r->cooperative)
    return refuse_together((uint64_t)grid[0] * grid[1] * grid[2], (uint32_t)threads, r);
  return SIM_OK;
}

/* Number of host threads that help a launch and cannot change its results. */
static unsigned count_workers(const struct launch *l) {
  const struct kernel *k = l->kernel;
  const bool was_short = k->last_instructions > 0 && k->last_instructions < FEW_INSTRUCTIONS;
  if (k->is_ordered || l->cooperative || l->checks || l->steps || order_is_chosen(l->order) || was_short)
    return 1;
  const unsigned limit = worker_limit();
  return worker_start(limit > l->blocks ? (unsigned)l->blocks : limit);
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
}

/* Once in a program: the second would say the same. */
static void remark_overrun(const struct launch *launch, const struct fault *overrun) {
  struct device *device = launch->module->device;
  if (overrun->kind && !device->remarked)
    fault_remark(launch, overrun);
  device->remarked |= overrun->kind;
}

enum sim_status launch_run(const struct launch_request *r, struct counters *counters) {
  enum sim_status refused = refuse_launch(r);
  if (refused != SIM_OK)
    return refused;
  struct launch launch = {.module = r->module,
                          .kernel = r->kernel,
                          .params = r->params,
                          .budget = chosen_number("SIMGPU_BUDGET", DEFAULT_BUDGET),
                          .launch_budget = chosen_number("SIMGPU_LAUNCH_BUDGET", UINT64_MAX),
                          .model_seed = chosen_number("SIMGPU_MODEL_SEED", 0),
                          .cooperative = r->cooperative,
                          .time_slice = r->cooperative ? SHORT_SLICE : LONG_SLICE,
                          .workspace = r->workspace,
                          .checks = r->checks,
                          .order = r->order,
                          .number = r->number,
                          .fault_block = UINT64_MAX};
  prepare_launch(&launch, r);
  launch.steps = steps_begin(r->steps, &launch);
  const unsigned count = count_workers(&launch);
  launch.run = launch.blocks / (8 * count) + 1 < MAX_RUN ? launch.blocks / (8 * count) + 1 : MAX_RUN;
  if ((launch.addresses = r->addresses))
    addresses_begin(r->addresses, &launch);
  if (model_needs_trace(&launch))
    trace_choose(&launch, model_l1_share(&launch));
  if (r->checks)
    checks_begin(r->checks, &launch);
  launch.native = block_can_run() ? native_begin(&launch) : NULL;
  struct worker *workers = worker_run(&launch, count);
  if (r->checks)
    checks_end(r->checks, &launch);
  gather_counters(&launch, workers, count, counters, r->report);
  native_spent(&launch, counters->value[COUNTER_WARP_INSTRUCTIONS], true);
  ((struct kernel *)(uintptr_t)r->kernel)->last_instructions = /* our module owns it */
      counters->value[COUNTER_WARP_INSTRUCTIONS];
  if (r->addresses)
    addresses_end(r->addresses, &launch, r->number);
  counters->value[COUNTER_TIME_MODEL] = model_launch(&launch, counters);
  gather_text(workers, count, r->printed);
  remark_overrun(&launch, gather_fault(workers, count, true));
  const struct fault *fault = gather_fault(workers, count, false);
  if (launch.steps)
    steps_end(launch.steps, &launch, r->number, fault);
  return fault->kind ? fault_report(&launch, fault) : SIM_OK;
}
