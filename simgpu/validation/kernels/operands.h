// Operands for arithmetic on real numbers: the ends of the range, denormals, infinities, zeros of both signs.
#pragma once

#include "harness.h"

enum { SPECIAL = 24, N = SPECIAL * SPECIAL + 500 };

template <class T> static T special(int i) {
  const bool single = sizeof(T) == 4;
  const T least = single ? T(0x1p-149) : T(0x1p-1074), normal = single ? T(0x1p-126) : T(0x1p-1022);
  const T most = single ? T(0x1.fffffep127) : T(0x1.fffffffffffffp1023);
  const T values[SPECIAL / 2] = {0,     1,           T(1.5),    T(1 / 3.0),
                                 least, 3 * least,   normal,    normal - least,
                                 most,  T(INFINITY), T(0x1p31), T(2.5)};
  return i % 2 ? -values[i / 2] : values[i / 2];
}
// Pairs of special values, then random numbers of every size.
template <class T> static T operand(int i, bool second) {
  if (i < SPECIAL * SPECIAL)
    return special<T>(second ? i % SPECIAL : i / SPECIAL);
  int range = sizeof(T) == 4 ? 140 : 1060;
  return (T)ldexp(random_between(-2.0, 2.0), random_between(-range, range));
}

// In single precision the device has one NaN. The bits of a double NaN are not compared.
template <class T> static T canonical(T x) {
  const uint32_t single = 0x7fffffff;
  const uint64_t any = 0x7fffffffffffffff;
  if (x != x)
    sizeof x == 4 ? memcpy(&x, &single, 4) : memcpy(&x, &any, sizeof x);
  return x;
}
template <class T> __device__ T one_nan(T x) { return x; }
template <> __device__ inline double one_nan(double x) {
  return x != x ? __longlong_as_double(0x7fffffffffffffff) : x;
}
