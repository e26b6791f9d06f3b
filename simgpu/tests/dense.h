// Matrices and vectors for tests of libraries: a reference in double precision, and device memory that knows
// what it held.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "semantics.h"

static unsigned state = 1;
static int small() { return (int)((state = state * 1664525 + 1013904223) >> 28) - 7; } // -7 to 8
static const double unread = std::numeric_limits<double>::quiet_NaN();

/* A matrix in double precision, by columns. */
struct Dense {
  int rows, columns;
  std::vector<double> values;
  Dense(
      int m, int n, std::function<double(int, int)> f = [](int, int) { return small(); })
      : rows(m), columns(n) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        values.push_back(f(i, j));
  }
  double operator()(int i, int j) const { return values[i + (size_t)j * rows]; }
  Dense turned(bool turn = true) const {
    return turn ? Dense(columns, rows, [this](int i, int j) { return (*this)(j, i); }) : *this;
  }
  Dense times(const Dense &b) const {
    return Dense(rows, b.columns, [&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < columns; k++)
        sum += (*this)(i, k) * b(k, j);
      return sum;
    });
  }
  Dense plus(double alpha, double beta, const Dense &b) const {
    return Dense(rows, columns,
                 [&](int i, int j) { return alpha * (*this)(i, j) + (beta ? beta * b(i, j) : 0); });
  }
};

/* Device memory with a copy of what it held. */
template <class T> struct Device {
  std::vector<T> before;
  T *data = nullptr;
  explicit Device(std::vector<T> values) : before(values) {
    OK(cudaMalloc(&data, before.size() * sizeof(T) + 1));
    OK(cudaMemcpy(data, before.data(), before.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  explicit Device(double value) : Device(std::vector<T>{(T)value}) {}
  Device(const Device &) = delete;
  ~Device() { cudaFree(data); }
  std::vector<T> now() const {
    std::vector<T> values(before.size());
    OK(cudaMemcpy(values.data(), data, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

static const char *subject;
static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
template <class T>
static void expect_values(const Device<T> &d, const std::vector<double> &wanted, const char *what) {
  const std::vector<T> got = d.now();
  for (size_t i = 0; i < got.size(); i++)
    if (!same((double)got[i], wanted[i])) {
      printf("%s, %s: element %zu: expected %g, got %g\n", subject, what, i, wanted[i], (double)got[i]);
      differences++;
      return;
    }
}

/* Storages: `ld` is larger than needed. */
template <class T> static std::vector<double> stored(const Dense &a, int ld) {
  std::vector<double> s((size_t)ld * a.columns, unread);
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++)
      s[i + (size_t)j * ld] = a(i, j);
  return s;
}
static std::vector<double> spread(const std::vector<double> &x, int stride) { // a vector with gaps
  const int n = (int)x.size(), step = abs(stride);
  std::vector<double> s(n ? (size_t)(n - 1) * step + 1 : 0, unread);
  for (int i = 0; i < n; i++)
    s[(size_t)(stride > 0 ? i : n - 1 - i) * step] = x[i];
  return s;
}
template <class T> static std::vector<T> cast(const std::vector<double> &x) { return {x.begin(), x.end()}; }
