// The interface of cublas.h: functions without handles. Small integers make every result exact.
#include "dense.h"

#include <cublas.h>

template <class T> static std::vector<T> as(const Dense &m) { return {m.values.begin(), m.values.end()}; }
template <class T> static bool are(const Device<T> &x, const Dense &expected) {
  return x.now() == as<T>(expected);
}

template <class T> struct Functions;
#define FUNCTIONS(T, t, lower)                                                                               \
  template <> struct Functions<T> {                                                                          \
    static constexpr auto dot = cublas##t##dot;                                                              \
    static constexpr auto nrm2 = cublas##t##nrm2, asum = cublas##t##asum;                                    \
    static constexpr auto amax = cublasI##lower##amax, amin = cublasI##lower##amin;                          \
    static constexpr auto scal = cublas##t##scal;                                                            \
    static constexpr auto axpy = cublas##t##axpy;                                                            \
    static constexpr auto swap = cublas##t##swap;                                                            \
    static constexpr auto copy = cublas##t##copy;                                                            \
    static constexpr auto gemv = cublas##t##gemv;                                                            \
    static constexpr auto ger = cublas##t##ger;                                                              \
    static constexpr auto gemm = cublas##t##gemm;                                                            \
    static constexpr auto symm = cublas##t##symm;                                                            \
    static constexpr auto syrk = cublas##t##syrk;                                                            \
    static constexpr auto trmm = cublas##t##trmm;                                                            \
    static constexpr auto trsm = cublas##t##trsm;                                                            \
    static constexpr auto trsv = cublas##t##trsv;                                                            \
  };
FUNCTIONS(float, S, s)
FUNCTIONS(double, D, d)

template <class T> static void vectors() {
  using F = Functions<T>;
  const int n = 300;
  const Dense a(n, 1), b(n, 1);
  double dot = 0, sum = 0, squares = 0;
  int most = 0;
  for (int i = 0; i < n; i++) {
    dot += a(i, 0) * b(i, 0), sum += fabs(a(i, 0)), squares += a(i, 0) * a(i, 0);
    most = fabs(a(i, 0)) > fabs(a(most, 0)) ? i : most;
  }
  Device<T> x(as<T>(a)), y(as<T>(b));
  TRUE(F::dot(n, x.data, 1, y.data, 1) == (T)dot);
  TRUE(F::asum(n, x.data, 1) == (T)sum);
  TRUE(fabs(F::nrm2(n, x.data, 1) - sqrt(squares)) < 1e-5 * sqrt(squares));
  TRUE(F::amax(n, x.data, 1) == most + 1);
  F::axpy(n, 3, x.data, 1, y.data, 1);
  TRUE(are(y, a.plus(3, 1, b)));
  F::scal(n, -2, x.data, 1);
  TRUE(are(x, a.plus(-2, 0, a)));
  F::swap(n, x.data, 1, y.data, 1);
  TRUE(are(x, a.plus(3, 1, b)) && are(y, a.plus(-2, 0, a)));
  F::copy(n, x.data, 1, y.data, 1);
  TRUE(are(y, a.plus(3, 1, b)));
  TRUE(cublasGetError() == CUBLAS_STATUS_SUCCESS);
}

template <class T> static void matrices() {
  using F = Functions<T>;
  const int m = 37, n = 21, k = 50;
  const Dense a(m, k), b(k, n), c(m, n), x(k, 1), y(m, 1);
  Device<T> da(as<T>(a)), db(as<T>(b)), dc(as<T>(c)), dx(as<T>(x)), dy(as<T>(y)), dt(as<T>(a.turned()));
  F::gemm('n', 'N', m, n, k, 2, da.data, m, db.data, k, -1, dc.data, m);
  TRUE(are(dc, a.times(b).plus(2, -1, c)));
  F::gemm('T', 'n', m, n, k, 1, dt.data, k, db.data, k, 0, dc.data, m);
  TRUE(are(dc, a.times(b)));
  F::gemv('n', m, k, 1, da.data, m, dx.data, 1, 2, dy.data, 1);
  TRUE(are(dy, a.times(x).plus(1, 2, y)));
  F::ger(m, n, 1, dy.data, 1, dx.data, 1, dc.data, m);
  const Dense of_x(1, n, [&](int, int j) { return x(j, 0); });
  TRUE(are(dc, a.times(x).plus(1, 2, y).times(of_x).plus(1, 1, a.times(b))));
  Device<T> square(as<T>(Dense(m, m, [](int, int) { return 0; })));
  F::syrk('u', 'n', m, k, 1, da.data, m, 0, square.data, m);
  const Dense product = a.times(a.turned());
  TRUE(are(square, Dense(m, m, [&](int i, int j) { return i <= j ? product(i, j) : 0; })));
  Device<T> other(as<T>(c));
  F::symm('l', 'u', m, n, 1, square.data, m, other.data, m, 0, dc.data, m);
  TRUE(are(dc, product.times(c)));
}

// A triangle with ones on its diagonal: what trmm makes of b, trsm and trsv undo.
template <class T> static void triangles() {
  using F = Functions<T>;
  const int n = 6;
  const Dense a(n, n), b(n, 4), lower(n, n, [&](int i, int j) { return i == j ? 1 : i > j ? a(i, j) : 0; });
  Device<T> da(as<T>(a)), db(as<T>(b));
  F::trmm('L', 'L', 'N', 'U', n, 4, 1, da.data, n, db.data, n);
  TRUE(are(db, lower.times(b)));
  F::trsv('L', 'N', 'U', n, da.data, n, db.data + n, 1);
  for (int i = 0; i < n; i++)
    TRUE(db.now()[n + i] == (T)b(i, 1));
  F::trmm('L', 'L', 'N', 'U', n, 1, 1, da.data, n, db.data + n, n);
  F::trsm('L', 'L', 'N', 'U', n, 4, 1, da.data, n, db.data, n);
  TRUE(are(db, b));
}

static void whole() {
  TRUE(cublasInit() == CUBLAS_STATUS_SUCCESS);
  vectors<float>();
  vectors<double>();
  matrices<float>();
  matrices<double>();
  triangles<float>();
  triangles<double>();
  void *memory = nullptr;
  TRUE(cublasAlloc(10, 8, &memory) == CUBLAS_STATUS_SUCCESS && memory);
  TRUE(cublasFree(memory) == CUBLAS_STATUS_SUCCESS);
  TRUE(cublasAlloc(0, 8, &memory) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
}

static void errors() {
  TRUE(cublasInit() == CUBLAS_STATUS_SUCCESS);
  Device<float> a(std::vector<float>(16));
  cublasSgemm('n', 'n', -1, 4, 4, 1, a.data, 4, a.data, 4, 0, a.data, 4);
  TRUE(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasGetError() == CUBLAS_STATUS_SUCCESS);
}

int main() { return run_parts({{"functions", whole}, {"errors", errors}}); }
