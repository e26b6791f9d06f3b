#include "event.h"

#include "context.h"
#include "devices.h"
#include "tally.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

cudaError_t event_new(cudaEvent_t *event, unsigned flags) {
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!event || flags & ~known)
    return cudaErrorInvalidValue;
  if (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming))
    return cudaErrorInvalidValue;
  *event = malloc(sizeof **event);
  if (!*event)
    return cudaErrorMemoryAllocation;
  **event = (struct CUevent_st){.flags = flags, .device = device_current()};
  tally_add(TALLY_OBJECTS, 1);
  return cudaSuccess;
}

void event_free(cudaEvent_t event) {
  tally_add(TALLY_OBJECTS, -1);
  free(event->nodes);
  free(event);
}

cudaError_t event_record(cudaEvent_t event) {
  cudaError_t error = context_wait();
  event->recorded = true;
  event->capture = 0;
  event->time_ns = context_clock_ns();
  event->moment = *waits_now();
  return error;
}

cudaError_t event_capture(cudaEvent_t event, unsigned long long capture, const cudaGraphNode_t *nodes,
                          size_t count) {
  cudaGraphNode_t *copy = realloc(event->nodes, (count + 1) * sizeof(cudaGraphNode_t)); /* count may be 0 */
  if (!copy)
    return cudaErrorMemoryAllocation;
  event->nodes = copy;
  if (count)
    memcpy(event->nodes, nodes, count * sizeof(cudaGraphNode_t));
  event->node_count = count;
  event->capture = capture;
  event->recorded = false;
  return cudaSuccess;
}
