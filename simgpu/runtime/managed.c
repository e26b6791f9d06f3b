/* Managed memory is a device allocation with host pages at the same addresses. If the device permits, both sides use
 * the pages of one file in memory; then a kernel and the program see each other's writes at once.
 *
 * Otherwise (SIMGPU_STRICT, checks, totals, a recording) the host's copy is the valid one, except while a kernel runs:
 * a launch sends all of it to the device and brings it back. Hardware moves only the pages that are touched; the model
 * does not know which those are, so the transfers take no modelled time. */
#include "managed.h"

#include "allocation.h"
#include "context.h"
#include "early.h"
#include "runtime/transfer.h"
#include "shared_pages.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct managed {
  struct managed *next;
  char *address;
  size_t size;
  enum managed_kind kind;
  bool is_variable; /* of a module: it is not freed by its address */
  bool is_shared;
  bool is_followed; /* the program's own pinned memory */
  bool has_own_pages;
  struct managed_page *pages; /* NULL: the program has said nothing about any page */
};
static struct managed *list;

static struct managed **find_one(const void *address, bool is_followed) {
  struct managed **link = &list;
  for (; *link; link = &(*link)->next)
    if ((*link)->is_followed == is_followed &&
        (uintptr_t)address - (uintptr_t)(*link)->address < (*link)->size)
      break;
  return link;
}

static struct managed **find(const void *address) { return find_one(address, false); }

enum managed_kind managed_kind(const void *address) {
  const struct managed *managed = *find(address);
  return managed ? managed->kind : MANAGED_NOT;
}

bool managed_is_shared(const void *address) {
  const struct managed *managed = *find(address);
  return managed && managed->is_shared;
}

bool managed_holds(const void *address, size_t size) {
  const struct managed *managed = *find(address);
  return managed && size <= managed->size - (size_t)((const char *)address - managed->address);
}

static uintptr_t page_of(const struct managed *managed) {
  const uintptr_t page = shared_pages_size();
  return (uintptr_t)managed->address / page * page;
}

/* Two allocations never share a page, because device memory has guard zones between them. `file`: -1 for none. */
static bool map(const struct managed *managed, int protection, int file) {
  const uintptr_t first = page_of(managed);
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  return mmap((void *)first, (uintptr_t)managed->address + managed->size - first, protection,
              kind | MAP_NORESERVE | MAP_FIXED, file, 0) != MAP_FAILED;
}

bool managed_pages(const void *address, size_t size, void (*act)(struct managed_page *page, void *data),
                   void *data) {
  struct managed *managed = *find(address);
  const uintptr_t first = page_of(managed), unit = shared_pages_size();
  if (!managed->pages)
    managed->pages =
        calloc(((uintptr_t)managed->address + managed->size - first) / unit + 1, sizeof *managed->pages);
  if (!managed->pages)
    return false;
  const uintptr_t last = ((uintptr_t)address + size - 1 - first) / unit;
  for (uintptr_t page = ((uintptr_t)address - first) / unit; page <= last; page++)
    act(&managed->pages[page], data);
  return true;
}

/* Returns false if the two sides cannot share it. */
static bool share(struct managed *managed) {
  const size_t offset = (uintptr_t)managed->address - page_of(managed);
  const int file = shared_pages_file(offset + managed->size + SIM_SHARE_ROOM);
  const struct sim_share request = {(uintptr_t)managed->address, 0, (int32_t)getpid(), file};
  managed->is_shared = file >= 0 && !context_call(SIM_SHARE, &request, sizeof request, NULL, 0) &&
                       map(managed, PROT_READ | PROT_WRITE, file);
  if (file >= 0)
    close(file);
  return managed->is_shared;
}

