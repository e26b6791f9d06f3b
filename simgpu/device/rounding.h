/* The host's rounding, for instructions that name theirs. The compiler does not know of it. */
#pragma once

#include "lane.h"

/* `rounding`: enum rounding. A compiler barrier: operands are read from memory after it, and results are written
 * before it. */
static inline void rounding_set(u32 rounding) {
  static const u32 modes[] = {0, 3, 1, 2}; /* bits 13 and 14: nearest, toward zero, down, up */
  u32 control;
  __asm__ volatile("stmxcsr %0" : "=m"(control));
  control = (control & ~(3u << 13)) | modes[rounding] << 13;
  __asm__ volatile("ldmxcsr %0" : : "m"(control) : "memory");
}
