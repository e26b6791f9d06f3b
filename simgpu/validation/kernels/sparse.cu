// Sparse products and graphs. The matrix: rows of 0 to 20 entries, in compressed rows (CSR).
#include "harness.h"

enum { ROWS = 150, COLUMNS = 120, WIDTH = 20, PAIRS = ROWS * WIDTH };

template <class T> struct Matrix {
  Array<int> start; // of each row in column and value
  Array<int> column;
  Array<T> value;
  Matrix(T low, T high)
      : start(ROWS + 1,
              [end = 0](int) mutable {
                int at = end;
                end += next_random() % (WIDTH + 1);
                return at;
              }),
        column(start[ROWS], 0, COLUMNS - 1), value(start[ROWS], low, high) {}
};

template <class T>
__global__ void csr_by_thread(const int *start, const int *column, const T *value, const T *x, T *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= ROWS)
    return;
  T sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

// Eight lanes per row: N. Bell, M. Garland, "Implementing sparse matrix-vector multiplication on
// throughput-oriented processors", SC 2009.
__global__ void csr_by_group(const int *start, const int *column, const float *value, const float *x,
                             float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  float sum = 0;
  if (row < ROWS)
    for (int k = start[row] + lane; k < start[row + 1]; k += 8)
      sum += value[k] * x[column[k]];
  for (int step = 4; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step, 8);
  if (row < ROWS && lane == 0)
    y[row] = sum;
}

// ELL: entry k of every row side by side.
__global__ void ell(int rows, const int *column, const float *value, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < WIDTH; k++)
    if (column[k * rows + row] >= 0)
      sum += value[k * rows + row] * x[column[k * rows + row]];
  y[row] = sum;
}

// Coordinate format: one atomic addition per entry, of integers, so that the order does not matter.
__global__ void coordinates(int n, const int *row, const int *column, const int *value, const int *x,
                            int *y) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n)
    atomicAdd(&y[row[k]], value[k] * x[column[k]]);
}

// Breadth-first search, one level per launch; `level` is -1 for vertices not visited yet.
__global__ void next_level(const int *start, const int *neighbour, int depth, int *level) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= COLUMNS || level[v] != depth)
    return;
  for (int k = start[v]; k < start[v + 1]; k++)
    atomicCAS(&level[neighbour[k]], -1, depth + 1);
}

template <class T> static T row_times(const Matrix<T> &a, const Array<T> &x, int row) {
  T sum = 0;
  for (int k = a.start[row]; k < a.start[row + 1]; k++)
    sum += a.value[k] * x[a.column[k]];
  return sum;
}

template <class T> static void test_csr() {
  Matrix<T> a(-1, 1);
  Array<T> x(COLUMNS, -1, 1), y(ROWS);
  csr_by_thread<T><<<ceil_div(ROWS, 64), 64>>>(a.start, a.column, a.value, x, y);
  check(y, [&](int row) { return row_times(a, x, row); });
}
TEST(csr_float) { test_csr<float>(); }
TEST(csr_double) { test_csr<double>(); }
TEST(csr_by_group) {
  Matrix<float> a(-1, 1);
  Array<float> x(COLUMNS, -1, 1), y(ROWS);
  csr_by_group<<<ceil_div(ROWS * 8, 96), 96>>>(a.start, a.column, a.value, x, y);
  check_near(y, WIDTH * 0x1p-23, [&](int row) { return row_times(a, x, row); });
}
TEST(ell) {
  Array<int> column(PAIRS, -5, COLUMNS - 1);
  Array<float> value(PAIRS, -1, 1), x(COLUMNS, -1, 1), y(ROWS);
  ell<<<ceil_div(ROWS, 128), 128>>>(ROWS, column, value, x, y);
  check(y, [&](int row) {
    float sum = 0;
    for (int k = row; k < PAIRS; k += ROWS)
      sum += column[k] >= 0 ? value[k] * x[column[k]] : 0;
    return sum;
  });
}
TEST(coordinates) {
  Array<int> row(PAIRS, 0, ROWS - 1), column(PAIRS, 0, COLUMNS - 1), value(PAIRS, -9, 9), x(COLUMNS, -99, 99),
      y(ROWS);
  coordinates<<<ceil_div(PAIRS, 224), 224>>>(PAIRS, row, column, value, x, y);
  check(y, [&](int at) {
    int sum = 0;
    for (int k = 0; k < PAIRS; k++)
      sum += row[k] == at ? value[k] * x[column[k]] : 0;
    return sum;
  });
}
TEST(breadth_first) {
  Matrix<int> graph(0, 0);
  Array<int> level(COLUMNS, [](int v) { return v == 3 ? 0 : -1; });
  int wanted[COLUMNS];
  memcpy(wanted, level.initial, sizeof wanted);
  for (int depth = 0; depth < 5; depth++) {
    next_level<<<ceil_div(COLUMNS, 32), 32>>>(graph.start, graph.column, depth, level);
    for (int v = 0; v < COLUMNS; v++)
      for (int k = graph.start[v]; wanted[v] == depth && k < graph.start[v + 1]; k++)
        if (wanted[graph.column[k]] < 0)
          wanted[graph.column[k]] = depth + 1;
  }
  check(level, [&](int v) { return wanted[v]; });
}
