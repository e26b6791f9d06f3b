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

static struct managed_place kept(struct cudaMemLocation place) {
  return (struct managed_place){(uint8_t)place.type,
                                (int16_t)(place.type == cudaMemLocationTypeDevice ? place.id : 0)};
}

struct advised {
  enum cudaMemoryAdvise advice;
  struct managed_place place;
};

static void advise_page(struct managed_page *page, void *data) {
  const struct advised *advised = data;
  const bool is_device = advised->place.type == cudaMemLocationTypeDevice;
  const uint16_t user = (uint16_t)(is_device ? 1u << advised->place.id : MANAGED_BY_HOST);
  switch (advised->advice) {
  case cudaMemAdviseSetReadMostly:
  case cudaMemAdviseUnsetReadMostly:
    page->is_read_mostly = advised->advice == cudaMemAdviseSetReadMostly;
    break;
  case cudaMemAdviseSetPreferredLocation:
    page->preferred = advised->place;
    break;
  case cudaMemAdviseUnsetPreferredLocation:
    page->preferred = (struct managed_place){0};
    break;
  case cudaMemAdviseSetAccessedBy:
    page->accessed_by |= user;
    break;
  case cudaMemAdviseUnsetAccessedBy:
    page->accessed_by &= (uint16_t)~user;
    break;
  }
}

static void prefetch_page(struct managed_page *page, void *place) {
  page->prefetched = *(const struct managed_place *)place;
}

/* Managed memory has no particular place here: a program gets back what it has said. */
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
  struct advised advised = {advice, kept(place)};
  if (!error && !managed_pages(address, count, advise_page, &advised))
    error = cudaErrorMemoryAllocation;
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
  struct managed_place wanted = kept(place);
  if (!error && !managed_pages(address, count, prefetch_page, &wanted))
    error = cudaErrorMemoryAllocation;
  return context_leave(error);
}

/* What all pages of a range have in common: the first page's, less what the others do not share. */
struct common {
  struct managed_page pages;
  bool has_one;
};

static void keep_common(struct managed_place *common, struct managed_place other) {
  if (common->type != other.type || common->id != other.id)
    *common = (struct managed_place){0};
}

static void add_page(struct managed_page *page, void *data) {
  struct common *common = data;
  if (!common->has_one)
    common->pages = *page;
  common->has_one = true;
  common->pages.is_read_mostly &= page->is_read_mostly;
  common->pages.accessed_by &= page->accessed_by;
  keep_common(&common->pages.preferred, page->preferred);
  keep_common(&common->pages.prefetched, page->prefetched);
}

static int device_of(struct managed_place place) {
  return place.type == cudaMemLocationTypeDevice ? place.id
         : place.type                            ? cudaCpuDeviceId
                                                 : cudaInvalidDeviceId;
}

static void list_users(int *into, size_t count, uint16_t users) {
  size_t found = 0;
  for (int device = 0; device < DEVICES_MOST && found < count; device++)
    if (users & 1u << device)
      into[found++] = device;
  if (users & MANAGED_BY_HOST && found < count)
    into[found++] = cudaCpuDeviceId;
  while (found < count)
    into[found++] = cudaInvalidDeviceId;
}

/* The last four have no names in old headers: the type and the number of the two places. */
enum { PREFERRED_TYPE = 5, PREFERRED_ID, PREFETCHED_TYPE, PREFETCHED_ID };

static cudaError_t range_attribute(int *data, size_t size, int attribute, const struct managed_page *page) {
  const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
  if (!data || !size || size % sizeof *data || (!is_list && size != sizeof *data))
    return cudaErrorInvalidValue;
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    *data = page->is_read_mostly;
    return cudaSuccess;
  case cudaMemRangeAttributePreferredLocation:
    *data = device_of(page->preferred);
    return cudaSuccess;
  case cudaMemRangeAttributeAccessedBy:
    list_users(data, size / sizeof *data, page->accessed_by);
    return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocation:
    *data = device_of(page->prefetched);
    return cudaSuccess;
  case PREFERRED_TYPE:
  case PREFETCHED_TYPE:
    *data = attribute == PREFERRED_TYPE ? page->preferred.type : page->prefetched.type;
    return cudaSuccess;
  case PREFERRED_ID:
  case PREFETCHED_ID:
    *data = attribute == PREFERRED_ID ? page->preferred.id : page->prefetched.id;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, enum cudaMemRangeAttribute *attributes,
                                      size_t number, const void *address, size_t count) {
  struct common common = {.has_one = false};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!data || !sizes || !attributes || !number || !can_be_advised(address, count)))
    error = cudaErrorInvalidValue;
  if (!error && !managed_pages(address, count, add_page, &common))
    error = cudaErrorMemoryAllocation;
  for (size_t i = 0; i < number && !error; i++)
    error = range_attribute(data[i], sizes[i], (int)attributes[i], &common.pages);
  return context_leave(error);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                                     const void *address, size_t count) {
  return cudaMemRangeGetAttributes(&data, &size, &attribute, 1, address, count);
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

/* The place of the range with this index: that of the last entry of `starts` that is not behind it. */
static cudaError_t place_for(size_t index, const struct cudaMemLocation *places, const size_t *starts,
                             size_t number, struct cudaMemLocation *place) {
  if (!places || !starts || !number || starts[0])
    return cudaErrorInvalidValue;
  size_t chosen = 0;
  while (chosen + 1 < number && starts[chosen + 1] <= index)
    chosen++;
  *place = places[chosen];
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchBatchAsync(void **addresses, size_t *sizes, size_t count,
                                      struct cudaMemLocation *places, size_t *starts, size_t number,
                                      unsigned long long flags, cudaStream_t stream) {
  struct cudaMemLocation place = {0};
  cudaError_t error = addresses && sizes && count && !flags ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++) {
    error = place_for(i, places, starts, number, &place);
    if (!error)
      error = prefetch(addresses[i], sizes[i], place, 0, stream);
  }
  return last_error_record(error);
}

/* Discarded memory has any contents: here it keeps them. */
cudaError_t cudaMemDiscardBatchAsync(void **addresses, size_t *sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error && (!addresses || !sizes || !count || flags))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++)
    error = can_be_advised(addresses[i], sizes[i]) ? cudaSuccess : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **addresses, size_t *sizes, size_t count,
                                                struct cudaMemLocation *places, size_t *starts, size_t number,
                                                unsigned long long flags, cudaStream_t stream) {
  const cudaError_t error = cudaMemDiscardBatchAsync(addresses, sizes, count, flags, stream);
  return error ? error
               : cudaMemPrefetchBatchAsync(addresses, sizes, count, places, starts, number, flags, stream);
}
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
