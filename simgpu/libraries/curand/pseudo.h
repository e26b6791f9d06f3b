/* Generators with a state per subsequence: number n comes from subsequence n mod K, and is number n / K of it. K is 4096,
 * and 81920 for MRG32k3a in the default order. Pairs of normal numbers are dealt out in the same way. */
#pragma once

#include "generator.h"

enum { PSEUDO_THREADS = 128 };

template <typename S>
__global__ void seed_states(S *states, unsigned subsequences, unsigned long long seed,
                            unsigned long long position) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, t, (position + subsequences - 1 - t) / subsequences, &states[t]);
}

template <typename S, typename D>
__global__ void generate(S *states, unsigned subsequences, unsigned long long first, size_t groups, D draw,
                         typename D::value *to) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  S state = states[t];
  for (size_t i = (t + subsequences - first % subsequences) % subsequences; i < groups; i += subsequences)
    for (int k = 0; k < D::GROUP; k++)
      to[i * D::GROUP + k] = draw(&state);
  states[t] = state;
}

template <typename S> curandStatus_t pseudo_generate(curandGenerator_t g, const generator_request &r) {
  const unsigned n = g->subsequences, blocks = n / PSEUDO_THREADS;
  if (!g->states && cudaMalloc(&g->states, n * sizeof(S)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  S *states = (S *)g->states;
  if (!g->is_seeded)
    seed_states<<<blocks, PSEUDO_THREADS, 0, g->stream>>>(states, n, g->seed, g->position);
  g->is_seeded = true;
  return generator_dispatch(r, [&](auto draw, auto *to) {
    enum { GROUP = decltype(draw)::GROUP };
    generate<<<blocks, PSEUDO_THREADS, 0, g->stream>>>(states, n, (g->position + GROUP - 1) / GROUP,
                                                       r.count / GROUP, draw, to);
    return generator_launched();
  });
}
