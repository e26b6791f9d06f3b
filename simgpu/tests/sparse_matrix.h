// Sparse matrices for tests of cuSPARSE: a dense reference in complex numbers, and each format in device
// memory. All values are small integers, so that sums are exact in any order and in any precision.
#pragma once

#include <algorithm>
#include <complex>
#include <cuda_fp16.h>
#define DISABLE_CUSPARSE_DEPRECATED // the functions with a letter for the type
#include <cusparse.h>
#include <memory>

#include "dense.h"

static cusparseHandle_t handle;
#define GIVES(call, status) TRUE((call) == CUSPARSE_STATUS_##status)
#define SPARSE_OK(call) GIVES(call, SUCCESS)

using Z = std::complex<double>;
static const Z not_a_number = {unread, unread};

/* The types of numbers. */
template <class T> struct number;
template <> struct number<float> {
  static constexpr cudaDataType type = CUDA_R_32F;
  static constexpr bool is_complex = false;
  static float from(Z z) { return (float)z.real(); }
  static Z to(float a) { return a; }
};
template <> struct number<double> {
  static constexpr cudaDataType type = CUDA_R_64F;
  static constexpr bool is_complex = false;
  static double from(Z z) { return z.real(); }
  static Z to(double a) { return a; }
};
template <> struct number<cuComplex> {
  static constexpr cudaDataType type = CUDA_C_32F;
  static constexpr bool is_complex = true;
  static cuComplex from(Z z) { return {(float)z.real(), (float)z.imag()}; }
  static Z to(cuComplex a) { return {a.x, a.y}; }
};
template <> struct number<cuDoubleComplex> {
  static constexpr cudaDataType type = CUDA_C_64F;
  static constexpr bool is_complex = true;
  static cuDoubleComplex from(Z z) { return {z.real(), z.imag()}; }
  static Z to(cuDoubleComplex a) { return {a.x, a.y}; }
};
template <> struct number<__half> {
  static constexpr cudaDataType type = CUDA_R_16F;
  static constexpr bool is_complex = false;
  static __half from(Z z) { return __float2half((float)z.real()); }
  static Z to(__half a) { return __half2float(a); }
};

template <class T> static std::vector<T> numbers(const std::vector<Z> &values) {
  std::vector<T> made;
  for (Z z : values)
    made.push_back(number<T>::from(z));
  return made;
}
/* -2 to 2, or a sum of such a number and a multiple of i. */
template <class T> static Z any() {
  const auto part = [] { return (double)(small() % 3); };
  const double real = part();
  return number<T>::is_complex ? Z(real, part()) : Z(real);
}
template <class T> static std::vector<Z> any(size_t n) {
  std::vector<Z> made(n);
  for (Z &z : made)
    z = any<T>();
  return made;
}
template <class T> static void expect(const Device<T> &d, const std::vector<Z> &wanted, const char *what) {
  const std::vector<T> got = d.now();
  TRUE(got.size() == wanted.size());
  for (size_t i = 0; i < got.size(); i++) {
    const Z z = number<T>::to(got[i]), w = number<T>::to(number<T>::from(wanted[i]));
    if (!same(z.real(), w.real()) || !same(z.imag(), w.imag())) {
      printf("%s, %s: element %zu: expected %g %+g i, got %g %+g i\n", subject, what, i, w.real(), w.imag(),
             z.real(), z.imag());
      differences++;
      return;
    }
  }
}

/* A dense matrix by rows. */
struct Matrix {
  int rows, columns;
  std::vector<Z> values;
  Matrix(int rows, int columns, std::vector<Z> values) : rows(rows), columns(columns), values(values) {}
  Matrix(int rows, int columns, Z value = 0)
      : Matrix(rows, columns, std::vector<Z>((size_t)rows * columns, value)) {}
  Z &operator()(int i, int j) { return values[(size_t)i * columns + j]; }
  Z operator()(int i, int j) const { return values[(size_t)i * columns + j]; }
  Matrix turned(cusparseOperation_t op) const {
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
      return *this;
    Matrix t(columns, rows);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++)
        t(j, i) = op == CUSPARSE_OPERATION_TRANSPOSE ? (*this)(i, j) : std::conj((*this)(i, j));
    return t;
  }
  Matrix times(const Matrix &b) const {
    Matrix c(rows, b.columns);
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < columns; k++)
        for (int j = 0; j < b.columns && (*this)(i, k) != 0.; j++)
          c(i, j) += (*this)(i, k) * b(k, j);
    return c;
  }
  /* alpha A + beta B, where B may be anything if beta is 0. */
  Matrix combined(Z alpha, Z beta, const Matrix &b) const {
    Matrix c = *this;
    for (size_t i = 0; i < values.size(); i++)
      c.values[i] = alpha * values[i] + (beta == 0. ? 0. : beta * b.values[i]);
    return c;
  }
};

