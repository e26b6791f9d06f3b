/* Streams. */
#include "api.h"

#include "../capture.h"
#include "../stream.h"
#include "../tally.h"

#include <stdlib.h>

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = stream_new(stream, flags, priority);
  if (!error)
    tally_add(TALLY_OBJECTS, 1);
  return context_leave(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && stream_is_default(stream))
    error = cudaErrorInvalidResourceHandle;
  if (!error) {
    capture_forget_stream(stream);
    waits_forget(&stream->waits);
    tally_add(TALLY_OBJECTS, -1);
    free(stream);
  }
  return context_leave(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = waits_for_stream(stream_waits(stream));
  return context_leave_as(CONTEXT_SYNCHRONISES, error);
}

/* All work is done by the time a program asks. */
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !priority)
    error = cudaErrorInvalidValue;
  if (!error)
    *priority = stream_is_default(stream) ? 0 : stream->priority;
  return context_leave(error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !flags)
    error = cudaErrorInvalidValue;
  if (!error)
    *flags = stream_is_default(stream) ? cudaStreamDefault : stream->flags;
  return context_leave(error);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !id)
    error = cudaErrorInvalidValue;
  if (!error)
    *id = !stream ? (uintptr_t)cudaStreamLegacy : stream_is_default(stream) ? (uintptr_t)stream : stream->id;
  return context_leave(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = STREAM_GREATEST_PRIORITY;
  return cudaSuccess;
}

#if CUDART_VERSION >= 12080
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  if (stream_is_default(stream) || !device)
    return cudaGetDevice(device);
  *device = stream->device;
  return cudaSuccess;
}
#endif
