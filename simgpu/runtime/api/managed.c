/* Managed memory, and advice on where it should be. */
#include "api.h"

#include "../capture.h"
#include "../devices.h"
#include "../managed.h"

cudaError_t cudaMallocManaged(void **address, size_t size, unsigned flags) {
  static bool reported;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && (!address || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)))
    error = cudaErrorInvalidValue;
  if (!error && !size)
    *address = NULL;
  else if (!error)
    error =
        context_addresses_reserved()
            ? managed_allocate(address, size, MANAGED_MEMORY)
            : unsupported("cudaMallocManaged while other memory occupies the device's addresses", &reported);
  return context_leave(error);
}

static bool can_be_advised(const void *address, size_t count) {
  return count && managed_kind(address) == MANAGED_MEMORY && managed_holds(address, count);
}

static cudaError_t check_place(struct cudaMemLocation place) {
  enum { LAST = 4 /* cudaMemLocationTypeHostNumaCurrent, which old toolkits lack */ };
  if (!place.type || (unsigned)place.type > LAST)
    return cudaErrorInvalidValue;
  return place.type == cudaMemLocationTypeDevice ? device_check(place.id) : cudaSuccess;
}

/* Managed memory has no particular place here, so only the arguments are checked. */
static cudaError_t advise(const void *address, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation place) {
  bool names_place = advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
                 !can_be_advised(address, count)))
    error = cudaErrorInvalidValue;
  if (!error && names_place && check_place(place))
    error = cudaErrorInvalidValue; /* as on an H200, even for a device that does not exist */
  return context_leave(error);
}

static cudaError_t prefetch(const void *address, size_t count, struct cudaMemLocation place, unsigned flags,
                            cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error && (flags || !can_be_advised(address, count)))
    error = cudaErrorInvalidValue;
  if (!error)
    error = check_place(place);
  return context_leave(error);
}

/* CUDA 13 gave the plain names to the functions that know places other than devices. In CUDA 12 (since 12.2), the
 * names of these end in _v2. */
#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void *address, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation place) {
  return advise(address, count, advice, place);
}
ALIAS(cudaMemAdvise_v2, cudaMemAdvise);

cudaError_t cudaMemPrefetchAsync(const void *address, size_t count, struct cudaMemLocation place,
                                 unsigned flags, cudaStream_t stream) {
  return prefetch(address, count, place, flags, stream);
}
ALIAS(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync);
#else
static struct cudaMemLocation place_of(int device) {
  enum { HOST = 2 /* cudaMemLocationTypeHost, since CUDA 12.2 */ };
  return (struct cudaMemLocation){
      device == cudaCpuDeviceId ? (enum cudaMemLocationType)HOST : cudaMemLocationTypeDevice, device};
}

cudaError_t cudaMemAdvise(const void *address, size_t count, enum cudaMemoryAdvise advice, int device) {
  return advise(address, count, advice, place_of(device));
}

cudaError_t cudaMemPrefetchAsync(const void *address, size_t count, int device, cudaStream_t stream) {
  return prefetch(address, count, place_of(device), 0, stream);
}

#if CUDART_VERSION >= 12020
cudaError_t cudaMemAdvise_v2(const void *address, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation place) {
  return advise(address, count, advice, place);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *address, size_t count, struct cudaMemLocation place,
                                    unsigned flags, cudaStream_t stream) {
  return prefetch(address, count, place, flags, stream);
}
#endif
#endif
