/* Device allocations, pinned host memory, and what an address belongs to. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PITCH_UNIT = 512 }; /* bytes; as on an H200 */

static bool in_device_range(const void *address) {
  return (uintptr_t)address >= SIM_ADDRESS_FIRST && (uintptr_t)address < SIM_ADDRESS_LAST;
}

bool memory_device_reaches(const void *address) {
  return memory_on_device(address) || memory_pinned(address) || managed_kind(address);
}

bool memory_on_device(const void *address) { return in_device_range(address) && !managed_kind(address); }

/* All allocations in the order of their addresses. One for which there was no room is unknown. */
static struct {
  struct sim_range *ranges;
  size_t count, room;
} known;

/* How many begin at the address or before it. */
static size_t known_until(uint64_t address) {
  size_t low = 0, high = known.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (known.ranges[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void remember(struct sim_range range) {
  if (known.count == known.room) {
    size_t room = 2 * known.room + 16;
    struct sim_range *ranges = realloc(known.ranges, room * sizeof *ranges);
    if (!ranges)
      return;
    known.ranges = ranges;
    known.room = room;
  }
  size_t at = known_until(range.address);
  memmove(&known.ranges[at + 1], &known.ranges[at], (known.count - at) * sizeof range);
  known.ranges[at] = range;
  known.count++;
}

static void forget(uint64_t address) {
  size_t end = known_until(address);
  if (!end || known.ranges[end - 1].address != address)
    return;
  memmove(&known.ranges[end - 1], &known.ranges[end], (known.count - end) * sizeof *known.ranges);
  known.count--;
}

void memory_forget(void) { known.count = 0; }

bool memory_holds(const void *address, size_t width, size_t rows, size_t pitch) {
  size_t behind = known_until((uintptr_t)address), all;
  if (!behind || !rows || pitch < width || __builtin_mul_overflow(rows, pitch, &all) || all > SIM_MAX_MESSAGE)
    return false;
  const struct sim_range *range = &known.ranges[behind - 1];
  uint64_t offset = (uintptr_t)address - range->address;
  return offset <= range->size && all - pitch + width <= range->size - offset;
}

cudaError_t memory_allocate(void **address, size_t size) {
  struct sim_range request = {.size = size}, range;
  if (!address)
    return cudaErrorInvalidValue;
  *address = NULL;
  if (!size)
    return cudaSuccess;
  cudaError_t error = context_call(SIM_ALLOCATE, &request, sizeof request, &range, sizeof range);
  if (error)
    return error;
  if (!in_device_range((void *)range.address) || range.size < size ||
      range.size > SIM_ADDRESS_LAST - range.address)
    return context_malformed("allocation");
  remember((struct sim_range){range.address, size});
  *address = (void *)range.address;
  return cudaSuccess;
}

cudaError_t memory_release(void *address) {
  struct sim_range range = {.address = (uintptr_t)address};
  cudaError_t error = address ? context_call(SIM_FREE, &range, sizeof range, NULL, 0) : cudaSuccess;
  if (!error) {
    forget(range.address);
    pool_released(address);
  }
  return error;
}

/* Does not wait for the device, as measured on an H200. */
cudaError_t cudaMalloc(void **address, size_t size) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = memory_allocate(address, size);
  return context_leave(error);
}

cudaError_t cudaFree(void *address) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = managed_kind(address) ? managed_release(address, MANAGED_MEMORY) : memory_release(address);
  return context_leave(error);
}

static cudaError_t allocate_rows(void **address, size_t *pitch, size_t width, size_t rows) {
  size_t size;
  if (!address || !pitch)
    return cudaErrorInvalidValue;
  if (__builtin_add_overflow(width, PITCH_UNIT - 1, pitch))
    return cudaErrorMemoryAllocation;
  *pitch = rows ? *pitch / PITCH_UNIT * PITCH_UNIT : 0;
  if (__builtin_mul_overflow(*pitch, rows, &size))
    return cudaErrorMemoryAllocation;
  return memory_allocate(address, size);
}

cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = allocate_rows(address, pitch, width, height);
  return context_leave(error);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  size_t rows;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!pitched || __builtin_mul_overflow(extent.height, extent.depth, &rows)))
    error = cudaErrorInvalidValue;
  if (!error) {
    *pitched = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
    error = allocate_rows(&pitched->ptr, &pitched->pitch, extent.width, rows);
  }
  return context_leave(error);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  struct sim_memory_info info;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = context_call(SIM_MEMORY_INFO, NULL, 0, &info, sizeof info);
  if (!error && free_bytes)
    *free_bytes = info.free_bytes;
  if (!error && total_bytes)
    *total_bytes = info.total_bytes;
  return context_leave(error);
}

/* Pinned host memory is plain memory, listed so that it can be told from other memory and freed once.
 * Registered memory remains the program's. */
struct pinned {
  struct pinned *next;
  char *address;
  size_t size;
  unsigned flags;
  bool registered;
};
static struct pinned *pinned_list;

