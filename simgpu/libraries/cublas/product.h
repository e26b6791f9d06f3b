/* C = alpha A B + beta C, the kernel of all products of two matrices. */
#pragma once

#include "../cublas/matrix.h"

/* The matrices of a batch: by an array of addresses, or at a distance from each other. */
template <typename T> struct batch {
  T *data;
  T *const *addresses; /* or NULL */
  long long distance;
  __device__ T *get() const { return addresses ? addresses[blockIdx.z] : data + blockIdx.z * distance; }
};

template <typename T> batch<T> product_single(T *data) { return {data, nullptr, 0}; }

/* The part of C that is computed. */
struct product_part {
  bool lower, upper;
};
static const product_part product_all = {true, true};
static inline product_part product_triangle(cublasFillMode_t part) {
  return {part == CUBLAS_FILL_MODE_LOWER, part == CUBLAS_FILL_MODE_UPPER};
}

/* op(A) of any matrix, as an operand. Operands give element (i, j) in the accumulator's type, and say whether
 * neighbouring threads ought to read along a row. */
template <typename A, typename T> struct operand {
  batch<const T> matrices;
  long long ld;
  bool transposed, conjugated;
  __device__ void choose() { matrices.data = matrices.get(); }
  __device__ bool by_rows() const { return transposed; }
  __device__ A at(int i, int j) const {
    return conjugate_if(conjugated, (A)(transposed ? matrices.data[j + i * ld] : matrices.data[i + j * ld]));
  }
};

template <typename A, typename T>
operand<A, T> make_operand(batch<const T> matrices, long long ld, cublasOperation_t op) {
  return {matrices, ld, op != CUBLAS_OP_N, op == CUBLAS_OP_C};
}

/* A view of matrix.h as an operand. */
template <typename A, typename V> struct viewed {
  V view;
  __device__ void choose() {}
  __device__ bool by_rows() const { return false; }
  __device__ A at(int i, int j) const { return view.at(i, j); }
};

/* Where the sums go: C = alpha times them + beta C. begin() says whether they are needed. C may hold anything if
 * beta is 0. */
template <typename A, typename O> struct product_results {
  scalar<A> alpha, beta;
  batch<O> results;
  long long ld;
  product_part part;
  A a, b;
  O *C;
  __device__ bool skips(int first_row, int first_column, int tile) const {
    return (!part.upper && first_row + tile <= first_column) ||
           (!part.lower && first_column + tile <= first_row);
  }
  __device__ bool begin() {
    a = alpha.get();
    b = beta.get();
    C = results.get();
    return a != A();
  }
  __device__ void put(int row, int column, A sum) const {
    if ((row > column && !part.lower) || (row < column && !part.upper))
      return;
    O &c = C[row + column * ld];
    c = (O)(b == A() ? a * sum : a * sum + b * (A)c);
  }
};

/* A block computes TILE x TILE elements of C, a thread PER x PER of them, DEPTH columns of A at a time. */
template <typename A, typename L, typename R, typename S, int PER>
__global__ void __launch_bounds__(256) product(int m, int n, int k, L left, R right, S results) {
  enum { SIDE = 16, TILE = SIDE * PER, DEPTH = 16, THREADS = SIDE * SIDE };
  __shared__ A rows[DEPTH][TILE + 1], columns[DEPTH][TILE + 1];
  const int tid = threadIdx.x, x = tid % SIDE, y = tid / SIDE;
  const int first_row = blockIdx.x * TILE, first_column = blockIdx.y * TILE;
  if (results.skips(first_row, first_column, TILE))
    return;
  const bool is_needed = results.begin();
  A sum[PER][PER] = {};
  left.choose();
  right.choose();
  for (int start = 0; start < k && is_needed; start += DEPTH) {
    for (int e = tid; e < TILE * DEPTH; e += THREADS) {
      int i = left.by_rows() ? e / DEPTH : e % TILE, d = left.by_rows() ? e % DEPTH : e / TILE;
      rows[d][i] = first_row + i < m && start + d < k ? left.at(first_row + i, start + d) : A();
      i = right.by_rows() ? e % TILE : e / DEPTH, d = right.by_rows() ? e / TILE : e % DEPTH;
      columns[d][i] = first_column + i < n && start + d < k ? right.at(start + d, first_column + i) : A();
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DEPTH; d++)
#pragma unroll
      for (int i = 0; i < PER; i++)
#pragma unroll
        for (int j = 0; j < PER; j++)
          sum[i][j] += rows[d][x + i * SIDE] * columns[d][y + j * SIDE];
    __syncthreads();
  }
  for (int j = 0; j < PER; j++)
    for (int i = 0; i < PER; i++) {
      const int row = first_row + x + i * SIDE, column = first_column + y + j * SIDE;
      if (row < m && column < n)
        results.put(row, column, sum[i][j]);
    }
}

/* Launches it with tiles that suit the size; A: the type of the sums. */
template <typename A, typename L, typename R, typename S>
cublasStatus_t product_run(cudaStream_t stream, int m, int n, int k, L left, R right, S results,
                           int batches) {
  if (m == 0 || n == 0 || batches == 0)
    return CUBLAS_STATUS_SUCCESS;
  const bool small = m <= 32 || n <= 32;
  const int tile = small ? 16 : 64;
  const dim3 grid((m + tile - 1) / tile, (n + tile - 1) / tile, batches);
  if (small)
    product<A, L, R, S, 1><<<grid, 256, 0, stream>>>(m, n, k, left, right, results);
  else
    product<A, L, R, S, 4><<<grid, 256, 0, stream>>>(m, n, k, left, right, results);
  return handle_launched();
}

template <typename A, typename O, typename L, typename R>
cublasStatus_t product_launch(cublasHandle_t handle, int m, int n, int k, scalar<A> alpha, L left, R right,
                              scalar<A> beta, batch<O> results, long long ld, product_part part,
                              int batches) {
  return product_run<A>(handle->stream, m, n, k, left, right,
                        product_results<A, O>{alpha, beta, results, ld, part}, batches);
}
