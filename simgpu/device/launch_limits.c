#include "launch_limits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "device/report.h"
#include "model.h"
#include "registers.h"

uint64_t limits_warp_bytes(const struct kernel *k) {
  return k->frame_bytes + (uint64_t)k->local_bytes * LANES;
}

/* Reports only the first refusals: a program that ignores errors may cause many. */
void limits_report(const struct kernel *k, const char *format, ...) {
  enum { MOST_LINES = 10 };
  static unsigned reported;
  char name[256];
  if (reported++ >= MOST_LINES)
    return;
  va_list args;
  va_start(args, format);
  fprintf(stderr, "simgpu: launch of %s refused: ", report_name(k->ptx->name, name, sizeof name));
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

/* A cooperative launch needs all its blocks at once: the modelled device and the host must hold them. */
static enum sim_status refuse_together(uint64_t blocks, uint32_t threads, uint32_t shared_dynamic,
                                       const struct kernel *k) {
  const uint32_t warps = (threads + LANES - 1) / LANES,
                 shared = shared_dynamic ? k->shared_dynamic_base + shared_dynamic : k->shared_static,
                 resident = model_resident(k, warps, shared);
  if (blocks > (uint64_t)resident * MODEL_MULTIPROCESSORS) {
    limits_report(
        k,
        "a cooperative launch of %" PRIu64 " blocks: the GPU holds %u at a time, %u on each of %d "
        "multiprocessors, with %u threads, %u bytes of shared memory and about %u registers a thread",
        blocks, resident * MODEL_MULTIPROCESSORS, resident, MODEL_MULTIPROCESSORS, threads, shared,
        kernel_registers(k));
    return SIM_TOO_MANY_TOGETHER;
  }
  return limits_warp_bytes(k) > LIMITS_TOGETHER_BYTES / (blocks * warps) ? SIM_OUT_OF_MEMORY : SIM_OK;
}

static void report_shared(const struct kernel *k, uint32_t shared_dynamic) {
  const uint32_t most = MODEL_SHARED_OPTIN - k->shared_static;
  if (shared_dynamic > most)
    limits_report(k, "%u bytes of dynamic shared memory: at most %u beside the kernel's %u static bytes",
                  shared_dynamic, most, k->shared_static);
  else
    limits_report(k,
                  "%u bytes of dynamic shared memory: at most %u, or up to %u with cudaFuncSetAttribute(…, "
                  "cudaFuncAttributeMaxDynamicSharedMemorySize, …)",
                  shared_dynamic, k->shared_dynamic_max, most);
}

static bool within(const uint32_t size[3], const uint32_t most[3]) {
  return size[0] && size[1] && size[2] && size[0] <= most[0] && size[1] <= most[1] && size[2] <= most[2];
}

enum sim_status limits_refuse(const struct kernel *k, const uint32_t grid[3], const uint32_t block[3],
                              uint32_t shared_dynamic, bool cooperative) {
  static const uint32_t most_block[] = {1024, 1024, 64}, most_grid[] = {INT32_MAX, 65535, 65535};
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  const uint32_t most_threads = k->ptx->max_threads ? k->ptx->max_threads : MAX_BLOCK_THREADS;
  if (!within(grid, most_grid)) {
    limits_report(k, "a grid of %ux%ux%u blocks: expected 1 to %ux%ux%u", grid[0], grid[1], grid[2],
                  most_grid[0], most_grid[1], most_grid[2]);
    return SIM_INVALID_LAUNCH;
  }
  if (!within(block, most_block) || threads > MAX_BLOCK_THREADS) {
    limits_report(k, "a block of %ux%ux%u threads: expected 1 to %ux%ux%u, and at most %d in all", block[0],
                  block[1], block[2], most_block[0], most_block[1], most_block[2], MAX_BLOCK_THREADS);
    return SIM_INVALID_LAUNCH;
  }
  if (threads > most_threads) {
    limits_report(k, "a block of %ux%ux%u threads: the kernel's __launch_bounds__ allow at most %u", block[0],
                  block[1], block[2], most_threads);
    return SIM_TOO_MANY_RESOURCES;
  }
  if (threads > kernel_most_threads(k)) {
    limits_report(
        k,
        "a block of %ux%ux%u threads with about %u registers each: a multiprocessor has room for %u such threads; "
        "__launch_bounds__(%u) makes the compiler use fewer registers",
        block[0], block[1], block[2], kernel_registers(k), kernel_most_threads(k), (unsigned)threads);
    return SIM_OUT_OF_REGISTERS;
  }
  if (k->shared_static > MODEL_SHARED_PER_BLOCK) {
    limits_report(k, "%u bytes of static shared memory: at most %d are allowed", k->shared_static,
                  MODEL_SHARED_PER_BLOCK);
    return SIM_TOO_MANY_RESOURCES;
  }
  if (shared_dynamic > k->shared_dynamic_max) {
    report_shared(k, shared_dynamic);
    return SIM_INVALID_LAUNCH;
  }
  if (cooperative)
    return refuse_together((uint64_t)grid[0] * grid[1] * grid[2], (uint32_t)threads, shared_dynamic, k);
  return SIM_OK;
}

enum sim_status limits_refuse_cluster(const struct kernel *k, const uint32_t grid[3],
                                      const uint32_t cluster[3], bool cooperative, uint32_t most) {
  const uint64_t blocks = (uint64_t)cluster[0] * cluster[1] * cluster[2];
  if (blocks > most) {
    limits_report(
        k, "clusters of %ux%ux%u blocks: at most %u in all%s", cluster[0], cluster[1], cluster[2], most,
        most < CLUSTER_BLOCKS_OPTIN ? ", or up to 16 with cudaFuncAttributeNonPortableClusterSizeAllowed"
                                    : "");
    return SIM_INVALID_CLUSTER;
  }
  if (grid[0] % cluster[0] || grid[1] % cluster[1] || grid[2] % cluster[2]) {
    limits_report(k, "a grid of %ux%ux%u blocks: expected a multiple of the clusters of %ux%ux%u blocks",
                  grid[0], grid[1], grid[2], cluster[0], cluster[1], cluster[2]);
    return SIM_INVALID_CLUSTER;
  }
  if (blocks > 1 && cooperative) {
    limits_report(k, "a cooperative launch with clusters of more than one block is not supported");
    return SIM_NOT_PERMITTED;
  }
  return SIM_OK;
}
