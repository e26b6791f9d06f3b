#include "address.h"

#include "allocation.h"
#include "context.h"
#include "managed.h"
#include "pinned.h"

bool address_on_device(const void *address) { return allocation_in_range(address) && !managed_kind(address); }

bool address_pinned(const void *address) {
  return pinned_find(address, NULL) || managed_kind(address) == MANAGED_PINNED;
}

bool address_shared(const void *address) { return managed_is_shared(address) || pinned_reached(address); }

bool address_reachable(const void *address) {
  return address_on_device(address) || address_pinned(address) || managed_kind(address);
}

enum cudaMemoryType address_type(const void *address) {
  struct sim_range request = {.address = (uintptr_t)address}, range;
  if (managed_kind(address) == MANAGED_MEMORY)
    return cudaMemoryTypeManaged;
  if (address_pinned(address))
    return cudaMemoryTypeHost;
  if (address_on_device(address) &&
      context_call(SIM_RANGE_FIND, &request, sizeof request, &range, sizeof range) == cudaSuccess)
    return cudaMemoryTypeDevice;
  return cudaMemoryTypeUnregistered;
}
