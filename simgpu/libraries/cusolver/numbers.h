/* Real and complex numbers for the same kernels. */
#pragma once

#include "../cublas/complex.h"

/* C is a complex type with parts of type R. Sums are kept in double precision: widen() and narrow(). */
#define NUMBERS(C, R)                                                                                        \
  BOTH R real_part(C a) { return a.x; }                                                                      \
  BOTH R real_part(R a) { return a; }                                                                        \
  BOTH bool is_real(C a) { return a.y == 0; }                                                                \
  BOTH bool is_real(R) { return true; }                                                                      \
  BOTH C operator/(C a, R b) { return {a.x / b, a.y / b}; }                                                  \
  BOTH cuDoubleComplex widen(C a) { return {a.x, a.y}; }                                                     \
  BOTH double widen(R a) { return a; }                                                                       \
  BOTH void narrow(C &to, cuDoubleComplex a) { to = {(R)a.x, (R)a.y}; }                                      \
  BOTH void narrow(R &to, double a) { to = (R)a; }
NUMBERS(cuComplex, float)
NUMBERS(cuDoubleComplex, double)

BOTH double absolute(double a) { return fabs(a); }
BOTH double absolute(cuDoubleComplex a) { return hypot(a.x, a.y); }
BOTH double squared(double a) { return a * a; }
BOTH double squared(cuDoubleComplex a) { return a.x * a.x + a.y * a.y; }

template <typename T> using real_of = decltype(real_part(T()));
template <typename T> using wide = decltype(widen(T()));
template <typename T> __host__ __device__ T number(real_of<T> value) {
  T a;
  set_real(a, value);
  return a;
}
template <typename T> __host__ __device__ T narrowed(wide<T> value) {
  T a;
  narrow(a, value);
  return a;
}
