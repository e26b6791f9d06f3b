/* Sparse matrices of cusolverSp.h on the host: orders of rows and columns, and direct solvers in double precision. */
#pragma once

#define DISABLE_CUSOLVER_DEPRECATED
#include <cusolverSp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <queue>
#include <vector>

/* Rows in the order of the matrix, with indices from 0. T is double or std::complex<double>. */
template <typename T> struct sparse_entry {
  int column;
  T value;
};
template <typename T> using sparse_row = std::vector<sparse_entry<T>>;
template <typename T> using sparse_rows = std::vector<sparse_row<T>>;

/* The neighbours of each row in the graph of A + A^T, without the row itself. */
typedef std::vector<std::vector<int>> sparse_graph;
sparse_graph sparse_graph_of(int n, const int *pointers, const int *columns, int base);

/* Orders of the rows: entry k is the row that comes k-th. */
std::vector<int> sparse_cuthill_mckee(const sparse_graph &graph); /* reversed */
std::vector<int> sparse_minimum_degree(const sparse_graph &graph);
std::vector<int> sparse_nested_dissection(const sparse_graph &graph);
/* 0 to 3, as the argument `reorder` of cusolverSp.h. */
std::vector<int> sparse_order(const sparse_graph &graph, int reorder);

/* A x = b by rotations of rows (A. George and M. Heath, "Solution of sparse linear least squares problems using Givens
 * rotations", 1980); least squares if there are more rows than columns. */
template <typename T> struct sparse_qr {
  sparse_rows<T> r; /* row j begins at column j, or is empty */
  std::vector<T> y;
  sparse_qr(const sparse_rows<T> &rows, int columns, const std::vector<T> &b);
  int singularity(
      double tolerance) const; /* the first diagonal element that is at most the tolerance, or -1 */
  std::vector<T> solve() const;
};

/* A = L U by rows, where a column is the pivot of each row and U has ones there. */
template <typename T> struct sparse_lu {
  sparse_rows<T> lower, upper; /* `column` of lower: the step; the last entry is the diagonal */
  std::vector<int> pivot;      /* column of each step */
  sparse_lu(const sparse_rows<T> &rows, bool pivots);
  int singularity(double tolerance) const; /* the first pivot that is at most the tolerance, or -1 */
  int indefinite(
      double tolerance) const; /* the same for the square roots of the pivots, which Cholesky's factor has */
  std::vector<T> solve(const std::vector<T> &b) const;
};

static inline double sparse_conjugate(double x) { return x; }
static inline std::complex<double> sparse_conjugate(std::complex<double> x) { return std::conj(x); }

/* Rotates two rows that begin at the same column, so that the second one loses that element. */
template <typename T> void sparse_rotate(sparse_row<T> &a, sparse_row<T> &b, T &ya, T &yb) {
  const double length = std::hypot(std::abs(a[0].value), std::abs(b[0].value));
  const T c = a[0].value / length, s = b[0].value / length;
  sparse_row<T> first, second;
  size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    const int in_a = i < a.size() ? a[i].column : INT32_MAX, in_b = k < b.size() ? b[k].column : INT32_MAX;
    const int column = std::min(in_a, in_b);
    const T x = in_a == column ? a[i++].value : T(0), z = in_b == column ? b[k++].value : T(0);
    first.push_back({column, sparse_conjugate(c) * x + sparse_conjugate(s) * z});
    if (first.size() > 1) /* the leading one is zero */
      second.push_back({column, c * z - s * x});
  }
  const T old = ya;
  ya = sparse_conjugate(c) * ya + sparse_conjugate(s) * yb;
  yb = c * yb - s * old;
  a.swap(first);
  b.swap(second);
}

template <typename T>
sparse_qr<T>::sparse_qr(const sparse_rows<T> &rows, int columns, const std::vector<T> &b)
    : r(columns), y(columns) {
  for (size_t i = 0; i < rows.size(); i++) {
    sparse_row<T> row = rows[i];
    T right = b[i];
    while (!row.empty()) {
      const int j = row[0].column;
      if (row[0].value == T(0)) {
        row.erase(row.begin());
      } else if (r[j].empty()) {
        r[j].swap(row);
        y[j] = right;
        break;
      } else {
        sparse_rotate(r[j], row, y[j], right);
      }
    }
  }
}

