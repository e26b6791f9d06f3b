// cuBLAS against sums in double precision on the host. Elements are small integers, so results are exact in any order
// of additions. Elements that a function must not read are NaN, and those that it must not write keep their values.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <functional>
#include <limits>
#include <vector>

#include "dense.h"

#define EQUAL(got, wanted) TRUE((got) == (wanted))
#define BLAS_OK(call) EQUAL(call, CUBLAS_STATUS_SUCCESS)

template <class T> struct blas;
#define FUNCTION(P, name) static constexpr auto name = cublas##P##name
#define PRECISION(T, P, p)                                                                                   \
  template <> struct blas<T> {                                                                               \
    FUNCTION(P, axpy);                                                                                       \
    FUNCTION(P, copy);                                                                                       \
    FUNCTION(P, scal);                                                                                       \
    FUNCTION(P, swap);                                                                                       \
    FUNCTION(P, rot);                                                                                        \
    FUNCTION(P, rotm);                                                                                       \
    FUNCTION(P, rotg);                                                                                       \
    FUNCTION(P, rotmg);                                                                                      \
    FUNCTION(P, dot);                                                                                        \
    FUNCTION(P, asum);                                                                                       \
    FUNCTION(P, nrm2);                                                                                       \
    FUNCTION(P, gemv);                                                                                       \
    FUNCTION(P, gbmv);                                                                                       \
    FUNCTION(P, symv);                                                                                       \
    FUNCTION(P, sbmv);                                                                                       \
    FUNCTION(P, spmv);                                                                                       \
    FUNCTION(P, trmv);                                                                                       \
    FUNCTION(P, tbmv);                                                                                       \
    FUNCTION(P, tpmv);                                                                                       \
    FUNCTION(P, trsv);                                                                                       \
    FUNCTION(P, tbsv);                                                                                       \
    FUNCTION(P, tpsv);                                                                                       \
    FUNCTION(P, ger);                                                                                        \
    FUNCTION(P, syr);                                                                                        \
    FUNCTION(P, syr2);                                                                                       \
    FUNCTION(P, spr);                                                                                        \
    FUNCTION(P, spr2);                                                                                       \
    FUNCTION(P, gemm);                                                                                       \
    FUNCTION(P, gemmBatched);                                                                                \
    FUNCTION(P, gemmStridedBatched);                                                                         \
    FUNCTION(P, symm);                                                                                       \
    FUNCTION(P, trmm);                                                                                       \
    FUNCTION(P, trsm);                                                                                       \
    FUNCTION(P, trsmBatched);                                                                                \
    FUNCTION(P, syrk);                                                                                       \
    FUNCTION(P, syr2k);                                                                                      \
    FUNCTION(P, syrkx);                                                                                      \
    FUNCTION(P, geam);                                                                                       \
    FUNCTION(P, dgmm);                                                                                       \
    static constexpr auto amax = cublasI##p##amax, amin = cublasI##p##amin;                                  \
  }
PRECISION(float, S, s);
PRECISION(double, D, d);

static cublasHandle_t handle;
enum { LOWER, UPPER, PARTS };
static const cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static bool inside(int part, int i, int j) { return part == LOWER ? i >= j : i <= j; }
static Dense only(const Dense &a, int part) { // the other triangle must not be read
  return Dense(a.rows, a.columns, [&](int i, int j) { return inside(part, i, j) ? a(i, j) : unread; });
}

