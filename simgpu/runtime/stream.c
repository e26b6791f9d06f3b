#include "stream.h"

#include "devices.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

bool stream_is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool stream_blocking(cudaStream_t stream) {
  return stream_is_default(stream) || !(stream->flags & cudaStreamNonBlocking);
}

struct waits_stream *stream_waits(cudaStream_t stream) {
  if (stream == cudaStreamPerThread)
    return &waits_per_thread;
  return stream_is_default(stream) ? &waits_legacy : &stream->waits;
}

/* As on an H200. */
void stream_default_attributes(cudaLaunchAttributeValue *attributes, int priority) {
  memset(attributes, 0, STREAM_ATTRIBUTES * sizeof *attributes);
  attributes[1].syncPolicy = (enum cudaSynchronizationPolicy) - 1;
  attributes[2].priority = priority;
  attributes[3].memSyncDomainMap.remote = 1;
}

cudaError_t stream_new(cudaStream_t *stream, unsigned flags, int priority) {
  static unsigned long long last_id = 16; /* the default streams have the low ones */
  if (!stream || flags & ~(unsigned)cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  if (!(*stream = malloc(sizeof **stream)))
    return cudaErrorMemoryAllocation;
  priority = priority > 0 ? 0 : priority < STREAM_GREATEST_PRIORITY ? STREAM_GREATEST_PRIORITY : priority;
  ++last_id;
  **stream = (struct CUstream_st){flags,
                                  priority,
                                  device_current(),
                                  last_id,
                                  waits_of_new_stream(last_id, !(flags & cudaStreamNonBlocking)),
                                  {{{0}}}};
  stream_default_attributes((*stream)->attributes, priority);
  return cudaSuccess;
}
