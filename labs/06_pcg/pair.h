/* Lab 06, parts 5 and 6: two neighbouring points of a colour, 16 bytes that one instruction loads or stores. */
#pragma once

struct alignas(16) pair {
  double at[2];
};
inline __device__ pair load(const double *p) { return *reinterpret_cast<const pair *>(p); }
inline __device__ void store(double *p, pair values) { *reinterpret_cast<pair *>(p) = values; }

/* The west and east neighbours of point m of a pair. They are among three adjacent elements of the other colour: a
 * pair, and the edge element, which comes before the pair or, in a row where that colour is shifted, after it. */
inline __device__ double west_of(pair row, double edge, bool shifted, int m) {
  return shifted ? row.at[m] : m == 0 ? edge : row.at[0];
}
inline __device__ double east_of(pair row, double edge, bool shifted, int m) {
  return shifted ? (m == 0 ? row.at[1] : edge) : row.at[m];
}