template <class T> static void elements() {
  typedef blas<T> b;
  const T alpha = 3, c = 0.5, s = -2;
  for (int n : {0, 1, 31, 257, 1000})
    for (int incx : {1, 2, -3})
      for (int incy : {1, -2}) {
        const std::vector<double> x = Dense(n, 1).values, y = Dense(n, 1).values;
        auto both = [&](const char *name, std::function<void(T *, T *)> call, double xx, double xy, double yx,
                        double yy) {
          subject = name;
          Device<T> dx(cast<T>(spread(x, incx))), dy(cast<T>(spread(y, incy)));
          call(dx.data, dy.data);
          std::vector<double> u(n), v(n);
          for (int i = 0; i < n; i++) {
            u[i] = xx * x[i] + xy * y[i];
            v[i] = yx * x[i] + yy * y[i];
          }
          expect_values(dx, spread(u, incx), "x");
          expect_values(dy, spread(v, incy), "y");
        };
        both(
            "axpy", [&](T *u, T *v) { BLAS_OK(b::axpy(handle, n, &alpha, u, incx, v, incy)); }, 1, 0, 3, 1);
        both(
            "copy", [&](T *u, T *v) { BLAS_OK(b::copy(handle, n, u, incx, v, incy)); }, 1, 0, 1, 0);
        both(
            "swap", [&](T *u, T *v) { BLAS_OK(b::swap(handle, n, u, incx, v, incy)); }, 0, 1, 1, 0);
        both(
            "rot", [&](T *u, T *v) { BLAS_OK(b::rot(handle, n, u, incx, v, incy, &c, &s)); }, 0.5, -2, 2,
            0.5);
        both(
            "scal", [&](T *u, T *) { BLAS_OK(b::scal(handle, n, &alpha, u, incx)); }, incx > 0 ? 3 : 1, 0, 0,
            1);
        for (double flag : {-2., -1., 0., 1.}) {
          const T h[] = {(T)flag, 2, 3, 4, 5}; // h11, h21, h12, h22
          both(
              "rotm", [&](T *u, T *v) { BLAS_OK(b::rotm(handle, n, u, incx, v, incy, h)); },
              flag == -2 || flag == 0 ? 1 : 2,
              flag == -2  ? 0
              : flag == 1 ? 1
                          : 4,
              flag == -2  ? 0
              : flag == 1 ? -1
                          : 3,
              flag == -2 || flag == 0 ? 1 : 5);
        }
      }
  Device<T> factor(3.), x(std::vector<T>{1, 2, 3});
  BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  subject = "scal by a device pointer";
  BLAS_OK(b::scal(handle, 3, factor.data, x.data, 1));
  expect_values(x, {3, 6, 9}, "x");
  BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <class T> static void close_to(const char *what, double got, double wanted) {
  const double bound = 8 * std::numeric_limits<T>::epsilon() * fabs(wanted);
  if (!(fabs(got - wanted) <= bound)) {
    printf("%s: expected %.17g, got %.17g\n", what, wanted, got);
    differences++;
  }
}

template <class T> static void reductions() {
  typedef blas<T> b;
  for (int n : {0, 1, 255, 257, 40000})
    for (int inc : {1, 3}) {
      std::vector<double> x = Dense(n, 1).values, y = Dense(n, 1).values;
      if (n > 200)
        x[77] = x[200] = -9; // the first of two counts
      Device<T> dx(cast<T>(spread(x, inc))), dy(cast<T>(spread(y, -inc)));
      double sum = 0, dot = 0, squares = 0;
      int smallest = 0, largest = 0;
      for (int i = 0; i < n; i++) {
        sum += fabs(x[i]), dot += x[i] * y[i], squares += x[i] * x[i];
        smallest = fabs(x[i]) < fabs(x[smallest]) ? i : smallest;
        largest = fabs(x[i]) > fabs(x[largest]) ? i : largest;
      }
      T result;
      int index;
      BLAS_OK(b::asum(handle, n, dx.data, inc, &result));
      close_to<T>("asum", result, sum);
      BLAS_OK(b::dot(handle, n, dx.data, inc, dy.data, -inc, &result));
      close_to<T>("dot", result, dot);
      BLAS_OK(b::nrm2(handle, n, dx.data, inc, &result));
      close_to<T>("nrm2", result, sqrt(squares));
      BLAS_OK(b::amax(handle, n, dx.data, inc, &index));
      EQUAL(index, n ? largest + 1 : 0);
      Device<int> found(0.);
      BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
      BLAS_OK(b::amin(handle, n, dx.data, inc, found.data));
      BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
      EQUAL(found.now()[0], n ? smallest + 1 : 0);
    }
  T result;
  const double huge = std::numeric_limits<T>::max() / 16, tiny = std::numeric_limits<T>::min() * 16;
  for (double size : {huge, tiny}) { // their squares overflow or vanish
    Device<T> x(std::vector<T>{(T)(3 * size), 0, (T)(-4 * size)});
    BLAS_OK(b::nrm2(handle, 3, x.data, 1, &result));
    close_to<T>("nrm2 of an extreme vector", result, 5. * (T)size);
  }
}

template <class T> static void rotations() {
  typedef blas<T> b;
  for (double x : {3., -4., 0., 1e-3})
    for (double y : {4., 0., -5.}) {
      T r = (T)x, z = (T)y, c, s;
      BLAS_OK(b::rotg(handle, &r, &z, &c, &s));
      close_to<T>("rotg: c x + s y - r + 10", c * x + s * y - r + 10, 10);
      close_to<T>("rotg: c y - s x + 10", c * y - s * x + 10, 10);
      close_to<T>("rotg: c^2 + s^2", (double)c * c + (double)s * s, 1);
      for (double weight : {1., 1e-9, 3e8}) { // those are scaled
        const T y1 = (T)y;
        T d1 = (T)weight, d2 = 2, x1 = (T)x, p[5];
        const double q = weight * x * x + 2 * y * y;
        BLAS_OK(b::rotmg(handle, &d1, &d2, &x1, &y1, p));
        const double h21 = p[0] == -2  ? 0
                           : p[0] == 1 ? -1
                                       : p[2],
                     h22 = p[0] == -2  ? 1
                           : p[0] == 0 ? 1
                                       : p[4];
        close_to<T>("rotmg: second element + 1e9", h21 * x + h22 * y1 + 1e9, 1e9);
        close_to<T>("rotmg: length", (double)d1 * x1 * x1, q);
      }
    }
}

template <class T> struct Storage { // of one matrix: full, banded, packed
  Device<T> full, banded, packed;
  int ld, band_ld;
  /* For a band of `below` and `above` diagonals; `part` is that of a packed triangle. */
  Storage(const Dense &a, int part, int below, int above)
      : full(cast<T>(stored<T>(a, a.rows + 3))), banded(cast<T>(bands(a, below, above))),
        packed(cast<T>(pack(a, part))), ld(a.rows + 3), band_ld(below + above + 2) {}
  static std::vector<double> bands(const Dense &a, int below, int above) {
    std::vector<double> s((size_t)(below + above + 2) * a.columns, unread);
    for (int j = 0; j < a.columns; j++)
      for (int i = 0; i < a.rows; i++)
        if (i - j <= below && j - i <= above)
          s[above + i - j + (size_t)j * (below + above + 2)] = a(i, j);
    return s;
  }
  static std::vector<double> pack(const Dense &a, int part) {
    std::vector<double> s;
    for (int j = 0; j < a.columns; j++)
      for (int i = 0; i < a.rows; i++)
        if (inside(part, i, j))
          s.push_back(a(i, j));
    return s;
  }
};

/* y = alpha op(A) x + beta y by each of the calls. */
template <class T>
static void expect_product(const char *name, const Dense &a, int beta,
                           std::function<void(const T *, int, const T *, const T *, T *, int)> call) {
  subject = name;
  const T alpha = 2, b = (T)(beta ? -0.5 : 0);
  const Dense x(a.columns, 1), y(a.rows, 1);
  Device<T> dx(cast<T>(spread(x.values, -2))),
      dy(cast<T>(spread(beta ? y.values : std::vector<double>(a.rows, unread), 3)));
  call(dx.data, -2, &alpha, &b, dy.data, 3);
  expect_values(dy, spread(a.times(x).plus(2, b, y).values, 3), "y");
}

template <class T> static void general_vectors() {
  typedef blas<T> b;
  for (int m : {1, 5, 33, 300})
    for (int n : {1, 7, 64})
      for (int beta : {0, 1})
        for (cublasOperation_t op : operations) {
          const int kl = 2, ku = 3;
          const Dense a(m, n),
              band(m, n, [&](int i, int j) { return i - j <= kl && j - i <= ku ? a(i, j) : 0; });
          const Storage<T> s(a, LOWER, kl, ku);
          expect_product<T>("gemv", a.turned(op != CUBLAS_OP_N), beta,
                            [&](const T *x, int incx, const T *alpha, const T *bt, T *y, int incy) {
                              BLAS_OK(
                                  b::gemv(handle, op, m, n, alpha, s.full.data, s.ld, x, incx, bt, y, incy));
                            });
          expect_product<T>("gbmv", band.turned(op != CUBLAS_OP_N), beta,
                            [&](const T *x, int incx, const T *alpha, const T *bt, T *y, int incy) {
                              BLAS_OK(b::gbmv(handle, op, m, n, kl, ku, alpha, s.banded.data, s.band_ld, x,
                                              incx, bt, y, incy));
                            });
        }
}

static Dense symmetric(int n) {
  const Dense a(n, n);
  return Dense(n, n, [&](int i, int j) { return i >= j ? a(i, j) : a(j, i); });
}

template <class T> static void symmetric_vectors() {
  typedef blas<T> b;
  for (int n : {1, 6, 70})
    for (int part = LOWER; part < PARTS; part++) {
      const int k = 2, below = part == LOWER ? k : 0;
      const Dense a = symmetric(n), band(n, n, [&](int i, int j) { return abs(i - j) <= k ? a(i, j) : 0; });
      const Storage<T> s(only(a, part), part, below, k - below);
      const cublasFillMode_t fill = parts[part];
      expect_product<T>("symv", a, 1, [&](const T *x, int incx, const T *alpha, const T *bt, T *y, int incy) {
        BLAS_OK(b::symv(handle, fill, n, alpha, s.full.data, s.ld, x, incx, bt, y, incy));
      });
      expect_product<T>(
          "sbmv", band, 0, [&](const T *x, int incx, const T *alpha, const T *bt, T *y, int incy) {
            BLAS_OK(b::sbmv(handle, fill, n, k, alpha, s.banded.data, s.band_ld, x, incx, bt, y, incy));
          });
      expect_product<T>("spmv", a, 1, [&](const T *x, int incx, const T *alpha, const T *bt, T *y, int incy) {
        BLAS_OK(b::spmv(handle, fill, n, alpha, s.packed.data, x, incx, bt, y, incy));
      });
    }
}

/* A triangle with powers of two on the diagonal, so that solving is exact; a unit diagonal must not be read. */
static Dense triangle(int n, int part, int width, bool unit, bool as_stored) {
  return Dense(n, n, [=](int i, int j) {
    if (!inside(part, i, j) || abs(i - j) > width)
      return as_stored ? unread : 0;
    if (i == j)
      return unit ? (as_stored ? unread : 1) : (i % 2 ? -2. : 1.);
    return (double)((i * 7 + j * 5) % 3 - 1); // small: solutions stay exact
  });
}

template <class T>
static void expect_triangle(const char *name, const Dense &a, std::function<void(T *)> multiply,
                            std::function<void(T *)> solve) {
  subject = name;
  const Dense x(a.columns, 1);
  Device<T> d(cast<T>(spread(x.values, -2)));
  multiply(d.data);
  expect_values(d, spread(a.times(x).values, -2), "product");
  solve(d.data);
  expect_values(d, spread(x.values, -2), "solution");
}

template <class T> static void triangular_vectors() {
  typedef blas<T> b;
  for (int n : {1, 6, 40})
    for (int part = LOWER; part < PARTS; part++)
      for (cublasOperation_t op : operations)
        for (cublasDiagType_t diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
          const int k = 2, below = part == LOWER ? k : 0;
          const bool unit = diagonal == CUBLAS_DIAG_UNIT, turn = op != CUBLAS_OP_N;
          const cublasFillMode_t fill = parts[part];
          const Dense a = triangle(n, part, n, unit, false).turned(turn),
                      band = triangle(n, part, k, unit, false).turned(turn);
          const Storage<T> s(triangle(n, part, n, unit, true), part, below, k - below);
          expect_triangle<T>(
              "trmv and trsv", a,
              [&](T *x) { BLAS_OK(b::trmv(handle, fill, op, diagonal, n, s.full.data, s.ld, x, -2)); },
              [&](T *x) { BLAS_OK(b::trsv(handle, fill, op, diagonal, n, s.full.data, s.ld, x, -2)); });
          expect_triangle<T>(
              "tbmv and tbsv", band,
              [&](T *x) {
                BLAS_OK(b::tbmv(handle, fill, op, diagonal, n, k, s.banded.data, s.band_ld, x, -2));
              },
              [&](T *x) {
                BLAS_OK(b::tbsv(handle, fill, op, diagonal, n, k, s.banded.data, s.band_ld, x, -2));
              });
          expect_triangle<T>(
              "tpmv and tpsv", a,
              [&](T *x) { BLAS_OK(b::tpmv(handle, fill, op, diagonal, n, s.packed.data, x, -2)); },
              [&](T *x) { BLAS_OK(b::tpsv(handle, fill, op, diagonal, n, s.packed.data, x, -2)); });
        }
}

template <class T> static void rank_updates() {
  typedef blas<T> b;
  const T alpha = 2;
  for (int n : {1, 9, 70})
    for (int part = LOWER; part < PARTS; part++) {
      const int m = n + 3;
      const Dense u(m, 1), v(n, 1), w(n, 1), a(m, n), c = only(symmetric(n), part);
      Device<T> du(cast<T>(spread(u.values, 2))), dv(cast<T>(spread(v.values, -1))), dw(cast<T>(w.values));
      const Dense one = v.times(v.turned()), two = v.times(w.turned()).plus(1, 1, w.times(v.turned()));
      const Storage<T> s(c, part, 0, 0), t(c, part, 0, 0);
      Device<T> da(cast<T>(stored<T>(a, m + 1)));
      subject = "ger";
      BLAS_OK(b::ger(handle, m, n, &alpha, du.data, 2, dv.data, -1, da.data, m + 1));
      expect_values(da, stored<T>(u.times(v.turned()).plus(2, 1, a), m + 1), "A");
      subject = "syr, spr";
      BLAS_OK(b::syr(handle, parts[part], n, &alpha, dv.data, -1, s.full.data, s.ld));
      BLAS_OK(b::spr(handle, parts[part], n, &alpha, dv.data, -1, s.packed.data));
      expect_values(s.full, stored<T>(one.plus(2, 1, c), s.ld), "A");
      expect_values(s.packed, Storage<T>::pack(one.plus(2, 1, c), part), "packed A");
      subject = "syr2, spr2";
      BLAS_OK(b::syr2(handle, parts[part], n, &alpha, dv.data, -1, dw.data, 1, t.full.data, t.ld));
      BLAS_OK(b::spr2(handle, parts[part], n, &alpha, dv.data, -1, dw.data, 1, t.packed.data));
      expect_values(t.full, stored<T>(two.plus(2, 1, c), t.ld), "A");
      expect_values(t.packed, Storage<T>::pack(two.plus(2, 1, c), part), "packed A");
    }
}

struct Sizes {
  int m, n, k;
};
static const Sizes sizes[] = {{1, 1, 1}, {5, 3, 0}, {17, 33, 16}, {65, 64, 70}, {130, 100, 37}};

template <class T> static void products() {
  typedef blas<T> b;
  for (const Sizes &s : sizes)
    for (cublasOperation_t opA : operations)
      for (cublasOperation_t opB : operations)
        for (int device_scalars : {0, 1}) {
          subject = "gemm";
          const double alpha = 2, beta = device_scalars ? -0.5 : 0;
          const Dense a(s.m, s.k), bb(s.k, s.n), c(s.m, s.n);
          const Dense sa = a.turned(opA != CUBLAS_OP_N), sb = bb.turned(opB != CUBLAS_OP_N);
          const int lda = sa.rows + 2, ldb = sb.rows + 1, ldc = s.m + 3;
          Device<T> da(cast<T>(stored<T>(sa, lda))), db(cast<T>(stored<T>(sb, ldb)));
          Device<T> dc(cast<T>(beta ? stored<T>(c, ldc) : std::vector<double>((size_t)ldc * s.n, unread)));
          Device<T> scalars(std::vector<T>{(T)alpha, (T)beta});
          const T *at = device_scalars ? scalars.data : scalars.before.data();
          BLAS_OK(cublasSetPointerMode(handle, device_scalars ? CUBLAS_POINTER_MODE_DEVICE
                                                              : CUBLAS_POINTER_MODE_HOST));
          BLAS_OK(
              b::gemm(handle, opA, opB, s.m, s.n, s.k, at, da.data, lda, db.data, ldb, at + 1, dc.data, ldc));
          BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
          expect_values(dc, stored<T>(a.times(bb).plus(alpha, beta, c), ldc), "C");
        }
}

template <class T> static void batches() {
  typedef blas<T> b;
  const T alpha = 2, beta = -0.5;
  const int m = 20, n = 35, k = 18, count = 3;
  const Dense a(m, k * count), bb(n, k * count), c(m, n * count); // B is transposed
  std::vector<double> wanted;
  for (int z = 0; z < count; z++) {
    auto part = [&](const Dense &d, int columns) {
      return Dense(d.rows, columns, [&](int i, int j) { return d(i, z * columns + j); });
    };
    const Dense product = part(a, k).times(part(bb, k).turned()).plus(2, -0.5, part(c, n));
    wanted.insert(wanted.end(), product.values.begin(), product.values.end());
  }
  Device<T> da(cast<T>(a.values)), db(cast<T>(bb.values)), dc(cast<T>(c.values)), de(cast<T>(c.values)),
      df(cast<T>(c.values));
  std::vector<T *> as, bs, cs;
  for (int z = 0; z < count; z++) {
    as.push_back(da.data + z * m * k);
    bs.push_back(db.data + z * n * k);
    cs.push_back(dc.data + z * m * n);
  }
  Device<T *> pa(as), pb(bs), pc(cs);
  subject = "gemmBatched";
  BLAS_OK(b::gemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, pa.data, m, pb.data, n, &beta,
                         pc.data, m, count));
  expect_values(dc, wanted, "C");
  subject = "gemmStridedBatched";
  BLAS_OK(b::gemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, da.data, m, m * k, db.data,
                                n, n * k, &beta, de.data, m, m * n, count));
  expect_values(de, wanted, "C");
  subject = "GemmStridedBatchedEx";
  const cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  BLAS_OK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, da.data, type, m,
                                     m * k, db.data, type, n, n * k, &beta, df.data, type, m, m * n, count,
                                     sizeof(T) == 4 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F,
                                     CUBLAS_GEMM_DEFAULT));
  expect_values(df, wanted, "C");
}

