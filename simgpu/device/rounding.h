/* The host's rounding, for instructions that name theirs. The compiler does not know of it. */
#pragma once

#include "lane.h"

/* `rounding`: enum rounding. A compiler barrier: operands are read from memory after it, and results are
 * written before it. */
static inline void rounding_set(u32 rounding) {
#ifdef __aarch64__
  static const u64 modes[] = {0, 3, 2, 1}; /* bits 22 and 23: nearest, toward zero, down, up */
  u64 control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control = (control & ~(UINT64_C(3) << 22)) | modes[rounding] << 22;
  __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
#elif defined(__x86_64__)
  static const u32 modes[] = {0, 3, 1, 2}; /* bits 13 and 14: nearest, toward zero, down, up */
  u32 control;
  __asm__ volatile("stmxcsr %0" : "=m"(control));
  control = (control & ~(3u << 13)) | modes[rounding] << 13;
  __asm__ volatile("ldmxcsr %0" : : "m"(control) : "memory");
#else
#error "expected x86-64 or arm64"
#endif
}
