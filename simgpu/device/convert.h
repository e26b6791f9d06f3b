/* cvt in all its forms but the frequent ones of ops.def: one lane at a time. */
#ifndef SIMGPU_CONVERT_H
#define SIMGPU_CONVERT_H

#include <stdint.h>

#include "ptx.h"

enum rounding {
  ROUND_NEAREST,
  ROUND_ZERO,
  ROUND_DOWN,
  ROUND_UP,
  ROUND_INTEGRAL = 4 /* added for rni, rzi, rmi, rpi */
};
enum { CONVERT_SATURATE = 1, CONVERT_FTZ = 2, CONVERT_RELU = 4, CONVERT_FINITE = 8 };

/* `bits` of type `from` (in its low bits) to `to`; integers are extended to 64 bits by their own sign. */
uint64_t convert(uint64_t bits, enum ptx_type from, enum ptx_type to, unsigned rounding, unsigned flags);

#endif