cudaError_t managed_allocate(void **address, size_t size, enum managed_kind kind) {
  struct managed *managed = malloc(sizeof *managed);
  if (!managed)
    return cudaErrorMemoryAllocation;
  cudaError_t error = allocation_new(address, size);
  *managed =
      (struct managed){.next = list, .address = *address, .size = size, .kind = kind, .has_own_pages = true};
  if (!error && !share(managed) && !map(managed, PROT_READ | PROT_WRITE, -1)) {
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
  early_forget(managed->address, managed->size);
  if (!managed->is_followed)
    map(managed, PROT_NONE, -1);
  free(managed->pages);
  free(managed);
}

bool managed_follow(void *address, size_t size, bool own_pages) {
  const struct sim_share request = {(uintptr_t)address, size, (int32_t)getpid(), -1};
  struct managed *managed = malloc(sizeof *managed);
  if (!managed || context_call(SIM_REGISTER, &request, sizeof request, NULL, 0) != cudaSuccess) {
    free(managed);
    return false;
  }
  *managed = (struct managed){.next = list,
                              .address = address,
                              .size = size,
                              .kind = MANAGED_PINNED,
                              .is_followed = true,
                              .has_own_pages = own_pages};
  list = managed;
  return true;
}

bool managed_follows(const void *address) { return *find_one(address, true); }

void managed_unfollow(const void *address) {
  const struct sim_range range = {.address = (uintptr_t)address};
  struct managed **link = find_one(address, true);
  if (!*link || (*link)->address != address)
    return;
  forget(link);
  context_call(SIM_UNREGISTER, &range, sizeof range, NULL, 0);
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

bool managed_is_copied(void) {
  const struct managed *managed = list;
  while (managed && managed->is_shared)
    managed = managed->next;
  return managed;
}

/* A transfer of the whole allocation between equal addresses. */
static struct transfer whole(const struct managed *managed) {
  return (struct transfer){managed->address, managed->size, managed->address,
                           managed->size,    managed->size, 1};
}

static uint32_t flags_of(const struct managed *managed) {
  return SIM_ROWS_MANAGED | (managed->kind == MANAGED_PINNED ? SIM_ROWS_PINNED : 0);
}

cudaError_t managed_send(void) {
  if (!managed_is_copied())
    return cudaSuccess;
  if (context_wait())
    return cudaErrorDevicesUnavailable;
  uint64_t clock = context_clock_ns();
  cudaError_t error = cudaSuccess;
  for (struct managed *m = list; m && !error; m = m->next) {
    if (m->is_shared)
      continue;
    struct transfer transfer = whole(m);
    error = transfer_to_device(&transfer, flags_of(m));
  }
  if (!error)
    error = context_wait();
  context_rewind(clock);
  return error;
}

/* The host must wait before it uses the bytes between the first and the last one that change. */
static cudaError_t fetch_and_compare(const struct managed *m, bool *is_mapped_changed) {
  struct transfer transfer = whole(m);
  char *now = transfer.target = malloc(m->size);
  size_t first = 0, last = m->size;
  cudaError_t error = now ? transfer_from_device(&transfer, flags_of(m)) : cudaErrorMemoryAllocation;
  while (!error && first < last && now[first] == m->address[first])
    first++;
  while (!error && first < last && now[last - 1] == m->address[last - 1])
    last--;
  if (!error && first < last) {
    memcpy(m->address + first, now + first, last - first);
    *is_mapped_changed |= m->kind == MANAGED_PINNED;
    if (m->has_own_pages)
      (m->kind == MANAGED_MEMORY ? early_add : early_add_mapped)(m->address + first, last - first);
  }
  free(now);
  return error;
}

cudaError_t managed_fetch(void) {
  uint64_t clock = context_clock_ns();
  cudaError_t error = cudaSuccess;
  bool is_mapped_changed = false;
  for (struct managed *m = list; m && !error && !context_faulted(); m = m->next) {
    if (m->is_shared)
      continue;
    struct transfer transfer = whole(m);
    error = context_device()->counts_waits ? fetch_and_compare(m, &is_mapped_changed)
                                           : transfer_from_device(&transfer, flags_of(m));
  }
  if (is_mapped_changed)
    tally_add(TALLY_MAPPED_WRITES, 1);
  context_rewind(clock);
  return error;
}

cudaError_t managed_adopt(void *address, size_t size) {
  struct managed *managed = malloc(sizeof *managed);
  if (!managed)
    return cudaErrorMemoryAllocation;
  *managed = (struct managed){.next = list,
                              .address = address,
                              .size = size,
                              .kind = MANAGED_MEMORY,
                              .is_variable = true,
                              .has_own_pages = true};
  if (!share(managed) && !map(managed, PROT_READ | PROT_WRITE, -1)) {
    free(managed);
    return cudaErrorMemoryAllocation;
  }
  list = managed;
  if (managed->is_shared)
    return cudaSuccess;
  struct transfer transfer = whole(managed);
  uint64_t clock = context_clock_ns();
  cudaError_t error = transfer_from_device(&transfer, flags_of(managed));
  context_rewind(clock);
  return error;
}
