#include "allocation.h"

#include "context.h"
#include "devices.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>

bool allocation_in_range(const void *address) {
  return (uintptr_t)address >= SIM_ADDRESS_FIRST && (uintptr_t)address < SIM_ADDRESS_LAST;
}

/* All allocations in the order of their addresses, except those for which the host had no room. */
struct known {
  uint64_t address, size;
  int device;
};
static struct {
  struct known *ranges;
  size_t count, room;
} known;

/* The number of allocations that begin at or before the address. */
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

static void remember(struct known range) {
  if (known.count == known.room) {
    size_t room = 2 * known.room + 16;
    struct known *ranges = realloc(known.ranges, room * sizeof *ranges);
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

void allocation_forget(void) { known.count = 0; }

bool allocation_holds(const void *address, size_t width, size_t rows, size_t pitch) {
  size_t behind = known_until((uintptr_t)address), all;
  if (!behind || !rows || pitch < width || __builtin_mul_overflow(rows, pitch, &all) || all > SIM_MAX_MESSAGE)
    return false;
  const struct known *range = &known.ranges[behind - 1];
  uint64_t offset = (uintptr_t)address - range->address;
  return offset <= range->size && all - pitch + width <= range->size - offset;
}

int allocation_device(const void *address) {
  const size_t behind = known_until((uintptr_t)address);
  const struct sim_range request = {.address = (uintptr_t)address};
  struct sim_mapping mapping;
  if (allocation_in_range(address) && !allocation_holds(address, 1, 1, 1) &&
      !context_call(SIM_MAPPING_FIND, &request, sizeof request, &mapping, sizeof mapping))
    return (int)mapping.device;
  return behind ? known.ranges[behind - 1].device : 0;
}

cudaError_t allocation_new(void **address, size_t size) {
  struct sim_range request = {.size = size}, range;
  if (!address)
    return cudaErrorInvalidValue;
  *address = NULL;
  if (!size)
    return cudaSuccess;
  cudaError_t error = context_call(SIM_ALLOCATE, &request, sizeof request, &range, sizeof range);
  if (error)
    return error;
  if (!allocation_in_range((void *)range.address) || range.size < size ||
      range.size > SIM_ADDRESS_LAST - range.address)
    return context_malformed("allocation");
  remember((struct known){range.address, size, device_current()});
  tally_add(TALLY_MEMORY_CALLS, 1);
  *address = (void *)range.address;
  return cudaSuccess;
}

cudaError_t allocation_release(void *address) {
  struct sim_range range = {.address = (uintptr_t)address};
  cudaError_t error = address ? context_call(SIM_FREE, &range, sizeof range, NULL, 0) : cudaSuccess;
  if (error || !address)
    return error;
  forget(range.address);
  tally_add(TALLY_MEMORY_CALLS, 1);
  return cudaSuccess;
}
