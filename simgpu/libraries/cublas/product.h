/* C = alpha A B + beta C, the kernel of all products of two matrices. */
#pragma once

#include "matrix.h"

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

/* A block computes TILE x TILE elements of C, a thread PER x PER of them, DEPTH columns of A at a time. */
template <typename A, typename O, typename L, typename R, int PER>
__global__ void __launch_bounds__(256)
    product(int m, int n, int k, scalar<A> alpha, L left, R right, scalar<A> beta, batch<O> results,
            long long ld, product_part part) {
  enum { SIDE = 16, TILE = SIDE * PER, DEPTH = 16, THREADS = SIDE * SIDE };
  __shared__ A rows[DEPTH][TILE + 1], columns[DEPTH][TILE + 1];
  const int tid = threadIdx.x, x = tid % SIDE, y = tid / SIDE;
  const int first_row = blockIdx.x * TILE, first_column = blockIdx.y * TILE;
  if ((!part.upper && first_row + TILE <= first_column) || (!part.lower && first_column + TILE <= first_row))
    return;
  const A a = alpha.get(), b = beta.get();
  A sum[PER][PER] = {};
  left.choose();
  right.choose();
  for (int start = 0; start < k && a != A(); start += DEPTH) {
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
  O *C = results.get();
  for (int j = 0; j < PER; j++)
    for (int i = 0; i < PER; i++) {
      const int row = first_row + x + i * SIDE, column = first_column + y + j * SIDE;
      if (row >= m || column >= n || (row > column && !part.lower) || (row < column && !part.upper))
        continue;
      O &c = C[row + column * ld];
      c = (O)(b == A() ? a * sum[i][j] : a * sum[i][j] + b * (A)c); /* C may hold anything if beta is 0 */
    }
}

/* Launches it with tiles that suit the size. */
template <typename A, typename O, typename L, typename R>
cublasStatus_t product_launch(cublasHandle_t handle, int m, int n, int k, scalar<A> alpha, L left, R right,
                              scalar<A> beta, batch<O> results, long long ld, product_part part,
                              int batches) {
  if (m == 0 || n == 0 || batches == 0)
    return CUBLAS_STATUS_SUCCESS;
  const bool small = m <= 32 || n <= 32;
  const int tile = small ? 16 : 64;
  const dim3 grid((m + tile - 1) / tile, (n + tile - 1) / tile, batches);
  if (small)
    product<A, O, L, R, 1>
        <<<grid, 256, 0, handle->stream>>>(m, n, k, alpha, left, right, beta, results, ld, part);
  else
    product<A, O, L, R, 4>
        <<<grid, 256, 0, handle->stream>>>(m, n, k, alpha, left, right, beta, results, ld, part);
  return handle_launched();
}
