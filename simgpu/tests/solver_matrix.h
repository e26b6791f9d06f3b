// Matrices of all four types for tests of cuSOLVER: random numbers, device memory with rows that the
// functions must not touch, and comparisons up to rounding errors.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cusolverDn.h>

#include "complex_matrix.h"

#define SOLVER_OK(call) TRUE((call) == CUSOLVER_STATUS_SUCCESS)
static cusolverDnHandle_t handle;

template <class T> struct kind;
#define KIND(T, R, TYPE, PARTS)                                                                              \
  template <> struct kind<T> {                                                                               \
    typedef R real;                                                                                          \
    static const cudaDataType type = CUDA_##TYPE, real_type = sizeof(R) == 4 ? CUDA_R_32F : CUDA_R_64F;      \
    static const bool is_complex = PARTS == 2;                                                               \
    static constexpr double epsilon = sizeof(R) == 4 ? FLT_EPSILON : DBL_EPSILON;                            \
  }
KIND(float, float, R_32F, 1);
KIND(double, double, R_64F, 1);
KIND(cuComplex, float, C_32F, 2);
KIND(cuDoubleComplex, double, C_64F, 2);
template <class T> using real_of = typename kind<T>::real;

static Exact exact(float a) { return a; }
static Exact exact(double a) { return a; }
template <class T> static Exact exact(T a) { return widen(a); }
static void rounded(float &to, Exact a) { to = (float)a.real(); }
static void rounded(double &to, Exact a) { to = a.real(); }
template <class T> static void rounded(T &to, Exact a) { to = narrow<T>(a); }
template <class T> static T round_to(Exact a) {
  T value;
  rounded(value, a);
  return value;
}

static unsigned bits = 7;
static double fraction() { return (int)((bits = bits * 1664525 + 1013904223) >> 9) / 4194304.0 - 1; }
template <class T> static Matrix random_matrix(int m, int n) {
  return Matrix(m, n, [](int, int) {
    const double re = fraction();
    return exact(round_to<T>(Exact(re, kind<T>::is_complex ? fraction() : 0)));
  });
}
static Matrix identity(int n) {
  return Matrix(n, n, [](int i, int j) { return i == j; });
}
static Matrix adjoint(const Matrix &a) { return a.op(CUBLAS_OP_C); }
template <class T> static Matrix self_adjoint(int n) {
  const Matrix a = random_matrix<T>(n, n);
  return Matrix(n, n, [&](int i, int j) {
    return i == j ? a(i, i).real() : i > j ? a(i, j) : std::conj(a(j, i));
  });
}
template <class T> static Matrix definite(int n) {
  const Matrix a = random_matrix<T>(n, n), square = a.times(adjoint(a));
  return Matrix(n, n, [&](int i, int j) {
    const Exact value = i >= j ? square(i, j) : std::conj(square(j, i));
    return exact(round_to<T>(i == j ? value.real() + 1 : value));
  });
}
static Matrix one_triangle(const Matrix &a, cublasFillMode_t part) {
  return a.where([=](int i, int j) { return inside(part, i, j); }, gaps(a.rows, a.columns));
}
static Matrix first_columns(const Matrix &a, int n) {
  return Matrix(a.rows, n, [&](int i, int j) { return a(i, j); });
}

/* Matrices on the device, one after the other; `gap` rows below each column are not numbers, and must stay so. */
template <class T> struct Stored {
  int rows, columns, ld;
  Device<T> data;
  static std::vector<T> all(const std::vector<Matrix> &matrices, int gap_rows) {
    std::vector<T> values;
    for (const Matrix &a : matrices)
      for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows + gap_rows; i++)
          values.push_back(round_to<T>(i < a.rows ? a(i, j) : gap));
    return values;
  }
  explicit Stored(const std::vector<Matrix> &matrices, int gap_rows = 2)
      : rows(matrices[0].rows), columns(matrices[0].columns), ld(rows + gap_rows),
        data(all(matrices, gap_rows)) {}
  explicit Stored(const Matrix &a) : Stored(std::vector<Matrix>{a}) {}
  T *get() const { return data.data; }
  Matrix now(int which = 0) const {
    const std::vector<T> values = data.now();
    const size_t first = (size_t)which * ld * columns;
    for (int j = 0; j < columns; j++)
      for (int i = rows; i < ld; i++)
        TRUE(std::isnan(exact(values[first + i + (size_t)j * ld]).real()));
    return Matrix(rows, columns, [&](int i, int j) { return exact(values[first + i + (size_t)j * ld]); });
  }
};
template <class T> static Stored<T> empty(int m, int n, int count = 1) {
  return Stored<T>(std::vector<Matrix>(count, gaps(m, n)));
}
/* Work space that holds no numbers. */
struct Space : Device<unsigned char> {
  explicit Space(size_t size) : Device<unsigned char>(std::vector<unsigned char>(size, 0xFF)) {}
  template <class T> T *get() const { return (T *)data; }
};
struct Numbers32 : Device<int> {
  explicit Numbers32(int count = 1) : Device<int>(std::vector<int>(count, -1)) {}
};
static int only(const Device<int> &info) { return info.now()[0]; }

static double norm(const Matrix &a) {
  double greatest = 0;
  for (Exact value : a.values)
    greatest = std::max(greatest, std::isfinite(std::abs(value)) ? std::abs(value) : INFINITY);
  return greatest;
}

/* The difference, in units that rounding errors of n steps explain; `size` is that of the terms. */
template <class T>
static void expect_near(const Matrix &got, const Matrix &wanted, double size, const char *what) {
  const int n = std::max(got.rows, got.columns);
  const double bound = 16 * (n + 1) * kind<T>::epsilon * size, error = norm(got.plus(1, -1, wanted));
  if (!(error <= bound)) {
    printf("%s of %d x %d: difference %g, expected at most %g\n", what, got.rows, got.columns, error, bound);
    differences++;
  }
}
template <class T> static void expect_orthonormal(const Matrix &q, const char *what) {
  expect_near<T>(adjoint(q).times(q), identity(q.columns), 1, what);
}
template <class R> static Matrix diagonal(const std::vector<R> &values, int n) {
  return Matrix(n, n, [&](int i, int j) { return i == j ? values[i] : 0; });
}

template <void (*PART)()> static void with_handle() {
  SOLVER_OK(cusolverDnCreate(&handle));
  PART();
  SOLVER_OK(cusolverDnDestroy(handle));
}
#define FOUR_TYPES(name, part)                                                                               \
  {name ", single", with_handle<part<float>>}, {name ", double", with_handle<part<double>>},                 \
      {name ", complex single", with_handle<part<cuComplex>>}, {                                             \
    name ", complex double", with_handle<part<cuDoubleComplex>>                                              \
  }
