#include "model.h"

#include <math.h>
#include <string.h>

#include "model_constants.h"
#include "registers.h"
#include "replay.h"
#include "warps_held.h"

void model_print(FILE *file) {
  fprintf(file, "name,value,unit\n");
#define MODEL_REAL(name, value, unit) fprintf(file, "%s,%.17g,%s\n", #name, name, unit);
#define MODEL_COUNT(name, value, unit) fprintf(file, "%s,%d,%s\n", #name, name, unit);
#include "model_constants.def"
#undef MODEL_REAL
#undef MODEL_COUNT
}

const struct sim_device_info model_device = {
    .version = SIM_PROTOCOL_VERSION,
    .compute_major = 9,
    .compute_minor = 0,
    .multiprocessors = MODEL_MULTIPROCESSORS,
    .warp_size = LANES,
    .max_threads_per_block = MAX_BLOCK_THREADS,
    .max_threads_per_multiprocessor = resident_warps * LANES,
    .max_blocks_per_multiprocessor = resident_blocks,
    .max_block = {1024, 1024, 64},
    .max_grid = {INT32_MAX, 65535, 65535},
    .shared_per_block = MODEL_SHARED_PER_BLOCK,
    .shared_per_block_optin = MODEL_SHARED_OPTIN,
    .shared_per_multiprocessor = 228 << 10,
    .registers_per_block = REGISTERS,
    .registers_per_multiprocessor = REGISTERS,
    .constant_memory = 65536,
    .clock_khz = clock_khz,
    .memory_clock_khz = 3201000,
    .memory_bus_bits = 6144,
    .l2_bytes = 60 << 20,
    .name = "Checkerboard simulated GPU (NVIDIA H200 model)",
};

static uint32_t fewer(uint32_t a, uint64_t b) { return a < b ? a : (uint32_t)b; }

uint32_t model_resident(const struct kernel *kernel, uint32_t warps, uint32_t shared_bytes) {
  uint32_t shared = (shared_bytes + block_reserved_shared + 127u) / 128u * 128u;
  uint32_t blocks = fewer(resident_blocks, resident_warps / warps);
  blocks =
      fewer(blocks, warps_held(model_device.registers_per_multiprocessor, kernel_registers(kernel)) / warps);
  blocks = fewer(blocks, model_device.shared_per_multiprocessor / shared);
  return blocks ? blocks : 1;
}

uint64_t model_l1_share(const struct launch *l) {
  uint32_t resident = model_resident(l->kernel, l->warps, l->shared_bytes);
  uint64_t shared = (uint64_t)resident * (l->shared_bytes + block_reserved_shared);
  return (l1_bytes - (shared < l1_bytes ? shared : l1_bytes)) / resident;
}

/* Fraction of the bytes of a launch or a copy that L2 still holds from the last time. */
static double share_in_l2(double bytes) {
  return fmin(1, fmax(0, (l2_holds_none_bytes - bytes) / (l2_holds_none_bytes - l2_holds_all_bytes)));
}

static double fraction(double a, double b) { return b > 0 ? fmin(1, a / b) : 0; }

/* What sectors that are loaded alone cost memory beyond their own bytes. */
static double lone_bytes(uint64_t read, const struct replay_totals *sampled) {
  return (lone_sector_bytes - 32) * (double)read *
         fraction((double)sampled->lone_loads, (double)sampled->loads_beyond_l1);
}

/* Memory has whole sectors: L2 reads the rest of one that a launch writes in part. A launch that writes half of its
 * sectors, as a red-black sweep does, has usually read them. */
static double filled_bytes(const uint64_t *c) {
  const uint64_t atomics = c[COUNTER_GLOBAL_RED_SECTORS] + c[COUNTER_GLOBAL_ATOM_SECTORS],
                 stores = c[COUNTER_GLOBAL_STORE_SECTORS] + atomics, written = c[COUNTER_UNIQUE_WRITTEN];
  const bool in_part = stores >= written && 8 * c[COUNTER_BYTES_STORED] + 256 * atomics < 3 * 32 * written;
  return in_part ? 32 * (double)written : 0;
}

