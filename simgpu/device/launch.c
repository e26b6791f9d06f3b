#define _GNU_SOURCE /* sched_getaffinity */
#include "launch.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "block.h"
#include "checks.h"
#include "model.h"
#include "order.h"
#include "report.h"
#include "trace.h"

enum { FEW_INSTRUCTIONS = 20000 }; /* of warps: as long as it takes to wake threads up and wait for them */
enum { MAX_THREADS = 256, MAX_RUN = 64, LONG_SLICE = 1 << 16, SHORT_SLICE = 1 << 9 };
#define MOST_TOGETHER_BYTES (UINT64_C(4) << 30) /* registers and local memory of a cooperative launch */
#define DEFAULT_BUDGET UINT64_C(10000000000)    /* about a minute of one warp's instructions */

unsigned launch_threads(void) {
  const char *chosen = getenv("SIMGPU_THREADS");
  long count = chosen ? strtol(chosen, NULL, 10) : 0;
  if (count < 1) {
    cpu_set_t set;
    count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  }
  return count > MAX_THREADS ? MAX_THREADS : (unsigned)count;
}

static uint64_t chosen_budget(const char *variable, uint64_t otherwise) {
  const char *chosen = getenv(variable);
  uint64_t budget = chosen ? strtoull(chosen, NULL, 10) : 0;
  return budget ? budget : otherwise;
}

bool warp_fault(struct warp *warp, enum fault_kind kind, uint32_t pc, uint32_t lane, struct fault detail) {
  struct block *block = warp->block;
  struct launch *launch = block->worker->launch;
  detail.kind = kind;
  detail.block = block->index;
  detail.thread = warp->index * LANES + lane;
  detail.pc = pc;
  block->worker->fault = detail;
  uint64_t lowest = atomic_load(&launch->fault_block);
  while (block->index < lowest && !atomic_compare_exchange_weak(&launch->fault_block, &lowest, block->index))
    continue;
  return false;
}

/* Workers */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  struct worker workers[MAX_THREADS];
  pthread_t threads[MAX_THREADS];
  unsigned count; /* threads started, the caller not among them */
  unsigned wanted, busy;
  uint64_t round;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .start = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

void worker_map(struct worker *worker, const struct allocation *allocation, uint64_t **map) {
  uint64_t words = allocation->size / 32 / 64 + 2;
  worker->touched[allocation->slot].words = words;
  *map = calloc(words, sizeof **map);
  if (!*map)
    abort();
}

void worker_slots(struct worker *worker, uint32_t slots) {
  if (slots <= worker->slot_count)
    return;
  const uint32_t room = slots < 2 * worker->slot_count ? 2 * worker->slot_count : slots;
  worker->touched = realloc(worker->touched, room * sizeof *worker->touched);
  if (!worker->touched)
    abort();
  memset(worker->touched + worker->slot_count, 0, (room - worker->slot_count) * sizeof *worker->touched);
  worker->slot_count = room;
}

/* Instructions a launch of `kernel` can reach: its own, and all device functions if it calls any. */
static void for_reachable(const struct launch *launch, void (*visit)(void *, uint32_t, uint32_t),
                          void *context) {
  const struct module *m = launch->module;
  visit(context, launch->kernel->entry, launch->kernel->end);
  for (uint32_t i = 0; launch->kernel->calls && i < m->kernel_count; i++)
    if (!m->kernels[i].ptx->is_entry)
      visit(context, m->kernels[i].entry, m->kernels[i].end);
}

static void clear_statistics(void *context, uint32_t first, uint32_t end) {
  struct worker *worker = context;
  memset(worker->statistics + first, 0, (end - first) * sizeof *worker->statistics);
  memset(worker->last + first, 0, (end - first) * sizeof *worker->last);
}

static void prepare(struct worker *worker, struct launch *launch) {
  const struct module *m = launch->module;
  worker->launch = launch;
  worker->unspent = 0;
  worker->fault = (struct fault){.kind = FAULT_NONE, .block = UINT64_MAX};
  if (worker->statistics_count < m->code_count) {
    free(worker->statistics);
    free(worker->last);
    worker->statistics_count = m->code_count;
    worker->statistics = aligned_alloc(64, (m->code_count * sizeof *worker->statistics + 63) / 64 * 64);
    worker->last = calloc(m->code_count, sizeof *worker->last);
    if (!worker->statistics || !worker->last)
      abort();
  }
  for_reachable(launch, clear_statistics, worker);
  worker_slots(worker, m->device->memory.slots);
  block_prepare(&worker->block, worker, launch);
}

