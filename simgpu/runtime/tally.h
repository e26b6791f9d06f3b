/* What a program holds on the host's side. The device never sees it, so the client reports it if the device counts. */
#pragma once

enum tally_kind {
  TALLY_PINNED,         /* pinned memory, allocated or registered, that is not mapped */
  TALLY_OBJECTS,        /* streams, events, graphs and executable graphs */
  TALLY_MEMORY_CALLS,   /* calls that allocate or free device or pinned memory, for which a driver may wait */
  TALLY_EARLY,          /* arrays of which the host read or wrote an element that it should have waited for */
  TALLY_ORDERED_CALLS,  /* calls that allocate or free memory in stream order */
  TALLY_MAPPED_WRITES,  /* launches that changed mapped memory */
  TALLY_HOST_FUNCTIONS, /* functions of the host that a stream has called */
  TALLY_GRAPHS_MADE,    /* executable graphs that were made */
  TALLY_GRAPH_CALLS,    /* allocations and frees of graphs, for which nothing waits */
  TALLY_KINDS
};

void tally_add(enum tally_kind kind, int change);