static std::vector<__half> in_halves(const std::vector<double> &x) {
  std::vector<__half> h;
  for (double v : x)
    h.push_back(__float2half((float)v));
  return h;
}

static void expect_halves(const Device<__half> &device, const std::vector<double> &wanted) {
  const std::vector<__half> got = device.now();
  for (size_t i = 0; i < got.size(); i++)
    if (__half2float(got[i]) != __half2float(__float2half((float)wanted[i]))) {
      printf("%s: element %zu: expected %g, got %g\n", subject, i, wanted[i], __half2float(got[i]));
      differences++;
      return;
    }
}

static void halves() {
  const int m = 40, n = 50, k = 33;
  const Dense a(m, k), b(k, n), c(m, n);
  Device<__half> da(in_halves(a.values)), db(in_halves(b.values)), dc(in_halves(c.values));
  Device<float> dw(cast<float>(c.values));
  const __half one = __float2half(1), minus = __float2half(-1);
  const float wide = 1, wide_minus = -1;
  const std::vector<double> wanted = a.times(b).plus(1, -1, c).values;
  subject = "Hgemm";
  BLAS_OK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da.data, m, db.data, k, &minus,
                      dc.data, m));
  expect_halves(dc, wanted);
  subject = "GemmEx";
  BLAS_OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &wide, da.data, CUDA_R_16F, m, db.data,
                       CUDA_R_16F, k, &wide_minus, dw.data, CUDA_R_32F, m, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT));
  expect_values(dw, wanted, "C");
  subject = "GemmEx in halves";
  Device<__half> dh(in_halves(c.values));
  BLAS_OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da.data, CUDA_R_16F, m, db.data,
                       CUDA_R_16F, k, &minus, dh.data, CUDA_R_16F, m, CUBLAS_COMPUTE_16F,
                       CUBLAS_GEMM_DEFAULT));
  expect_halves(dh, wanted);
}

