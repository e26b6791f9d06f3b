/* Memory that a program and its kernels reach at one address: managed memory, and mapped pinned memory.
 *
 * It is a device allocation with host pages behind the same addresses. The host's copy is the true one,
 * except while a kernel runs: a launch sends all of it to the device and brings it back. Hardware moves only
 * the pages that are touched, and nobody models which those are: the transfers take no modelled time. */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct managed {
  struct managed *next;
  char *address;
  size_t size;
  enum managed_kind kind;
};
static struct managed *list;

static struct managed **find(const void *address) {
  struct managed **link = &list;
  for (; *link; link = &(*link)->next)
    if ((uintptr_t)address - (uintptr_t)(*link)->address < (*link)->size)
      break;
  return link;
}

enum managed_kind managed_kind(const void *address) {
  const struct managed *managed = *find(address);
  return managed ? managed->kind : MANAGED_NOT;
}

bool managed_holds(const void *address, size_t size) {
  const struct managed *managed = *find(address);
  return managed && size <= managed->size - (size_t)((const char *)address - managed->address);
}

/* The guard zones of device memory keep two allocations from ever sharing a page. */
static bool map(const struct managed *managed, int protection) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)managed->address / page * page;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return mmap((void *)first, (uintptr_t)managed->address + managed->size - first, protection, flags, -1, 0) !=
         MAP_FAILED;
}

cudaError_t managed_allocate(void **address, size_t size, enum managed_kind kind) {
  struct managed *managed = malloc(sizeof *managed);
  if (!managed)
    return cudaErrorMemoryAllocation;
  cudaError_t error = memory_allocate(address, size);
  *managed = (struct managed){list, *address, size, kind};
  if (!error && !map(managed, PROT_READ | PROT_WRITE)) {
    memory_release(*address);
    error = cudaErrorMemoryAllocation;
  }
  if (error) {
    *address = NULL;
    free(managed);
    return error;
  }
  list = managed;
  return cudaSuccess;
}

static void forget(struct managed **link) {
  struct managed *managed = *link;
  *link = managed->next;
  map(managed, PROT_NONE);
  free(managed);
}

cudaError_t managed_release(void *address, enum managed_kind kind) {
  struct managed **link = find(address);
  if (!*link || (*link)->address != address || (*link)->kind != kind)
    return cudaErrorInvalidValue;
  forget(link);
  return memory_release(address);
}

void managed_forget(void) {
  while (list)
    forget(&list);
}

bool managed_exists(void) { return list; }

cudaError_t managed_send(void) {
  if (!list)
    return cudaSuccess;
  if (context_wait())
    return cudaErrorDevicesUnavailable;
  uint64_t clock = context_clock_ns();
  cudaError_t error = cudaSuccess;
  for (struct managed *m = list; m && !error; m = m->next)
    error = copy_to_device(m->address, m->address, m->size);
  if (!error)
    error = context_wait();
  context_rewind(clock);
  return error;
}

cudaError_t managed_fetch(void) {
  uint64_t clock = context_clock_ns();
  cudaError_t error = cudaSuccess;
  for (struct managed *m = list; m && !error && !context_faulted(); m = m->next)
    error = copy_from_device(m->address, m->address, m->size);
  context_rewind(clock);
  return error;
}

cudaError_t cudaMallocManaged(void **address, size_t size, unsigned flags) {
  static bool told;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && (!address || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)))
    error = cudaErrorInvalidValue;
  if (!error && !size)
    *address = NULL;
  else if (!error)
    error = context_addresses_reserved()
                ? managed_allocate(address, size, MANAGED_MEMORY)
                : unsupported("cudaMallocManaged with other memory at the addresses of the device", &told);
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

/* Where managed memory should lie is nowhere in particular here: only the arguments are looked at. */
static cudaError_t advise(const void *address, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation place) {
  bool names_place = advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
                 !can_be_advised(address, count)))
    error = cudaErrorInvalidValue;
  if (!error && names_place && check_place(place))
    error = cudaErrorInvalidValue; /* of a device too, as an H200 has it */
  return context_leave(error);
}

static cudaError_t prefetch(const void *address, size_t count, struct cudaMemLocation place, unsigned flags,
                            cudaStream_t stream) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error && (flags || !can_be_advised(address, count)))
    error = cudaErrorInvalidValue;
  if (!error)
    error = check_place(place);
  return context_leave(error);
}

/* CUDA 13 gave the plain names to the functions that know other places than devices; in 12 these end in _v2
 * (since 12.2). */
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

/* Pinned memory that was not asked to be mapped is the host's alone, which hardware with one address space is
 * not so strict about. */
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  static bool told;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!device || flags))
    error = cudaErrorInvalidValue;
  if (!error && managed_kind(host) == MANAGED_PINNED)
    *device = host;
  else if (!error)
    error = memory_pinned(host)
                ? unsupported("pinned memory without cudaHostAllocMapped on the device", &told)
                : cudaErrorInvalidValue;
  return context_leave(error);
}
