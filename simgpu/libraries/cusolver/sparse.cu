/* The functions of cusolverSp.h. The host computes all of them, those for the device on copies. */
#include "sparse.h"

#include "handle.h"

#include <cusparse.h>
#include <stdlib.h>

struct cusolverSpContext {
  cudaStream_t stream;
};

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle) {
  CHECK(handle);
  CHECK_STATUS(cudaFree(NULL) == cudaSuccess, CUSOLVER_STATUS_NOT_INITIALIZED);
  *handle = new cusolverSpContext();
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  CHECK_HANDLE(handle);
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  CHECK_HANDLE(handle);
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream) {
  CHECK_HANDLE(handle);
  CHECK(stream);
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

/* --- orders --- */

typedef std::vector<int> (*order_function)(const sparse_graph &);

static cusolverStatus_t order(cusolverSpHandle_t handle, order_function method, int n,
                              cusparseMatDescr_t descr, const int *pointers, const int *columns, int *p) {
  CHECK_HANDLE(handle);
  CHECK(n >= 0 && descr && pointers && columns && p);
  const std::vector<int> rows = method(sparse_graph_of(n, pointers, columns, cusparseGetMatIndexBase(descr)));
  std::copy(rows.begin(), rows.end(), p);
  return CUSOLVER_STATUS_SUCCESS;
}

#define ORDER(NAME, method)                                                                                  \
  cusolverStatus_t cusolverSpXcsr##NAME##Host(cusolverSpHandle_t handle, int n, int,                         \
                                              const cusparseMatDescr_t descr, const int *pointers,           \
                                              const int *columns, int *p) {                                  \
    return order(handle, method, n, descr, pointers, columns, p);                                            \
  }
ORDER(symrcm, sparse_cuthill_mckee)
ORDER(symmdq, sparse_minimum_degree)
ORDER(symamd, sparse_minimum_degree)

/* METIS's options have no effect. */
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int,
                                           const cusparseMatDescr_t descr, const int *pointers,
                                           const int *columns, const int64_t *, int *p) {
  return order(handle, sparse_nested_dissection, n, descr, pointers, columns, p);
}

/* Whether each entry (i, j) has its (j, i). The rows may end before the next one begins. */
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int,
                                         const cusparseMatDescr_t descr, const int *begins, const int *ends,
                                         const int *columns, int *issym) {
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && descr && begins && ends && columns && issym);
  const int base = cusparseGetMatIndexBase(descr);
  std::vector<std::pair<int, int>> entries, mirrored;
  for (int i = 0; i < m; i++)
    for (int k = begins[i] - base; k < ends[i] - base; k++) {
      entries.push_back({i, columns[k] - base});
      mirrored.push_back({columns[k] - base, i});
    }
  std::sort(entries.begin(), entries.end());
  std::sort(mirrored.begin(), mirrored.end());
  *issym = entries == mirrored;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int, int, int nnz,
                                                   const cusparseMatDescr_t, const int *, const int *,
                                                   const int *, const int *, size_t *size) {
  CHECK_HANDLE(handle);
  CHECK(size && nnz >= 0);
  *size = sizeof(int); /* none is needed */
  return CUSOLVER_STATUS_SUCCESS;
}

/* B = A(p, q), in place; the entries of a row become sorted. map is permuted as the values have to be. */
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                        const cusparseMatDescr_t descr, int *pointers, int *columns,
                                        const int *p, const int *q, int *map, void *buffer) {
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && n >= 0 && descr && pointers && columns && p && q && map && buffer);
  const int base = cusparseGetMatIndexBase(descr);
  std::vector<int> place(n), old_pointers(pointers, pointers + m + 1), old_map(map, map + nnz);
  const std::vector<int> old_columns(columns, columns + nnz);
  for (int j = 0; j < n; j++)
    place[q[j]] = j;
  int to = 0;
  for (int i = 0; i < m; i++) {
    std::vector<std::pair<int, int>> row;
    for (int k = old_pointers[p[i]] - base; k < old_pointers[p[i] + 1] - base; k++)
      row.push_back({place[old_columns[k] - base], old_map[k]});
    std::sort(row.begin(), row.end());
    pointers[i] = to + base;
    for (const auto &entry : row) {
      columns[to] = entry.first + base;
      map[to++] = entry.second;
    }
  }
  pointers[m] = to + base;
  return CUSOLVER_STATUS_SUCCESS;
}

/* --- systems --- */

static double to_wide(float x) { return x; }
static double to_wide(double x) { return x; }
static std::complex<double> to_wide(cuComplex x) { return {x.x, x.y}; }
static std::complex<double> to_wide(cuDoubleComplex x) { return {x.x, x.y}; }
template <typename R> static void from_wide(R &to, double x) { to = (R)x; }
template <typename C> static void from_wide(C &to, std::complex<double> x) {
  to.x = (decltype(to.x))x.real();
  to.y = (decltype(to.y))x.imag();
}
template <typename T> using wide_of = decltype(to_wide(T()));