static void bytes() {
  const int m = 40, n = 52, k = 36, one = 1, minus = -1;
  const Dense a(m, k), b(k, n), c(m, n);
  Device<signed char> da(cast<signed char>(a.values)), db(cast<signed char>(b.values));
  Device<int> dc(cast<int>(c.values));
  subject = "GemmEx of bytes";
  BLAS_OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da.data, CUDA_R_8I, m, db.data,
                       CUDA_R_8I, k, &minus, dc.data, CUDA_R_32I, m, CUBLAS_COMPUTE_32I,
                       CUBLAS_GEMM_DEFAULT));
  expect_values(dc, a.times(b).plus(1, -1, c).values, "C");
}

/* The same factors twice, added to different matrices. */
static void half_batches() {
  const int m = 7, n = 5, k = 3, count = 2;
  const Dense a(m, k), b(k, n), c(m, n);
  const __half one = __float2half(1), minus = __float2half(-1);
  std::vector<double> twice = c.values, wanted = a.times(b).plus(1, -1, c).values;
  for (int i = 0; i < m * n; i++) {
    twice.push_back(c.values[i] + 1);
    wanted.push_back(wanted[i] - 1);
  }
  Device<__half> da(in_halves(a.values)), db(in_halves(b.values)), dc(in_halves(twice)), de(in_halves(twice));
  subject = "HgemmStridedBatched";
  BLAS_OK(cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da.data, m, 0, db.data,
                                    k, 0, &minus, dc.data, m, m * n, count));
  expect_halves(dc, wanted);
  Device<__half *> as(std::vector<__half *>{da.data, da.data}), bs(std::vector<__half *>{db.data, db.data}),
      es(std::vector<__half *>{de.data, de.data + m * n});
  subject = "HgemmBatched";
  BLAS_OK(cublasHgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, as.data, m, bs.data, k, &minus,
                             es.data, m, count));
  expect_halves(de, wanted);
}

