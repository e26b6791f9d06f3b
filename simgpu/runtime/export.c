#define _GNU_SOURCE /* memfd_create */
#include "runtime/export.h"

#include "allocation.h"
#include "context.h"
#include "runtime/transfer.h"
#include "shared_pages.h"
#include "unsupported.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[16] = "simgpu memory";

/* An allocation whose pages a file holds. */
struct shared {
  struct shared *next;
  void *address;
  struct export_ticket ticket; /* as this process got or gave it */
  int file;                    /* open for other processes; -1: the memory is another process's */
  unsigned opened;             /* how often the program has opened another process's memory */
};
static struct shared *list;

static struct shared **find(const void *address) {
  struct shared **link = &list;
  while (*link && (*link)->address != address)
    link = &(*link)->next;
  return link;
}

static cudaError_t add(void *address, const struct export_ticket *ticket, int file) {
  struct shared *shared = malloc(sizeof *shared);
  if (!shared)
    return cudaErrorMemoryAllocation;
  *shared = (struct shared){.next = list, .address = address, .ticket = *ticket, .file = file, .opened = 1};
  list = shared;
  return cudaSuccess;
}

/* The device's allocation uses the pages of the file from now on. */
static cudaError_t share(const void *address, int file) {
  const struct sim_share request = {(uintptr_t)address, 0, (int32_t)getpid(), file};
  return context_call(SIM_SHARE, &request, sizeof request, NULL, 0);
}

/* Writes an allocation's bytes to a file. This takes no modelled time: hardware maps the memory where it is. */
static cudaError_t fill(int file, size_t offset, const void *address, size_t size) {
  char *pages = mmap(NULL, offset + size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pages == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  const uint64_t clock = context_clock_ns();
  const struct transfer transfer = {pages + offset, size, address, size, size, 1};
  const cudaError_t error = transfer_from_device(&transfer, SIM_ROWS_MANAGED);
  context_rewind(clock);
  munmap(pages, offset + size);
  return error;
}

static cudaError_t make_shared(void *address, size_t size, struct export_ticket *ticket) {
  const size_t offset = (uintptr_t)address % shared_pages_size();
  const int file = shared_pages_file(offset + size + SIM_SHARE_ROOM);
  if (file < 0)
    return cudaErrorMemoryAllocation;
  *ticket = (struct export_ticket){
      .process = (int32_t)getpid(), .file = (int32_t)file, .offset = offset, .size = size};
  memcpy(ticket->mark, mark, sizeof mark);
  cudaError_t error = fill(file, offset, address, size);
  if (!error)
    error = share(address, file);
  if (!error)
    error = add(address, ticket, file);
  if (error)
    close(file);
  return error;
}

cudaError_t export_memory(const void *address, struct export_ticket *ticket) {
  static bool reported;
  const struct sim_range request = {.address = (uintptr_t)address};
  struct sim_range range;
  if (!context_device()->shares)
    return unsupported("memory that processes share, with SIMGPU_STRICT, checks, totals or a recording,",
                       &reported);
  if (!allocation_in_range(address))
    return cudaErrorInvalidValue;
  cudaError_t error = context_call(SIM_RANGE_FIND, &request, sizeof request, &range, sizeof range);
  if (error)
    return error;
  void *const base = (void *)(uintptr_t)range.address;
  const struct shared *known = *find(base);
  if (known && known->file < 0) /* another process's memory */
    return cudaErrorInvalidValue;
  if (!known)
    return make_shared(base, range.size, ticket);
  *ticket = known->ticket;
  return cudaSuccess;
}

/* A file begins with a whole page, so the memory needs the place within a page that it has in the other process. */
static cudaError_t allocate_at_offset(void **address, size_t size, size_t offset) {
  enum { MOST_TRIES = 16, FILLER = 512 };
  void *fillers[MOST_TRIES], *found = NULL;
  int tries = 0;
  cudaError_t error = allocation_new(&found, size);
  while (!error && (uintptr_t)found % shared_pages_size() != offset) {
    error = allocation_release(found);
    if (!error && tries == MOST_TRIES)
      error = cudaErrorMemoryAllocation;
    if (!error)
      error = allocation_new(&fillers[tries], FILLER);
    if (!error && ++tries)
      error = allocation_new(&found, size);
  }
  while (tries)
    allocation_release(fillers[--tries]);
  *address = found;
  return error;
}

/* Its size must be that of the ticket, which may be any bytes. */
static int open_file(const struct export_ticket *ticket) {
  char path[64];
  struct stat is;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)ticket->process, (int)ticket->file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0 && fstat(file, &is) == 0 && (uint64_t)is.st_size >= SIM_SHARE_ROOM + ticket->offset &&
      ticket->size && (uint64_t)is.st_size - SIM_SHARE_ROOM - ticket->offset == ticket->size)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

cudaError_t export_open(const struct export_ticket *ticket, void **address) {
  static bool reported;
  if (!context_device()->shares)
    return unsupported("memory that processes share, with SIMGPU_STRICT, checks, totals or a recording,",
                       &reported);
  if (memcmp(ticket->mark, mark, sizeof mark) != 0 || ticket->offset >= shared_pages_size())
    return cudaErrorInvalidValue;
  if (ticket->process == (int32_t)getpid())
    return cudaErrorDeviceUninitialized; /* as on hardware: a handle is for other processes */
  for (struct shared *known = list; known; known = known->next)
    if (memcmp(&known->ticket, ticket, sizeof *ticket) == 0) {
      known->opened++;
      *address = known->address;
      return cudaSuccess;
    }
  const int file = open_file(ticket);
  if (file < 0)
    return cudaErrorInvalidResourceHandle;
  cudaError_t error = allocate_at_offset(address, ticket->size, ticket->offset);
  if (!error) {
    error = share(*address, file);
    if (!error)
      error = add(*address, ticket, -1);
    if (error)
      allocation_release(*address);
  }
  close(file);
  return error;
}

static void forget(struct shared **link) {
  struct shared *shared = *link;
  *link = shared->next;
  if (shared->file >= 0)
    close(shared->file);
  free(shared);
}

cudaError_t export_close(void *address) {
  struct shared **link = find(address);
  if (!*link || (*link)->file >= 0)
    return cudaErrorInvalidValue;
  if (--(*link)->opened)
    return cudaSuccess;
  forget(link);
  return allocation_release(address);
}

void export_forget(const void *address) {
  struct shared **link = find(address);
  if (*link)
    forget(link);
}

void export_forget_all(void) {
  while (list)
    forget(&list);
}
