/* Managed memory is a device allocation with host pages at the same addresses. The host's copy is the valid
 * one, except while a kernel runs: a launch sends all of it to the device and brings it back. Hardware moves
 * only the pages that are touched; the model does not know which those are, so the transfers take no modelled
 * time. */
#define _GNU_SOURCE
#include "managed.h"

#include "allocation.h"
#include "context.h"
#include "transfer.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct managed {
  struct managed *next;
  char *address;
  size_t size;
  enum managed_kind kind;
  bool is_variable; /* of a module: it is not freed by its address */
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

/* Two allocations never share a page, because device memory has guard zones between them. */
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
  cudaError_t error = allocation_new(address, size);
  *managed = (struct managed){list, *address, size, kind, false};
  if (!error && !map(managed, PROT_READ | PROT_WRITE)) {
    allocation_release(*address);
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
  if (!*link || (*link)->address != address || (*link)->kind != kind || (*link)->is_variable)
    return cudaErrorInvalidValue;
  forget(link);
  return allocation_release(address);
}

void managed_forget(void) {
  while (list)
    forget(&list);
}

bool managed_exists(void) { return list; }

/* A transfer of the whole allocation between equal addresses. */
static struct transfer whole(const struct managed *managed) {
  return (struct transfer){managed->address, managed->size, managed->address,
                           managed->size,    managed->size, 1};
}

static uint32_t flags_of(const struct managed *managed) {
  return SIM_ROWS_MANAGED | (managed->kind == MANAGED_PINNED ? SIM_ROWS_PINNED : 0);
}

cudaError_t managed_send(void) {
  if (!list)
    return cudaSuccess;
  if (context_wait())
    return cudaErrorDevicesUnavailable;
  uint64_t clock = context_clock_ns();
  cudaError_t error = cudaSuccess;
  for (struct managed *m = list; m && !error; m = m->next) {
    struct transfer transfer = whole(m);
    error = transfer_to_device(&transfer, flags_of(m));
  }
  if (!error)
    error = context_wait();
  context_rewind(clock);
  return error;
}

cudaError_t managed_fetch(void) {
  uint64_t clock = context_clock_ns();
  cudaError_t error = cudaSuccess;
  for (struct managed *m = list; m && !error && !context_faulted(); m = m->next) {
    struct transfer transfer = whole(m);
    error = transfer_from_device(&transfer, flags_of(m));
  }
  context_rewind(clock);
  return error;
}

cudaError_t managed_adopt(void *address, size_t size) {
  struct managed *managed = malloc(sizeof *managed);
  if (!managed)
    return cudaErrorMemoryAllocation;
  *managed = (struct managed){list, address, size, MANAGED_MEMORY, true};
  if (!map(managed, PROT_READ | PROT_WRITE)) {
    free(managed);
    return cudaErrorMemoryAllocation;
  }
  list = managed;
  struct transfer transfer = whole(managed);
  uint64_t clock = context_clock_ns();
  cudaError_t error = transfer_from_device(&transfer, flags_of(managed));
  context_rewind(clock);
  return error;
}
