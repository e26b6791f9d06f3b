/* Streams. Work runs in issue order on all of them, so a stream only has to remember what it was created
 * with. */
#include "runtime.h"

#include <stdlib.h>

enum { GREATEST_PRIORITY = -5 }; /* as on an H200; the least is 0 */

struct CUstream_st {
  unsigned flags;
  int priority;
  unsigned long long id;
};

/* The default stream under its three names. */
static bool is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool stream_blocking(cudaStream_t stream) {
  return is_default(stream) || !(stream->flags & cudaStreamNonBlocking);
}

static cudaError_t create(cudaStream_t *stream, unsigned flags, int priority) {
  static unsigned long long last_id = 16; /* the low ones belong to the default streams */
  if (!stream || flags & ~(unsigned)cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  if (!(*stream = malloc(sizeof **stream)))
    return cudaErrorMemoryAllocation;
  priority = priority > 0 ? 0 : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
  **stream = (struct CUstream_st){flags, priority, ++last_id};
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = create(stream, flags, priority);
  return context_leave(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && is_default(stream))
    error = cudaErrorInvalidResourceHandle;
  if (!error) {
    capture_forget_stream(stream);
    free(stream);
  }
  return context_leave(error);
}

cudaError_t stream_wait(cudaStream_t stream) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  return context_leave(error ? error : capture_forbids_waiting(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error)
    error = capture_forbids_waiting(stream);
  return context_leave(error ? error : capture_forbids_unsafe());
}

/* Everything is done by the time anyone asks. */
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !priority)
    error = cudaErrorInvalidValue;
  if (!error)
    *priority = is_default(stream) ? 0 : stream->priority;
  return context_leave(error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !flags)
    error = cudaErrorInvalidValue;
  if (!error)
    *flags = is_default(stream) ? cudaStreamDefault : stream->flags;
  return context_leave(error);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !id)
    error = cudaErrorInvalidValue;
  if (!error)
    *id = !stream ? (uintptr_t)cudaStreamLegacy : is_default(stream) ? (uintptr_t)stream : stream->id;
  return context_leave(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = GREATEST_PRIORITY;
  return cudaSuccess;
}

#if CUDART_VERSION >= 12080
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  (void)stream;
  return cudaGetDevice(device);
}
#endif
