/* Events. */
#include "api.h"

#include "../capture.h"
#include "../devices.h"
#include "../event.h"
#include "../explain.h"
#include "../stream.h"

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = event_new(event, flags);
  return context_leave(error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !event)
    error = cudaErrorInvalidResourceHandle;
  if (!error)
    event_free(event);
  return context_leave(error);
}

/* An event recorded during a capture has no time. */
static cudaError_t check(cudaEvent_t event) {
  if (!event)
    return cudaErrorInvalidResourceHandle;
  return event->capture ? capture_forbids_asking(event->capture) : capture_forbids_unsafe();
}

/* An event and the streams that record it belong to one device. */
static cudaError_t check_device(cudaEvent_t event, cudaStream_t stream) {
  const int device = stream_is_default(stream) ? device_current() : stream->device;
  if (device == event->device)
    return cudaSuccess;
  explain_device("the record of an event", device, "the event's", event->device);
  return cudaErrorInvalidResourceHandle;
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  struct work work = {.type = cudaGraphNodeTypeEventRecord, .event = event};
  bool taken = false;
  if (!event)
    return cudaErrorInvalidResourceHandle;
  if (flags & ~(unsigned)cudaEventRecordExternal)
    return cudaErrorInvalidValue;
  cudaError_t error = check_device(event, stream);
  if (!error)
    error = flags ? capture_take(stream, &work, &taken) : capture_event(stream, event, &taken);
  if (!error && !taken && flags)
    error = cudaErrorInvalidValue; /* an external event needs a capture */
  if (error || taken)
    return error;
  waits_enter(stream_waits(stream));
  return event_record(event);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : record(event, stream, flags));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (context_in_host_function()) /* permitted there: all earlier work is done */
    return last_error_record(check(event));
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = check(event);
  if (!error && event->recorded)
    error = waits_for(&event->moment);
  return context_leave_as(CONTEXT_SYNCHRONISES, error);
}

/* All work is done by the time a program asks. */
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
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
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

/* CUDA 12's name; the function behaves the same on this device. */
cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