static struct pinned **find_pinned(const void *address) {
  struct pinned **link = &pinned_list;
  for (; *link; link = &(*link)->next)
    if ((uintptr_t)address - (uintptr_t)(*link)->address < (*link)->size)
      break;
  return link;
}

bool memory_pinned(const void *address) {
  return *find_pinned(address) != NULL || managed_kind(address) == MANAGED_PINNED;
}

static cudaError_t allocate_pinned(void **address, size_t size, unsigned flags) {
  *address = NULL;
  if (!size)
    return cudaSuccess;
  struct pinned *pinned = malloc(sizeof *pinned);
  if (!pinned || posix_memalign(address, (size_t)sysconf(_SC_PAGESIZE), size)) {
    free(pinned);
    return cudaErrorMemoryAllocation;
  }
  *pinned = (struct pinned){pinned_list, *address, size, flags, false};
  pinned_list = pinned;
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **address, size_t size, unsigned flags) {
  const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!address || flags & ~known))
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_unsafe();
  if (!error)
    error = size && flags & cudaHostAllocMapped && context_addresses_reserved()
                ? managed_allocate(address, size, MANAGED_PINNED)
                : allocate_pinned(address, size, flags);
  return context_leave(error);
}

cudaError_t cudaMallocHost(void **address, size_t size) {
  return cudaHostAlloc(address, size, cudaHostAllocDefault);
}

static cudaError_t release_pinned(void *address) {
  struct pinned **link = find_pinned(address), *pinned = *link;
  if (!address)
    return cudaSuccess;
  if (managed_kind(address))
    return managed_release(address, MANAGED_PINNED);
  if (!pinned || pinned->address != address || pinned->registered)
    return cudaErrorInvalidValue;
  *link = pinned->next;
  free(pinned->address);
  free(pinned);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *address) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error)
    error = release_pinned(address);
  return context_leave(error);
}

static cudaError_t enlist(void *address, size_t size, unsigned flags) {
  for (struct pinned *other = pinned_list; other; other = other->next)
    if ((uintptr_t)address < (uintptr_t)other->address + other->size &&
        (uintptr_t)other->address < (uintptr_t)address + size)
      return cudaErrorHostMemoryAlreadyRegistered;
  struct pinned *pinned = malloc(sizeof *pinned);
  if (!pinned)
    return cudaErrorMemoryAllocation;
  *pinned = (struct pinned){pinned_list, address, size, flags, true};
  pinned_list = pinned;
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void *address, size_t size, unsigned flags) {
  const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
  static bool told;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && flags & cudaHostRegisterIoMemory)
    error = unsupported("cudaHostRegister of a device's own memory", &told);
  if (!error && (!address || !size || size > UINTPTR_MAX - (uintptr_t)address || flags & ~known ||
                 in_device_range(address)))
    error = cudaErrorInvalidValue;
  if (!error)
    error = enlist(address, size, flags);
  return context_leave(error);
}

cudaError_t cudaHostUnregister(void *address) {
  cudaError_t error = context_enter(CALL_SYNCHRONISES);
  if (!error && !address)
    error = cudaErrorInvalidValue;
  struct pinned **link = find_pinned(address), *pinned = *link;
  if (!error && (!pinned || pinned->address != address || !pinned->registered))
    error = cudaErrorHostMemoryNotRegistered;
  if (!error) {
    *link = pinned->next;
    free(pinned);
  }
  return context_leave(error);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *address) {
  cudaError_t error = context_enter(CALL_QUEUES);
  const struct pinned *pinned = *find_pinned(address);
  if (!error && (!flags || !memory_pinned(address)))
    error = cudaErrorInvalidValue;
  if (!error)
    *flags = pinned ? pinned->flags : cudaHostAllocMapped;
  return context_leave(error);
}

static enum cudaMemoryType type_of(const void *address) {
  struct sim_range request = {.address = (uintptr_t)address}, range;
  if (managed_kind(address) == MANAGED_MEMORY)
    return cudaMemoryTypeManaged;
  if (memory_pinned(address))
    return cudaMemoryTypeHost;
  if (memory_on_device(address) &&
      context_call(SIM_RANGE_FIND, &request, sizeof request, &range, sizeof range) == cudaSuccess)
    return cudaMemoryTypeDevice;
  return cudaMemoryTypeUnregistered;
}

/* devicePointer is NULL for pinned memory that is not mapped: the device cannot reach the program's own. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *address) {
  cudaError_t error = context_enter(CALL_QUERIES);
  if (!error && !attributes)
    error = cudaErrorInvalidValue;
  if (!error) {
    enum cudaMemoryType type = type_of(address);
    bool device = type == cudaMemoryTypeDevice;
    *attributes = (struct cudaPointerAttributes){
        .type = type,
        .device = type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : 0,
        .devicePointer = device || managed_kind(address) ? (void *)address : NULL,
        .hostPointer = device ? NULL : (void *)address,
    };
  }
  return context_leave(error);
}