/* Sums of halves are kept in single precision: 4096 + 1 is not a half, but the results are. */
static void mixed_dots() {
  for (int n : {0, 1, 257, 1025}) {
    const int wanted = n > 0 ? 4096 + n - 1 : 0;
    std::vector<double> x(n > 0 ? n : 1, 1);
    x[0] = 64;
    Device<__half> dx(in_halves(x));
    Device<double> dd(x);
    __half sum = __float2half(-1);
    double wide = -1;
    subject = "DotEx";
    BLAS_OK(
        cublasDotEx(handle, n, dx.data, CUDA_R_16F, 1, dx.data, CUDA_R_16F, 1, &sum, CUDA_R_16F, CUDA_R_32F));
    BLAS_OK(cublasDotEx(handle, n, dd.data, CUDA_R_64F, 1, dd.data, CUDA_R_64F, 1, &wide, CUDA_R_64F,
                        CUDA_R_64F));
    if (__half2float(sum) != wanted || wide != wanted) {
      printf("DotEx: expected %d, got %g in half and %g in double precision\n", wanted, __half2float(sum),
             wide);
      differences++;
    }
  }
  __half sum;
  Device<__half> dx(in_halves({1}));
  if (cublasDotEx(handle, 1, dx.data, CUDA_R_16F, 1, dx.data, CUDA_R_16F, 1, &sum, CUDA_R_16F, CUDA_R_16F) !=
      CUBLAS_STATUS_NOT_SUPPORTED) {
    puts("DotEx: a sum in half precision is not refused");
    differences++;
  }
}

