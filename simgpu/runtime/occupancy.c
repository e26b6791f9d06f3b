#include "occupancy.h"

#include "context.h"
#include "warps_held.h"

static unsigned round_up(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

/* The driver reserves this part of each block's shared memory; it follows from the device's limits. */
static unsigned shared_reserved(void) {
  const struct sim_device_info *device = context_device();
  return device->shared_per_multiprocessor - device->shared_per_block_optin;
}

/* A block gets shared memory in units of 128 bytes (the toolkit's cuda_occupancy.h). */
unsigned occupancy_blocks(const struct registry_kernel *kernel, unsigned threads, size_t shared_dynamic) {
  enum { SHARED_UNIT = 128 };
  const struct sim_device_info *device = context_device();
  if (threads > device->max_threads_per_block || shared_dynamic > kernel->shared_dynamic)
    return 0;
  unsigned warps = round_up(threads, device->warp_size) / device->warp_size;
  unsigned blocks = smaller(device->max_blocks_per_multiprocessor,
                            device->max_threads_per_multiprocessor / (warps * device->warp_size));

  if (kernel->info.registers) {
    const unsigned held = warps_held(device->registers_per_multiprocessor, kernel->info.registers) / warps;
    blocks = smaller(blocks,
                     held || threads > kernel->info.max_threads ? held : 1); /* registers are an estimate */
  }
  unsigned shared =
      round_up(kernel->info.shared_static + (unsigned)shared_dynamic + shared_reserved(), SHARED_UNIT);
  return shared ? smaller(blocks, device->shared_per_multiprocessor / shared) : blocks;
}

size_t occupancy_shared(const struct registry_kernel *kernel, unsigned blocks) {
  unsigned share = context_device()->shared_per_multiprocessor / blocks;
  unsigned taken = kernel->info.shared_static + shared_reserved();
  return share > taken ? smaller(share - taken, kernel->shared_dynamic) : 0;
}
