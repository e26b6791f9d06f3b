/* Events. An event remembers the modelled device time at which it was recorded. */
#pragma once

#include "runtime/waits.h"

#include <driver_types.h>
#include <stdbool.h>
#include <stdint.h>

struct CUevent_st {
  unsigned flags;
  int device;
  bool recorded;
  uint64_t time_ns;
  struct waits_moment moment;
  unsigned long long capture; /* in which it was recorded last; 0: none */
  size_t node_count;          /* the nodes on which the capturing stream's next node depends */
  cudaGraphNode_t *nodes;
};

cudaError_t event_new(cudaEvent_t *event, unsigned flags);
void event_free(cudaEvent_t event);

/* Records the present moment, or these nodes of a capture, in the event. */
cudaError_t event_record(cudaEvent_t event);
cudaError_t event_capture(cudaEvent_t event, unsigned long long capture, const cudaGraphNode_t *nodes,
                          size_t count);