template <class T> static void sided_products() {
  typedef blas<T> b;
  const T alpha = 2, beta = -0.5;
  for (int m : {3, 70})
    for (int n : {1, 65})
      for (int part = LOWER; part < PARTS; part++)
        for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
          const bool left = side == CUBLAS_SIDE_LEFT;
          const int size = left ? m : n, ld = m + 1;
          const Dense a = symmetric(size), bb(m, n), c(m, n);
          const Storage<T> s(only(a, part), part, 0, 0);
          Device<T> db(cast<T>(stored<T>(bb, ld))), dc(cast<T>(stored<T>(c, ld)));
          subject = "symm";
          BLAS_OK(b::symm(handle, side, parts[part], m, n, &alpha, s.full.data, s.ld, db.data, ld, &beta,
                          dc.data, ld));
          expect_values(dc, stored<T>((left ? a.times(bb) : bb.times(a)).plus(2, -0.5, c), ld), "C");
          for (cublasOperation_t op : operations)
            for (cublasDiagType_t diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
              const bool unit = diagonal == CUBLAS_DIAG_UNIT;
              const Dense t = triangle(size, part, 5, unit, false).turned(op != CUBLAS_OP_N);
              const Dense kept = triangle(size, part, 5, unit, true);
              const Storage<T> ts(
                  Dense(size, size,
                        [&](int i, int j) { return inside(part, i, j) && abs(i - j) > 5 ? 0 : kept(i, j); }),
                  part, 0, 0);
              const T quarter = 0.25;
              Device<T> dx(cast<T>(stored<T>(bb, ld)));
              subject = "trmm in place and trsm";
              BLAS_OK(b::trmm(handle, side, parts[part], op, diagonal, m, n, &alpha, ts.full.data, ts.ld,
                              dx.data, ld, dx.data, ld));
              expect_values(dx, stored<T>((left ? t.times(bb) : bb.times(t)).plus(2, 0, c), ld), "product");
              BLAS_OK(b::trsm(handle, side, parts[part], op, diagonal, m, n, &quarter, ts.full.data, ts.ld,
                              dx.data, ld));
              expect_values(dx, stored<T>(bb.plus(0.5, 0, c), ld), "solution");
            }
        }
}

