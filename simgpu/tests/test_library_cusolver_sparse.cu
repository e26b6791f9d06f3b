// cuSOLVER's functions for sparse matrices: systems with a known solution in four types, orders, and batches.
#define DISABLE_CUSOLVER_DEPRECATED // cuSOLVER 12 announces their end
#include <algorithm>
#include <cmath>
#include <complex>
#include <cusolverSp.h>
#include <cusparse.h>
#include <vector>

#include "semantics.h"

#define SOLVED(call) TRUE((call) == CUSOLVER_STATUS_SUCCESS)

template <typename T> struct traits;
#define TRAITS(P, T, R, NUMBER)                                                                              \
  template <> struct traits<NUMBER> {                                                                        \
    typedef T type;                                                                                          \
    typedef R real;                                                                                          \
    static constexpr auto lu_host = cusolverSp##P##csrlsvluHost;                                             \
    static constexpr auto qr_host = cusolverSp##P##csrlsvqrHost;                                             \
    static constexpr auto chol_host = cusolverSp##P##csrlsvcholHost;                                         \
    static constexpr auto qr = cusolverSp##P##csrlsvqr;                                                      \
    static constexpr auto chol = cusolverSp##P##csrlsvchol;                                                  \
    static constexpr auto size_batched = cusolverSp##P##csrqrBufferInfoBatched;                              \
    static constexpr auto qr_batched = cusolverSp##P##csrqrsvBatched;                                        \
  };
TRAITS(S, float, float, float)
TRAITS(D, double, double, double)
TRAITS(C, cuComplex, float, std::complex<float>)
TRAITS(Z, cuDoubleComplex, double, std::complex<double>)

static float number(float, double x, double) { return (float)x; }
static double number(double, double x, double) { return x; }
static std::complex<float> number(std::complex<float>, double x, double y) { return {(float)x, (float)y}; }
static std::complex<double> number(std::complex<double>, double x, double y) { return {x, y}; }
template <typename T> static T conjugated(T x) { return x; }
template <typename R> static std::complex<R> conjugated(std::complex<R> x) { return std::conj(x); }

/* Indices begin at `base`. */
template <typename T> struct matrix {
  int m, n, base;
  std::vector<int> pointers, columns;
  std::vector<T> values;
  cusparseMatDescr_t descr;
  matrix(int rows, int cols, int first) : m(rows), n(cols), base(first), pointers(1, first) {
    TRUE(cusparseCreateMatDescr(&descr) == CUSPARSE_STATUS_SUCCESS);
    TRUE(cusparseSetMatIndexBase(descr, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO) ==
         CUSPARSE_STATUS_SUCCESS);
  }
  ~matrix() { cusparseDestroyMatDescr(descr); }
  matrix(const matrix &) = delete;
  int nnz() const { return (int)values.size(); }
  void add(int column, T value) {
    columns.push_back(column + base);
    values.push_back(value);
  }
  void end_row() { pointers.push_back((int)values.size() + base); }
  std::vector<T> times(const std::vector<T> &x) const {
    std::vector<T> y(m);
    for (int i = 0; i < m; i++)
      for (int k = pointers[i] - base; k < pointers[i + 1] - base; k++)
        y[i] += values[k] * x[columns[k] - base];
    return y;
  }
};

/* A grid of side x side points: Hermitian and positive definite, or with entries above the diagonal that differ. */
template <typename T> static void fill_grid(matrix<T> *a, int side, bool is_hermitian) {
  for (int i = 0; i < side * side; i++) {
    const int neighbours[] = {i - side, i % side ? i - 1 : -1, i, i % side < side - 1 ? i + 1 : -1, i + side};
    for (int j : neighbours) {
      if (j < 0 || j >= side * side)
        continue;
      const T below = number(T(), -1, 0.3), above = is_hermitian ? conjugated(below) : number(T(), 3, 1);
      a->add(j, j == i ? number(T(), is_hermitian ? 4.5 : 0.1, 0) : j < i ? below : above);
    }
    a->end_row();
  }
}

template <typename T> static std::vector<T> known(int n) {
  std::vector<T> x(n);
  for (int i = 0; i < n; i++)
    x[i] = number(T(), (i * 7 % 11) - 5, i % 3);
  return x;
}

