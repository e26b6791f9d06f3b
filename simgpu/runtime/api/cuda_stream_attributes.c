/* Attributes of streams. Nothing here depends on them: the program gets back what it set. */
#include "api.h"

#include "../stream.h"

#include <string.h>

/* Those that an H200 accepts for streams, and the bytes of their values. */
static const struct {
  cudaLaunchAttributeID id;
  size_t size;
} kept[STREAM_ATTRIBUTES] = {
    {cudaLaunchAttributeAccessPolicyWindow, sizeof(struct cudaAccessPolicyWindow)},
    {cudaLaunchAttributeSynchronizationPolicy, sizeof(enum cudaSynchronizationPolicy)},
    {cudaLaunchAttributePriority, sizeof(int)},
    {cudaLaunchAttributeMemSyncDomainMap, sizeof(cudaLaunchMemSyncDomainMap)},
    {cudaLaunchAttributeMemSyncDomain, sizeof(cudaLaunchMemSyncDomain)},
};

/* Its place in the table; STREAM_ATTRIBUTES: there is none. */
static int place_of(cudaLaunchAttributeID id) {
  int place = 0;
  while (place < STREAM_ATTRIBUTES && kept[place].id != id)
    place++;
  return place;
}

static cudaLaunchAttributeValue *attributes_of(cudaStream_t stream) {
  static cudaLaunchAttributeValue of_default[STREAM_ATTRIBUTES];
  static bool is_filled;
  if (!stream_is_default(stream))
    return stream->attributes;
  if (!is_filled)
    stream_default_attributes(of_default, 0);
  is_filled = true;
  return of_default;
}

static cudaError_t enter(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value) {
  const cudaError_t error = context_enter(CONTEXT_QUEUES);
  return error ? error : value && place_of(id) < STREAM_ATTRIBUTES ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue *value) {
  const cudaError_t error = enter(id, value);
  if (!error)
    memcpy(&attributes_of(stream)[place_of(id)], value, kept[place_of(id)].size);
  return context_leave(error);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue *value) {
  const cudaError_t error = enter(id, value);
  if (!error)
    memcpy(value, &attributes_of(stream)[place_of(id)], kept[place_of(id)].size);
  return context_leave(error);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  const cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    memmove(attributes_of(to), attributes_of(from), STREAM_ATTRIBUTES * sizeof(cudaLaunchAttributeValue));
  return context_leave(error);
}
