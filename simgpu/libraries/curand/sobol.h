/* Sobol's sequences: all numbers of the first dimension, then all of the second one, and so on. The direction numbers
 * of the first ten dimensions are those of S. Joe and F. Kuo, "Constructing Sobol sequences with better two-dimensional
 * projections" (2008). Those of other dimensions, and all of the scrambled sequences, come from NVIDIA's library. */
#pragma once

#include "generator.h"

#include <vector>

enum { SOBOL_DIMENSIONS = 10, SOBOL_THREADS = 128 };

/* Direction numbers of `BITS` bits: m_k / 2^k as a fixed-point number. */
template <typename W, int BITS> void sobol_directions(int dimension, W *directions) {
  static const struct {
    int degree, coefficients; /* of the primitive polynomial, without the first and the last one */
    unsigned m[5];
  } table[SOBOL_DIMENSIONS] = {{0, 0, {}},
                               {1, 0, {1}},
                               {2, 1, {1, 3}},
                               {3, 1, {1, 3, 1}},
                               {3, 2, {1, 1, 1}},
                               {4, 1, {1, 1, 3, 3}},
                               {4, 4, {1, 3, 5, 13}},
                               {5, 2, {1, 1, 5, 5, 17}},
                               {5, 4, {1, 1, 5, 5, 5}},
                               {5, 7, {1, 1, 7, 11, 19}}};
  const auto &row = table[dimension];
  for (int k = 0; k < BITS; k++) {
    if (row.degree == 0 || k < row.degree) {
      directions[k] = (W)(row.degree == 0 ? 1 : row.m[k]) << (BITS - 1 - k);
      continue;
    }
    directions[k] = directions[k - row.degree] ^ (directions[k - row.degree] >> row.degree);
    for (int i = 1; i < row.degree; i++)
      if (row.coefficients >> (row.degree - 1 - i) & 1)
        directions[k] ^= directions[k - i];
  }
}

/* Q: the toolkit's types of a sequence; get() finds the tables, start() sets a state to a point. */
template <typename Q, typename D>
__global__ void generate(typename Q::directions *directions, const typename Q::word *constants,
                         unsigned long long position, size_t points, D draw, typename D::value *to) {
  const typename Q::word constant = constants[blockIdx.y];
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += (size_t)gridDim.x * blockDim.x) {
    typename Q::state state;
    Q::start(directions[blockIdx.y], constant, position + i, &state);
    to[blockIdx.y * points + i] = draw(&state);
  }
}

/* Direction numbers of all dimensions, then their constants, in device memory. */
template <typename Q> curandStatus_t sobol_tables(curandGenerator_t g) {
  typedef typename Q::directions directions;
  typedef typename Q::word word;
  const size_t n = g->dimensions, size = n * sizeof(directions);
  directions own[SOBOL_DIMENSIONS], *vectors = own;
  std::vector<word> zeros(n);
  word *constants = zeros.data();
  if (!Q::SCRAMBLED && n <= SOBOL_DIMENSIONS) {
    for (unsigned d = 0; d < n; d++)
      sobol_directions<word, (int)sizeof(word) * 8>((int)d, own[d]);
  } else {
    const curandStatus_t status = Q::get(&vectors, &constants);
    if (status != CURAND_STATUS_SUCCESS)
      return status;
  }
  if (cudaMalloc(&g->tables, size + n * sizeof(word)) != cudaSuccess ||
      cudaMemcpy(g->tables, vectors, size, cudaMemcpyHostToDevice) != cudaSuccess ||
      cudaMemcpy((char *)g->tables + size, constants, n * sizeof(word), cudaMemcpyHostToDevice) !=
          cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  return CURAND_STATUS_SUCCESS;
}

template <typename Q, typename D>
curandStatus_t sobol_generate(curandGenerator_t g, size_t count, D draw, typename D::value *to) {
  if (count % g->dimensions != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const curandStatus_t status = g->tables ? CURAND_STATUS_SUCCESS : sobol_tables<Q>(g);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  typename Q::directions *directions = (typename Q::directions *)g->tables;
  const size_t points = count / g->dimensions, blocks = (points + SOBOL_THREADS - 1) / SOBOL_THREADS;
  generate<Q><<<dim3(blocks < 4096 ? blocks : 4096, g->dimensions), SOBOL_THREADS, 0, g->stream>>>(
      directions, (const typename Q::word *)(directions + g->dimensions), g->position, points, draw, to);
  return generator_launched();
}
