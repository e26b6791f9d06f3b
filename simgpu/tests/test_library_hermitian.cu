// cuBLAS's functions for Hermitian matrices against sums in double precision on the host. The parts of all
// elements are small integers, so that results are exact. The imaginary parts on a Hermitian diagonal are not
// numbers where the functions must take them as zero.
#include "complex_matrix.h"

#define BLAS_OK(call) TRUE((call) == CUBLAS_STATUS_SUCCESS)
static cublasHandle_t handle;

template <class T> struct blas;
#define FUNCTION(P, name) static constexpr auto name = cublas##P##name
#define PRECISION(C, P)                                                                                      \
  template <> struct blas<C> {                                                                               \
    FUNCTION(P, hemv);                                                                                       \
    FUNCTION(P, hbmv);                                                                                       \
    FUNCTION(P, hpmv);                                                                                       \
    FUNCTION(P, her);                                                                                        \
    FUNCTION(P, her2);                                                                                       \
    FUNCTION(P, hpr);                                                                                        \
    FUNCTION(P, hpr2);                                                                                       \
    FUNCTION(P, hemm);                                                                                       \
    FUNCTION(P, her2k);                                                                                      \
    FUNCTION(P, herkx);                                                                                      \
    FUNCTION(P, tpttr);                                                                                      \
    FUNCTION(P, trttp);                                                                                      \
    FUNCTION(P, gemm3m);                                                                                     \
  }
PRECISION(cuComplex, C);
PRECISION(cuDoubleComplex, Z);

static Matrix hermitian(int n) {
  const Matrix a(n, n);
  return Matrix(n, n, [&](int i, int j) {
    return i == j ? a(i, i).real() : i > j ? a(i, j) : std::conj(a(j, i));
  });
}
/* One triangle; of the diagonal, the real parts. */
static Matrix triangle_of(const Matrix &a, cublasFillMode_t part) {
  return Matrix(a.rows, a.columns, [&](int i, int j) {
    return i == j ? Exact(a(i, i).real(), unread) : inside(part, i, j) ? a(i, j) : gap;
  });
}
static std::vector<double> packed(const Matrix &a, cublasFillMode_t part) {
  Numbers s;
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++)
      if (inside(part, i, j))
        s.push_back(a(i, j));
  return flat(s);
}
/* Rows of diagonals: the main one is the first of a lower triangle, the last of an upper one. */
static Matrix banded(const Matrix &a, int width, cublasFillMode_t part) {
  const int main = part == CUBLAS_FILL_MODE_LOWER ? 0 : width;
  return Matrix(width + 1, a.columns, [&](int d, int j) {
    const int i = j + d - main;
    return i >= 0 && i < a.rows ? a(i, j) : gap;
  });
}
static Matrix only_band(const Matrix &a, int width) {
  return Matrix(a.rows, a.columns, [&](int i, int j) { return abs(i - j) <= width ? a(i, j) : 0; });
}

template <class T> static void vectors() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha), c = narrow<T>(beta);
  for (int n : {1, 2, 33, 70})
    for (cublasFillMode_t part : parts) {
      const Matrix A = hermitian(n), x(n, 1), y(n, 1);
      Array<T> dA(triangle_of(A, part)), dP(packed(triangle_of(A, part), part)), dx(strided(x.values, -2));
      const auto expect = [&](const char *name, const Matrix &used, std::function<void(T *)> call) {
        subject = name;
        Array<T> dy(strided(y.values, 3));
        call(dy.get());
        expect_values(dy, strided(used.times(x).plus(alpha, beta, y).values, 3), "y");
      };
      expect("hemv", A,
             [&](T *v) { BLAS_OK(b::hemv(handle, part, n, &a, dA.get(), n + 3, dx.get(), -2, &c, v, 3)); });
      expect("hpmv", A,
             [&](T *v) { BLAS_OK(b::hpmv(handle, part, n, &a, dP.get(), dx.get(), -2, &c, v, 3)); });
      for (int width : {0, 1, 5}) {
        Array<T> dB(banded(triangle_of(A, part), width, part));
        expect("hbmv", only_band(A, width), [&](T *v) {
          BLAS_OK(b::hbmv(handle, part, n, width, &a, dB.get(), width + 4, dx.get(), -2, &c, v, 3));
        });
      }
    }
}

