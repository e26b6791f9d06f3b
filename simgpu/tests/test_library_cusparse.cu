// cuSPARSE against dense products in double precision on the host. All values are small integers, so that sums are
// exact in any order. Elements that a function must not read are not numbers.
#include <algorithm>
#include <array>
#include <cstring>
#include <cusparse.h>
#include <memory>

#include "dense.h"

static cusparseHandle_t handle;
#define GIVES(call, status) TRUE((call) == CUSPARSE_STATUS_##status)
#define SPARSE_OK(call) GIVES(call, SUCCESS)
#define TYPE(T) (sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F)

static const cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                 CUSPARSE_OPERATION_TRANSPOSE};
static bool turns(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }

/* How a matrix is stored. */
struct Storage {
  cusparseFormat_t format;
  bool wide_lines, wide_indices;
  int base;
};
static const Storage storages[] = {
    {CUSPARSE_FORMAT_CSR, false, false, 0}, {CUSPARSE_FORMAT_CSR, true, true, 1},
    {CUSPARSE_FORMAT_CSR, false, false, 1}, {CUSPARSE_FORMAT_CSC, false, false, 1},
    {CUSPARSE_FORMAT_CSC, true, true, 0},   {CUSPARSE_FORMAT_COO, false, false, 0},
    {CUSPARSE_FORMAT_COO, true, true, 1}};
static cusparseIndexType_t width(bool wide) { return wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I; }

/* Indices in device memory. */
struct Indices {
  bool wide;
  Device<int> narrow_ones;
  Device<long long> wide_ones;
  Indices(bool wide, const std::vector<double> &values)
      : wide(wide), narrow_ones(cast<int>(values)), wide_ones(cast<long long>(values)) {}
  void *data() const { return wide ? (void *)wide_ones.data : narrow_ones.data; }
  std::vector<double> now() const {
    const std::vector<int> n = narrow_ones.now();
    const std::vector<long long> w = wide_ones.now();
    return wide ? std::vector<double>(w.begin(), w.end()) : std::vector<double>(n.begin(), n.end());
  }
};

/* Entries of a dense matrix that are not zero, in the order of a storage. */
struct Entries {
  std::vector<double> lines, indices, values;
  Entries(const Dense &a, const Storage &s) {
    const Dense d = a.turned(s.format == CUSPARSE_FORMAT_CSC);
    for (int i = 0; i < d.rows; i++) {
      if (s.format != CUSPARSE_FORMAT_COO)
        lines.push_back((double)values.size() + s.base);
      for (int j = 0; j < d.columns; j++)
        if (d(i, j) != 0) {
          if (s.format == CUSPARSE_FORMAT_COO)
            lines.push_back(i + s.base);
          indices.push_back(j + s.base);
          values.push_back(d(i, j));
        }
    }
    if (s.format != CUSPARSE_FORMAT_COO)
      lines.push_back((double)values.size() + s.base);
  }
};

template <class T>
static cusparseSpMatDescr_t describe(const Storage &s, int64_t rows, int64_t columns, int64_t entries,
                                     void *lines, void *indices, void *values) {
  cusparseSpMatDescr_t made = nullptr;
  const cusparseIndexBase_t base = (cusparseIndexBase_t)s.base;
  if (s.format == CUSPARSE_FORMAT_CSR)
    SPARSE_OK(cusparseCreateCsr(&made, rows, columns, entries, lines, indices, values, width(s.wide_lines),
                                width(s.wide_indices), base, TYPE(T)));
  else if (s.format == CUSPARSE_FORMAT_CSC)
    SPARSE_OK(cusparseCreateCsc(&made, rows, columns, entries, lines, indices, values, width(s.wide_lines),
                                width(s.wide_indices), base, TYPE(T)));
  else
    SPARSE_OK(cusparseCreateCoo(&made, rows, columns, entries, lines, indices, values, width(s.wide_indices),
                                base, TYPE(T)));
  return made;
}

