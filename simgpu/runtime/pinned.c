#include "pinned.h"

#include "context.h"
#include "early.h"
#include "shared_pages.h"
#include "tally.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct pinned {
  struct pinned *next;
  char *address;
  size_t size;
  unsigned flags;
  bool registered;
  bool is_shared;  /* its pages are those of a file */
  bool is_reached; /* by kernels, since the device has the file, too */
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

bool pinned_reached(const void *address) {
  const struct pinned *pinned = *find(address);
  return pinned && pinned->is_reached;
}

bool pinned_reachable(const void *address) {
  const struct pinned *pinned = *find(address);
  return pinned && (pinned->is_reached || !context_device()->shares);
}

void *pinned_whole(const void *address, size_t *size) {
  const struct pinned *pinned = *find(address);
  *size = pinned ? pinned->size : 0;
  return pinned ? pinned->address : NULL;
}

bool pinned_holds(const void *address, size_t size) {
  const struct pinned *pinned = *find(address);
  return pinned && size <= pinned->size - (size_t)((const char *)address - pinned->address);
}

/* The pages that hold these bytes. */
struct pages {
  char *first;
  size_t bytes; /* 0: too many */
};

static struct pages pages_of(const void *address, size_t size) {
  const size_t page = shared_pages_size(), before = (uintptr_t)address % page;
  const bool is_too_large = size > SIZE_MAX - 2 * page;
  return (struct pages){(char *)(uintptr_t)address - before,
                        is_too_large ? 0 : (before + size + page - 1) / page * page};
}

/* If the device refuses, kernels do not reach the memory. */
static void tell_device(struct pinned *pinned, int file) {
  const struct sim_share request = {(uintptr_t)pinned->address, pinned->size, (int32_t)getpid(), file};
  pinned->is_reached = context_call(SIM_REGISTER, &request, sizeof request, NULL, 0) == cudaSuccess;
}

/* Zeroed, as on an H200. */
static void *map(size_t bytes, int file) {
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, file, 0);
}

/* Memory with its own pages, shared with the device if that is possible. */
static bool allocate(struct pinned *pinned) {
  const size_t bytes = pages_of(NULL, pinned->size).bytes;
  const int file = bytes ? shared_pages_file(bytes) : -1;
  void *address = file < 0 ? MAP_FAILED : map(bytes, file);
  pinned->is_shared = address != MAP_FAILED;
  if (!pinned->is_shared && bytes)
    address = map(bytes, -1);
  pinned->address = address;
  if (pinned->is_shared)
    tell_device(pinned, file);
  if (file >= 0)
    close(file);
  return address != MAP_FAILED;
}

static void enlist(struct pinned *pinned) {
  pinned->next = list;
  list = pinned;
  tally_add(TALLY_PINNED, 1);
  tally_add(TALLY_MEMORY_CALLS, 1);
}

cudaError_t pinned_allocate(void **address, size_t size, unsigned flags) {
  *address = NULL;
  if (!size)
    return cudaSuccess;
  struct pinned *pinned = malloc(sizeof *pinned);
  if (!pinned)
    return cudaErrorMemoryAllocation;
  *pinned = (struct pinned){.size = size, .flags = flags};
  if (!allocate(pinned)) {
    free(pinned);
    return cudaErrorMemoryAllocation;
  }
  enlist(pinned);
  *address = pinned->address;
  return cudaSuccess;
}

/* The program's own pages; they stay as they are if that is not possible. */
static void share(struct pinned *pinned) {
  const struct pages pages = pages_of(pinned->address, pinned->size);
  const int file = pages.bytes ? shared_pages_file(pages.bytes) : -1;
  if (file < 0)
    return;
  if ((pinned->is_shared = shared_pages_replace(pages.first, pages.bytes, file)))
    tell_device(pinned, file);
  close(file);
}

cudaError_t pinned_register(void *address, size_t size, unsigned flags) {
  for (struct pinned *other = list; other; other = other->next)
    if ((uintptr_t)address < (uintptr_t)other->address + other->size &&
        (uintptr_t)other->address < (uintptr_t)address + size)
      return cudaErrorHostMemoryAlreadyRegistered;
  struct pinned *pinned = malloc(sizeof *pinned);
  if (!pinned)
    return cudaErrorMemoryAllocation;
  *pinned = (struct pinned){.address = address, .size = size, .flags = flags, .registered = true};
  share(pinned);
  enlist(pinned);
  return cudaSuccess;
}

bool pinned_has_own_pages(const void *address, size_t size) {
  const struct pinned *pinned = *find(address);
  return pinned && !pinned->registered &&
         size <= pinned->size - (size_t)((const char *)address - pinned->address);
}

/* From now on registered memory is the program's alone. */
static void release(const struct pinned *pinned) {
  const struct pages pages = pages_of(pinned->address, pinned->size);
  const struct sim_range range = {.address = (uintptr_t)pinned->address};
  if (pinned->is_reached)
    context_call(SIM_UNREGISTER, &range, sizeof range, NULL, 0);
  if (!pinned->registered)
    munmap(pages.first, pages.bytes);
  else if (pinned->is_shared)
    shared_pages_replace(pages.first, pages.bytes, -1);
}

/* Returns false if no such memory begins at the address. */
static bool drop(void *address, bool registered) {
  struct pinned **link = find(address), *pinned = *link;
  if (!pinned || pinned->address != address || pinned->registered != registered)
    return false;
  *link = pinned->next;
  early_forget(pinned->address, pinned->size);
  release(pinned);
  free(pinned);
  tally_add(TALLY_PINNED, -1);
  tally_add(TALLY_MEMORY_CALLS, 1);
  return true;
}

cudaError_t pinned_release(void *address) {
  return drop(address, false) ? cudaSuccess : cudaErrorInvalidValue;
}

void pinned_forget(void) {
  for (struct pinned *pinned = list; pinned; pinned = pinned->next)
    pinned->is_reached = false;
}

cudaError_t pinned_unregister(void *address) {
  if (drop(address, true))
    return cudaSuccess;
  return pinned_find(address, NULL) ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
}