static uint64_t replayed(const struct launch *l, const struct counters *counters) {
  const uint64_t *c = counters->value;
  double used = l->blocks < MODEL_MULTIPROCESSORS ? (double)l->blocks : MODEL_MULTIPROCESSORS;
  double share = 1e6 / model_device.clock_khz / used; /* of a bandwidth per nanosecond, per clock */
  uint64_t read = c[COUNTER_UNIQUE_READ], written = c[COUNTER_UNIQUE_WRITTEN];
  struct replay_totals sampled = replay_totals(l);
  double all =
      (double)c[COUNTER_WARP_INSTRUCTIONS] / (double)fmax(1, sampled.instructions); /* launch over sample */
  double bytes = 32 * (double)(read + written), beyond_l2 = 1 - share_in_l2(bytes);
  double moved = bytes + lone_bytes(read, &sampled) + filled_bytes(c);
  struct replay r = {
      .launch = l,
      .resident = model_resident(l->kernel, l->warps, l->shared_bytes),
      .blocks = (l->blocks + MODEL_MULTIPROCESSORS - 1) / MODEL_MULTIPROCESSORS,
      .instructions = (double)c[COUNTER_WARP_INSTRUCTIONS] / (double)l->blocks,
      .l2_rate = fmin(l1_bytes_per_clock, l2_bytes_per_ns * share),
      .memory_rate = fmin(l1_bytes_per_clock, memory_bytes_per_ns * share) * fraction(bytes, moved),
      .read_fraction = beyond_l2 * fraction((double)read, all * (double)sampled.loads_beyond_l1),
      .write_fraction = beyond_l2 * fraction((double)written, all * (double)sampled.stores_beyond_l1),
      .turn_clocks = sampled.busiest_slice * used * model_device.clock_khz / 1e6,
  };
  double memory_ns = beyond_l2 * moved / memory_bytes_per_ns;
  return (uint64_t)(launch_ns + fmax(memory_ns, replay_clocks(&r) * 1e6 / model_device.clock_khz));
}

/* Launches are often repeated; equal counters mean equal time, without a trace. */

enum { REMEMBERED = 32 };

static struct remembered {
  const struct kernel *kernel; /* NULL: trace the next one */
  uint32_t grid[3], block[3], shared_bytes;
  struct counters counters;
  uint64_t time_ns;
} remembered[REMEMBERED];
static uint32_t oldest;

static struct remembered *recall(const struct launch *l) {
  for (int i = 0; i < REMEMBERED; i++) {
    struct remembered *r = &remembered[i];
    if (r->kernel == l->kernel && r->shared_bytes == l->shared_bytes &&
        memcmp(r->grid, l->grid, sizeof r->grid) == 0 && memcmp(r->block, l->block, sizeof r->block) == 0)
      return r;
  }
  return NULL;
}

bool model_needs_trace(const struct launch *l) { return !recall(l); }

uint64_t model_launch(const struct launch *l, const struct counters *counters) {
  struct remembered *r = recall(l);
  if (r && memcmp(&r->counters, counters, sizeof *counters) == 0)
    return r->time_ns;
  if (r) { /* the data changed: same time per instruction; trace the next launch */
    r->kernel = NULL;
    double ratio = (double)counters->value[COUNTER_WARP_INSTRUCTIONS] /
                   fmax(1, (double)r->counters.value[COUNTER_WARP_INSTRUCTIONS]);
    return (uint64_t)(launch_ns + ratio * ((double)r->time_ns - launch_ns));
  }
  r = &remembered[oldest++ % REMEMBERED];
  *r = (struct remembered){.kernel = l->kernel,
                           .shared_bytes = l->shared_bytes,
                           .counters = *counters,
                           .time_ns = replayed(l, counters)};
  memcpy(r->grid, l->grid, sizeof r->grid);
  memcpy(r->block, l->block, sizeof r->block);
  return r->time_ns;
}

void model_forget(void) { memset(remembered, 0, sizeof remembered); }

uint64_t model_copy(uint64_t target, uint64_t bytes) {
  double moved = 2 * (double)bytes, share = share_in_l2(moved);
  bool odd = bytes > copy_whole_bytes && (bytes % copy_piece_bytes || target % copy_align_bytes);
  return (uint64_t)(copy_start_ns +
                    moved * (share / copy_l2_bytes_per_ns + (1 - share) / copy_memory_bytes_per_ns) +
                    (odd ? copy_odd_ns : 0));
}

uint64_t model_fill(uint64_t bytes) {
  return (uint64_t)(bytes <= fill_small_bytes ? fill_small_start_ns + (double)bytes / fill_small_bytes_per_ns
                                              : fill_start_ns + (double)bytes / fill_bytes_per_ns);
}

uint64_t model_transfer(uint64_t bytes, bool pinned) {
  if (pinned)
    return (uint64_t)(transfer_pinned_start_ns + (double)bytes / transfer_pinned_bytes_per_ns);
  if (bytes <= transfer_command_bytes)
    return (uint64_t)(transfer_command_start_ns + (double)bytes / transfer_command_bytes_per_ns);
  return (uint64_t)(transfer_buffered_start_ns + (double)bytes / transfer_buffered_bytes_per_ns);
}