template <class T> static void updates() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha);
  const part_of<T> real = 3;
  for (int n : {1, 2, 33, 70})
    for (cublasFillMode_t part : parts) {
      const Matrix A = hermitian(n), x(n, 1), y(n, 1), xx = x.times(x.op(CUBLAS_OP_C)),
                   xy = x.times(y.op(CUBLAS_OP_C)), yx = xy.op(CUBLAS_OP_C);
      const auto kept = [=](int i, int j) { return inside(part, i, j); };
      const Matrix other = gaps(n, n), one = xx.plus(3, 1, A).where(kept, other),
                   two = xy.plus(alpha, std::conj(alpha), yx).plus(1, 1, A).where(kept, other);
      Array<T> dx(strided(x.values, -2)), dy(strided(y.values, 1));
      Array<T> d1(triangle_of(A, part)), d2(triangle_of(A, part)), p1(packed(triangle_of(A, part), part)),
          p2(packed(triangle_of(A, part), part));
      subject = "her";
      BLAS_OK(b::her(handle, part, n, &real, dx.get(), -2, d1.get(), n + 3));
      expect_values(d1, by_columns(one), "A");
      subject = "her2";
      BLAS_OK(b::her2(handle, part, n, &a, dx.get(), -2, dy.get(), 1, d2.get(), n + 3));
      expect_values(d2, by_columns(two), "A");
      subject = "hpr";
      BLAS_OK(b::hpr(handle, part, n, &real, dx.get(), -2, p1.get()));
      expect_values(p1, packed(one, part), "A");
      subject = "hpr2";
      BLAS_OK(b::hpr2(handle, part, n, &a, dx.get(), -2, dy.get(), 1, p2.get()));
      expect_values(p2, packed(two, part), "A");
      Array<T> full(other), back(std::vector<double>(packed(one, part).size(), unread));
      subject = "tpttr";
      BLAS_OK(b::tpttr(handle, part, n, p1.get(), full.get(), n + 3));
      expect_values(full, by_columns(one), "A");
      subject = "trttp";
      BLAS_OK(b::trttp(handle, part, n, full.get(), n + 3, back.get()));
      expect_values(back, packed(one, part), "A");
    }
}

template <class T> static void products() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha), c = narrow<T>(beta);
  for (int m : {1, 33, 70})
    for (int n : {1, 35})
      for (cublasSideMode_t side : sides)
        for (cublasFillMode_t part : parts) {
          const bool left = side == CUBLAS_SIDE_LEFT;
          const Matrix A = hermitian(left ? m : n), B(m, n), C(m, n);
          Array<T> dA(triangle_of(A, part)), dB(B), dC(C);
          subject = "hemm";
          BLAS_OK(b::hemm(handle, side, part, m, n, &a, dA.get(), A.rows + 3, dB.get(), m + 3, &c, dC.get(),
                          m + 3));
          expect_values(dC, by_columns((left ? A.times(B) : B.times(A)).plus(alpha, beta, C)), "C");
        }
  const Matrix A(9, 20), B(20, 33), C(9, 33);
  Array<T> dA(A), dB(B), dC(C);
  subject = "gemm3m";
  BLAS_OK(b::gemm3m(handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 33, 20, &a, dA.get(), 12, dB.get(), 23, &c, dC.get(),
                    12));
  expect_values(dC, by_columns(A.times(B).plus(alpha, beta, C)), "C");
}

