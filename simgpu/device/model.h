/* The modelled machine, an NVIDIA H200, and the time of its launches and copies. */
#pragma once

#include "device/counters.h"
#include "protocol.h"

#include <stdio.h>

enum {
  MODEL_MULTIPROCESSORS = 132,
  MODEL_SHARED_PER_BLOCK = 48 << 10,
  MODEL_SHARED_OPTIN = 227 << 10,
};

/* The constants of the time model (model_constants.def) as CSV: name,value,unit. */
void model_print(FILE *file);

/* The device's properties; the caller sets `memory_bytes`. */
extern const struct sim_device_info model_device;

/* Blocks of so many warps and bytes of shared memory that a multiprocessor holds at once, by its threads, blocks,
 * shared memory and registers; at least 1. */
uint32_t model_resident(const struct kernel *kernel, uint32_t warps, uint32_t shared_bytes);
/* Each block's share of L1, bytes. */
uint64_t model_l1_share(const struct launch *launch);
/* Returns whether no launch of this kernel and shape has been modelled yet. */
bool model_needs_trace(const struct launch *launch);
/* Call this when kernels are freed: other kernels may get their addresses. */
void model_forget(void);
/* Modelled nanoseconds of a launch that has run, with traces if model_needs_trace said so. A replay of the
 * sampled blocks on the multiprocessor that gets most blocks (replay.h) gives the time. It is at least the time
 * that memory needs for the touched sectors. The launch's own cost is added. The model assumes that arrays that
 * fit in L2 are already there. */
uint64_t model_launch(const struct launch *launch, const struct counters *counters);
/* Modelled nanoseconds of a copy within the device to this address, of a fill, and of a copy between host and
 * device. The copied memory has been copied before; the part that fits is in L2. */
uint64_t model_copy(uint64_t target, uint64_t bytes);
uint64_t model_fill(uint64_t bytes);
uint64_t model_transfer(uint64_t bytes, bool pinned);