template <typename T> int sparse_qr<T>::singularity(double tolerance) const {
  for (size_t j = 0; j < r.size(); j++)
    if (r[j].empty() || std::abs(r[j][0].value) <= tolerance)
      return (int)j;
  return -1;
}

template <typename T> std::vector<T> sparse_qr<T>::solve() const {
  std::vector<T> x(y);
  for (size_t j = r.size(); j-- > 0;) {
    for (size_t k = 1; k < r[j].size(); k++)
      x[j] -= r[j][k].value * x[r[j][k].column];
    x[j] = r[j].empty() ? T(NAN) : x[j] / r[j][0].value;
  }
  return x;
}

enum { SPARSE_UNUSED = -1 };

/* The pivot's column for row k, among those without a step. The diagonal is preferred, which keeps the order of the
 * rows, if it is at least a tenth of the largest element. */
template <typename T>
int sparse_pivot(int k, bool pivots, const std::vector<int> &columns, const std::vector<int> &step,
                 const std::vector<T> &row) {
  int best = step[k] == SPARSE_UNUSED ? k : SPARSE_UNUSED;
  double largest = 0;
  for (int column : columns)
    if (step[column] == SPARSE_UNUSED)
      largest = std::max(largest, std::abs(row[column]));
  if (pivots && (best == SPARSE_UNUSED || std::abs(row[best]) < 0.1 * largest))
    for (int column : columns)
      if (step[column] == SPARSE_UNUSED && std::abs(row[column]) == largest)
        best = column;
  for (int c = 0; best == SPARSE_UNUSED; c++) /* a row of zeros: any column that is left */
    best = step[c] == SPARSE_UNUSED ? c : SPARSE_UNUSED;
  return best;
}

template <typename T>
sparse_lu<T>::sparse_lu(const sparse_rows<T> &rows, bool pivots) : lower(rows.size()), upper(rows.size()) {
  const int n = (int)rows.size();
  std::vector<int> step(n, SPARSE_UNUSED); /* of each column */
  std::vector<T> row(n);
  std::vector<char> is_used(n);
  for (int k = 0; k < n; k++) {
    std::priority_queue<int, std::vector<int>, std::greater<int>> steps;
    std::vector<int> columns;
    auto add = [&](int column, T value) {
      if (!is_used[column]) {
        is_used[column] = 1;
        columns.push_back(column);
        if (step[column] != SPARSE_UNUSED)
          steps.push(step[column]);
      }
      row[column] += value;
    };
    for (const sparse_entry<T> &e : rows[k])
      add(e.column, e.value);
    for (; !steps.empty(); steps.pop()) {
      const int s = steps.top();
      const T factor = row[pivot[s]];
      lower[k].push_back({s, factor});
      for (const sparse_entry<T> &e : upper[s])
        add(e.column, -factor * e.value);
    }
    const int best = sparse_pivot(k, pivots, columns, step, row);
    step[best] = k;
    pivot.push_back(best);
    lower[k].push_back({k, row[best]});
    for (int column : columns)
      if (step[column] == SPARSE_UNUSED && row[column] != T(0))
        upper[k].push_back({column, row[column] / row[best]});
    for (int column : columns) {
      is_used[column] = 0;
      row[column] = 0;
    }
  }
}

template <typename T> int sparse_lu<T>::singularity(double tolerance) const {
  for (size_t k = 0; k < lower.size(); k++)
    if (!(std::abs(lower[k].back().value) > tolerance))
      return (int)k;
  return -1;
}

template <typename T> int sparse_lu<T>::indefinite(double tolerance) const {
  for (size_t k = 0; k < lower.size(); k++)
    if (!(std::real(lower[k].back().value) > 0 && std::sqrt(std::real(lower[k].back().value)) > tolerance))
      return (int)k;
  return -1;
}

template <typename T> std::vector<T> sparse_lu<T>::solve(const std::vector<T> &b) const {
  std::vector<T> z(b), x(b.size());
  for (size_t k = 0; k < lower.size(); k++) {
    for (size_t i = 0; i + 1 < lower[k].size(); i++)
      z[k] -= lower[k][i].value * z[lower[k][i].column];
    z[k] /= lower[k].back().value;
  }
  for (size_t k = lower.size(); k-- > 0;) {
    x[pivot[k]] = z[k];
    for (const sparse_entry<T> &e : upper[k])
      x[pivot[k]] -= e.value * x[e.column];
  }
  return x;
}
