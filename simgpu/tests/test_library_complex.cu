// cuBLAS's functions for complex numbers against sums in double precision on the host. The parts of all elements are
// small integers, so that results are exact. Elements that a function must not read are not numbers.
#include "complex_matrix.h"

#define BLAS_OK(call) TRUE((call) == CUBLAS_STATUS_SUCCESS)
static cublasHandle_t handle;

template <class T> struct blas;
#define FUNCTION(P, name) static constexpr auto name = cublas##P##name
#define PRECISION(C, P, R, SUM, LENGTH, FACTOR, I, TYPE)                                                     \
  template <> struct blas<C> {                                                                               \
    typedef R real;                                                                                          \
    FUNCTION(P, axpy);                                                                                       \
    FUNCTION(P, copy);                                                                                       \
    FUNCTION(P, swap);                                                                                       \
    FUNCTION(P, scal);                                                                                       \
    FUNCTION(P, dotu);                                                                                       \
    FUNCTION(P, dotc);                                                                                       \
    FUNCTION(P, gemv);                                                                                       \
    FUNCTION(P, symv);                                                                                       \
    FUNCTION(P, trmv);                                                                                       \
    FUNCTION(P, trsv);                                                                                       \
    FUNCTION(P, geru);                                                                                       \
    FUNCTION(P, gerc);                                                                                       \
    FUNCTION(P, gemm);                                                                                       \
    FUNCTION(P, gemmStridedBatched);                                                                         \
    FUNCTION(P, symm);                                                                                       \
    FUNCTION(P, trmm);                                                                                       \
    FUNCTION(P, trsm);                                                                                       \
    FUNCTION(P, syrk);                                                                                       \
    FUNCTION(P, herk);                                                                                       \
    FUNCTION(P, geam);                                                                                       \
    FUNCTION(P, dgmm);                                                                                       \
    static constexpr auto asum = cublas##SUM;                                                                \
    static constexpr auto nrm2 = cublas##LENGTH;                                                             \
    static constexpr auto scale = cublas##FACTOR;                                                            \
    static constexpr auto amax = cublas##I##amax, amin = cublas##I##amin;                                    \
    static const cudaDataType type = TYPE;                                                                   \
  }
PRECISION(cuComplex, C, float, Scasum, Scnrm2, Csscal, Ic, CUDA_C_32F);
PRECISION(cuDoubleComplex, Z, double, Dzasum, Dznrm2, Zdscal, Iz, CUDA_C_64F);

template <class T> static void elements() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha);
  const typename b::real half = 0.5;
  for (int n : {0, 1, 33, 700})
    for (int incx : {1, -3})
      for (int incy : {2, -1}) {
        const Matrix x(n, 1), y(n, 1);
        const auto both = [&](const char *name, const Matrix &newx, const Matrix &newy,
                              std::function<void(T *, T *)> call) {
          subject = name;
          Array<T> dx(strided(x.values, incx)), dy(strided(y.values, incy));
          call(dx.get(), dy.get());
          expect_values(dx, strided(newx.values, incx), "x");
          expect_values(dy, strided(newy.values, incy), "y");
        };
        both("axpy", x, x.plus(alpha, 1, y),
             [&](T *u, T *v) { BLAS_OK(b::axpy(handle, n, &a, u, incx, v, incy)); });
        both("copy", x, x, [&](T *u, T *v) { BLAS_OK(b::copy(handle, n, u, incx, v, incy)); });
        both("swap", y, x, [&](T *u, T *v) { BLAS_OK(b::swap(handle, n, u, incx, v, incy)); });
        both("scal", incx > 0 ? x.plus(alpha, 0, x) : x, y,
             [&](T *u, T *) { BLAS_OK(b::scal(handle, n, &a, u, incx)); });
        both("scal by a real number", incx > 0 ? x.plus(0.5, 0, x) : x, y,
             [&](T *u, T *) { BLAS_OK(b::scale(handle, n, &half, u, incx)); });
      }
}

