/* The machine that the device stands for, an NVIDIA H200, and how long it would take. */
#ifndef SIMGPU_MODEL_H
#define SIMGPU_MODEL_H

#include "counters.h"
#include "protocol.h"

enum {
  MODEL_MULTIPROCESSORS = 132,
  MODEL_SHARED_PER_BLOCK = 48 << 10,
  MODEL_SHARED_OPTIN = 227 << 10,
};

/* What the client is told; `memory_bytes` is the caller's to fill in. */
extern const struct sim_device_info model_device;

struct model_shape {
  uint64_t blocks;
  uint32_t warps, shared_bytes; /* per block */
};

/* Modelled nanoseconds of a launch: the largest of memory, cache, shared-memory, issue, arithmetic and
 * latency time, plus the launch's own cost. */
uint64_t model_launch(const struct model_shape *shape, const struct counters *counters);
/* Modelled nanoseconds of moving `bytes` over the host's bus, or within the device. */
uint64_t model_copy(uint64_t bytes, bool within_device);

#endif
