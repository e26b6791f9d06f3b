#include "pinned.h"

#include "early.h"
#include "tally.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct pinned {
  struct pinned *next;
  char *address;
  size_t size;
  unsigned flags;
  bool registered;
};
static struct pinned *list;

static struct pinned **find(const void *address) {
  struct pinned **link = &list;
  for (; *link; link = &(*link)->next)
    if ((uintptr_t)address - (uintptr_t)(*link)->address < (*link)->size)
      break;
  return link;
}

bool pinned_find(const void *address, unsigned *flags) {
  const struct pinned *pinned = *find(address);
  if (pinned && flags)
    *flags = pinned->flags;
  return pinned;
}

static cudaError_t enlist(void *address, size_t size, unsigned flags, bool registered) {
  struct pinned *pinned = malloc(sizeof *pinned);
  if (!pinned)
    return cudaErrorMemoryAllocation;
  *pinned = (struct pinned){list, address, size, flags, registered};
  list = pinned;
  tally_add(TALLY_PINNED, 1);
  tally_add(TALLY_MEMORY_CALLS, 1);
  return cudaSuccess;
}

cudaError_t pinned_allocate(void **address, size_t size, unsigned flags) {
  *address = NULL;
  if (!size)
    return cudaSuccess;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE),
               room = (size + page - 1) / page * page; /* its own pages */
  if (room < size || posix_memalign(address, page, room))
    return cudaErrorMemoryAllocation;
  cudaError_t error = enlist(*address, size, flags, false);
  if (error)
    free(*address);
  return error;
}

cudaError_t pinned_register(void *address, size_t size, unsigned flags) {
  for (struct pinned *other = list; other; other = other->next)
    if ((uintptr_t)address < (uintptr_t)other->address + other->size &&
        (uintptr_t)other->address < (uintptr_t)address + size)
      return cudaErrorHostMemoryAlreadyRegistered;
  return enlist(address, size, flags, true);
}

bool pinned_has_own_pages(const void *address, size_t size) {
  const struct pinned *pinned = *find(address);
  return pinned && !pinned->registered &&
         size <= pinned->size - (size_t)((const char *)address - pinned->address);
}

/* Returns false if no such memory begins at the address. */
static bool drop(void *address, bool registered) {
  struct pinned **link = find(address), *pinned = *link;
  if (!pinned || pinned->address != address || pinned->registered != registered)
    return false;
  *link = pinned->next;
  early_forget(pinned->address, pinned->size);
  free(pinned);
  tally_add(TALLY_PINNED, -1);
  tally_add(TALLY_MEMORY_CALLS, 1);
  return true;
}

cudaError_t pinned_release(void *address) {
  if (!drop(address, false))
    return cudaErrorInvalidValue;
  free(address);
  return cudaSuccess;
}

cudaError_t pinned_unregister(void *address) {
  return drop(address, true) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
}