template <class T> static void reductions() {
  typedef blas<T> b;
  typedef typename b::real real;
  for (int n : {0, 1, 300, 40000}) {
    Matrix x(n, 1), y(n, 1);
    if (n > 200)
      x.values[77] = x.values[200] = Exact(-9, 9); // the first of two counts
    Exact dotu = 0, dotc = 0;
    double sum = 0, squares = 0;
    int smallest = 0, largest = 0;
    const auto size = [&](int i) { return fabs(x.values[i].real()) + fabs(x.values[i].imag()); };
    for (int i = 0; i < n; i++) {
      dotu += x.values[i] * y.values[i], dotc += std::conj(x.values[i]) * y.values[i];
      sum += size(i), squares += std::norm(x.values[i]);
      smallest = size(i) < size(smallest) ? i : smallest;
      largest = size(i) > size(largest) ? i : largest;
    }
    Array<T> dx(strided(x.values, 2)), dy(strided(y.values, -1)), both(std::vector<double>(2, unread));
    T result;
    real total;
    int index;
    BLAS_OK(b::dotu(handle, n, dx.get(), 2, dy.get(), -1, &result));
    TRUE(widen(result) == dotu);
    BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS_OK(b::dotc(handle, n, dx.get(), 2, dy.get(), -1, both.get()));
    subject = "dotc";
    expect_values(both, flat({dotc}), "result");
    BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    BLAS_OK(b::asum(handle, n, dx.get(), 2, &total));
    TRUE(total == sum);
    BLAS_OK(b::nrm2(handle, n, dx.get(), 2, &total));
    TRUE(fabs(total - sqrt(squares)) <= 8 * std::numeric_limits<real>::epsilon() * sqrt(squares));
    BLAS_OK(b::amax(handle, n, dx.get(), 2, &index));
    TRUE(index == (n ? largest + 1 : 0));
    BLAS_OK(b::amin(handle, n, dx.get(), 2, &index));
    TRUE(index == (n ? smallest + 1 : 0));
  }
}

template <class T> static void vectors() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha), c = narrow<T>(beta), zero = narrow<T>(0);
  for (int m : {1, 7, 130})
    for (int n : {1, 5, 70}) {
      const Matrix A(m, n), x(m, 1), y(n, 1);
      Array<T> dA(A), dx(strided(x.values, 1)), dy(strided(y.values, -2));
      for (cublasOperation_t op : operations)
        for (bool keep : {true, false}) {
          const Matrix opA = A.op(op), u(opA.columns, 1), v(opA.rows, 1);
          Array<T> du(strided(u.values, -2)), dv(strided(keep ? v.values : Numbers(v.rows, gap), 3));
          subject = "gemv";
          BLAS_OK(
              b::gemv(handle, op, m, n, &a, dA.get(), m + 3, du.get(), -2, keep ? &c : &zero, dv.get(), 3));
          expect_values(dv, strided(opA.times(u).plus(alpha, keep ? beta : 0, v).values, 3), "y");
        }
      for (cublasOperation_t op : {CUBLAS_OP_T, CUBLAS_OP_C}) {
        Array<T> updated(A);
        subject = op == CUBLAS_OP_T ? "geru" : "gerc";
        BLAS_OK((op == CUBLAS_OP_T ? b::geru : b::gerc)(handle, m, n, &a, dx.get(), 1, dy.get(), -2,
                                                        updated.get(), m + 3));
        expect_values(updated, by_columns(x.times(y.op(op)).plus(alpha, 1, A)), "A");
      }
    }
}

/* A triangle with units on the diagonal, so that solving is exact; what is not read is a gap in `stored`. */
struct Triangle {
  Matrix values, stored;
  Triangle(int n, cublasFillMode_t part, cublasDiagType_t diagonal) : values(n, n), stored(n, n) {
    const bool unit = diagonal == CUBLAS_DIAG_UNIT;
    const Matrix all(n, n, [](int i, int j) {
      if (i == j)
        return std::vector<Exact>{1, Exact(0, 1), -1, Exact(0, -2)}[i % 4];
      return Exact((i * 7 + j * 5) % 3 - 1, (i + j * 3) % 5 == 0);
    });
    values = Matrix(n, n, [&](int i, int j) {
      return !inside(part, i, j) ? Exact(0) : i == j && unit ? Exact(1) : all(i, j);
    });
    stored = all.where([&](int i, int j) { return inside(part, i, j) && !(i == j && unit); }, gaps(n, n));
  }
};

