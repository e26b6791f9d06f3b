/* Stored matrices, and what the functions read from them. All are stored by columns, as in Fortran. A storage gives the
 * address of element (i, j); a view gives the values of row i of the operand, in columns first(i) to last(i). */
#pragma once

#include "handle.h"

template <typename T> struct full {
  T *data;
  long long ld;
  __device__ T &at(int i, int j) const { return data[i + j * ld]; }
};

/* Diagonals in rows: `offset` is the row of the main diagonal. */
template <typename T> struct banded {
  T *data;
  long long ld;
  int offset;
  __device__ T &at(int i, int j) const { return data[offset + i - j + j * ld]; }
};

/* One triangle without gaps. */
template <typename T> struct packed {
  T *data;
  int n;
  bool lower;
  __device__ T &at(int i, int j) const {
    const long long column = j;
    return data[i + (lower ? column * (2 * n - column - 1) / 2 : column * (column + 1) / 2)];
  }
};

/* op(A) for a matrix with `below` and `above` diagonals beside the main one. */
template <typename S> struct general {
  S stored;
  int columns; /* of op(A) */
  int below, above;
  bool transposed, conjugated;
  __device__ int first(int i) const { return max(0, i - (transposed ? above : below)); }
  __device__ int last(int i) const { return min(columns - 1, i + (transposed ? below : above)); }
  __device__ auto at(int i, int j) const {
    return conjugate_if(conjugated, transposed ? stored.at(j, i) : stored.at(i, j));
  }
};

/* From one triangle. The imaginary parts on the diagonal of a Hermitian matrix count as zero. */
template <typename S> struct symmetric {
  S stored;
  int n, width; /* diagonals on each side */
  bool lower, hermitian;
  __device__ int first(int i) const { return max(0, i - width); }
  __device__ int last(int i) const { return min(n - 1, i + width); }
  __device__ auto at(int i, int j) const {
    const bool stored_here = (i > j) == lower;
    const auto value = stored_here ? stored.at(i, j) : stored.at(j, i);
    return !hermitian ? value : i == j ? only_real(value) : conjugate_if(!stored_here, value);
  }
};

/* op(A) for a triangle; outside it, at() gives zero. `lower` is the shape of op(A). */
template <typename S> struct triangular {
  S stored;
  int n, width;
  bool lower, unit, transposed, conjugated;
  __device__ int first(int i) const { return lower ? max(0, i - width) : i; }
  __device__ int last(int i) const { return lower ? i : min(n - 1, i + width); }
  __device__ auto at(int i, int j) const {
    typedef decltype(conjugate(stored.at(0, 0))) T;
    if (lower ? j > i : j < i)
      return T();
    if (unit && i == j)
      return one<T>();
    return conjugate_if<T>(conjugated, transposed ? stored.at(j, i) : stored.at(i, j));
  }
};

enum { ALL_DIAGONALS = 1 << 30 };

template <typename S>
triangular<S> make_triangular(S stored, int n, int width, cublasFillMode_t part, cublasOperation_t op,
                              cublasDiagType_t diagonal) {
  const bool transposed = op != CUBLAS_OP_N;
  return {stored,
          n,
          width,
          (part == CUBLAS_FILL_MODE_LOWER) != transposed,
          diagonal == CUBLAS_DIAG_UNIT,
          transposed,
          op == CUBLAS_OP_C};
}