template <typename T>
static void expect_close(const std::vector<T> &x, const std::vector<T> &expected, double factor) {
  typedef typename traits<T>::real R;
  double worst = 0, largest = 0;
  for (size_t i = 0; i < x.size(); i++) {
    worst = fmax(worst, std::isnan(std::abs(x[i])) ? INFINITY : std::abs(x[i] - expected[i]));
    largest = fmax(largest, std::abs(expected[i]));
  }
  const double epsilon = sizeof(R) == 4 ? 1.2e-7 : 2.3e-16;
  if (!(worst <= factor * epsilon * largest)) {
    printf("expected a difference of at most %g, got %g\n", factor * epsilon * largest, worst);
    differences++;
  }
}

/* Memory of the device that is freed at the end. */
template <typename T> struct copy_of {
  T *data;
  explicit copy_of(const std::vector<T> &host) {
    OK(cudaMalloc(&data, host.size() * sizeof(T)));
    OK(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  copy_of(const copy_of &) = delete;
  ~copy_of() { cudaFree(data); }
  std::vector<T> get(size_t n) const {
    std::vector<T> host(n);
    OK(cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
};

template <typename T, typename F>
static void solve(cusolverSpHandle_t handle, F function, const matrix<T> &a, bool on_device, int reorder) {
  typedef typename traits<T>::type C;
  const std::vector<T> expected = known<T>(a.n), b = a.times(expected);
  std::vector<T> x(a.n);
  int singularity = 7;
  if (on_device) {
    const copy_of<int> pointers(a.pointers), columns(a.columns);
    const copy_of<T> values(a.values), right(b), result(x);
    SOLVED(function(handle, a.n, a.nnz(), a.descr, (const C *)values.data, pointers.data, columns.data,
                    (const C *)right.data, 1e-6f, reorder, (C *)result.data, &singularity));
    x = result.get(a.n);
  } else {
    SOLVED(function(handle, a.n, a.nnz(), a.descr, (const C *)a.values.data(), a.pointers.data(),
                    a.columns.data(), (const C *)b.data(), 1e-6f, reorder, (C *)x.data(), &singularity));
  }
  TRUE(singularity == -1);
  expect_close(a.times(x), b, 200); // the residual: the general matrix has a large condition number
}

template <typename T> static void systems_of(int base) {
  typedef traits<T> t;
  cusolverSpHandle_t handle;
  SOLVED(cusolverSpCreate(&handle));
  matrix<T> positive(144, 144, base), general(144, 144, base);
  fill_grid(&positive, 12, true);
  fill_grid(&general, 12, false);
  for (int reorder = 0; reorder < 4; reorder++) {
    solve(handle, t::lu_host, general, false, reorder);
    solve(handle, t::qr_host, general, false, reorder);
    solve(handle, t::chol_host, positive, false, reorder);
    solve(handle, t::qr, general, true, reorder);
    solve(handle, t::chol, positive, true, reorder);
  }
  SOLVED(cusolverSpDestroy(handle));
}
static void systems() {
  systems_of<float>(0);
  systems_of<double>(1);
  systems_of<std::complex<float>>(1);
  systems_of<std::complex<double>>(0);
}

/* Row 2 of a matrix is twice row 1; a matrix with a negative eigenvalue has no Cholesky factor. */
static void singular() {
  cusolverSpHandle_t handle;
  SOLVED(cusolverSpCreate(&handle));
  matrix<double> a(3, 3, 0), indefinite(3, 3, 0);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      a.add(j, i == 0 ? (j == 0) : i * (j + 1.));
    a.end_row();
    indefinite.add(i, i == 1 ? -1 : 2);
    indefinite.end_row();
  }
  const std::vector<double> b(3, 1);
  std::vector<double> x(3);
  int singularity = 7;
  SOLVED(cusolverSpDcsrlsvqrHost(handle, 3, a.nnz(), a.descr, a.values.data(), a.pointers.data(),
                                 a.columns.data(), b.data(), 1e-12, 0, x.data(), &singularity));
  TRUE(singularity == 2);
  SOLVED(cusolverSpDcsrlsvluHost(handle, 3, a.nnz(), a.descr, a.values.data(), a.pointers.data(),
                                 a.columns.data(), b.data(), 1e-12, 0, x.data(), &singularity));
  TRUE(singularity == 2);
  SOLVED(cusolverSpDcsrlsvcholHost(handle, 3, 3, indefinite.descr, indefinite.values.data(),
                                   indefinite.pointers.data(), indefinite.columns.data(), b.data(), 1e-12, 0,
                                   x.data(), &singularity));
  TRUE(singularity == 1);
  TRUE(cusolverSpDcsrlsvqrHost(handle, -1, 0, a.descr, a.values.data(), a.pointers.data(), a.columns.data(),
                               b.data(), 0, 0, x.data(), &singularity) == CUSOLVER_STATUS_INVALID_VALUE);
  SOLVED(cusolverSpDestroy(handle));
}

/* The entries of the factor of a symmetric matrix in an order, by elimination in a dense pattern. */
static int factor_size(const matrix<double> &a, const std::vector<int> &p) {
  const int n = a.n;
  std::vector<std::vector<char>> has(n, std::vector<char>(n));
  std::vector<int> place(n);
  int count = 0;
  for (int i = 0; i < n; i++)
    place[p[i]] = i;
  for (int i = 0; i < n; i++)
    for (int k = a.pointers[i] - a.base; k < a.pointers[i + 1] - a.base; k++)
      has[place[i]][place[a.columns[k] - a.base]] = 1;
  for (int k = 0; k < n; k++)
    for (int i = k; i < n; i++) {
      count += has[i][k];
      for (int j = k + 1; i > k && has[i][k] && j < n; j++)
        has[i][j] |= has[k][j];
    }
  return count;
}

/* Each order is a permutation; of a grid in a bad order, all make the factor smaller. */
static void orders() {
  const int side = 12, n = side * side;
  cusolverSpHandle_t handle;
  SOLVED(cusolverSpCreate(&handle));
  matrix<double> grid(n, n, 1), a(n, n, 1);
  fill_grid(&grid, side, true);
  std::vector<int> shuffle(n), map(grid.nnz()), pointers = grid.pointers, columns = grid.columns;
  for (int i = 0; i < n; i++)
    shuffle[i] = i;
  for (unsigned i = n - 1, random = 1; i > 0; i--, random = random * 1664525u + 1013904223u)
    std::swap(shuffle[i], shuffle[(random >> 8) % (i + 1)]);
  for (size_t k = 0; k < map.size(); k++)
    map[k] = (int)k;
  size_t size = 0;
  SOLVED(cusolverSpXcsrperm_bufferSizeHost(handle, n, n, grid.nnz(), grid.descr, pointers.data(),
                                           columns.data(), shuffle.data(), shuffle.data(), &size));
  std::vector<char> buffer(size);
  SOLVED(cusolverSpXcsrpermHost(handle, n, n, grid.nnz(), grid.descr, pointers.data(), columns.data(),
                                shuffle.data(), shuffle.data(), map.data(), buffer.data()));
  a.pointers = pointers;
  a.columns = columns;
  for (int k : map)
    a.values.push_back(grid.values[k]);
  std::vector<double> x = known<double>(n), permuted(n), expected = grid.times(x);
  for (int i = 0; i < n; i++)
    permuted[i] = x[shuffle[i]];
  const std::vector<double> y = a.times(permuted);
  for (int i = 0; i < n; i++)
    TRUE(fabs(y[i] - expected[shuffle[i]]) < 1e-12);
  std::vector<int> p(n), identity(n);
  for (int i = 0; i < n; i++)
    identity[i] = i;
  const int before = factor_size(a, identity);
  for (int method = 0; method < 4; method++) {
    const auto function = method == 0   ? cusolverSpXcsrsymrcmHost
                          : method == 1 ? cusolverSpXcsrsymmdqHost
                                        : cusolverSpXcsrsymamdHost;
    SOLVED(method < 3 ? function(handle, n, a.nnz(), a.descr, a.pointers.data(), a.columns.data(), p.data())
                      : cusolverSpXcsrmetisndHost(handle, n, a.nnz(), a.descr, a.pointers.data(),
                                                  a.columns.data(), nullptr, p.data()));
    std::vector<int> sorted(p);
    std::sort(sorted.begin(), sorted.end());
    TRUE(sorted == identity);
    TRUE(factor_size(a, p) < before * 2 / 3);
  }
  int is_symmetric = 0;
  SOLVED(cusolverSpXcsrissymHost(handle, n, a.nnz(), a.descr, a.pointers.data(), a.pointers.data() + 1,
                                 a.columns.data(), &is_symmetric));
  TRUE(is_symmetric == 1);
  a.columns[0] = n; // no entry lies across
  SOLVED(cusolverSpXcsrissymHost(handle, n, a.nnz(), a.descr, a.pointers.data(), a.pointers.data() + 1,
                                 a.columns.data(), &is_symmetric));
  TRUE(is_symmetric == 0);
  SOLVED(cusolverSpDestroy(handle));
}

/* Batches; with more rows than columns, the residual is orthogonal to the columns. */
template <typename T> static void batches_of(int m, int n) {
  typedef traits<T> t;
  typedef typename t::type C;
  const int batches = 3;
  cusolverSpHandle_t handle;
  csrqrInfo_t info;
  size_t internal, workspace;
  SOLVED(cusolverSpCreate(&handle));
  SOLVED(cusolverSpCreateCsrqrInfo(&info));
  matrix<T> a(m, n, 0);
  std::vector<T> values, b;
  for (int i = 0; i < m; i++) {
    for (int j : {i % n, (i + 3) % n, (i + m / n * 5) % n})
      if (std::find(a.columns.begin() + a.pointers.back(), a.columns.end(), j) == a.columns.end())
        a.add(j, number(T(), j == i % n ? 5 : 1 + i % 4, j % 3));
    a.end_row();
  }
  for (int k = 0; k < batches; k++)
    for (const T &value : a.values)
      values.push_back(value * number(T(), k + 1, 0));
  for (int i = 0; i < m * batches; i++)
    b.push_back(number(T(), i % 7 - 2, i % 5));
  const copy_of<int> pointers(a.pointers), columns(a.columns);
  const copy_of<T> all(values), right(b), result(std::vector<T>(n * batches));
  SOLVED(cusolverSpXcsrqrAnalysisBatched(handle, m, n, a.nnz(), a.descr, pointers.data, columns.data, info));
  SOLVED(t::size_batched(handle, m, n, a.nnz(), a.descr, (const C *)all.data, pointers.data, columns.data,
                         batches, info, &internal, &workspace));
  const copy_of<char> buffer(std::vector<char>(workspace + 1));
  SOLVED(t::qr_batched(handle, m, n, a.nnz(), a.descr, (const C *)all.data, pointers.data, columns.data,
                       (const C *)right.data, (C *)result.data, batches, info, buffer.data));
  const std::vector<T> x = result.get(n * batches);
  for (int k = 0; k < batches; k++) {
    std::copy(values.begin() + k * a.nnz(), values.begin() + (k + 1) * a.nnz(), a.values.begin());
    const std::vector<T> y = a.times(std::vector<T>(x.begin() + k * n, x.begin() + (k + 1) * n));
    std::vector<T> gradient(n);
    double largest = 0;
    for (int i = 0; i < m; i++)
      for (int e = a.pointers[i]; e < a.pointers[i + 1]; e++)
        gradient[a.columns[e]] += conjugated(a.values[e]) * (y[i] - b[k * m + i]);
    for (const T &g : gradient)
      largest = fmax(largest, std::isnan(std::abs(g)) ? INFINITY : std::abs(g));
    TRUE(largest < (sizeof(typename t::real) == 4 ? 2e-3 : 1e-11));
  }
  SOLVED(cusolverSpDestroyCsrqrInfo(info));
  SOLVED(cusolverSpDestroy(handle));
}
static void batches() {
  batches_of<double>(30, 30);
  batches_of<float>(40, 17);
  batches_of<std::complex<float>>(30, 30);
  batches_of<std::complex<double>>(40, 17);
}

int main() {
  return run_parts({{"systems", systems}, {"singular", singular}, {"orders", orders}, {"batches", batches}});
}
