#include "graph_memory.h"

#include "allocation.h"
#include "tally.h"

#include <stdlib.h>

struct graph_memory {
  struct graph_memory *next;
  void *address; /* NULL after a reset of the device */
  size_t size, references;
  bool allocated;
};

static struct graph_memory *all;
static struct graph_memory_bytes used, reserved;

struct graph_memory_bytes *graph_memory_used(void) {
  return &used;
}
struct graph_memory_bytes *graph_memory_reserved(void) {
  return &reserved;
}

static void add(struct graph_memory_bytes *bytes, uint64_t size) {
  bytes->now += size;
  if (bytes->high < bytes->now)
    bytes->high = bytes->now;
}

cudaError_t graph_memory_new(struct graph_memory **result, size_t size) {
  struct graph_memory *memory = calloc(1, sizeof *memory);
  if (!memory)
    return cudaErrorMemoryAllocation;
  cudaError_t error = size ? allocation_new(&memory->address, size) : cudaErrorInvalidValue;
  if (error) {
    free(memory);
    return error;
  }
  tally_add(TALLY_GRAPH_CALLS, 1);
  tally_add(TALLY_MEMORY_CALLS, -1); /* nothing waits for the device */
  memory->size = size;
  memory->references = 1;
  memory->next = all;
  all = memory;
  add(&reserved, size);
  *result = memory;
  return cudaSuccess;
}

void *graph_memory_address(const struct graph_memory *memory) { return memory->address; }
size_t graph_memory_size(const struct graph_memory *memory) { return memory->size; }
bool graph_memory_allocated(const struct graph_memory *memory) { return memory->allocated; }

struct graph_memory *graph_memory_find(const void *address) {
  struct graph_memory *memory = address ? all : NULL;
  while (memory && memory->address != address)
    memory = memory->next;
  return memory;
}

static void release_if_unused(struct graph_memory *memory) {
  if (memory->references || memory->allocated)
    return;
  struct graph_memory **link = &all;
  while (*link != memory)
    link = &(*link)->next;
  *link = memory->next;
  if (memory->address && !allocation_release(memory->address)) {
    tally_add(TALLY_GRAPH_CALLS, 1);
    tally_add(TALLY_MEMORY_CALLS, -1);
    reserved.now -= memory->size;
  }
  free(memory);
}

void graph_memory_keep(struct graph_memory *memory) { memory->references++; }

void graph_memory_drop(struct graph_memory *memory) {
  memory->references--;
  release_if_unused(memory);
}

cudaError_t graph_memory_allocate(struct graph_memory *memory) {
  if (memory->allocated || !memory->address)
    return cudaErrorInvalidValue;
  memory->allocated = true;
  add(&used, memory->size);
  return cudaSuccess;
}

cudaError_t graph_memory_free(struct graph_memory *memory) {
  if (!memory->allocated)
    return cudaErrorInvalidValue;
  memory->allocated = false;
  used.now -= memory->size;
  release_if_unused(memory);
  return cudaSuccess;
}

void graph_memory_forget(void) {
  used.now = reserved.now = 0;
  for (struct graph_memory *memory = all, *next; memory; memory = next) {
    next = memory->next;
    memory->address = NULL;
    memory->allocated = false;
    release_if_unused(memory);
  }
}