template <class T> struct Sparse {
  Entries entries;
  Indices lines, indices;
  Device<T> values;
  cusparseSpMatDescr_t descriptor;
  Sparse(const Dense &a, const Storage &s)
      : entries(a, s), lines(s.wide_lines, entries.lines), indices(s.wide_indices, entries.indices),
        values(cast<T>(entries.values)),
        descriptor(describe<T>(s, a.rows, a.columns, (int64_t)entries.values.size(), lines.data(),
                               indices.data(), values.data)) {}
  ~Sparse() { SPARSE_OK(cusparseDestroySpMat(descriptor)); }
};

template <class T> struct Vector {
  Device<T> values;
  cusparseDnVecDescr_t descriptor = nullptr;
  Vector(const std::vector<double> &x) : values(cast<T>(x)) {
    SPARSE_OK(cusparseCreateDnVec(&descriptor, (int64_t)x.size(), values.data, TYPE(T)));
  }
  ~Vector() { SPARSE_OK(cusparseDestroyDnVec(descriptor)); }
};

/* A dense matrix in one of the orders, with gaps. */
static std::vector<double> ordered(const Dense &b, cusparseOrder_t order) {
  const Dense lines = b.turned(order == CUSPARSE_ORDER_ROW);
  return stored<double>(lines, lines.rows + 3);
}
template <class T> struct Block {
  Device<T> values;
  cusparseDnMatDescr_t descriptor = nullptr;
  Block(const Dense &b, cusparseOrder_t order) : values(cast<T>(ordered(b, order))) {
    const int ld = (order == CUSPARSE_ORDER_ROW ? b.columns : b.rows) + 3;
    SPARSE_OK(cusparseCreateDnMat(&descriptor, b.rows, b.columns, ld, values.data, TYPE(T), order));
  }
  ~Block() { SPARSE_OK(cusparseDestroyDnMat(descriptor)); }
};

/* About `filled` of 100 elements are not zero; every fourth row and every fifth column is empty. */
static Dense scattered(int rows, int columns, int filled) {
  return Dense(rows, columns, [=](int i, int j) {
    const bool kept = i % 4 != 2 && j % 5 != 3 && (i * 37 + j * 61 + i * j) % 100 < filled;
    return kept ? (i + 2 * j) % 7 - 3 : 0;
  });
}
struct Size {
  int rows, columns, filled;
};
static const Size sizes[] = {{1, 1, 100}, {7, 5, 60}, {300, 13, 30}, {5, 700, 90}, {65, 257, 8}, {33, 33, 0}};

