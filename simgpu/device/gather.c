#include "gather.h"

#include "device/report.h"
#include "device/room.h"
#include "native.h"
#include "touched.h"
#include "worker.h"

#include <stdlib.h>

/* Results */

struct gathering {
  const struct module *module;
  struct counters *counters;
  struct source_report *report;
  const struct worker *workers;
  unsigned worker_count;
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
  sum->shared += stats->shared;
  sum->own += stats->own;
}

/* Sums over workers before any ratio: the blocks of a worker differ from run to run. */
static void gather_statistics(void *context, uint32_t first, uint32_t end) {
  const struct gathering *g = context;
  for (uint32_t pc = first; pc < end; pc++) {
    struct instruction_statistics sum = {0};
    for (unsigned i = 0; i < g->worker_count; i++)
      add_statistics(&sum, &g->workers[i].statistics[pc]);
    counters_add(g->counters, &g->module->code[pc], &sum);
    if (g->report)
      report_statistics(g, pc, &sum);
  }
}

/* To be freed. NULL for a slot that nothing uses. */
static struct allocation **allocations_by_slot(const struct memory *memory) {
  struct allocation **all = room_zeroed(memory->slots + 1, sizeof *all);
  for (uint32_t i = 0; i < memory->count; i++)
    all[memory->list[i]->slot] = memory->list[i];
  return all;
}

/* Counts an allocation's sectors, and forgets them. `a` may be NULL. */
static void gather_touched(const struct gathering *g, struct worker *workers, uint32_t slot,
                           struct allocation *a, bool wants_words) {
  uint64_t **sectors = a && wants_words ? &a->sectors_read : NULL;
  const uint64_t read = touched_count(workers, g->worker_count, slot, false, sectors),
                 written = touched_count(workers, g->worker_count, slot, true, NULL);
  g->counters->value[COUNTER_UNIQUE_READ] += read;
  g->counters->value[COUNTER_UNIQUE_WRITTEN] += written;
  if (a) {
    a->is_read = read;
    a->is_written = written;
  }
}

/* Looks at all allocations only if each of them gets to know whether it was touched: there can be very many. */
static void gather_all_touched(const struct gathering *g, struct worker *workers,
                               const struct memory *memory) {
  struct allocation **by_slot = memory->has_origins ? allocations_by_slot(memory) : NULL;
  for (uint32_t slot = 0; by_slot && slot < memory->slots; slot++)
    gather_touched(g, workers, slot, by_slot[slot], memory->wants_words);
  free(by_slot);
  for (unsigned i = 0; i < g->worker_count; i++) {
    for (uint32_t k = 0; k < workers[i].mapped_count; k++)
      gather_touched(g, workers, workers[i].mapped[k], NULL, false);
    workers[i].mapped_count = 0;
  }
}

void gather_counters(const struct launch *launch, struct worker *workers, unsigned count,
                     struct counters *counters, struct source_report *report) {
  struct gathering g = {launch->module, counters, report, workers, count};
  if (report)
    source_report_launch(report, launch->kernel->ptx->name);
  worker_reachable(launch, gather_statistics, &g);
  const bool are_counted = native_is_off(); /* native code counts no warp's instructions */
  for (unsigned i = 0; i < count && are_counted; i++)
    if (workers[i].longest_warp > counters->value[COUNTER_LONGEST_WARP])
      counters->value[COUNTER_LONGEST_WARP] = workers[i].longest_warp;
  gather_all_touched(&g, workers, &launch->module->device->memory);
}

void gather_text(struct worker *workers, unsigned count, struct text *printed) {
  uint32_t next[WORKERS] = {0};
  for (;;) {
    struct worker *first = NULL;
    for (unsigned i = 0; i < count; i++) {
      struct worker *w = &workers[i];
      if (next[i] < w->printed_count &&
          (!first || w->printed[next[i]].block < first->printed[next[first - workers]].block))
        first = w;
    }
    if (!first)
      break;
    const struct printed *p = &first->printed[next[first - workers]++];
    if (printed)
      text_append(printed, first->text.bytes + p->start, p->length);
  }
  for (unsigned i = 0; i < count; i++)
    workers[i].text.length = workers[i].printed_count = 0;
}

const struct fault *gather_fault(const struct worker *workers, unsigned count, bool overrun) {
  const struct fault *lowest = NULL;
  for (unsigned i = 0; i < count; i++) {
    const struct fault *fault = overrun ? &workers[i].overrun : &workers[i].fault;
    if (!lowest || fault->block < lowest->block)
      lowest = fault;
  }
  return lowest;
}