static void note_printed(struct worker *worker, uint64_t block) {
  uint32_t n = worker->printed_count;
  size_t start = n ? worker->printed[n - 1].start + worker->printed[n - 1].length : 0;
  if (worker->text.length == start)
    return;
  if ((n & (n + 1)) == 0) { /* room doubles at 0, 1, 3, 7 … */
    worker->printed = realloc(worker->printed, 2 * (n + 1) * sizeof *worker->printed);
    if (!worker->printed)
      abort();
  }
  worker->printed[worker->printed_count++] = (struct printed){block, start, worker->text.length - start};
}

static bool stopped(const struct launch *launch, uint64_t block) {
  return block > atomic_load_explicit(&launch->fault_block, memory_order_relaxed);
}

/* Neighbouring blocks touch neighbouring cache lines: a worker takes a run of them at a time. */
static void work(struct worker *worker) {
  struct launch *launch = worker->launch;
  for (;;) {
    uint64_t index = atomic_fetch_add(&launch->next, launch->run), end = index + launch->run;
    if (end > launch->blocks)
      end = launch->blocks;
    for (; index < end; index++) {
      const uint64_t block = order_at(launch->order, launch->blocks, index);
      if (stopped(launch, block)) {
        if (!order_is_chosen(launch->order))
          return;
        continue;
      }
      block_start(&worker->block, block);
      while (block_step(&worker->block))
        continue;
      note_printed(worker, block);
      block_finish(&worker->block);
      if (worker->fault.kind)
        return;
    }
    if (end == launch->blocks)
      return;
  }
}

/* All blocks of a cooperative launch are there at once and take turns, since they may wait for each other.
 * What they print is not kept apart. */
static void work_together(struct worker *worker) {
  struct launch *launch = worker->launch;
  struct block *blocks = aligned_alloc(64, launch->blocks * sizeof *blocks);
  if (!blocks)
    abort();
  for (uint64_t i = 0; i < launch->blocks; i++) {
    memset(&blocks[i], 0, sizeof blocks[i]);
    block_prepare(&blocks[i], worker, launch);
    block_start(&blocks[i], i);
  }
  for (bool running = true; running && !worker->fault.kind;) {
    running = false;
    for (uint64_t i = 0; i < launch->blocks && !worker->fault.kind; i++)
      running |= block_step(&blocks[order_at(launch->order, launch->blocks, i)]);
  }
  note_printed(worker, 0);
  for (uint64_t i = 0; i < launch->blocks; i++) {
    block_finish(&blocks[i]);
    block_free(&blocks[i]);
  }
  free(blocks);
}

static void *helper(void *context) {
  unsigned number = (unsigned)(uintptr_t)context;
  uint64_t round = 0;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.round == round || number > pool.wanted) {
      round = pool.round;
      pthread_cond_wait(&pool.start, &pool.lock);
    }
    round = pool.round;
    pthread_mutex_unlock(&pool.lock);
    work(&pool.workers[number]);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0)
      pthread_cond_signal(&pool.done);
  }
  return NULL;
}

/* workers[0] is the calling thread; a thread that cannot be started is done without. */
static unsigned use_threads(unsigned wanted) {
  while (pool.count + 1 < wanted) {
    if (pthread_create(&pool.threads[pool.count], NULL, helper, (void *)(uintptr_t)(pool.count + 1)) != 0)
      break;
    pool.count++;
  }
  return wanted < pool.count + 1 ? wanted : pool.count + 1;
}

static void run_workers(struct launch *launch, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    prepare(&pool.workers[i], launch);
  if (count > 1) {
    pthread_mutex_lock(&pool.lock);
    pool.wanted = pool.busy = count - 1;
    pool.round++;
    pthread_cond_broadcast(&pool.start);
    pthread_mutex_unlock(&pool.lock);
  }
  if (launch->cooperative)
    work_together(&pool.workers[0]);
  else
    work(&pool.workers[0]);
  if (count > 1) {
    pthread_mutex_lock(&pool.lock);
    while (pool.busy > 0)
      pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
  }
}

/* Results */

struct gathering {
  const struct module *module;
  struct counters *counters;
  struct source_report *report;
  unsigned workers;
};

static void report_statistics(const struct gathering *g, uint32_t pc,
                              const struct instruction_statistics *stats) {
  const struct ptx_location at = g->module->locations[pc];
  source_report_add(g->report, report_file(g->module->ptx, at), at.line, &g->module->code[pc], stats);
}