/* Factors in host or device memory, as the handle's mode says. */
template <class T> struct Factors {
  T host[2];
  Device<T> device;
  bool on_device;
  Factors(double alpha, double beta, bool on_device)
      : host{(T)alpha, (T)beta}, device(std::vector<T>{(T)alpha, (T)beta}), on_device(on_device) {
    SPARSE_OK(cusparseSetPointerMode(handle,
                                     on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  }
  const T *alpha() const { return on_device ? device.data : host; }
  const T *beta() const { return alpha() + 1; }
};

template <class T>
static void expect_vector(const Dense &a, const Storage &s, const Sparse<T> &stored, bool on_device) {
  for (cusparseOperation_t op : operations)
    for (double beta : {0., -0.5}) {
      const Dense opA = a.turned(turns(op)), x(opA.columns, 1), y(opA.rows, 1);
      Vector<T> dx(x.values), dy(beta ? y.values : std::vector<double>(opA.rows, unread));
      const Factors<T> f(2, beta, on_device);
      size_t size = 99;
      SPARSE_OK(cusparseSpMV_bufferSize(handle, op, f.alpha(), stored.descriptor, dx.descriptor, f.beta(),
                                        dy.descriptor, TYPE(T), CUSPARSE_SPMV_ALG_DEFAULT, &size));
      Device<char> buffer(std::vector<char>(size, 0));
      SPARSE_OK(cusparseSpMV(
          handle, op, f.alpha(), stored.descriptor, dx.descriptor, f.beta(), dy.descriptor, TYPE(T),
          s.format == CUSPARSE_FORMAT_COO ? CUSPARSE_SPMV_COO_ALG2 : CUSPARSE_SPMV_CSR_ALG2, buffer.data));
      expect_values(dy.values, opA.times(x).plus(2, beta, y).values, turns(op) ? "transposed" : "as stored");
    }
}

template <class T> static void vectors() {
  subject = "SpMV";
  for (const Size &n : sizes)
    for (const Storage &s : storages) {
      const Dense a = scattered(n.rows, n.columns, n.filled);
      const Sparse<T> sparse(a, s);
      expect_vector(a, s, sparse, false);
      expect_vector(a, s, sparse, true);
    }
}

template <class T>
static void expect_block(const Dense &a, const Sparse<T> &stored, int columns, cusparseOrder_t orderB,
                         cusparseOrder_t orderC, bool on_device) {
  for (cusparseOperation_t op : operations)
    for (cusparseOperation_t opB : operations) {
      const double beta = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? 0 : -0.5;
      const Dense opA = a.turned(turns(op)), b(opA.columns, columns), c(opA.rows, columns);
      Block<T> db(b.turned(turns(opB)), orderB),
          dc(beta ? c : Dense(c.rows, columns, [](int, int) { return unread; }), orderC);
      const Factors<T> f(2, beta, on_device);
      size_t size = 99;
      SPARSE_OK(cusparseSpMM_bufferSize(handle, op, opB, f.alpha(), stored.descriptor, db.descriptor,
                                        f.beta(), dc.descriptor, TYPE(T), CUSPARSE_SPMM_ALG_DEFAULT, &size));
      Device<char> buffer(std::vector<char>(size, 0));
      SPARSE_OK(cusparseSpMM(handle, op, opB, f.alpha(), stored.descriptor, db.descriptor, f.beta(),
                             dc.descriptor, TYPE(T), CUSPARSE_SPMM_ALG_DEFAULT, buffer.data));
      expect_values(dc.values, ordered(opA.times(b).plus(2, beta, c), orderC), "product");
    }
}

template <class T> static void matrices() {
  subject = "SpMM";
  const cusparseOrder_t orders[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};
  int turn = 0;
  for (const Size &n : sizes)
    for (const Storage &s : storages) {
      const Dense a = scattered(n.rows, n.columns, n.filled);
      const Sparse<T> sparse(a, s);
      for (int columns : {1, 6}) {
        turn++; // all combinations of orders and modes, spread over the storages
        expect_block(a, sparse, columns, orders[turn & 1], orders[turn >> 1 & 1], turn & 4);
      }
    }
}

/* Entries by line and index: a conversion may leave those of one line in any order. */
template <class T>
static std::vector<std::array<double, 3>> sorted(cusparseFormat_t format, const std::vector<double> &lines,
                                                 const std::vector<double> &indices,
                                                 const std::vector<T> &values) {
  std::vector<std::array<double, 3>> entries;
  for (size_t k = 0, line = 0; k < values.size(); k++) {
    while (format != CUSPARSE_FORMAT_COO && lines[line + 1] - lines[0] <= (double)k)
      line++;
    entries.push_back(
        {format == CUSPARSE_FORMAT_COO ? lines[k] : (double)line, indices[k], (double)values[k]});
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

template <class T> static void conversions() {
  for (const Size &n : sizes)
    for (const Storage &s : storages) {
      const Dense a = scattered(n.rows, n.columns, n.filled);
      const cusparseOrder_t order = s.wide_lines ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
      Sparse<T> stored(a, s);
      Block<T> dense(Dense(n.rows, n.columns, [](int, int) { return unread; }), order);
      size_t size = 99;
      subject = "SparseToDense";
      SPARSE_OK(cusparseSparseToDense_bufferSize(handle, stored.descriptor, dense.descriptor,
                                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size));
      Device<char> work(std::vector<char>(size + 1, 0));
      SPARSE_OK(cusparseSparseToDense(handle, stored.descriptor, dense.descriptor,
                                      CUSPARSE_SPARSETODENSE_ALG_DEFAULT, work.data));
      expect_values(dense.values, ordered(a, order), "elements");

      subject = "DenseToSparse";
      Block<T> from(a, order);
      const Entries wanted = stored.entries;
      const size_t count = wanted.values.size();
      Indices lines(s.wide_lines, std::vector<double>(wanted.lines.size(), 77)),
          indices(s.wide_indices, std::vector<double>(count, 77));
      Device<T> values(std::vector<T>(count, 77));
      cusparseSpMatDescr_t made = describe<T>(s, n.rows, n.columns, 0, lines.data(), nullptr, nullptr);
      SPARSE_OK(cusparseDenseToSparse_bufferSize(handle, from.descriptor, made,
                                                 CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &size));
      Device<char> buffer(std::vector<char>(size, 77));
      SPARSE_OK(cusparseDenseToSparse_analysis(handle, from.descriptor, made,
                                               CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.data));
      int64_t rows = 0, columns = 0, entries = 0;
      SPARSE_OK(cusparseSpMatGetSize(made, &rows, &columns, &entries));
      TRUE(rows == n.rows && columns == n.columns && entries == (int64_t)count);
      const auto set = s.format == CUSPARSE_FORMAT_CSR   ? cusparseCsrSetPointers
                       : s.format == CUSPARSE_FORMAT_CSC ? cusparseCscSetPointers
                                                         : cusparseCooSetPointers;
      SPARSE_OK(set(made, lines.data(), indices.data(), values.data));
      SPARSE_OK(cusparseDenseToSparse_convert(handle, from.descriptor, made,
                                              CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.data));
      TRUE(lines.now() == wanted.lines);
      TRUE(sorted(s.format, lines.now(), indices.now(), values.now()) ==
           sorted(s.format, wanted.lines, wanted.indices, wanted.values));
      SPARSE_OK(cusparseDestroySpMat(made));
    }
}

/* Matrices without rows, without columns, and without entries. */
static void empty() {
  subject = "an empty matrix";
  const double alpha = 2, beta = 3;
  Device<int> zeros(std::vector<int>(4, 0));
  for (int rows : {0, 3})
    for (int columns : {0, 2}) {
      cusparseSpMatDescr_t a;
      SPARSE_OK(cusparseCreateCsr(&a, rows, columns, 0, rows ? zeros.data : nullptr, nullptr, nullptr,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                  CUDA_R_64F));
      for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
        Vector<double> x(std::vector<double>(turns(op) ? rows : columns, 1)),
            y(std::vector<double>(turns(op) ? columns : rows, 5));
        SPARSE_OK(cusparseSpMV(handle, op, &alpha, a, x.descriptor, &beta, y.descriptor, CUDA_R_64F,
                               CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        expect_values(y.values, std::vector<double>(turns(op) ? columns : rows, 15), "y");
      }
      SPARSE_OK(cusparseDestroySpMat(a));
    }
  cusparseSpMatDescr_t a; // a program may describe a matrix before it has memory for the entries
  SPARSE_OK(cusparseCreateCoo(&a, 3, 3, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_64I,
                              CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
  SPARSE_OK(cusparseDestroySpMat(a));
}

/* The handle's stream: a product is captured there, and runs with the graph. */
static void streams() {
  subject = "a captured product";
  const Dense a = scattered(20, 30, 30), x(30, 1);
  const Sparse<float> sparse(a, storages[0]);
  Vector<float> dx(x.values), dy(std::vector<double>(20, unread));
  Device<char> buffer(std::vector<char>(1 << 16, 0));
  const float alpha = 1, beta = 0;
  cudaStream_t stream, got = nullptr;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SPARSE_OK(cusparseSetStream(handle, stream));
  SPARSE_OK(cusparseGetStream(handle, &got));
  TRUE(got == stream);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SPARSE_OK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, sparse.descriptor, dx.descriptor,
                         &beta, dy.descriptor, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
  OK(cudaStreamEndCapture(stream, &graph));
  expect_values(dy.values, std::vector<double>(20, unread), "before the launch");
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  expect_values(dy.values, a.times(x).values, "after the launch");
}

static void descriptors() {
  const Dense a = scattered(7, 5, 60);
  Sparse<double> csr(a, storages[1]);
  int64_t rows, columns, entries, ld;
  void *lines, *indices, *values;
  const void *kept;
  cusparseIndexType_t line_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFormat_t format;
  cusparseOrder_t order;
  SPARSE_OK(cusparseCsrGet(csr.descriptor, &rows, &columns, &entries, &lines, &indices, &values, &line_type,
                           &index_type, &base, &type));
  TRUE(rows == 7 && columns == 5 && entries == (int64_t)csr.entries.values.size());
  TRUE(lines == csr.lines.data() && indices == csr.indices.data() && values == csr.values.data);
  TRUE(line_type == CUSPARSE_INDEX_64I && index_type == CUSPARSE_INDEX_64I &&
       base == CUSPARSE_INDEX_BASE_ONE);
  TRUE(type == CUDA_R_64F);
  SPARSE_OK(cusparseSpMatGetFormat(csr.descriptor, &format));
  SPARSE_OK(cusparseSpMatGetIndexBase(csr.descriptor, &base));
  TRUE(format == CUSPARSE_FORMAT_CSR && base == CUSPARSE_INDEX_BASE_ONE);
  GIVES(cusparseCscGet(csr.descriptor, &rows, &columns, &entries, &lines, &indices, &values, &line_type,
                       &index_type, &base, &type),
        INVALID_VALUE);
  SPARSE_OK(cusparseSpMatSetValues(csr.descriptor, csr.lines.data()));
  SPARSE_OK(cusparseConstSpMatGetValues(csr.descriptor, &kept));
  TRUE(kept == csr.lines.data());

  Block<float> block(a, CUSPARSE_ORDER_ROW);
  SPARSE_OK(cusparseDnMatGet(block.descriptor, &rows, &columns, &ld, &values, &type, &order));
  TRUE(rows == 7 && columns == 5 && ld == 8 && values == block.values.data);
  TRUE(type == CUDA_R_32F && order == CUSPARSE_ORDER_ROW);
  cusparseConstDnVecDescr_t x;
  SPARSE_OK(cusparseCreateConstDnVec(&x, 5, block.values.data, CUDA_R_32F));
  SPARSE_OK(cusparseConstDnVecGet(x, &rows, &kept, &type));
  TRUE(rows == 5 && kept == block.values.data && type == CUDA_R_32F);
  SPARSE_OK(cusparseDestroyDnVec(x));

  cusparseMatDescr_t old;
  SPARSE_OK(cusparseCreateMatDescr(&old));
  TRUE(cusparseGetMatType(old) == CUSPARSE_MATRIX_TYPE_GENERAL);
  SPARSE_OK(cusparseSetMatIndexBase(old, CUSPARSE_INDEX_BASE_ONE));
  TRUE(cusparseGetMatIndexBase(old) == CUSPARSE_INDEX_BASE_ONE);
  GIVES(cusparseSetMatType(old, (cusparseMatrixType_t)4), INVALID_VALUE);
  SPARSE_OK(cusparseDestroyMatDescr(old));
}

/* Wrong arguments of functions that make descriptors. */
static void wrong_descriptions() {
  Device<double> d(std::vector<double>(64, 0));
  void *p = d.data;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr;
  cusparseDnMatDescr_t b = nullptr;
  const auto csr = [&](int64_t rows, int64_t columns, int64_t entries, void *lines, void *indices,
                       cusparseIndexType_t index, int base, cudaDataType type) {
    return cusparseCreateCsr(&a, rows, columns, entries, lines, indices, p, CUSPARSE_INDEX_32I, index,
                             (cusparseIndexBase_t)base, type);
  };
  GIVES(csr(-1, 3, 0, p, p, CUSPARSE_INDEX_32I, 0, CUDA_R_32F), INVALID_VALUE);
  GIVES(csr(3, -1, 0, p, p, CUSPARSE_INDEX_32I, 0, CUDA_R_32F), INVALID_VALUE);
  GIVES(csr(3, 3, -1, p, p, CUSPARSE_INDEX_32I, 0, CUDA_R_32F), INVALID_VALUE);
  GIVES(csr(3, 3, 10, p, p, CUSPARSE_INDEX_32I, 0, CUDA_R_32F), INVALID_VALUE);
  GIVES(csr(3, 3, 1, p, p, CUSPARSE_INDEX_64I, 0, CUDA_R_32F), NOT_SUPPORTED); // offsets of another size
  GIVES(csr(3, 3, 1, p, p, (cusparseIndexType_t)9, 0, CUDA_R_32F), INVALID_VALUE);
  GIVES(csr(3, 3, 1, p, p, CUSPARSE_INDEX_32I, 2, CUDA_R_32F), INVALID_VALUE);
  GIVES(cusparseCreateDnVec(nullptr, 3, p, CUDA_R_32F), INVALID_VALUE);
  GIVES(cusparseCreateDnVec(&x, -1, p, CUDA_R_32F), INVALID_VALUE);
  GIVES(cusparseCreateDnMat(&b, 3, 4, 2, p, CUDA_R_32F, CUSPARSE_ORDER_COL), INVALID_VALUE);
  GIVES(cusparseCreateDnMat(&b, 3, 4, 3, p, CUDA_R_32F, CUSPARSE_ORDER_ROW), INVALID_VALUE);
  GIVES(cusparseCreateDnMat(&b, 3, 4, 4, p, CUDA_R_32F, (cusparseOrder_t)3), INVALID_VALUE);
  TRUE(!a && !x && !b);
  SPARSE_OK(cusparseDestroySpMat(nullptr));
  SPARSE_OK(csr(3, 3, 0, nullptr, nullptr, CUSPARSE_INDEX_32I, 0, CUDA_R_32F)); // the arrays may come later
  SPARSE_OK(cusparseDestroySpMat(a));
  SPARSE_OK(cusparseCreateDnVec(&x, 3, nullptr, CUDA_R_32F));
  SPARSE_OK(cusparseDestroyDnVec(x));
  SPARSE_OK(cusparseCreateDnMat(&b, 3, 4, 4, nullptr, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  SPARSE_OK(cusparseDestroyDnMat(b));
}

/* NVIDIA's library has these types. */
static void missing_types() {
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr;
  Device<double> d(std::vector<double>(8, 0));
  GIVES(cusparseCreateCsr(&a, 3, 3, 1, d.data, d.data, d.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_8I),
        NOT_SUPPORTED);
  GIVES(cusparseCreateDnVec(&x, 3, d.data, CUDA_R_16BF), NOT_SUPPORTED);
  TRUE(!a && !x);
}

/* Wrong arguments of products. */
static void wrong_products() {
  const Sparse<float> csr(scattered(7, 5, 60), storages[0]), coo(scattered(7, 5, 60), storages[5]);
  Vector<float> five(std::vector<double>(5, 1)), seven(std::vector<double>(7, 1));
  Vector<double> other(std::vector<double>(5, 1));
  Device<char> buffer(std::vector<char>(1 << 16, 0)); // at least what NVIDIA's library wants
  const float one = 1;
  const auto product = [&](cusparseHandle_t h, int op, const float *alpha, cusparseSpMatDescr_t a,
                           cusparseDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type, int algorithm) {
    return cusparseSpMV(h, (cusparseOperation_t)op, alpha, a, x, &one, y, type, (cusparseSpMVAlg_t)algorithm,
                        buffer.data);
  };
  const cusparseSpMatDescr_t a = csr.descriptor;
  const cusparseDnVecDescr_t x = five.descriptor, y = seven.descriptor;
  SPARSE_OK(product(handle, 0, &one, a, x, y, CUDA_R_32F, 0));
  SPARSE_OK(product(handle, 1, &one, a, y, x, CUDA_R_32F, 0));
  GIVES(product(nullptr, 0, &one, a, x, y, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 2, &one, a, y, x, CUDA_R_32F, 0), INVALID_VALUE); // conjugates of real numbers
  GIVES(product(handle, 3, &one, a, x, y, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 0, nullptr, a, x, y, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 0, &one, nullptr, x, y, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 0, &one, a, nullptr, y, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 0, &one, a, y, x, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 1, &one, a, x, y, CUDA_R_32F, 0), INVALID_VALUE);
  GIVES(product(handle, 0, &one, a, x, y, CUDA_R_64F, 0), NOT_SUPPORTED);
  GIVES(product(handle, 0, &one, a, other.descriptor, y, CUDA_R_32F, 0), NOT_SUPPORTED);
  GIVES(product(handle, 0, &one, a, x, y, CUDA_R_32F, CUSPARSE_SPMV_COO_ALG1), INVALID_VALUE);
  GIVES(product(handle, 0, &one, coo.descriptor, x, y, CUDA_R_32F, CUSPARSE_SPMV_CSR_ALG1), INVALID_VALUE);

  Block<float> b(Dense(5, 4), CUSPARSE_ORDER_COL), c(Dense(7, 4), CUSPARSE_ORDER_ROW);
  const auto block = [&](int op, int opB, cusparseDnMatDescr_t left, cusparseDnMatDescr_t right) {
    return cusparseSpMM(handle, (cusparseOperation_t)op, (cusparseOperation_t)opB, &one, a, left, &one, right,
                        CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer.data);
  };
  SPARSE_OK(block(0, 0, b.descriptor, c.descriptor));
  GIVES(block(0, 1, b.descriptor, c.descriptor), INVALID_VALUE);
  GIVES(block(1, 0, b.descriptor, c.descriptor), INVALID_VALUE);
  GIVES(block(0, 4, b.descriptor, c.descriptor), INVALID_VALUE);
  GIVES(block(0, 2, b.descriptor, c.descriptor), INVALID_VALUE);
  GIVES(block(0, 0, b.descriptor, nullptr), INVALID_VALUE);
  GIVES(cusparseDenseToSparse_analysis(handle, b.descriptor, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr),
        INVALID_VALUE);
}

static void handles() {
  int version = 0, part = 0;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
  SPARSE_OK(cusparseGetVersion(handle, &version));
  TRUE(version == CUSPARSE_VERSION);
  SPARSE_OK(cusparseGetProperty(MAJOR_VERSION, &part));
  TRUE(part == CUSPARSE_VER_MAJOR);
  SPARSE_OK(cusparseGetPointerMode(handle, &mode));
  TRUE(mode == CUSPARSE_POINTER_MODE_HOST);
  GIVES(cusparseSetPointerMode(handle, (cusparsePointerMode_t)2), INVALID_VALUE);
  GIVES(cusparseSetPointerMode(nullptr, mode), INVALID_VALUE);
  GIVES(cusparseCreate(nullptr), INVALID_VALUE);
  TRUE(strcmp(cusparseGetErrorName(CUSPARSE_STATUS_NOT_SUPPORTED), "CUSPARSE_STATUS_NOT_SUPPORTED") == 0);
  TRUE(strcmp(cusparseGetErrorString(CUSPARSE_STATUS_INVALID_VALUE), "invalid value") == 0);
}

template <void (*PART)()> static void with_handle() {
  SPARSE_OK(cusparseCreate(&handle));
  PART();
  SPARSE_OK(cusparseDestroy(handle));
}

int main() {
  return run_parts({{"handles", with_handle<handles>},
                    {"descriptors", with_handle<descriptors>},
                    {"vectors, single", with_handle<vectors<float>>},
                    {"vectors, double", with_handle<vectors<double>>},
                    {"matrices, single", with_handle<matrices<float>>},
                    {"matrices, double", with_handle<matrices<double>>},
                    {"conversions, single", with_handle<conversions<float>>},
                    {"conversions, double", with_handle<conversions<double>>},
                    {"empty matrices", with_handle<empty>},
                    {"streams", with_handle<streams>},
                    {"wrong descriptions", with_handle<wrong_descriptions>},
                    {"missing types", with_handle<missing_types>},
                    {"wrong products", with_handle<wrong_products>}});
}
