/* Warps that a multiprocessor of compute capability 8 or 9 holds, by their registers per thread. A warp gets registers
 * in units on one of the partitions, of which each scheduler has one (the toolkit's cuda_occupancy.h). */
#pragma once

#include "model_constants.h"

#include <stdint.h>

static inline uint32_t warps_held(uint32_t registers_per_multiprocessor, uint32_t registers) {
  const uint32_t unit = warp_register_unit, of_warp = (registers * 32 + unit - 1) / unit * unit;
  return registers_per_multiprocessor / schedulers / of_warp * schedulers;
}