/* A matrix and the vectors of a system, on the host. */
template <typename T> struct system_data {
  int m, n, base;
  const int *pointers, *columns;
  const T *values, *b;
  T *x;
};

/* Rows p of A, with the columns in the same order; equal entries are added up. place: of each column. */
template <typename T>
static sparse_rows<wide_of<T>> rows_of(const system_data<T> &s, const std::vector<int> &p,
                                       const std::vector<int> &place) {
  sparse_rows<wide_of<T>> rows(s.m);
  for (int i = 0; i < s.m; i++) {
    sparse_row<wide_of<T>> &row = rows[i];
    for (int k = s.pointers[p[i]] - s.base; k < s.pointers[p[i] + 1] - s.base; k++)
      row.push_back({place[s.columns[k] - s.base], to_wide(s.values[k])});
    std::sort(row.begin(), row.end(), [](const auto &a, const auto &b) { return a.column < b.column; });
    size_t used = 0;
    for (size_t k = 0; k < row.size(); k++)
      if (used && row[used - 1].column == row[k].column)
        row[used - 1].value += row[k].value;
      else
        row[used++] = row[k];
    row.resize(used);
  }
  return rows;
}

/* The Hermitian matrix of the lower triangle of A, in the order p. */
template <typename T>
static sparse_rows<wide_of<T>> hermitian_rows(const system_data<T> &s, const std::vector<int> &place) {
  sparse_rows<wide_of<T>> rows(s.n);
  for (int i = 0; i < s.n; i++)
    for (int k = s.pointers[i] - s.base; k < s.pointers[i + 1] - s.base; k++) {
      const int j = s.columns[k] - s.base;
      if (j > i)
        continue;
      rows[place[i]].push_back({place[j], to_wide(s.values[k])});
      if (j != i)
        rows[place[j]].push_back({place[i], sparse_conjugate(to_wide(s.values[k]))});
    }
  return rows;
}

enum method { LU, QR, CHOLESKY };

/* Solves, and reports the first column without a usable pivot, in the order of the elimination. */
template <typename T>
static void solve(const system_data<T> &s, method how, double tolerance, int reorder, int *singularity) {
  typedef wide_of<T> W;
  const std::vector<int> p = sparse_order(sparse_graph_of(s.n, s.pointers, s.columns, s.base), reorder);
  std::vector<int> place(s.n);
  std::vector<W> b(s.m), x;
  for (int i = 0; i < s.n; i++)
    place[p[i]] = i;
  for (int i = 0; i < s.m; i++)
    b[i] = to_wide(s.b[s.m == s.n ? p[i] : i]);
  if (how == QR) {
    const sparse_qr<W> factors(rows_of(s, p, place), s.n, b);
    *singularity = factors.singularity(tolerance);
    x = factors.solve();
  } else {
    const sparse_lu<W> factors(how == LU ? rows_of(s, p, place) : hermitian_rows(s, place), how == LU);
    *singularity = how == LU ? factors.singularity(tolerance) : factors.indefinite(tolerance);
    x = factors.solve(b);
  }
  for (int i = 0; i < s.n; i++)
    from_wide(s.x[p[i]], x[i]);
}

/* Host copies of arrays of the device. */
template <typename T> static std::vector<T> fetch(cusolverSpHandle_t handle, const T *device, size_t count) {
  std::vector<T> host(count);
  cudaMemcpyAsync(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost, handle->stream);
  cudaStreamSynchronize(handle->stream);
  return host;
}

template <typename T>
static cusolverStatus_t lsv(cusolverSpHandle_t handle, method how, bool on_device, int n, int nnz,
                            cusparseMatDescr_t descr, const T *values, const int *pointers,
                            const int *columns, const T *b, double tolerance, int reorder, T *x,
                            int *singularity) {
  CHECK_HANDLE(handle);
  CHECK(n >= 0 && nnz >= 0 && descr && values && pointers && columns && b && x && singularity);
  CHECK(reorder >= 0 && reorder <= 3);
  CHECK_STATUS(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_GENERAL,
               CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  system_data<T> s = {n, n, (int)cusparseGetMatIndexBase(descr), pointers, columns, values, b, x};
  if (!on_device) {
    solve(s, how, tolerance, reorder, singularity);
    return CUSOLVER_STATUS_SUCCESS;
  }
  const std::vector<int> host_pointers = fetch(handle, pointers, n + 1),
                         host_columns = fetch(handle, columns, nnz);
  const std::vector<T> host_values = fetch(handle, values, nnz), host_b = fetch(handle, b, n);
  CHECK_STATUS(cudaPeekAtLastError() == cudaSuccess, CUSOLVER_STATUS_EXECUTION_FAILED);
  std::vector<T> host_x(n);
  s = {n,
       n,
       s.base,
       host_pointers.data(),
       host_columns.data(),
       host_values.data(),
       host_b.data(),
       host_x.data()};
  solve(s, how, tolerance, reorder, singularity);
  cudaMemcpyAsync(x, host_x.data(), n * sizeof(T), cudaMemcpyHostToDevice, handle->stream);
  cudaStreamSynchronize(handle->stream);
  return handle_result();
}

#define LSV(P, T, R, NAME, how, on_device)                                                                   \
  cusolverStatus_t cusolverSp##P##csrlsv##NAME(cusolverSpHandle_t handle, int n, int nnz,                    \
                                               const cusparseMatDescr_t descr, const T *values,              \
                                               const int *pointers, const int *columns, const T *b,          \
                                               R tolerance, int reorder, T *x, int *singularity) {           \
    return lsv(handle, how, on_device, n, nnz, descr, values, pointers, columns, b, tolerance, reorder, x,   \
               singularity);                                                                                 \
  }
