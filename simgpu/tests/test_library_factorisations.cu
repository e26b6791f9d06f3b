// LU factorisations of cuBLAS: P A = L U with the factors multiplied in double precision on the host, residuals of
// systems and inverses, pivots by their definition, and elements outside the matrices that must keep their values.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <limits>
#include <vector>

#include "dense.h"

#define BLAS_OK(call) TRUE((call) == CUBLAS_STATUS_SUCCESS)

template <class T> struct blas;
#define FUNCTION(P, name) static constexpr auto name = cublas##P##name##Batched
#define PRECISION(T, P)                                                                                      \
  template <> struct blas<T> {                                                                               \
    FUNCTION(P, getrf);                                                                                      \
    FUNCTION(P, getrs);                                                                                      \
    FUNCTION(P, getri);                                                                                      \
    FUNCTION(P, matinv);                                                                                     \
  }
PRECISION(float, S);
PRECISION(double, D);

static cublasHandle_t handle;
enum { BATCHES = 3, GAP = 2 };
static unsigned bits = 7;
static double fraction() { return (int)((bits = bits * 1664525 + 1013904223) >> 9) / 4194304.0 - 1; }
static Dense random_matrix(int m, int n) {
  return Dense(m, n, [](int, int) { return fraction(); });
}

/* Matrices of a batch one behind the other, each with rows that the functions must not touch. */
template <class T> struct Batch {
  int ld;
  std::vector<Dense> all;
  Device<T> data;
  Device<T *> addresses;
  static std::vector<T> joined(const std::vector<Dense> &all, int ld) {
    std::vector<T> values;
    for (const Dense &one : all)
      for (double value : stored<T>(one, ld))
        values.push_back((T)value);
    return values;
  }
  std::vector<T *> places() const {
    std::vector<T *> p;
    for (size_t b = 0; b < all.size(); b++)
      p.push_back(data.data + b * ld * all[0].columns);
    return p;
  }
  explicit Batch(std::vector<Dense> matrices)
      : ld(matrices[0].rows + GAP), all(matrices), data(joined(all, ld)), addresses(places()) {}
  Dense now(int b) const { // fails if the gap has changed
    const std::vector<T> values = data.now();
    const size_t start = (size_t)b * ld * all[b].columns;
    for (int j = 0; j < all[b].columns; j++)
      for (int i = all[b].rows; i < ld; i++)
        TRUE(std::isnan(values[start + i + (size_t)j * ld]));
    return Dense(all[b].rows, all[b].columns,
                 [&](int i, int j) { return (double)values[start + i + (size_t)j * ld]; });
  }
};

static double norm(const Dense &a) {
  double greatest = 0;
  for (double value : a.values)
    greatest = std::max(greatest, std::isfinite(value) ? fabs(value) : INFINITY);
  return greatest;
}

/* The difference, in units that rounding errors of n steps explain; `size` is that of the terms. */
template <class T>
static void expect_near(const Dense &got, const Dense &wanted, double size, const char *what) {
  const int n = got.rows;
  const double bound = 8 * (n + 1) * (double)std::numeric_limits<T>::epsilon() * size;
  const double error = norm(got.plus(1, -1, wanted));
  if (!(error <= bound)) {
    printf("%s of size %d: difference %g, expected at most %g\n", what, n, error, bound);
    differences++;
  }
}

static Dense permuted(Dense a, const std::vector<int> &pivots, int batch) {
  const int n = a.rows;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < a.columns; j++)
      std::swap(a.values[k + (size_t)j * n], a.values[pivots[batch * n + k] - 1 + (size_t)j * n]);
  return a;
}

template <class T> static std::vector<Dense> rounded(int n, int columns) {
  std::vector<Dense> all;
  for (int b = 0; b < BATCHES; b++) {
    Dense a = random_matrix(n, columns);
    for (double &value : a.values)
      value = (T)value;
    all.push_back(a);
  }
  return all;
}

static Dense lower_of(const Dense &f) {
  return Dense(f.rows, f.rows, [&](int i, int j) { return i == j ? 1 : i > j ? f(i, j) : 0; });
}
static Dense upper_of(const Dense &f) {
  return Dense(f.rows, f.rows, [&](int i, int j) { return i <= j ? f(i, j) : 0; });
}
static Dense identity(int n) {
  return Dense(n, n, [](int i, int j) { return i == j; });
}

template <class T> static void expect_factors(const Batch<T> &A, const std::vector<int> &pivots) {
  const int n = A.all[0].rows;
  for (int b = 0; b < BATCHES; b++) {
    const Dense f = A.now(b), l = lower_of(f), u = upper_of(f);
    for (int k = 0; k < n; k++)
      TRUE(pivots[b * n + k] > k && pivots[b * n + k] <= n);
    TRUE(norm(l) <= 1); // each pivot was the greatest element
    expect_near<T>(l.times(u), permuted(A.all[b], pivots, b), norm(u), "factors");
  }
}