static void add_statistics(struct instruction_statistics *sum, const struct instruction_statistics *stats) {
  sum->warps += stats->warps;
  sum->threads += stats->threads;
  sum->requests += stats->requests;
  sum->sectors += stats->sectors;
  sum->wavefronts += stats->wavefronts;
  sum->conflicts += stats->conflicts;
  sum->bytes += stats->bytes;
  sum->divergent += stats->divergent;
  sum->load_sectors += stats->load_sectors;
}

/* Summed first: a ratio of what a worker did depends on the blocks that came to it. */
static void gather_statistics(void *context, uint32_t first, uint32_t end) {
  const struct gathering *g = context;
  for (uint32_t pc = first; pc < end; pc++) {
    struct instruction_statistics sum = {0};
    for (unsigned i = 0; i < g->workers; i++)
      add_statistics(&sum, &pool.workers[i].statistics[pc]);
    counters_add(g->counters, &g->module->code[pc], &sum);
    if (g->report)
      report_statistics(g, pc, &sum);
  }
}

/* Sectors touched by any worker; the maps are given back. */
static uint64_t gather_touched(unsigned workers, uint32_t slot, bool written) {
  uint64_t *all = NULL, words = 0, count = 0;
  for (unsigned i = 0; i < workers; i++) {
    struct touched *t = &pool.workers[i].touched[slot];
    uint64_t **map = written ? &t->written : &t->read;
    if (!*map)
      continue;
    if (all) {
      for (uint64_t k = 0; k < words; k++)
        all[k] |= (*map)[k];
      free(*map);
    } else {
      all = *map;
      words = t->words;
    }
    *map = NULL;
  }
  for (uint64_t k = 0; k < words; k++)
    count += (uint64_t)__builtin_popcountll(all[k]);
  free(all);
  return count;
}

static void gather(const struct launch *launch, unsigned workers, struct counters *counters,
                   struct source_report *report) {
  struct gathering g = {launch->module, counters, report, workers};
  if (report)
    source_report_launch(report, launch->kernel->ptx->name);
  for_reachable(launch, gather_statistics, &g);
  for (uint32_t slot = 0; slot < launch->module->device->memory.slots; slot++) {
    counters->value[COUNTER_UNIQUE_READ] += gather_touched(workers, slot, false);
    counters->value[COUNTER_UNIQUE_WRITTEN] += gather_touched(workers, slot, true);
  }
}

