/* Lab 05, the second step of part 1: as many neighbouring points of a colour as 16 bytes hold, two in double, four in
 * float. One instruction loads or stores them. */
#pragma once

template <class Real> struct alignas(16) pack {
  enum { WIDTH = 16 / sizeof(Real) };
  Real at[WIDTH];
};

template <class Real> static __device__ pack<Real> load(const Real *p) {
  return *reinterpret_cast<const pack<Real> *>(p);
}
template <class Real> static __device__ void store(Real *p, const pack<Real> &values) {
  *reinterpret_cast<pack<Real> *>(p) = values;
}