template <class T> static void products_of_two() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha);
  const part_of<T> minus_two = -2;
  for (int n : {1, 33, 70})
    for (int k : {1, 9})
      for (cublasFillMode_t part : parts)
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_C}) {
          const Matrix A = op == CUBLAS_OP_N ? Matrix(n, k) : Matrix(k, n),
                       B = op == CUBLAS_OP_N ? Matrix(n, k) : Matrix(k, n), C = hermitian(n);
          const Matrix ab = A.op(op).times(B.op(op).op(CUBLAS_OP_C)), ba = ab.op(CUBLAS_OP_C);
          const auto kept = [=](int i, int j) { return inside(part, i, j); };
          const auto wanted = [&](const Matrix &sum) {
            return by_columns(Matrix(n, n, [&](int i, int j) {
                                return i == j ? sum(i, j).real() : sum(i, j);
                              }).where(kept, C));
          };
          Array<T> dA(A), dB(B), two(C), one(C);
          subject = "her2k";
          BLAS_OK(b::her2k(handle, part, op, n, k, &a, dA.get(), A.rows + 3, dB.get(), A.rows + 3, &minus_two,
                           two.get(), n + 3));
          expect_values(two, wanted(ab.plus(alpha, std::conj(alpha), ba).plus(1, -2, C)), "C");
          subject = "herkx";
          BLAS_OK(b::herkx(handle, part, op, n, k, &a, dA.get(), A.rows + 3, dB.get(), A.rows + 3, &minus_two,
                           one.get(), n + 3));
          expect_values(one, wanted(ab.plus(alpha, -2, C)), "C");
        }
}

/* The types are known at run time; products by three real ones (3m) give what the others give. */
static void typed_updates() {
  const int n = 33, k = 9;
  const Matrix A(n, k), plain = A.times(A.op(CUBLAS_OP_T)), turned = A.times(A.op(CUBLAS_OP_C));
  const auto kept = [=](int i, int j) { return i >= j; };
  const cuComplex a = narrow<cuComplex>(alpha), zero = {0, 0};
  const float three = 3, none = 0;
  Array<cuComplex> dA(A);
  for (auto call : {cublasCsyrkEx, cublasCsyrk3mEx}) {
    Array<cuComplex> dC(gaps(n, n));
    subject = "syrkEx";
    BLAS_OK(call(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &a, dA.get(), CUDA_C_32F, n + 3, &zero,
                 dC.get(), CUDA_C_32F, n + 3));
    expect_values(dC, by_columns(plain.plus(alpha, 0, plain).where(kept, gaps(n, n))), "C");
  }
  for (auto call : {cublasCherkEx, cublasCherk3mEx}) {
    Array<cuComplex> dC(gaps(n, n));
    subject = "herkEx";
    BLAS_OK(call(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &three, dA.get(), CUDA_C_32F, n + 3,
                 &none, dC.get(), CUDA_C_32F, n + 3));
    expect_values(dC, by_columns(turned.plus(3, 0, turned).where(kept, gaps(n, n))), "C");
    TRUE(call(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &three, dA.get(), CUDA_R_32F, n + 3, &none,
              dC.get(), CUDA_C_32F, n + 3) == CUBLAS_STATUS_NOT_SUPPORTED);
  }
  const cuComplex *x = dA.get();
  TRUE(cublasChemv(handle, CUBLAS_FILL_MODE_LOWER, 4, &a, x, 3, x, 1, &a, dA.get(), 1) ==
       CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasCher(handle, CUBLAS_FILL_MODE_FULL, 4, &three, x, 1, dA.get(), 4) ==
       CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasCher2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4, &a, x, 4, x, 3, &three, dA.get(), 4) ==
       CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasCtpttr(handle, CUBLAS_FILL_MODE_LOWER, 4, x, dA.get(), 3) == CUBLAS_STATUS_INVALID_VALUE);
}

template <void (*PART)()> static void with_handle() {
  BLAS_OK(cublasCreate(&handle));
  PART();
  BLAS_OK(cublasDestroy(handle));
}

#define PARTS(T, name)                                                                                       \
  {"vectors, " name, with_handle<vectors<T>>}, {"updates, " name, with_handle<updates<T>>},                  \
      {"products, " name, with_handle<products<T>>}, {                                                       \
    "products of two, " name, with_handle<products_of_two<T>>                                                \
  }

int main() {
  return run_parts({PARTS(cuComplex, "single"),
                    PARTS(cuDoubleComplex, "double"),
                    {"types known at run time", with_handle<typed_updates>}});
}
