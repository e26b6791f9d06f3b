/* What a whole run of a program did: SIMGPU_TOTALS, SIMGPU_TRAFFIC and SIMGPU_WORK. The device counts what it is asked
 * to do, so a program cannot change these numbers. Of the others, which the client reports, the device sees only
 * whether they fit what it has seen: then these functions return true. All functions do nothing if `totals` is NULL,
 * and return true. */
#pragma once

#include <stdio.h>

#include "memory.h"
#include "ptx.h"

/* id, name */
#define TOTALS(X)                                                                                            \
  X(LAUNCHES, "launches")                                                                                    \
  X(HOST_WAITS, "host_waits")                                                                                \
  X(IDLE_WAITS, "idle_waits")                                                                                \
  X(UNAWAITED_COPIES, "unawaited_copies")                                                                    \
  X(COPIES_TO_HOST, "copies_to_host")                                                                        \
  X(BYTES_TO_HOST, "bytes_to_host")                                                                          \
  X(BYTES_TO_DEVICE, "bytes_to_device")                                                                      \
  X(BYTES_ON_DEVICE, "bytes_on_device")                                                                      \
  X(BYTES_FILLED, "bytes_filled")                                                                            \
  X(WORDS_NOT_BY_A_KERNEL, "words_to_host_not_by_a_kernel")                                                  \
  X(ALLOCATED_BYTES, "allocated_bytes")                                                                      \
  X(FREED_BYTES, "freed_bytes")                                                                              \
  X(LEAKED_ALLOCATIONS, "leaked_allocations")                                                                \
  X(MANAGED_BYTES, "managed_bytes")                                                                          \
  X(CONCURRENT_LAUNCHES, "concurrent_launches")                                                              \
  X(UNAWAITED_LAUNCHES, "unawaited_launches")                                                                \
  X(LEAKED_PINNED, "leaked_pinned")                                                                          \
  X(LEAKED_OBJECTS, "leaked_objects")                                                                        \
  X(EARLY_ACCESSES, "early_accesses")                                                                        \
  X(MEMORY_CALLS, "memory_calls")                                                                            \
  X(ORDERED_CALLS, "ordered_memory_calls")                                                                   \
  X(STARVED_WAITS, "starved_waits")                                                                          \
  X(LAUNCH_WAITS, "launch_waits")                                                                            \
  X(MAPPED_WRITES, "mapped_writes")                                                                          \
  X(HOST_FUNCTIONS, "host_functions")                                                                        \
  X(GRAPHS_MADE, "graphs_made")                                                                              \
  X(CONCURRENT_COPIES, "concurrent_copies")

enum total {
#define X(id, name) TOTAL_##id,
  TOTALS(X)
#undef X
      TOTAL_COUNT
};

struct checks;
struct totals;

/* Each may be NULL. traffic: traffic.h. work: work_log.h. streams: learns of work and of the host's accesses
 * that nothing orders. */
struct totals *totals_new(FILE *file, FILE *traffic, FILE *work, struct checks *streams);
bool totals_are_written(const struct totals *totals);
struct work_log *totals_work_log(const struct totals *totals); /* of SIMGPU_WORK, or NULL */
/* Whether the number of waits is of interest. */
bool totals_count_waits(const struct totals *totals);
/* Writes the files, and frees the totals. */
void totals_close(struct totals *totals, const struct memory *memory);

void totals_add(struct totals *totals, enum total total, uint64_t count);
void totals_ran(struct totals *totals, uint64_t instructions); /* a launch, of warps */
/* A module, or the text of a launch, which can carry data, too. The text begins with the number of the kernel. A module
 * stays until totals_reset or totals_close. */
void totals_loaded(struct totals *totals, const struct ptx_module *module);
void totals_launched(struct totals *totals, const void *command, uint64_t bytes);
/* What the next work follows; before a launch runs; then what it has used. Counts launches and copies that use what an
 * unordered one has written, or write what it has used. */
bool totals_ordered(struct totals *totals, struct memory *memory, const struct sim_ordered *ordered);
bool totals_is_ordered(struct totals *totals); /* once for each launch of the host */
void totals_has_launched(struct totals *totals);
void totals_starts(struct totals *totals, struct memory *memory);
void totals_used(struct totals *totals, struct memory *memory, const char *kernel);
bool totals_waited(struct totals *totals, const struct sim_awaited *awaited);
void totals_tally(struct totals *totals, const struct sim_tally *tally);
void totals_called_for_memory(
    struct totals *totals); /* the device has allocated or freed memory on request */
bool totals_are_tallied(
    const struct totals *totals); /* each allocation and each free that the device has seen */
/* The device is about to free all memory and modules. What the program has not freed itself is leaked: the end of a
 * process frees as much. */
void totals_reset(struct totals *totals, const struct memory *memory);

/* Work that was done; the addresses have been checked. */
void totals_written(struct totals *totals, const struct memory *memory, const struct sim_rows *rows);
void totals_set(struct totals *totals, const struct memory *memory, const struct sim_rows *rows);
void totals_copied(struct totals *totals, const struct memory *memory, const struct sim_copy *copy);
bool totals_read(struct totals *totals, const struct memory *memory, const struct sim_read *read);

/* Before and after a write of managed memory: only words that change come from the host. */
uint8_t *totals_keep(const struct totals *totals, const struct sim_rows *rows, const uint8_t *bytes);
void totals_refreshed(struct totals *totals, const struct memory *memory, const struct sim_rows *rows,
                      uint8_t *kept);