/* What the workers' blocks printed, in the order of blocks; each worker's own are in order already. */
static void gather_text(unsigned workers, struct text *printed) {
  uint32_t next[MAX_THREADS] = {0};
  for (;;) {
    struct worker *first = NULL;
    for (unsigned i = 0; i < workers; i++) {
      struct worker *w = &pool.workers[i];
      if (next[i] < w->printed_count &&
          (!first || w->printed[next[i]].block < first->printed[next[first - pool.workers]].block))
        first = w;
    }
    if (!first)
      break;
    const struct printed *p = &first->printed[next[first - pool.workers]++];
    if (printed)
      text_append(printed, first->text.bytes + p->start, p->length);
  }
  for (unsigned i = 0; i < workers; i++)
    pool.workers[i].text.length = pool.workers[i].printed_count = 0;
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

/* Blocks that must all be there at once: as many as the modelled device holds, if the host can. */
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

/* One line for each of the first refusals: a program that goes on regardless may make many. */
__attribute__((format(printf, 2, 3))) static void tell_refused(const struct launch_request *r,
                                                               const char *format, ...) {
  enum { MOST_TOLD = 10 };
  static unsigned told;
  char name[256];
  if (told++ >= MOST_TOLD)
    return;
  va_list args;
  va_start(args, format);
  fprintf(stderr, "simgpu: launch of %s refused: ", report_name(r->kernel->ptx->name, name, sizeof name));
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

static void tell_shared(const struct launch_request *r) {
  const uint32_t most = MODEL_SHARED_OPTIN - r->kernel->shared_static;
  if (r->shared_dynamic > most)
    tell_refused(r, "%u bytes of dynamic shared memory: at most %u with the kernel's own %u",
                 r->shared_dynamic, most, r->kernel->shared_static);
  else
    tell_refused(r,
                 "%u bytes of dynamic shared memory: at most %u, or up to %u by cudaFuncSetAttribute(…, "
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
    tell_refused(r, "a grid of %ux%ux%u blocks: expected 1 to %ux%ux%u", grid[0], grid[1], grid[2],
                 most_grid[0], most_grid[1], most_grid[2]);
    return SIM_INVALID_LAUNCH;
  }
  if (!within(block, most_block) || threads > MAX_BLOCK_THREADS) {
    tell_refused(r, "a block of %ux%ux%u threads: expected 1 to %ux%ux%u, and at most %d in all", block[0],
                 block[1], block[2], most_block[0], most_block[1], most_block[2], MAX_BLOCK_THREADS);
    return SIM_INVALID_LAUNCH;
  }
  if (threads > most_threads) {
    tell_refused(r, "a block of %ux%ux%u threads: the kernel's __launch_bounds__ allow %u", block[0],
                 block[1], block[2], most_threads);
    return SIM_TOO_MANY_RESOURCES;
  }
  if (r->kernel->shared_static > MODEL_SHARED_PER_BLOCK) {
    tell_refused(r, "%u bytes of shared memory: at most %d that are not dynamic", r->kernel->shared_static,
                 MODEL_SHARED_PER_BLOCK);
    return SIM_TOO_MANY_RESOURCES;
  }
  if (r->shared_dynamic > r->kernel->shared_dynamic_max) {
    tell_shared(r);
    return SIM_INVALID_LAUNCH;
  }
  if (r->cooperative)
    return refuse_together((uint64_t)grid[0] * grid[1] * grid[2], (uint32_t)threads, r);
  return SIM_OK;
}

enum sim_status launch_run(const struct launch_request *r, struct counters *counters) {
  static struct warp_specials *specials;
  static uint64_t specials_bytes;
  enum sim_status refused = refuse_launch(r);
  if (refused != SIM_OK)
    return refused;
  struct launch launch = {.module = r->module,
                          .kernel = r->kernel,
                          .params = r->params,
                          .budget = chosen_budget("SIMGPU_BUDGET", DEFAULT_BUDGET),
                          .launch_budget = chosen_budget("SIMGPU_LAUNCH_BUDGET", UINT64_MAX),
                          .cooperative = r->cooperative,
                          .time_slice = r->cooperative ? SHORT_SLICE : LONG_SLICE,
                          .workspace = r->workspace,
                          .checks = r->checks,
                          .order = r->order,
                          .number = r->number,
                          .fault_block = UINT64_MAX};
  memcpy(launch.grid, r->grid, sizeof launch.grid);
  memcpy(launch.block, r->block, sizeof launch.block);
  launch.threads = r->block[0] * r->block[1] * r->block[2];
  launch.warps = (launch.threads + LANES - 1) / LANES;
  launch.blocks = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2];
  launch.shared_dynamic = r->shared_dynamic;
  launch.shared_bytes = r->kernel->shared_static;
  if (r->shared_dynamic)
    launch.shared_bytes = r->kernel->shared_dynamic_base + r->shared_dynamic;
  launch.warp_specials = specials = block_memory(specials, &specials_bytes, launch.warps * sizeof *specials);
  fill_specials(&launch);
  unsigned count = launch_threads();
  struct kernel *kernel = (struct kernel *)(uintptr_t)r->kernel; /* of our module */
  const bool was_short = kernel->last_instructions > 0 && kernel->last_instructions < FEW_INSTRUCTIONS;
  if (kernel->is_ordered || r->cooperative || r->checks || order_is_chosen(r->order) || was_short)
    count = 1;
  if (count > launch.blocks)
    count = (unsigned)launch.blocks;
  count = use_threads(count);
  launch.run = launch.blocks / (8 * count) + 1 < MAX_RUN ? launch.blocks / (8 * count) + 1 : MAX_RUN;
  if ((launch.addresses = r->addresses))
    addresses_begin(r->addresses, &launch);
  if (model_needs_trace(&launch))
    trace_choose(&launch, model_l1_share(&launch));
  if (r->checks)
    checks_begin(r->checks, &launch);
  run_workers(&launch, count);
  if (r->checks)
    checks_end(r->checks, &launch);
  gather(&launch, count, counters, r->report);
  kernel->last_instructions = counters->value[COUNTER_WARP_INSTRUCTIONS];
  if (r->addresses)
    addresses_end(r->addresses, &launch, r->number);
  counters->value[COUNTER_TIME_MODEL] = model_launch(&launch, counters);
  gather_text(count, r->printed);
  const struct fault *fault = &pool.workers[0].fault;
  for (unsigned i = 1; i < count; i++)
    if (pool.workers[i].fault.block < fault->block)
      fault = &pool.workers[i].fault;
  return fault->kind ? report_fault(&launch, fault) : SIM_OK;
}
