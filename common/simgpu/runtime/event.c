/* Events. An event remembers the modelled device time at which it was recorded. */
#include "runtime.h"

#include <stdlib.h>

struct CUevent_st {
  unsigned flags;
  bool recorded;
  uint64_t time_ns;
};

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
  if (!error)
    free(event);
  return context_leave(error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  (void)stream;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !event)
    error = cudaErrorInvalidResourceHandle;
  if (!error && flags & ~(unsigned)cudaEventRecordExternal)
    error = cudaErrorInvalidValue;
  if (!error) {
    event->recorded = true;
    event->time_ns = context_clock_ns();
  }
  return context_leave(error);
}
PER_THREAD_STREAM(cudaEventRecordWithFlags, _ptsz);

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
PER_THREAD_STREAM(cudaEventRecord, _ptsz);

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error && !event)
    error = cudaErrorInvalidResourceHandle;
  return context_leave(error);
}

/* Everything is done by the time anyone asks. */
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

static bool timed(cudaEvent_t event) {
  return event && event->recorded && !(event->flags & cudaEventDisableTiming);
}

/* In milliseconds of modelled time. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error && !milliseconds)
    error = cudaErrorInvalidValue;
  if (!error && (!timed(start) || !timed(end)))
    error = cudaErrorInvalidResourceHandle;
  if (!error)
    *milliseconds = (float)((double)(int64_t)(end->time_ns - start->time_ns) * 1e-6);
  return context_leave(error);
}