#define SYSTEMS(P, T, R)                                                                                     \
  LSV(P, T, R, luHost, LU, false)                                                                            \
  LSV(P, T, R, qrHost, QR, false)                                                                            \
  LSV(P, T, R, cholHost, CHOLESKY, false)                                                                    \
  LSV(P, T, R, qr, QR, true)                                                                                 \
  LSV(P, T, R, chol, CHOLESKY, true)
SYSTEMS(S, float, float)
SYSTEMS(D, double, double)
SYSTEMS(C, cuComplex, float)
SYSTEMS(Z, cuDoubleComplex, double)

/* --- batches of systems with the same places of entries; also least squares --- */

struct csrqrInfo {
  int m, n, nnz;
  bool is_analysed;
};

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *info) {
  CHECK(info);
  *info = new csrqrInfo();
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) {
  CHECK(info);
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                 const cusparseMatDescr_t descr, const int *pointers,
                                                 const int *columns, csrqrInfo_t info) {
  CHECK_HANDLE(handle);
  CHECK(m >= n && n >= 0 && nnz >= 0 && descr && pointers && columns && info);
  *info = {m, n, nnz, true};
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename T>
static cusolverStatus_t qr_batched(cusolverSpHandle_t handle, cusparseMatDescr_t descr, const T *values,
                                   const int *pointers, const int *columns, const T *b, T *x, int batches,
                                   const csrqrInfo *info) {
  const int m = info->m, n = info->n, nnz = info->nnz;
  const std::vector<int> host_pointers = fetch(handle, pointers, m + 1),
                         host_columns = fetch(handle, columns, nnz);
  const std::vector<T> host_values = fetch(handle, values, (size_t)nnz * batches),
                       host_b = fetch(handle, b, (size_t)m * batches);
  CHECK_STATUS(cudaPeekAtLastError() == cudaSuccess, CUSOLVER_STATUS_EXECUTION_FAILED);
  std::vector<T> host_x((size_t)n * batches);
  std::vector<int> p(m), place(n);
  for (int i = 0; i < m; i++)
    p[i] = i;
  std::copy(p.begin(), p.begin() + n, place.begin());
  for (int k = 0; k < batches; k++) {
    const system_data<T> s = {m,
                              n,
                              (int)cusparseGetMatIndexBase(descr),
                              host_pointers.data(),
                              host_columns.data(),
                              &host_values[(size_t)nnz * k],
                              nullptr,
                              nullptr};
    std::vector<wide_of<T>> right(m);
    for (int i = 0; i < m; i++)
      right[i] = to_wide(host_b[(size_t)m * k + i]);
    const std::vector<wide_of<T>> result = sparse_qr<wide_of<T>>(rows_of(s, p, place), n, right).solve();
    for (int i = 0; i < n; i++)
      from_wide(host_x[(size_t)n * k + i], result[i]);
  }
  cudaMemcpyAsync(x, host_x.data(), host_x.size() * sizeof(T), cudaMemcpyHostToDevice, handle->stream);
  cudaStreamSynchronize(handle->stream);
  return handle_result();
}

#define BATCHED(P, T)                                                                                        \
  cusolverStatus_t cusolverSp##P##csrqrBufferInfoBatched(                                                    \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr, const T *values,     \
      const int *pointers, const int *columns, int batches, csrqrInfo_t info, size_t *internal,              \
      size_t *workspace) {                                                                                   \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(descr &&values &&pointers &&columns &&batches >= 0 && info && internal && workspace);              \
    CHECK(info->is_analysed &&m == info->m && n == info->n && nnz == info->nnz);                             \
    *internal = *workspace = sizeof(T); /* the host has its own */                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverSp##P##csrqrsvBatched(cusolverSpHandle_t handle, int m, int n, int nnz,           \
                                                 const cusparseMatDescr_t descr, const T *values,            \
                                                 const int *pointers, const int *columns, const T *b, T *x,  \
                                                 int batches, csrqrInfo_t info, void *buffer) {              \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(descr &&values &&pointers &&columns &&b &&x &&batches >= 0 && info && buffer);                     \
    CHECK(info->is_analysed &&m == info->m && n == info->n && nnz == info->nnz);                             \
    return qr_batched(handle, descr, values, pointers, columns, b, x, batches, info);                        \
  }
BATCHED(S, float)
BATCHED(D, double)
BATCHED(C, cuComplex)
BATCHED(Z, cuDoubleComplex)