template <class T> static void triangles() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha);
  for (cublasFillMode_t part : parts)
    for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
      for (cublasOperation_t op : operations) {
        const int n = 6;
        const Triangle t(n, part, diagonal);
        const Matrix A = t.values.op(op), x(n, 1);
        Array<T> dA(t.stored), dx(strided(x.values, -2));
        subject = "trmv and trsv";
        BLAS_OK(b::trmv(handle, part, op, diagonal, n, dA.get(), n + 3, dx.get(), -2));
        expect_values(dx, strided(A.times(x).values, -2), "product");
        BLAS_OK(b::trsv(handle, part, op, diagonal, n, dA.get(), n + 3, dx.get(), -2));
        expect_values(dx, strided(x.values, -2), "solution");
        for (cublasSideMode_t side : sides) {
          const bool left = side == CUBLAS_SIDE_LEFT;
          const int rows = left ? n : 5, columns = left ? 5 : n;
          const Matrix B(rows, columns), product = left ? A.times(B) : B.times(A);
          Array<T> dB(B), dC(gaps(rows, columns)), dD(product);
          subject = "trmm";
          BLAS_OK(b::trmm(handle, side, part, op, diagonal, rows, columns, &a, dA.get(), n + 3, dB.get(),
                          rows + 3, dC.get(), rows + 3));
          expect_values(dC, by_columns(product.plus(alpha, 0, product)), left ? "left" : "right");
          subject = "trsm";
          BLAS_OK(b::trsm(handle, side, part, op, diagonal, rows, columns, &a, dA.get(), n + 3, dD.get(),
                          rows + 3));
          expect_values(dD, by_columns(B.plus(alpha, 0, B)), left ? "left" : "right");
        }
      }
}

template <class T> static void products() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha), c = narrow<T>(beta), zero = narrow<T>(0);
  struct Size {
    int m, n, k;
  };
  for (const Size &s : {Size{1, 1, 1}, Size{7, 5, 0}, Size{17, 33, 20}, Size{70, 65, 35}})
    for (cublasOperation_t opA : operations)
      for (cublasOperation_t opB : operations) {
        const bool keep = opA != CUBLAS_OP_C;
        const Matrix A = opA == CUBLAS_OP_N ? Matrix(s.m, s.k) : Matrix(s.k, s.m),
                     B = opB == CUBLAS_OP_N ? Matrix(s.k, s.n) : Matrix(s.n, s.k), C(s.m, s.n),
                     wanted = A.op(opA).times(B.op(opB)).plus(alpha, keep ? beta : 0, C);
        Array<T> dA(A), dB(B), dC(keep ? C : gaps(s.m, s.n)), dE(keep ? C : gaps(s.m, s.n));
        subject = "gemm";
        BLAS_OK(b::gemm(handle, opA, opB, s.m, s.n, s.k, &a, dA.get(), A.rows + 3, dB.get(), B.rows + 3,
                        keep ? &c : &zero, dC.get(), s.m + 3));
        expect_values(dC, by_columns(wanted), "C");
        subject = "gemmEx";
        BLAS_OK(cublasGemmEx(handle, opA, opB, s.m, s.n, s.k, &a, dA.get(), b::type, A.rows + 3, dB.get(),
                             b::type, B.rows + 3, keep ? &c : &zero, dE.get(), b::type, s.m + 3,
                             b::type == CUDA_C_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F,
                             CUBLAS_GEMM_DEFAULT));
        expect_values(dE, by_columns(wanted), "C");
      }
  const Matrix A(4, 6), B(4, 10), first(4, 3, [&](int i, int j) { return A(i, j); }),
      second(4, 3, [&](int i, int j) { return A(i, j + 3); }),
      left(4, 5, [&](int i, int j) { return B(i, j); }),
      right(4, 5, [&](int i, int j) { return B(i, j + 5); }), one = first.op(CUBLAS_OP_C).times(left),
                                                              two = second.op(CUBLAS_OP_C).times(right);
  Array<T> dA(A), dB(B), dC(gaps(3, 10));
  const T unit = narrow<T>(1);
  subject = "gemmStridedBatched";
  BLAS_OK(b::gemmStridedBatched(handle, CUBLAS_OP_C, CUBLAS_OP_N, 3, 5, 4, &unit, dA.get(), 7, 7 * 3,
                                dB.get(), 7, 7 * 5, &zero, dC.get(), 6, 6 * 5, 2));
  expect_values(
      dC, by_columns(Matrix(3, 10, [&](int i, int j) { return j < 5 ? one(i, j) : two(i, j - 5); })), "C");
}