template <class T> static void expect_solutions(const Batch<T> &A, const Device<int> &pivots) {
  const int n = A.all[0].rows;
  for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
    for (int sides : {1, 3}) {
      Batch<T> B(rounded<T>(n, sides));
      int info = 99;
      BLAS_OK(blas<T>::getrs(handle, op, n, sides, A.addresses.data, A.ld, pivots.data, B.addresses.data,
                             B.ld, &info, BATCHES));
      TRUE(info == 0);
      for (int b = 0; b < BATCHES; b++) {
        const Dense x = B.now(b), l = lower_of(A.now(b)), u = upper_of(A.now(b));
        const Dense product = A.all[b].turned(op != CUBLAS_OP_N).times(x);
        expect_near<T>(product, B.all[b], (n + norm(u)) * n * norm(x), "solutions");
      }
    }
}

template <class T> static void systems() {
  for (int n : {1, 2, 3, 17, 31, 32, 33, 70}) {
    Batch<T> A(rounded<T>(n, n)), C(rounded<T>(n, n)), D(rounded<T>(n, n));
    const Batch<T> original(A.all);
    Device<int> pivots(std::vector<int>(n * BATCHES, -1)), info(std::vector<int>(BATCHES, -1));
    BLAS_OK(blas<T>::getrf(handle, n, A.addresses.data, A.ld, pivots.data, info.data, BATCHES));
    TRUE(info.now() == std::vector<int>(BATCHES, 0));
    expect_factors(A, pivots.now());
    expect_solutions(A, pivots);
    BLAS_OK(blas<T>::getri(handle, n, A.addresses.data, A.ld, pivots.data, C.addresses.data, C.ld, info.data,
                           BATCHES));
    TRUE(info.now() == std::vector<int>(BATCHES, 0));
    const cublasStatus_t status = blas<T>::matinv(handle, n, original.addresses.data, original.ld,
                                                  D.addresses.data, D.ld, info.data, BATCHES);
    TRUE(status == (n > 32 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS));
    for (int b = 0; b < BATCHES; b++) {
      const double size = (n + norm(upper_of(A.now(b)))) * n * norm(C.now(b));
      expect_near<T>(A.all[b].times(C.now(b)), identity(n), size, "inverses");
      if (n <= 32)
        expect_near<T>(A.all[b].times(D.now(b)), identity(n), size, "direct inverses");
    }
  }
}

/* Without pivots, and matrices without an inverse. */
template <class T> static void special() {
  const int n = 9;
  std::vector<Dense> heavy;
  for (int b = 0; b < BATCHES; b++)
    heavy.push_back(Dense(n, n, [](int i, int j) { return i == j ? 20 : small(); }));
  Batch<T> A(heavy);
  Device<int> info(std::vector<int>(BATCHES, -1)), pivots(std::vector<int>(n * BATCHES, -1));
  BLAS_OK(blas<T>::getrf(handle, n, A.addresses.data, A.ld, nullptr, info.data, BATCHES));
  for (int b = 0; b < BATCHES; b++)
    expect_near<T>(lower_of(A.now(b)).times(upper_of(A.now(b))), A.all[b], norm(A.now(b)),
                   "factors without pivots");
  std::vector<Dense> singular; // columns 4 and 5 are zero; nothing is zero; all is zero
  for (int b = 0; b < BATCHES; b++)
    singular.push_back(Dense(n, n, [&](int i, int j) {
      const double value = i == j ? 20 : small();
      return b == 2 || (b == 0 && (j == 4 || j == 5)) ? 0 : value;
    }));
  Batch<T> S(singular), C(singular);
  BLAS_OK(blas<T>::getrf(handle, n, S.addresses.data, S.ld, pivots.data, info.data, BATCHES));
  TRUE(info.now() == (std::vector<int>{5, 0, 1}));
  BLAS_OK(blas<T>::getri(handle, n, S.addresses.data, S.ld, pivots.data, C.addresses.data, C.ld, info.data,
                         BATCHES));
  TRUE(info.now() == (std::vector<int>{5, 0, 1}));
  std::vector<Dense> equal(BATCHES, Dense(n, n, [](int i, int j) { return j ? small() : i % 2 ? -3 : 3; }));
  Batch<T> E(equal); // of equal elements, the first is the pivot
  BLAS_OK(blas<T>::getrf(handle, n, E.addresses.data, E.ld, pivots.data, info.data, BATCHES));
  TRUE(pivots.now()[0] == 1 && pivots.now()[n] == 1);
}

static void arguments() {
  int info = 99;
  TRUE(cublasDgetrfBatched(handle, 4, nullptr, 3, nullptr, nullptr, 1) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasDgetrsBatched(handle, CUBLAS_OP_N, 4, 1, nullptr, 4, nullptr, nullptr, 3, &info, 1) ==
       CUBLAS_STATUS_INVALID_VALUE);
  TRUE(info == -8);
  BLAS_OK(cublasDgetrsBatched(handle, CUBLAS_OP_N, 0, 1, nullptr, 4, nullptr, nullptr, 3, &info, 1));
  TRUE(info == 0);
  TRUE(cublasSgetrfBatched(nullptr, 1, nullptr, 1, nullptr, nullptr, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
}

template <void (*PART)()> static void with_handle() {
  BLAS_OK(cublasCreate(&handle));
  PART();
  BLAS_OK(cublasDestroy(handle));
}

int main() {
  return run_parts({{"single precision", with_handle<systems<float>>},
                    {"double precision", with_handle<systems<double>>},
                    {"special matrices, single", with_handle<special<float>>},
                    {"special matrices, double", with_handle<special<double>>},
                    {"arguments", with_handle<arguments>}});
}
