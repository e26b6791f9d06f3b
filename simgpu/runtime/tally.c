#include "tally.h"

#include "context.h"

static struct sim_tally tally;

static void report(void) {
  if (context_device()->counts_waits)
    context_queue(SIM_TALLY, &tally, sizeof tally, NULL);
}

/* A reset frees nothing here: what was alive counts as left. */
void tally_add(enum tally_kind kind, int change) {
  uint32_t *const counts[TALLY_KINDS] = {[TALLY_PINNED] = &tally.pinned,
                                         [TALLY_OBJECTS] = &tally.objects,
                                         [TALLY_MEMORY_CALLS] = &tally.memory_calls,
                                         [TALLY_ORDERED_CALLS] = &tally.ordered_calls,
                                         [TALLY_EARLY] = &tally.early,
                                         [TALLY_MAPPED_WRITES] = &tally.mapped_writes,
                                         [TALLY_HOST_FUNCTIONS] = &tally.host_functions,
                                         [TALLY_GRAPHS_MADE] = &tally.graphs_made,
                                         [TALLY_GRAPH_CALLS] = &tally.graph_calls};
  uint32_t *count = counts[kind];
  if (change < 0 && *count == 0)
    return;
  *count += (uint32_t)change;
  report();
}
