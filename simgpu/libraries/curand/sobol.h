/* Sobol's sequences: all numbers of the first dimension, then all of the second one, and so on. The direction numbers of
 * the first ten dimensions are those of S. Joe and F. Kuo, "Constructing Sobol sequences with better two-dimensional
 * projections" (2008). */
#pragma once

#include "generator.h"

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

template <typename S, typename V, typename D>
__global__ void generate(V *directions, unsigned long long position, size_t points, D draw,
                         typename D::value *to) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += (size_t)gridDim.x * blockDim.x) {
    S state;
    curand_init(directions[blockIdx.y], position + i, &state);
    to[blockIdx.y * points + i] = draw(&state);
  }
}

/* V: the toolkit's type of a dimension's direction numbers. */
template <typename S, typename V, typename W, int BITS, typename D>
curandStatus_t sobol_generate(curandGenerator_t g, size_t count, D draw, typename D::value *to) {
  if (count % g->dimensions != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (!g->tables) {
    V directions[SOBOL_DIMENSIONS];
    for (int d = 0; d < SOBOL_DIMENSIONS; d++)
      sobol_directions<W, BITS>(d, directions[d]);
    if (cudaMalloc(&g->tables, sizeof directions) != cudaSuccess ||
        cudaMemcpy(g->tables, directions, sizeof directions, cudaMemcpyHostToDevice) != cudaSuccess)
      return CURAND_STATUS_ALLOCATION_FAILED;
  }
  const size_t points = count / g->dimensions, blocks = (points + SOBOL_THREADS - 1) / SOBOL_THREADS;
  generate<S, V><<<dim3(blocks < 4096 ? blocks : 4096, g->dimensions), SOBOL_THREADS, 0, g->stream>>>(
      (V *)g->tables, g->position, points, draw, to);
  return generator_launched();
}
