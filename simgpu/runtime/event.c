/* Events. An event remembers the modelled device time at which it was recorded. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

static cudaError_t create(cudaEvent_t *event, unsigned flags) {
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
  if (!event || flags & ~known) /* cudaEventInterprocess included */
    return cudaErrorInvalidValue;
  *event = malloc(sizeof **event);
  if (!*event)
    return cudaErrorMemoryAllocation;
  **event = (struct CUevent_st){.flags = flags};
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = create(event, flags);
  return context_leave(error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !event)
    error = cudaErrorInvalidResourceHandle;
  if (!error) {
    free(event->nodes);
    free(event);
  }
  return context_leave(error);
}

cudaError_t event_record(cudaEvent_t event) {
  cudaError_t error = context_wait();
  event->recorded = true;
  event->capture = 0;
  event->time_ns = context_clock_ns();
  return error;
}

cudaError_t event_capture(cudaEvent_t event, unsigned long long capture, const cudaGraphNode_t *nodes,
                          size_t count) {
  cudaGraphNode_t *copy = realloc(event->nodes, (count + 1) * sizeof(cudaGraphNode_t)); /* may be none */
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

/* What an event recorded during a capture marks is no moment. */
static cudaError_t check(cudaEvent_t event) {
  if (!event)
    return cudaErrorInvalidResourceHandle;
  return event->capture ? capture_forbids_asking(event->capture) : capture_forbids_unsafe();
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  struct work work = {.type = cudaGraphNodeTypeEventRecord, .event = event};
  bool taken = false;
  if (!event)
    return cudaErrorInvalidResourceHandle;
  if (flags & ~(unsigned)cudaEventRecordExternal)
    return cudaErrorInvalidValue;
  cudaError_t error = flags ? capture_take(stream, &work, &taken) : capture_event(stream, event, &taken);
  if (!error && !taken && flags)
    error = cudaErrorInvalidValue; /* outside of a capture there is nothing to be external to */
  return error || taken ? error : event_record(event);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  return context_leave(error ? error : record(event, stream, flags));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  return context_leave(error ? error : check(event));
}

/* Everything is done by the time anyone asks. */
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

static cudaError_t check_timed(cudaEvent_t event) {
  if (event && event->capture)
    return capture_goes_on(event->capture) ? cudaErrorCapturedEvent : cudaErrorInvalidValue;
  return event && event->recorded && !(event->flags & cudaEventDisableTiming)
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

/* In milliseconds of modelled time. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error && !milliseconds)
    error = cudaErrorInvalidValue;
  if (!error)
    error = check_timed(start);
  if (!error)
    error = check_timed(end);
  if (!error)
    *milliseconds = (float)((double)(int64_t)(end->time_ns - start->time_ns) * 1e-6);
  return context_leave(error);
}

/* Under CUDA 12's name for a function that differs in nothing that can happen here. */
cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
