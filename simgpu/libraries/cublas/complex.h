/* Complex numbers of the toolkit, with the operators that kernels for real numbers use. */
#pragma once

#include <cuComplex.h>
#include <library_types.h>

#define BOTH static __host__ __device__ inline

/* C is a complex type with parts of type R; cuC is the prefix of its functions, and f their suffix. */
#define COMPLEX_OPERATORS(C, R, f)                                                                           \
  BOTH C operator+(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                              \
  BOTH C operator-(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                              \
  BOTH C operator*(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                      \
  BOTH C operator*(C a, R b) { return {a.x * b, a.y * b}; }                                                  \
  BOTH C operator/(C a, C b) { return cuCdiv##f(a, b); }                                                     \
  BOTH bool operator==(C a, C b) { return a.x == b.x && a.y == b.y; }                                        \
  BOTH bool operator!=(C a, C b) { return !(a == b); }                                                       \
  BOTH C &operator+=(C &a, C b) { return a = a + b; }                                                        \
  BOTH C &operator-=(C &a, C b) { return a = a - b; }                                                        \
  BOTH C &operator*=(C &a, C b) { return a = a * b; }                                                        \
  BOTH C &operator*=(C &a, R b) { return a = a * b; }                                                        \
  BOTH C &operator/=(C &a, C b) { return a = a / b; }                                                        \
  BOTH C conjugate(C a) { return {a.x, -a.y}; }                                                              \
  BOTH C only_real(C a) { return {a.x, 0}; }                                                                 \
  BOTH R sum_of_parts(C a) { return fabs(a.x) + fabs(a.y); }                                                 \
  static __device__ inline C shuffle_down(C a, int step) {                                                   \
    return {__shfl_down_sync(0xffffffff, a.x, step), __shfl_down_sync(0xffffffff, a.y, step)};               \
  }                                                                                                          \
  BOTH R conjugate(R a) { return a; }                                                                        \
  BOTH R only_real(R a) { return a; }                                                                        \
  BOTH R sum_of_parts(R a) { return fabs(a); }                                                               \
  static __device__ inline R shuffle_down(R a, int step) { return __shfl_down_sync(0xffffffff, a, step); }   \
  BOTH void set_real(C &to, R value) { to = {value, 0}; }                                                    \
  BOTH void set_real(R &to, R value) { to = value; }
COMPLEX_OPERATORS(cuComplex, float, f)
COMPLEX_OPERATORS(cuDoubleComplex, double, )

__host__ __device__ inline int conjugate(int a) { return a; }
template <typename T> __host__ __device__ T conjugate_if(bool yes, T a) { return yes ? conjugate(a) : a; }
template <typename T> __host__ __device__ T one() {
  T value;
  set_real(value, 1);
  return value;
}

/* Calls f, which gives a status, with a zero of the type that is known at run time; `unknown`: the
 * status for others. */
template <typename Status, typename F>
static inline Status complex_with_type(cudaDataType type, Status unknown, F f) {
  switch (type) {
  case CUDA_R_32F:
    return f(float());
  case CUDA_R_64F:
    return f(double());
  case CUDA_C_32F:
    return f(cuComplex());
  case CUDA_C_64F:
    return f(cuDoubleComplex());
  default:
    return unknown;
  }
}
