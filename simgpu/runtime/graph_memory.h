/* Memory of graphs. A node that allocates has its address, and the memory behind it, from the time when it is added.
 * When the node runs, it only marks the memory as allocated; a node that frees it removes the mark. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>
#include <stdint.h>

struct graph_memory;

/* The caller owns a reference. */
cudaError_t graph_memory_new(struct graph_memory **memory, size_t size);
void *graph_memory_address(const struct graph_memory *memory);
size_t graph_memory_size(const struct graph_memory *memory);

/* The memory that begins at this address; NULL if it is not a graph's. */
struct graph_memory *graph_memory_find(const void *address);

/* The memory is released when it has no reference and is not allocated. */
void graph_memory_keep(struct graph_memory *memory);
void graph_memory_drop(struct graph_memory *memory);

/* They fail if the memory already is in this state. */
cudaError_t graph_memory_allocate(struct graph_memory *memory);
cudaError_t graph_memory_free(struct graph_memory *memory);
bool graph_memory_allocated(const struct graph_memory *memory);

/* Bytes of memory that is allocated, or that exists; and the most so far. */
struct graph_memory_bytes {
  uint64_t now, high;
};
struct graph_memory_bytes *graph_memory_used(void);
struct graph_memory_bytes *graph_memory_reserved(void);

/* Call this when the device has freed all memory. */
void graph_memory_forget(void);
