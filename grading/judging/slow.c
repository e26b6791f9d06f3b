#include "slow.h"
#include "csv.h"
#include "model_constants.h"
#include "plural.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KERNELS = 32, LANES = 32, SECTOR = 32, MULTIPROCESSORS = 132 }; /* of the simulated H200 */

struct kernel {
  char name[128];
  double ns, launches, blocks, threads; /* blocks, threads of a block: of the last launch */
  double average, longest;              /* instructions of a warp, in the last launch */
  double bytes, instructions, sectors;  /* of all launches: the memory's bytes, the cache's sectors */
  double spilled;                       /* registers of a thread that did not fit, in the last launch */
};

static const double UNEVEN = 1.5;  /* of the longest warp to the average */
static const double FEW_WARPS = 8; /* for each multiprocessor: each waits for its loads most of the time */

/* "4x2x1" is 8. */
static double product(const char *extents) {
  unsigned x = 0, y = 0, z = 0;
  return sscanf(extents, "%ux%ux%u", &x, &y, &z) == 3 ? (double)x * y * z : 0;
}

static struct kernel *find(struct kernel *kernels, int *count, const char *name) {
  for (int n = 0; n < *count; n++)
    if (strncmp(kernels[n].name, name, sizeof kernels[n].name - 1) == 0)
      return &kernels[n];
  if (*count == MOST_KERNELS)
    return NULL;
  snprintf(kernels[*count].name, sizeof kernels[*count].name, "%s", name);
  return &kernels[(*count)++];
}

static double sum(struct csv *csv, const char *loads, const char *stores) {
  return csv_number(csv, loads) + csv_number(csv, stores);
}

static int read(const char *path, struct kernel *kernels) {
  struct csv csv;
  int count = 0;
  if (csv_open(&csv, path))
    while (csv_next(&csv)) {
      struct kernel *kernel = find(kernels, &count, csv_text(&csv, "kernel"));
      if (!kernel)
        continue;
      kernel->ns += csv_number(&csv, "simgpu__time_model_ns");
      kernel->launches++;
      kernel->blocks = product(csv_text(&csv, "grid"));
      kernel->threads = product(csv_text(&csv, "block"));
      kernel->longest = csv_number(&csv, "simgpu__inst_executed_longest_warp.max");
      kernel->bytes +=
          SECTOR * sum(&csv, "simgpu__unique_sectors_global_ld.sum", "simgpu__unique_sectors_global_st.sum");
      kernel->sectors += sum(&csv, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
      kernel->instructions += csv_number(&csv, "smsp__inst_executed.sum");
      kernel->spilled = csv_number(&csv, "simgpu__spilled_registers.max");
      kernel->average =
          csv_number(&csv, "smsp__inst_executed.sum") / (kernel->blocks * ceil(kernel->threads / LANES));
    }
  csv_close(&csv);
  return count;
}

/* The unit that is busy for the largest part of the time limits the kernel, if that part is large. */
static void explain_units(const struct kernel *kernel, char *text, size_t size) {
  static const double busy = 0.6, clocks = clock_khz * 1e-6; /* of a nanosecond */
  const double sectors_per_ns = MULTIPROCESSORS * l1_bytes_per_clock / SECTOR * clocks;
  const struct {
    double part;
    const char *name, *fewer;
  } units[] = {{kernel->bytes / kernel->ns / memory_bytes_per_ns, "device memory", "bytes"},
               {kernel->sectors / kernel->ns / sectors_per_ns, "the L1 cache", "sectors, or wider loads,"},
               {kernel->instructions / kernel->ns / (schedulers * MULTIPROCESSORS * clocks),
                "the issue of instructions", "instructions"}},
    *most = units;
  for (size_t n = 1; n < sizeof units / sizeof *units; n++)
    most = units[n].part > most->part ? &units[n] : most;
  if (kernel->spilled > 0)
    snprintf(text, size, ": %.0f registers of each thread do not fit, and are in local memory",
             kernel->spilled);
  else if (most->part >= busy)
    snprintf(text, size, ": %s limits it, busy for %.0f %% of the time: fewer %s would make it faster",
             most->name, 100 * most->part, most->fewer);
  else
    snprintf(
        text, size,
        ": warps mostly wait: the busiest unit is %s, for %.0f %% of the time: more loads in flight, more warps or fewer "
        "dependent steps would make it faster",
        most->name, 100 * most->part);
}

bool slow_explain(const char *counters, char *text, size_t size) {
  struct kernel kernels[MOST_KERNELS] = {0}, *slowest = kernels;
  const int count = read(counters, kernels);
  for (int n = 1; n < count; n++)
    if (kernels[n].ns > slowest->ns)
      slowest = &kernels[n];
  if (count == 0)
    return false;
  const double warps = slowest->blocks * ceil(slowest->threads / LANES);
  const int used =
      snprintf(text, size, "most of the time goes into %s: %.0f launch%s, %.0f block%s of %.0f threads",
               slowest->name, slowest->launches, slowest->launches == 1 ? "" : "es", slowest->blocks,
               PLURAL(slowest->blocks), slowest->threads);
  if (slowest->blocks < MULTIPROCESSORS && used > 0 && (size_t)used < size)
    snprintf(text + used, size - (size_t)used, ": %.0f of %d multiprocessors are idle",
             MULTIPROCESSORS - slowest->blocks, MULTIPROCESSORS);
  else if (slowest->longest > UNEVEN * slowest->average && used > 0 && (size_t)used < size)
    snprintf(
        text + used, size - (size_t)used,
        ": the longest warp executes %.0f instructions, the average of all is %.0f: do some warps have no work?",
        slowest->longest, slowest->average);
  else if (warps <= FEW_WARPS * MULTIPROCESSORS && used > 0 && (size_t)used < size)
    snprintf(
        text + used, size - (size_t)used,
        ": %.2g warps for each multiprocessor: each needs several loads in flight: does it load all values of a "
        "step before it uses the first?",
        warps / MULTIPROCESSORS);
  else if (slowest->ns > 0 && used > 0 && (size_t)used < size)
    explain_units(slowest, text + used, size - (size_t)used);
  return true;
}