template <class T> static void triangle_updates() {
  typedef blas<T> b;
  const T alpha = 2, beta = -0.5;
  for (int n : {2, 70, 129})
    for (int k : {0, 1, 40})
      for (int part = LOWER; part < PARTS; part++)
        for (cublasOperation_t op : operations) {
          const Dense x(n, k), y(n, k), c = only(symmetric(n), part);
          const bool turn = op != CUBLAS_OP_N;
          const int ldx = (turn ? k : n) + 1, ldc = n + 2;
          Device<T> dx(cast<T>(stored<T>(x.turned(turn), ldx))), dy(cast<T>(stored<T>(y.turned(turn), ldx)));
          Device<T> c1(cast<T>(stored<T>(c, ldc))), c2(cast<T>(stored<T>(c, ldc))),
              c3(cast<T>(stored<T>(c, ldc)));
          const Dense xy = x.times(y.turned());
          subject = "syrk";
          BLAS_OK(b::syrk(handle, parts[part], op, n, k, &alpha, dx.data, ldx, &beta, c1.data, ldc));
          expect_values(c1, stored<T>(x.times(x.turned()).plus(2, -0.5, c), ldc), "C");
          subject = "syr2k";
          BLAS_OK(b::syr2k(handle, parts[part], op, n, k, &alpha, dx.data, ldx, dy.data, ldx, &beta, c2.data,
                           ldc));
          expect_values(c2, stored<T>(xy.plus(1, 1, xy.turned()).plus(2, -0.5, c), ldc), "C");
          subject = "syrkx";
          BLAS_OK(b::syrkx(handle, parts[part], op, n, k, &alpha, dx.data, ldx, dy.data, ldx, &beta, c3.data,
                           ldc));
          expect_values(c3, stored<T>(xy.plus(2, -0.5, c), ldc), "C");
        }
}

template <class T> static void element_matrices() {
  typedef blas<T> b;
  const T two = 2, none = 0;
  const int m = 33, n = 20;
  const Dense a(m, n), c(m, n), x(n, 1);
  Device<T> da(cast<T>(a.turned().values)), db(cast<T>(c.values)), dx(cast<T>(x.values));
  Device<T> dc(std::vector<T>(m * n)), dd(std::vector<T>(m * n)), de(std::vector<T>(m * n));
  subject = "geam";
  BLAS_OK(b::geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &two, da.data, n, &two, db.data, m, dc.data, m));
  expect_values(dc, a.plus(2, 2, c).values, "C");
  BLAS_OK(b::geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &two, da.data, n, &none, nullptr, m, dd.data, m));
  expect_values(dd, a.plus(2, 0, c).values, "C");
  subject = "dgmm";
  BLAS_OK(b::dgmm(handle, CUBLAS_SIDE_RIGHT, m, n, db.data, m, dx.data, 1, de.data, m));
  expect_values(de, Dense(m, n, [&](int i, int j) { return c(i, j) * x(j, 0); }).values, "C");
}