template <class T> static std::vector<cusparseOperation_t> operations() {
  if (number<T>::is_complex)
    return {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
            CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
  return {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE};
}

/* About `filled` of 100 elements are not zero; every fourth row and every fifth column is empty. */
template <class T> static Matrix scattered(int rows, int columns, int filled) {
  Matrix a(rows, columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (i % 4 != 2 && j % 5 != 3 && (i * 37 + j * 61 + i * j) % 100 < filled)
        a(i, j) = any<T>() + 3.; // never 0
  return a;
}

struct Storage {
  cusparseFormat_t format;
  bool wide;
  int base;
  int block_rows = 1, block_columns = 1;
  cusparseOrder_t order = CUSPARSE_ORDER_ROW;
};
static const Storage csr = {CUSPARSE_FORMAT_CSR, false, 0}, csr1 = {CUSPARSE_FORMAT_CSR, true, 1},
                     csc = {CUSPARSE_FORMAT_CSC, false, 1}, coo = {CUSPARSE_FORMAT_COO, false, 1},
                     coo0 = {CUSPARSE_FORMAT_COO, true, 0},
                     bsr = {CUSPARSE_FORMAT_BSR, false, 1, 3, 2, CUSPARSE_ORDER_ROW},
                     bsr0 = {CUSPARSE_FORMAT_BSR, true, 0, 2, 5, CUSPARSE_ORDER_COL},
                     blocked_ell = {CUSPARSE_FORMAT_BLOCKED_ELL, false, 0, 3, 3},
                     blocked_ell1 = {CUSPARSE_FORMAT_BLOCKED_ELL, true, 1, 4, 4},
                     sliced_ell = {CUSPARSE_FORMAT_SLICED_ELLPACK, false, 0, 4, 1},
                     sliced_ell1 = {CUSPARSE_FORMAT_SLICED_ELLPACK, true, 1, 3, 1};

static cusparseIndexType_t width(bool wide) { return wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I; }

struct Indices {
  bool wide;
  Device<int> narrow;
  Device<long long> wide_ones;
  Indices(bool wide, const std::vector<long long> &values)
      : wide(wide), narrow(std::vector<int>(values.begin(), values.end())), wide_ones(values) {}
  void *data() const { return wide ? (void *)wide_ones.data : narrow.data; }
  std::vector<long long> now() const {
    const std::vector<int> n = narrow.now();
    return wide ? wide_ones.now() : std::vector<long long>(n.begin(), n.end());
  }
};

/* The arrays of a format. Rows and columns of a matrix in blocks are multiples of those of a block. */
struct Arrays {
  std::vector<long long> lines, indices;
  std::vector<Z> values;
  int width = 0; // of blocked ELL, in blocks
  Arrays(const Matrix &a, const Storage &s) {
    if (s.format == CUSPARSE_FORMAT_BSR || s.format == CUSPARSE_FORMAT_BLOCKED_ELL)
      store_blocks(a, s);
    else if (s.format == CUSPARSE_FORMAT_SLICED_ELLPACK)
      store_slices(a, s);
    else
      store_entries(s.format == CUSPARSE_FORMAT_CSC ? a.turned(CUSPARSE_OPERATION_TRANSPOSE) : a, s);
  }
  void store_entries(const Matrix &a, const Storage &s);
  void store_slices(const Matrix &a, const Storage &s);
  void store_blocks(const Matrix &a, const Storage &s);
  void store_each_block(const Matrix &a, const Storage &s, int bi, const std::vector<int> &kept);
  void store_lines(const Matrix &a, const Storage &s, int bi, const std::vector<int> &kept);
};

inline void Arrays::store_entries(const Matrix &a, const Storage &s) {
  const bool is_compressed = s.format != CUSPARSE_FORMAT_COO;
  for (int i = 0; i < a.rows; i++) {
    if (is_compressed)
      lines.push_back((long long)values.size() + s.base);
    for (int j = 0; j < a.columns; j++)
      if (a(i, j) != 0.) {
        if (!is_compressed)
          lines.push_back(i + s.base);
        indices.push_back(j + s.base);
        values.push_back(a(i, j));
      }
  }
  if (is_compressed)
    lines.push_back((long long)values.size() + s.base);
}

inline void Arrays::store_slices(const Matrix &a, const Storage &s) {
  lines.push_back(s.base);
  for (int first = 0; first < a.rows; first += s.block_rows) {
    std::vector<std::vector<int>> columns(s.block_rows);
    size_t longest = 0;
    for (int i = 0; i < s.block_rows && first + i < a.rows; i++) {
      for (int j = 0; j < a.columns; j++)
        if (a(first + i, j) != 0.)
          columns[i].push_back(j);
      longest = std::max(longest, columns[i].size());
    }
    for (size_t k = 0; k < longest; k++)
      for (int i = 0; i < s.block_rows; i++) {
        const bool is_stored = k < columns[i].size();
        indices.push_back(is_stored ? columns[i][k] + s.base : -1);
        values.push_back(is_stored ? a(first + i, columns[i][k]) : 0.);
      }
    lines.push_back((long long)values.size() + s.base);
  }
}

inline void Arrays::store_blocks(const Matrix &a, const Storage &s) {
  const int rows = a.rows / s.block_rows, columns = a.columns / s.block_columns;
  const bool is_ell = s.format == CUSPARSE_FORMAT_BLOCKED_ELL;
  const auto is_stored = [&](int bi, int bj) {
    for (int i = 0; i < s.block_rows; i++)
      for (int j = 0; j < s.block_columns; j++)
        if (a(bi * s.block_rows + i, bj * s.block_columns + j) != 0.)
          return true;
    return false;
  };
  std::vector<std::vector<int>> kept(rows);
  for (int bi = 0; bi < rows; bi++) {
    for (int bj = 0; bj < columns; bj++)
      if (is_stored(bi, bj))
        kept[bi].push_back(bj);
    width = std::max(width, (int)kept[bi].size());
  }
  for (int bi = 0; bi < rows; bi++) {
    lines.push_back((long long)indices.size() + s.base);
    if (is_ell)
      kept[bi].resize(width, -1 - s.base);
    for (int bj : kept[bi])
      indices.push_back(bj + s.base);
    is_ell ? store_lines(a, s, bi, kept[bi]) : store_each_block(a, s, bi, kept[bi]);
  }
  lines.push_back((long long)indices.size() + s.base);
}

inline void Arrays::store_each_block(const Matrix &a, const Storage &s, int bi,
                                     const std::vector<int> &kept) {
  const bool by_columns = s.order == CUSPARSE_ORDER_COL;
  for (int bj : kept)
    for (int k = 0; k < s.block_rows * s.block_columns; k++) {
      const int i = by_columns ? k % s.block_rows : k / s.block_columns;
      const int j = by_columns ? k / s.block_rows : k % s.block_columns;
      values.push_back(a(bi * s.block_rows + i, bj * s.block_columns + j));
    }
}

inline void Arrays::store_lines(const Matrix &a, const Storage &s, int bi, const std::vector<int> &kept) {
  for (int i = 0; i < s.block_rows; i++)
    for (int bj : kept)
      for (int j = 0; j < s.block_columns; j++)
        values.push_back(bj < 0 ? 0. : a(bi * s.block_rows + i, bj * s.block_columns + j));
}

template <class T> struct Sparse {
  Arrays arrays;
  Indices lines, indices;
  Device<T> values;
  cusparseSpMatDescr_t descriptor = nullptr;
  Sparse(const Matrix &a, const Storage &s) : Sparse(a, s, Arrays(a, s)) {}
  /* `given` may hold the arrays of several matrices. */
  Sparse(const Matrix &a, const Storage &s, const Arrays &given, int count = 1)
      : arrays(given), lines(s.wide, given.lines), indices(s.wide, given.indices),
        values(numbers<T>(given.values)) {
    const int64_t rows = a.rows, columns = a.columns, stored = (int64_t)given.values.size() / count;
    const cusparseIndexType_t type = width(s.wide);
    const cusparseIndexBase_t base = (cusparseIndexBase_t)s.base;
    void *const l = lines.data(), *const c = indices.data(), *const v = values.data;
    const cudaDataType data = number<T>::type;
    switch (s.format) {
    case CUSPARSE_FORMAT_CSR:
      SPARSE_OK(cusparseCreateCsr(&descriptor, rows, columns, stored, l, c, v, type, type, base, data));
      break;
    case CUSPARSE_FORMAT_CSC:
      SPARSE_OK(cusparseCreateCsc(&descriptor, rows, columns, stored, l, c, v, type, type, base, data));
      break;
    case CUSPARSE_FORMAT_COO:
      SPARSE_OK(cusparseCreateCoo(&descriptor, rows, columns, stored, l, c, v, type, base, data));
      break;
    case CUSPARSE_FORMAT_BSR:
      SPARSE_OK(cusparseCreateBsr(&descriptor, rows / s.block_rows, columns / s.block_columns,
                                  (int64_t)given.indices.size() / count, s.block_rows, s.block_columns, l, c,
                                  v, type, type, base, data, s.order));
      break;
    case CUSPARSE_FORMAT_BLOCKED_ELL:
      SPARSE_OK(cusparseCreateBlockedEll(&descriptor, rows, columns, s.block_rows,
                                         (int64_t)given.width * s.block_columns, c, v, type, base, data));
      break;
    case CUSPARSE_FORMAT_SLICED_ELLPACK:
      SPARSE_OK(cusparseCreateSlicedEll(
          &descriptor, rows, columns,
          std::count_if(given.indices.begin(), given.indices.end(), [](long long i) { return i >= 0; }),
          stored, s.block_rows, l, c, v, type, type, base, data));
    }
  }
  ~Sparse() { SPARSE_OK(cusparseDestroySpMat(descriptor)); }
};

template <class T> struct Vector {
  Device<T> values;
  cusparseDnVecDescr_t descriptor = nullptr;
  Vector(const std::vector<Z> &x) : values(numbers<T>(x)) {
    SPARSE_OK(cusparseCreateDnVec(&descriptor, (int64_t)x.size(), values.data, number<T>::type));
  }
  ~Vector() { SPARSE_OK(cusparseDestroyDnVec(descriptor)); }
};

/* Dense matrices, one after the other, with gaps. */
template <class T> struct Block {
  static std::vector<Z> store(const std::vector<Matrix> &all, cusparseOrder_t order) {
    std::vector<Z> made;
    for (const Matrix &b : all) {
      const bool by_rows = order == CUSPARSE_ORDER_ROW;
      const int lines = by_rows ? b.rows : b.columns, length = by_rows ? b.columns : b.rows;
      for (int l = 0; l < lines; l++)
        for (int k = 0; k < length + 3; k++)
          made.push_back(k >= length ? not_a_number : by_rows ? b(l, k) : b(k, l));
    }
    return made;
  }
  Device<T> values;
  cusparseDnMatDescr_t descriptor = nullptr;
  Block(const Matrix &b, cusparseOrder_t order) : Block(std::vector<Matrix>{b}, order) {}
  Block(const std::vector<Matrix> &all, cusparseOrder_t order) : values(numbers<T>(store(all, order))) {
    const Matrix &b = all[0];
    const int ld = (order == CUSPARSE_ORDER_ROW ? b.columns : b.rows) + 3;
    SPARSE_OK(cusparseCreateDnMat(&descriptor, b.rows, b.columns, ld, values.data, number<T>::type, order));
    if (all.size() > 1)
      SPARSE_OK(cusparseDnMatSetStridedBatch(descriptor, (int)all.size(),
                                             (int64_t)(values.before.size() / all.size())));
  }
  ~Block() { SPARSE_OK(cusparseDestroyDnMat(descriptor)); }
};

/* Two factors in host or device memory, as the handle's mode says. */
template <class T> struct Factors {
  T host[2];
  Device<T> device;
  bool on_device;
  Factors(Z alpha, Z beta, bool on_device)
      : host{number<T>::from(alpha), number<T>::from(beta)}, device(std::vector<T>(host, host + 2)),
        on_device(on_device) {
    SPARSE_OK(cusparseSetPointerMode(handle,
                                     on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  }
  const T *alpha() const { return on_device ? device.data : host; }
  const T *beta() const { return alpha() + 1; }
};

/* A buffer, which is never null. */
struct Buffer : Device<char> {
  explicit Buffer(size_t size) : Device<char>(std::vector<char>(size + 1, 77)) {}
};

template <void (*PART)()> static void with_handle() {
  SPARSE_OK(cusparseCreate(&handle));
  PART();
  SPARSE_OK(cusparseDestroy(handle));
}
