/* The limits of launches. */
#pragma once

#include "device/machine.h"

/* The host's memory for the registers and the local memory of a warp, and at most for all warps that run together. */
uint64_t limits_warp_bytes(const struct kernel *kernel);
#define LIMITS_TOGETHER_BYTES (UINT64_C(4) << 30)

/* Returns why a launch is beyond the limits, which it reports on standard error, or SIM_OK. */
enum sim_status limits_refuse(const struct kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                              uint32_t shared_dynamic, bool cooperative);
/* The same for the clusters of a launch that is within those limits: at most `most` blocks each. */
enum sim_status limits_refuse_cluster(const struct kernel *kernel, const uint32_t grid[3],
                                      const uint32_t cluster[3], bool cooperative, uint32_t most);
/* One line about a refused launch. A program that ignores errors may cause many, so only the first
 * ones are reported. */
__attribute__((format(printf, 2, 3))) void limits_report(const struct kernel *kernel, const char *format,
                                                         ...);