static void transfers() {
  const Dense a(5, 4);
  const std::vector<float> host = cast<float>(a.values);
  Device<float> d(std::vector<float>(7 * 4, -1));
  subject = "SetMatrix";
  BLAS_OK(cublasSetMatrix(5, 4, 4, host.data(), 5, d.data, 7));
  std::vector<double> wanted(7 * 4, -1);
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 5; i++)
      wanted[i + 7 * j] = a(i, j);
  expect_values(d, wanted, "matrix");
  std::vector<float> back(20), row(4);
  BLAS_OK(cublasGetMatrix(5, 4, 4, d.data, 7, back.data(), 5));
  EQUAL(back == host, true);
  BLAS_OK(cublasGetVector(4, 4, d.data + 2, 7, row.data(), 1));
  for (int j = 0; j < 4; j++)
    EQUAL(row[j], (float)a(2, j));
  BLAS_OK(cublasSetVector(4, 4, back.data(), 1, d.data, 7));
  EQUAL(d.now()[7], back[1]);
  EQUAL(cublasSetVector(4, 4, back.data(), 0, d.data, 1), CUBLAS_STATUS_INVALID_VALUE);
}

static void handles() {
  cublasHandle_t other;
  cudaStream_t stream, found;
  cublasMath_t math;
  int version = 0;
  float one = 1, *x;
  BLAS_OK(cublasCreate(&other));
  OK(cudaStreamCreate(&stream));
  BLAS_OK(cublasSetStream(other, stream));
  BLAS_OK(cublasGetStream(other, &found));
  EQUAL(found == stream, true);
  BLAS_OK(cublasSetMathMode(other, CUBLAS_TF32_TENSOR_OP_MATH));
  BLAS_OK(cublasGetMathMode(other, &math));
  EQUAL(math, CUBLAS_TF32_TENSOR_OP_MATH);
  BLAS_OK(cublasGetVersion(other, &version));
  EQUAL(version, CUBLAS_VERSION);
  cudaGraph_t graph; // the work goes to the handle's stream
  size_t nodes = 0;
  OK(cudaMalloc(&x, 4));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  BLAS_OK(cublasSscal(other, 1, &one, x, 1));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EQUAL(nodes, (size_t)1);
  EQUAL(cublasSscal(nullptr, 1, &one, x, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EQUAL(cublasSgemm(other, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x, 3, x, 4, &one, x, 4),
        CUBLAS_STATUS_INVALID_VALUE);
  EQUAL(cublasSgemm(other, CUBLAS_OP_N, CUBLAS_OP_T, 4, 5, 4, &one, x, 4, x, 4, &one, x, 4),
        CUBLAS_STATUS_INVALID_VALUE);
  EQUAL(strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"), 0);
  EQUAL(strcmp(cublasGetStatusString(CUBLAS_STATUS_SUCCESS), "success"), 0);
  BLAS_OK(cublasDestroy(other));
}

template <void (*PART)()> static void with_handle() {
  BLAS_OK(cublasCreate(&handle));
  PART();
  BLAS_OK(cublasDestroy(handle));
}

template <class T> static void vectors() {
  elements<T>();
  reductions<T>();
  rotations<T>();
}

template <class T> static void matrices_and_vectors() {
  general_vectors<T>();
  symmetric_vectors<T>();
  triangular_vectors<T>();
  rank_updates<T>();
}

template <class T> static void matrices() {
  products<T>();
  batches<T>();
  sided_products<T>();
  triangle_updates<T>();
  element_matrices<T>();
}

int main() {
  return run_parts({{"level 1, single", with_handle<vectors<float>>},
                    {"level 1, double", with_handle<vectors<double>>},
                    {"level 2, single", with_handle<matrices_and_vectors<float>>},
                    {"level 2, double", with_handle<matrices_and_vectors<double>>},
                    {"level 3, single", with_handle<matrices<float>>},
                    {"level 3, double", with_handle<matrices<double>>},
                    {"half precision", with_handle<halves>},
                    {"bytes", with_handle<bytes>},
                    {"half precision, batches", with_handle<half_batches>},
                    {"half precision, dot products", with_handle<mixed_dots>},
                    {"transfers", transfers},
                    {"handles", handles}});
}
