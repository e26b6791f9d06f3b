/* Streams. Work runs in issue order on all of them, so a stream only remembers how it was created,
 * and what the host must wait for. */
#pragma once

#include "runtime/waits.h"

#include <driver_types.h>
#include <stdbool.h>

enum { STREAM_ATTRIBUTES = 5 };
enum { STREAM_GREATEST_PRIORITY = -5 }; /* as on an H200; the least is 0 */

struct CUstream_st {
  unsigned flags;
  int priority, device;
  unsigned long long id;
  struct waits_stream waits;
  cudaLaunchAttributeValue attributes[STREAM_ATTRIBUTES]; /* api/cuda_stream_attributes.c says which */
};

/* The default stream under any of its three names. */
bool stream_is_default(cudaStream_t stream);

/* True if this stream waits for the legacy stream, and the legacy stream for it. */
bool stream_blocking(cudaStream_t stream);

struct waits_stream *stream_waits(cudaStream_t stream);

/* Fills in those of a new stream, STREAM_ATTRIBUTES of them. */
void stream_default_attributes(cudaLaunchAttributeValue *attributes, int priority);

cudaError_t stream_new(cudaStream_t *stream, unsigned flags, int priority);
