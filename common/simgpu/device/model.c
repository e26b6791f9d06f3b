#include "model.h"

const struct sim_device_info model_device = {
    .version = SIM_PROTOCOL_VERSION,
    .compute_major = 9,
    .compute_minor = 0,
    .multiprocessors = MODEL_MULTIPROCESSORS,
    .warp_size = LANES,
    .max_threads_per_block = MAX_BLOCK_THREADS,
    .max_threads_per_multiprocessor = 2048,
    .max_blocks_per_multiprocessor = 32,
    .max_block = {1024, 1024, 64},
    .max_grid = {INT32_MAX, 65535, 65535},
    .shared_per_block = MODEL_SHARED_PER_BLOCK,
    .shared_per_block_optin = MODEL_SHARED_OPTIN,
    .shared_per_multiprocessor = 228 << 10,
    .registers_per_block = 65536,
    .registers_per_multiprocessor = 65536,
    .constant_memory = 65536,
    .clock_khz = 1980000,
    .memory_clock_khz = 3201000,
    .memory_bus_bits = 6144,
    .l2_bytes = 60 << 20,
    .name = "Checkerboard simulated GPU (NVIDIA H200 model)",
};

/* The H200: vendor figures, and bandwidths as measured on one (a float4 copy of 1 GiB arrays). */
static const double clock_ghz = 1.98, memory_bytes_per_ns = 4200, l2_bytes_per_ns = 7000,
                    bus_bytes_per_ns = 55;
static const double sectors_per_clock = 4, issues_per_clock = 4;   /* per multiprocessor */
static const double single_per_clock = 128, double_per_clock = 64; /* lanes, per multiprocessor */
static const double launch_ns = 2200,
                    clocks_per_dependent_issue = 6;            /* cost of an empty kernel; a warp alone */
static const double resident_warps = 64, resident_blocks = 32; /* per multiprocessor */

static double largest(double a, double b) { return a > b ? a : b; }

uint64_t model_launch(const struct model_shape *shape, const struct counters *counters) {
  const uint64_t *c = counters->value;
  double blocks = (double)shape->blocks;
  double used = blocks < MODEL_MULTIPROCESSORS ? blocks : MODEL_MULTIPROCESSORS;
  double clocks = clock_ghz * used; /* multiprocessor clocks per nanosecond */
  double unique = 32.0 * (double)(c[COUNTER_UNIQUE_READ] + c[COUNTER_UNIQUE_WRITTEN]);
  double sectors = (double)(c[COUNTER_GLOBAL_LOAD_SECTORS] + c[COUNTER_GLOBAL_STORE_SECTORS] +
                            c[COUNTER_GLOBAL_RED_SECTORS] + c[COUNTER_GLOBAL_ATOM_SECTORS]);
  double wavefronts = (double)(c[COUNTER_SHARED_LOAD_WAVEFRONTS] + c[COUNTER_SHARED_STORE_WAVEFRONTS] +
                               c[COUNTER_SHARED_ATOMIC_WAVEFRONTS]);
  double time = unique / (unique <= model_device.l2_bytes / 2.0 ? l2_bytes_per_ns : memory_bytes_per_ns);
  time = largest(time, sectors / (sectors_per_clock * clocks));
  time = largest(time, wavefronts / clocks);
  time = largest(time, (double)c[COUNTER_WARP_INSTRUCTIONS] / (issues_per_clock * clocks));
  time = largest(time,
                 (double)(c[COUNTER_FADD] + c[COUNTER_FMUL] + c[COUNTER_FFMA]) / (single_per_clock * clocks));
  time = largest(time,
                 (double)(c[COUNTER_DADD] + c[COUNTER_DMUL] + c[COUNTER_DFMA]) / (double_per_clock * clocks));
  double warps = blocks * shape->warps;
  double resident =
      resident_warps / shape->warps < resident_blocks ? resident_warps / shape->warps : resident_blocks;
  double waves = largest(1, blocks / (MODEL_MULTIPROCESSORS * largest(1, resident)));
  time = largest(time, waves * clocks_per_dependent_issue * (double)c[COUNTER_WARP_INSTRUCTIONS] /
                           largest(1, warps) / clock_ghz);
  return (uint64_t)(launch_ns + time);
}

uint64_t model_copy(uint64_t bytes, bool within_device) {
  return (uint64_t)(launch_ns +
                    (double)bytes * (within_device ? 2 / memory_bytes_per_ns : 1 / bus_bytes_per_ns));
}