/* Updates of one triangle; the other one must keep its elements. */
template <class T> static void updates() {
  typedef blas<T> b;
  typedef typename b::real real;
  const T a = narrow<T>(alpha), c = narrow<T>(beta);
  Array<T> factors(std::vector<double>{3, -2}); // two real numbers
  for (int n : {1, 6, 70})
    for (int k : {1, 9})
      for (cublasFillMode_t part : parts)
        for (cublasOperation_t op : operations) {
          const bool turned = op != CUBLAS_OP_N;
          const Matrix A = turned ? Matrix(k, n) : Matrix(n, k), C(n, n);
          const auto kept = [=](int i, int j) { return inside(part, i, j); };
          Array<T> dA(A), dC(C);
          subject = "syrk";
          BLAS_OK(b::syrk(handle, part, op, n, k, &a, dA.get(), A.rows + 3, &c, dC.get(), n + 3));
          const Matrix plain = turned ? A.op(CUBLAS_OP_T) : A; // nothing is conjugated, whatever op says
          const Matrix symmetric = plain.times(plain.op(CUBLAS_OP_T)).plus(alpha, beta, C);
          expect_values(dC, by_columns(symmetric.where(kept, C)), "C");

          Array<T> dH(C);
          const real host[] = {3, -2};
          const bool on_device = k == 9;
          const real *f = on_device ? factors.data : host;
          subject = "herk";
          BLAS_OK(cublasSetPointerMode(handle,
                                       on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
          BLAS_OK(b::herk(handle, part, op, n, k, f, dA.get(), A.rows + 3, f + 1, dH.get(), n + 3));
          BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
          const Matrix opA = turned ? A.op(CUBLAS_OP_C) : A,
                       sum = opA.times(opA.op(CUBLAS_OP_C)).plus(3, -2, C),
                       hermitian(n, n,
                                 [&](int i, int j) { return i == j ? Exact(sum(i, j).real()) : sum(i, j); });
          expect_values(dH, by_columns(hermitian.where(kept, C)), "C");
        }
}

template <class T> static void others() {
  typedef blas<T> b;
  const T a = narrow<T>(alpha), c = narrow<T>(beta);
  const int m = 9, n = 37;
  const Matrix A(m, n), B(n, m), S(m, m), x(n, 1), v(m, 1), u(m, 1);
  Array<T> dA(A), dB(B), dC(gaps(m, n)), dx(strided(x.values, 1));
  subject = "geam";
  BLAS_OK(b::geam(handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, &a, dA.get(), m + 3, &c, dB.get(), n + 3, dC.get(),
                  m + 3));
  expect_values(dC, by_columns(A.plus(alpha, beta, B.op(CUBLAS_OP_C))), "C");
  subject = "dgmm";
  BLAS_OK(b::dgmm(handle, CUBLAS_SIDE_RIGHT, m, n, dA.get(), m + 3, dx.get(), 1, dC.get(), m + 3));
  expect_values(dC, by_columns(Matrix(m, n, [&](int i, int j) { return A(i, j) * x(j, 0); })), "C");
  for (cublasFillMode_t part : parts) {
    const auto kept = [=](int i, int j) { return inside(part, i, j); };
    const Matrix full = S.where(kept, S.op(CUBLAS_OP_T));
    Array<T> dS(S.where(kept, gaps(m, m))), dv(strided(v.values, 1)), du(strided(u.values, 1)), dD(A);
    subject = "symv";
    BLAS_OK(b::symv(handle, part, m, &a, dS.get(), m + 3, dv.get(), 1, &c, du.get(), 1));
    expect_values(du, strided(full.times(v).plus(alpha, beta, u).values, 1), "y");
    subject = "symm";
    BLAS_OK(b::symm(handle, CUBLAS_SIDE_LEFT, part, m, n, &a, dS.get(), m + 3, dA.get(), m + 3, &c, dD.get(),
                    m + 3));
    expect_values(dD, by_columns(full.times(A).plus(alpha, beta, A)), "C");
  }
}

template <void (*PART)()> static void with_handle() {
  BLAS_OK(cublasCreate(&handle));
  PART();
  BLAS_OK(cublasDestroy(handle));
}

#define PARTS(T, name)                                                                                       \
  {"elements, " name, with_handle<elements<T>>}, {"reductions, " name, with_handle<reductions<T>>},          \
      {"vectors, " name, with_handle<vectors<T>>}, {"triangles, " name, with_handle<triangles<T>>},          \
      {"products, " name, with_handle<products<T>>}, {"updates, " name, with_handle<updates<T>>}, {          \
    "others, " name, with_handle<others<T>>                                                                  \
  }

int main() { return run_parts({PARTS(cuComplex, "single"), PARTS(cuDoubleComplex, "double")}); }
