// Matrices of complex numbers for tests of libraries, as dense.h for real ones. The parts of all elements
// are small integers.
#pragma once

#include <complex>
#include <cublas_v2.h>

#include "dense.h"

static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
static bool inside(cublasFillMode_t part, int i, int j) {
  return part == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

typedef std::complex<double> Exact;
typedef std::vector<Exact> Numbers;
static const Exact alpha(2, -1), beta(-1, 3), gap(unread, unread); // an element that must not be read
static Exact number() {
  const double re = small();
  return Exact(re, small());
}

struct Matrix {
  int rows, columns;
  Numbers values;
  Matrix(
      int m, int n, std::function<Exact(int, int)> f = [](int, int) { return number(); })
      : rows(m), columns(n) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        values.push_back(f(i, j));
  }
  Exact operator()(int i, int j) const { return values[i + (size_t)j * rows]; }
  Matrix op(cublasOperation_t op) const {
    if (op == CUBLAS_OP_N)
      return *this;
    return Matrix(columns, rows,
                  [&](int i, int j) { return op == CUBLAS_OP_C ? std::conj((*this)(j, i)) : (*this)(j, i); });
  }
  Matrix times(const Matrix &b) const {
    return Matrix(rows, b.columns, [&](int i, int j) {
      Exact sum = 0;
      for (int k = 0; k < columns; k++)
        sum += (*this)(i, k) * b(k, j);
      return sum;
    });
  }
  Matrix plus(Exact a, Exact b, const Matrix &other) const { // a this + b other; a factor 0 reads nothing
    return Matrix(rows, columns,
                  [&](int i, int j) { return a * (*this)(i, j) + (b == 0. ? Exact(0) : b * other(i, j)); });
  }
  Matrix where(std::function<bool(int, int)> kept, const Matrix &other) const {
    return Matrix(rows, columns, [&](int i, int j) { return kept(i, j) ? (*this)(i, j) : other(i, j); });
  }
};
static Matrix gaps(int rows, int columns) {
  return Matrix(rows, columns, [](int, int) { return gap; });
}

/* Storages: real and imaginary parts in turn. */
static std::vector<double> flat(const Numbers &x) {
  std::vector<double> parts;
  for (Exact value : x) {
    parts.push_back(value.real());
    parts.push_back(value.imag());
  }
  return parts;
}
static std::vector<double> by_columns(const Matrix &a) { // with three unused elements in each column
  Numbers s;
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows + 3; i++)
      s.push_back(i < a.rows ? a(i, j) : gap);
  return flat(s);
}
static std::vector<double> strided(const Numbers &x, int stride) {
  const int n = (int)x.size(), step = abs(stride);
  Numbers s(n ? (size_t)(n - 1) * step + 1 : 0, gap);
  for (int i = 0; i < n; i++)
    s[(size_t)(stride > 0 ? i : n - 1 - i) * step] = x[i];
  return flat(s);
}

template <class T> using part_of = decltype(T().x);
template <class T> struct Array : Device<part_of<T>> {
  typedef part_of<T> real;
  explicit Array(const std::vector<double> &numbers) : Device<real>(cast<real>(numbers)) {}
  explicit Array(const Matrix &a) : Array(by_columns(a)) {}
  T *get() const { return (T *)this->data; }
};
template <class T> static T narrow(Exact a) {
  typedef part_of<T> real;
  return T{(real)a.real(), (real)a.imag()};
}
template <class T> static Exact widen(T a) { return Exact(a.x, a.y); }
